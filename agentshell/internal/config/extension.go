package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Extension is the setting of one extension of the shell: a folder that contains a manifest and a
// program.
type Extension struct {
	// Dir is the folder, absolute or with ~/ at the beginning; "": the folder extensions/NAME in
	// the configuration directory.
	Dir string `toml:"dir"`
	// Env lists more environment variables for the program: NAME=value, or only NAME for the value
	// that it has in this process.
	Env []string `toml:"env"`
}

// maxExtensionName is the maximum number of bytes in the name of an extension.
const maxExtensionName = 24

// check returns an error if the extension with that name cannot be used. key is the wrong setting,
// such as ".dir", or "".
func (e Extension) check(name string) (key string, err error) {
	switch {
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.Trim(name, "-") != name ||
		name == "" || len(name) > maxExtensionName:
		return "", fmt.Errorf("the name of an extension must be small letters, digits and -, at most %d",
			maxExtensionName)
	case e.Dir != "" && !filepath.IsAbs(e.Dir) && !strings.HasPrefix(e.Dir, "~/"):
		return ".dir", errors.New("dir must be absolute or begin with ~/")
	}
	return "", nil
}

// Folder returns the folder of the extension. configDir is the directory of the configuration file.
func (e Extension) Folder(name, configDir, home string) string {
	switch rest, below := strings.CutPrefix(e.Dir, "~/"); {
	case e.Dir == "":
		return filepath.Join(configDir, "extensions", name)
	case below:
		return filepath.Join(home, rest)
	}
	return e.Dir
}
