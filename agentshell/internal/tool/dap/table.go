package dap

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

//go:embed adapters.toml
var builtinTable []byte

// Adapter describes a debug adapter: how it is started, and which programs it can debug.
type Adapter struct {
	Name    string   `toml:"-"`
	Command []string `toml:"command"`
	// Names lists further names of the adapter's program, in the order in which they are tried.
	Names   []string `toml:"names"`
	Version []string `toml:"version"` // Version is the arguments with which the program prints its version.
	Least   int      `toml:"least"`   // Least is the first major version that works; 0: any.
	Socket  bool     `toml:"socket"`  // Socket says that the adapter listens on a TCP port that it prints.
	Traces  bool     `toml:"traces"`  // Traces says that the adapter needs the system calls of a debugger (ptrace).
	Kinds   []string `toml:"kinds"`   // Kinds lists the file name endings of its programs.
	Folders bool     `toml:"folders"` // Folders says that a program may be a folder.
	Native  bool     `toml:"native"`  // Native says that it debugs programs in machine code.
	// Roots lists file names that mark a project; one of them must be in a directory above the
	// program. Empty: any program.
	Roots []string `toml:"roots"`
	// InRoot says that the adapter has to run in the directory of the root marker.
	InRoot  bool   `toml:"in_root"`
	Install string `toml:"install"`
	// Launch and Attach are arguments of the launch and attach requests. Cases holds further ones
	// of a launch, by a pattern for the file name, "folder" or "binary".
	Launch map[string]any            `toml:"launch"`
	Attach map[string]any            `toml:"attach"`
	Cases  map[string]map[string]any `toml:"cases"`
	// PID is the name of the argument of attach that takes a process id; "": it cannot attach to a
	// process.
	PID string `toml:"pid"`
	// Remote says how the adapter attaches to a port. "port" means by an argument of that name.
	// "direct" means that an adapter listens there, and gets the requests instead. "": it cannot.
	Remote   string `toml:"remote"`
	Disabled bool   `toml:"disabled"`
}

// Program is a program that is to be debugged.
type Program struct {
	Path   string // Path is absolute.
	Folder bool
	Binary bool // Binary says that it is a file that the system can execute.
}

// Table holds adapters by name.
type Table map[string]Adapter

// Builtin returns the table of the adapters that this program knows.
func Builtin() (Table, error) { return Table{}.With(builtinTable) }

// With returns t with the entries of another table, data, in TOML. The fields that data names
// replace those of t.
func (t Table) With(data []byte) (Table, error) {
	merged := maps.Clone(t)
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	fresh := map[string]Adapter{}
	if err := d.Decode(&fresh); err != nil {
		return nil, helper.TableError(err)
	}
	var texts map[string]map[string]any
	if err := toml.Unmarshal(data, &texts); err != nil {
		return nil, helper.TableError(err)
	}
	for name, fields := range texts {
		a, err := merged[name].overriddenBy(fields)
		if err == nil {
			a.Name = name
			err = a.check()
		}
		if err != nil {
			return nil, fmt.Errorf("adapter %q: %w", name, err)
		}
		merged[name] = a
	}
	return merged, nil
}

// overriddenBy returns a with the fields that a table of TOML contains replaced.
func (a Adapter) overriddenBy(fields map[string]any) (Adapter, error) {
	text, err := toml.Marshal(fields)
	if err != nil {
		return a, err
	}
	// A map would be filled up, and a table replaces it.
	for name, field := range map[string]*map[string]any{"launch": &a.Launch, "attach": &a.Attach} {
		if _, named := fields[name]; named {
			*field = nil
		}
	}
	if _, named := fields["cases"]; named {
		a.Cases = nil
	}
	return a, toml.Unmarshal(text, &a)
}

func (a Adapter) check() error {
	switch {
	case a.Disabled:
		return nil
	case len(a.Command) == 0 || a.Command[0] == "":
		return errors.New("it has no command")
	case a.Least > 0 && len(a.Version) == 0:
		return errors.New("it has a least version, and no arguments that print the version")
	case a.Remote != "" && a.Remote != "direct" && a.Remote != "port":
		return fmt.Errorf("remote is %q, and can be direct or port", a.Remote)
	case len(a.Kinds) == 0 && !a.Native:
		return errors.New("it is for no programs: kinds or native is missing")
	}
	return nil
}

// Enabled returns the adapters that are not disabled, sorted by name.
func (t Table) Enabled() (list []Adapter) {
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if a := t[name]; !a.Disabled {
			list = append(list, a)
		}
	}
	return list
}

// preferredNative lists the adapters for programs in machine code whose source language is not
// known, in the order of preference.
var preferredNative = []string{"gdb", "lldb-dap"}

// fitRank returns how well an adapter fits a program: a higher number fits better, 0 does not fit.
// root says that one of its root markers is above the program.
func (a Adapter) fitRank(p Program, root bool) int {
	rooted := len(a.Roots) > 0 && root
	switch {
	case slices.Contains(a.Kinds, filepath.Ext(p.Path)) && filepath.Ext(p.Path) != "":
		return 4
	case p.Folder:
		if a.Folders && rooted {
			return 3
		}
		return 0
	case a.Native && rooted && p.Binary:
		return 3
	case a.Native && p.Binary && slices.Contains(preferredNative, a.Name):
		return 2
	case a.Native && p.Binary:
		return 1
	}
	return 0
}

// ForLaunch returns the adapters that can launch a program, the best first. rooted reports whether
// a root marker of an adapter is above the program.
func (t Table) ForLaunch(p Program, rooted func(a Adapter) bool) []Adapter {
	rank := func(a Adapter) int { return a.fitRank(p, rooted(a)) }
	list := slices.DeleteFunc(t.Enabled(), func(a Adapter) bool { return rank(a) == 0 })
	slices.SortStableFunc(list, func(a, b Adapter) int { return rank(b) - rank(a) })
	return list
}

// ForAttach returns the adapters that can attach to a port if remote is set, and otherwise to a
// process, the best first.
func (t Table) ForAttach(remote bool) []Adapter {
	list := slices.DeleteFunc(t.Enabled(), func(a Adapter) bool {
		return remote && a.Remote == "" || !remote && a.PID == ""
	})
	score := func(a Adapter) int {
		switch {
		case remote && a.Name == "debugpy":
			return 0
		case slices.Contains(preferredNative, a.Name):
			return 1
		case a.Native:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b Adapter) int { return score(a) - score(b) })
	return list
}

// LaunchArguments returns the arguments of the launch request. args are the arguments of the
// program, cwd its working directory, and temp a temporary directory.
func (a Adapter) LaunchArguments(p Program, args []string, cwd, temp string) map[string]any {
	all := substituteTemp(a.Launch, temp)
	for pattern, more := range a.Cases {
		match, _ := filepath.Match(pattern, filepath.Base(p.Path))
		if pattern == "folder" && p.Folder || pattern == "binary" && p.Binary && !slices.Contains(a.Kinds,
			filepath.Ext(p.Path)) || match && !p.Folder && pattern != "folder" && pattern != "binary" {
			maps.Copy(all, substituteTemp(more, temp))
		}
	}
	all["program"], all["cwd"] = p.Path, cwd
	if all["mode"] == "test" { // the tests of a package are one program
		all["program"] = filepath.Dir(p.Path)
	}
	if args == nil {
		args = []string{}
	}
	all["args"] = args
	return all
}

// AttachArguments returns the arguments of the attach request: for a port if port is not 0,
// otherwise for the process pid.
func (a Adapter) AttachArguments(pid int, host string, port int, cwd string) map[string]any {
	all := substituteTemp(a.Attach, "")
	all["cwd"] = cwd
	switch {
	case port == 0:
		all[a.PID] = pid
	case a.Remote == "port":
		all["port"], all["host"], all["address"] = port, host, host
	}
	return all
}

// substituteTemp returns a copy of arguments in which ${temp} is replaced by the temporary
// directory.
func substituteTemp(arguments map[string]any, temp string) map[string]any {
	all := map[string]any{}
	for name, value := range arguments {
		if text, ok := value.(string); ok {
			value = strings.ReplaceAll(text, "${temp}", temp)
		}
		all[name] = value
	}
	return all
}

// Root returns the nearest directory above path, up to top, that contains a root marker, or "" if
// there is none.
func (a Adapter) Root(path, top string, exists func(path string) bool) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		if slices.ContainsFunc(a.Roots, func(name string) bool { return exists(filepath.Join(dir, name)) }) {
			return dir
		}
		if dir == top || dir == filepath.Dir(dir) {
			return ""
		}
	}
}
