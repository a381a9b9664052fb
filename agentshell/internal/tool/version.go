package tool

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// programDirs hold programs that the system or its administrator has installed. Managers of
// versions keep theirs in the home directory, under the names of other programs: those read which
// version to run, or which program, from files of the workspace.
var programDirs = []string{"/usr/", "/bin/", "/opt/", "/nix/store/"}

// whyNoVersion says why a program that is asked for its version may do more than tell it, or "". It
// must be a program of the system itself, and neither a script nor a program of another name.
func (e Env) whyNoVersion(name string) string {
	found, err := child.NewPrograms(e.Commands.variable("PATH"), e.Workspace.Dirs()...).Path(name)
	if err != nil {
		return name + " is not installed"
	}
	real, err := filepath.EvalSymlinks(found)
	if err != nil || !strings.HasPrefix(filepath.Base(real), name) || !liesIn(real, programDirs) ||
		!isMachineCode(real) {
		return otherName(name)
	}
	return ""
}

func otherName(name string) string {
	return name + " may be a program of another name here, which looks into the workspace"
}

func liesIn(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(path, dir) })
}

// isMachineCode reports whether a file is a program of the machine. A script may start another
// program.
func isMachineCode(file string) bool {
	f, err := regular.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := make([]byte, 4)
	_, err = io.ReadFull(f, magic)
	return err == nil &&
		slices.Contains([]string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"}, string(magic))
}

// readerDirs are more directories in which nobody puts programs under the names of others.
var readerDirs = append([]string{"/sbin/", "/snap/", "/gnu/store/", "/home/linuxbrew/", "/run/current-system/",
	"/etc/profiles/"}, programDirs...)

// builtins are the programs which only read that the shell has itself.
var builtins = []string{"echo", "printf", "pwd", "test", "[", "true", "false", ":", "type", "cd"}

// whyOtherReader says why the program that has the name of one which only reads may be another one,
// or "". A manager of versions puts shims of jq, rg and others before them, which run what a file
// of the workspace names. Elsewhere than in the directories of the system a program of that very
// name counts that is no script.
func (e Env) whyOtherReader(name string) string {
	if slices.Contains(builtins, name) {
		return ""
	}
	found, err := child.NewPrograms(child.WithoutShims(e.Commands.variable("PATH")), e.Workspace.Dirs()...).Path(name)
	if err != nil {
		return e.whyShim(name) // else the shell does not find it either
	}
	real, err := filepath.EvalSymlinks(found)
	if err != nil || child.IsShim(found) || !liesIn(found, readerDirs) &&
		(!strings.HasPrefix(filepath.Base(real), filepath.Base(name)) ||
			!liesIn(real, readerDirs) && !isMachineCode(real)) {
		return otherName(name)
	}
	return ""
}

// whyShim says that the first program of a name on the PATH is a shim; else "".
func (e Env) whyShim(name string) string {
	if slices.Contains(builtins, name) {
		return ""
	}
	if found, err := child.NewPrograms(e.Commands.variable("PATH")).Path(name); err == nil && child.IsShim(found) {
		return otherName(name)
	}
	return ""
}
