package lsp

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

//go:embed servers.toml
var builtinTable []byte

// Server describes a language server: how it is started, and which files it handles.
type Server struct {
	Name    string            `toml:"-"`
	Command []string          `toml:"command"`
	Kinds   map[string]string `toml:"kinds"` // Kinds holds the language ids by file extension or file name.
	// Roots lists file names that mark a project; one of them must be in a directory above the
	// file. Empty: any file.
	Roots   []string `toml:"roots"`
	Install string   `toml:"install"`
	// Linter says that the server only offers diagnostics, code actions and formatting.
	Linter   bool           `toml:"linter"`
	Settings map[string]any `toml:"settings"`
	Options  map[string]any `toml:"options"` // Options are the initializationOptions of the initialize request.
	Disabled bool           `toml:"disabled"`
	// Edits lists commands of the server that do nothing but ask for edits. The user is shown the
	// edits and not the command.
	Edits []string `toml:"edits"`
}

// OnlyEdits reports whether a command of the server does nothing but ask for edits.
func (s Server) OnlyEdits(command string) bool { return slices.Contains(s.Edits, command) }

// Handles reports whether the server handles files with that name.
func (s Server) Handles(path string) bool { return s.languageID(path) != "" }

// Table holds servers by name.
type Table map[string]Server

// Builtin returns the table of the servers that this program knows.
func Builtin() (Table, error) { return Table{}.With(builtinTable) }

// With returns t with the entries of another table, data, in TOML. The fields that data names
// replace those of t.
func (t Table) With(data []byte) (Table, error) {
	var names map[string]any
	if err := toml.Unmarshal(data, &names); err != nil {
		return nil, helper.TableError(err)
	}
	merged := maps.Clone(t)
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	fresh := map[string]Server{}
	if err := d.Decode(&fresh); err != nil {
		return nil, helper.TableError(err)
	}
	for name, over := range fresh {
		merged[name] = merged[name].overriddenBy(name, over, names[name])
		if err := merged[name].check(); err != nil {
			return nil, fmt.Errorf("server %q: %w", name, err)
		}
	}
	return merged, nil
}

// overriddenBy returns s with those fields of o that a table in TOML, named, contains.
func (s Server) overriddenBy(name string, o Server, named any) Server {
	s.Name = name
	table, _ := named.(map[string]any)
	for field := range table {
		switch field {
		case "command":
			s.Command = o.Command
		case "kinds":
			s.Kinds = o.Kinds
		case "roots":
			s.Roots = o.Roots
		case "install":
			s.Install = o.Install
		case "linter":
			s.Linter = o.Linter
		case "settings":
			s.Settings = o.Settings
		case "options":
			s.Options = o.Options
		case "edits":
			s.Edits = o.Edits
		case "disabled":
			s.Disabled = o.Disabled
		}
	}
	return s
}

func (s Server) check() error {
	switch {
	case s.Disabled:
		return nil
	case len(s.Command) == 0 || s.Command[0] == "":
		return errors.New("it has no command")
	case len(s.Kinds) == 0:
		return errors.New("it is for no kinds of files")
	}
	return nil
}

// Enabled returns the servers that are not disabled, by name, with the linters last.
func (t Table) Enabled() (list []Server) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if s := t[name]; !s.Disabled {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b Server) int {
		switch {
		case a.Linter == b.Linter:
			return 0
		case a.Linter:
			return 1
		}
		return -1
	})
	return list
}

// hasRootMarker reports whether a root marker is in dir or in a directory above it, up to top. It
// returns true for a server without root markers.
func (s Server) hasRootMarker(dir, top string, exists func(path string) bool) bool {
	if len(s.Roots) == 0 {
		return true
	}
	for {
		for _, name := range s.Roots {
			if exists(filepath.Join(dir, name)) {
				return true
			}
		}
		up := filepath.Dir(dir)
		if dir == top || up == dir {
			return false
		}
		dir = up
	}
}
