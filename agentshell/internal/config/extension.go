package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Extension is an extension of the person: a folder with a manifest and a program.
type Extension struct {
	// Dir is absolute or begins with ~/; "": the folder of the extension's name in the folder
	// extensions beside the configuration file.
	Dir string `toml:"dir"`
	// Env lists variables that the program gets besides: NAME=value, or NAME for the value of this
	// process.
	Env []string `toml:"env"`
}

// maxExtensionName is the number of bytes that the name of an extension may have.
const maxExtensionName = 24

// check returns an error if an extension with that name cannot be used. key is the setting that is
// wrong.
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

// Folder returns the folder of the extension. configDir is that of the configuration file.
func (e Extension) Folder(name, configDir, home string) string {
	switch rest, below := strings.CutPrefix(e.Dir, "~/"); {
	case e.Dir == "":
		return filepath.Join(configDir, "extensions", name)
	case below:
		return filepath.Join(home, rest)
	}
	return e.Dir
}
