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
var builtin []byte

// Server says how a language server is started, and for which files.
type Server struct {
	Name     string            `toml:"-"`
	Command  []string          `toml:"command"`
	Kinds    map[string]string `toml:"kinds"` // extension or name of a file to its language
	Roots    []string          `toml:"roots"` // one of them lies above a file; none: any workspace
	Install  string            `toml:"install"`
	Linter   bool              `toml:"linter"` // it gives diagnostics, actions and formatting only
	Settings map[string]any    `toml:"settings"`
	Options  map[string]any    `toml:"options"` // of initialize
	Disabled bool              `toml:"disabled"`
	// Edits are commands of the server that only make edits, of which the person is shown the
	// edits.
	Edits []string `toml:"edits"`
}

// OnlyEdits reports whether a command of the server does nothing but edits that it asks us to make.
func (s Server) OnlyEdits(command string) bool { return slices.Contains(s.Edits, command) }

// Handles reports whether the server is for files of that name.
func (s Server) Handles(path string) bool { return s.language(path) != "" }

// Table is servers by name.
type Table map[string]Server

// Builtin returns the servers that we know.
func Builtin() (Table, error) { return Table{}.With(builtin) }

// With returns the table with another one over it: a server of that has the fields that it names,
// and the others from t.
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
		merged[name] = merged[name].over(name, over, names[name])
		if err := merged[name].check(); err != nil {
			return nil, fmt.Errorf("server %q: %w", name, err)
		}
	}
	return merged, nil
}

// over returns s with the fields of o that a table names.
func (s Server) over(name string, o Server, named any) Server {
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

// Enabled returns the servers that are not disabled, those that know most first: linters come last.
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

// rootedAt reports whether one of the root markers lies in dir or in a folder above it, not above
// top.
func (s Server) rootedAt(dir, top string, exists func(path string) bool) bool {
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
