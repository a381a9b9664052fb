package app

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
)

// templates holds the template files for a new extension, in one directory for each language. In
// the files, NAME stands for the name of the extension.
//
//go:embed extensiontemplate
var templates embed.FS

// newExtension handles `agentshell extension new`: it writes a directory with an extension that
// works.
func (p Host) newExtension(f ExtensionOptions) error {
	o := f.New
	if err := extension.CheckName(o.Name); err != nil {
		return UsageErrorf("%q: %w", o.Name, err)
	}
	dir := o.Dir
	if dir == "" {
		dir = o.Name
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	files, err := p.extensionFiles(o.Name, o.Go)
	if err != nil {
		return err
	}
	if err := writeNew(dir, files); err != nil {
		return err
	}
	PrintLine(p.Stdout, "Wrote %s:", dir)
	for _, file := range files {
		PrintLine(p.Stdout, "  %s", file.name)
	}
	PrintLine(p.Stdout, "\nNext:")
	if o.Go {
		PrintLine(p.Stdout, "  cd %s && go build", dir)
	}
	PrintLine(p.Stdout, "  agentshell extension test %s --run %s --keys 'down enter'", dir, o.Name)
	PrintLine(p.Stdout, "\nTo use it, add this to %s, and start agentshell again:", filepath.Join(config.Dir(p.getenv),
		"config.toml"))
	PrintLine(p.Stdout, "  [extensions.%s]\n  dir = %q\n", o.Name, dir)
	PrintLine(p.Stdout, "Then /%s shows the picker. docs/extensions.md says what else an extension can add.", o.Name)
	return nil
}

// newFile is one file of a new extension. Its name is a path with slashes.
type newFile struct {
	name string // The path in the extension's directory, with slashes.
	text []byte
}

// extensionFiles returns the files of a new extension, in Go or in JavaScript, with the SDK.
func (p Host) extensionFiles(name string, inGo bool) (files []newFile, err error) {
	folder := "extensiontemplate/js"
	sdk := map[string]string{"js/extension.mjs": "extension.mjs"}
	if inGo {
		folder = "extensiontemplate/go"
		sources, err := fs.Glob(p.SDK, "*.go")
		if err != nil {
			return nil, err
		}
		sdk = map[string]string{}
		for _, source := range sources {
			if !strings.HasSuffix(source, "_test.go") {
				sdk[source] = "extension/" + source
			}
		}
	}
	entries, err := templates.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := templates.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		// A .txt hides files from the go command and from the tests of this module.
		files = append(files, newFile{strings.TrimSuffix(e.Name(), ".txt"), bytes.ReplaceAll(text, []byte("NAME"),
			[]byte(name))})
	}
	for source, target := range sdk {
		text, err := fs.ReadFile(p.SDK, source)
		if err != nil {
			return nil, err
		}
		files = append(files, newFile{target, text})
	}
	slices.SortFunc(files, func(a, b newFile) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// writeNew writes files into dir, which it creates. It returns an error if dir already has files.
func writeNew(dir string, files []newFile) error {
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return UsageErrorf("%s is not empty; nothing was written", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = file.Write(f.text)
		if err := errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}
