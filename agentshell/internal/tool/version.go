package tool

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// programDirs lists the directories of programs that the system or its administrator has installed.
// Version managers such as asdf install in the home directory instead. Their programs bear the
// names of others, and files of the workspace choose which version, or which program, they start.
var programDirs = []string{"/usr/", "/bin/", "/opt/", "/nix/store/"}

// whyNoVersion returns the reason why running "NAME --version" may do more than print a version, or
// "" if it is safe. It is safe only if the program is machine code in a directory of the system,
// and not a link to a program of another name.
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

// otherName returns the message that the program name may start another program, which reads files
// of the workspace.
func otherName(name string) string {
	return name + " may be a program of another name here, which looks into the workspace"
}

// liesIn reports whether path begins with one of dirs. Each dir ends with a slash.
func liesIn(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(path, dir) })
}

// isMachineCode reports whether a file begins with the magic bytes of an ELF or Mach-O executable.
// It is false for scripts, which may start other programs.
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

// readerDirs lists the directories in which a program with the name of a read-only command, such as
// rg, is that command. It extends programDirs by further directories into which only package
// managers install.
var readerDirs = append([]string{"/sbin/", "/snap/", "/gnu/store/", "/home/linuxbrew/", "/run/current-system/",
	"/etc/profiles/"}, programDirs...)

// builtins lists the commands without side effects that the shell itself implements, so that no
// program on the PATH is run.
var builtins = []string{"echo", "printf", "pwd", "test", "[", "true", "false", ":", "type", "cd"}

// whyOtherReader returns the reason why the program that the shell runs for the name of a read-only
// command, such as jq or rg, may be another program, or "" if it is that command. Version managers
// put shims of that name on the PATH, and files of the workspace choose what the shims run. Outside
// of the system's directories the program must be machine code of exactly that name.
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

// whyShim returns a reason to distrust name if the first program of that name on the PATH is a
// version manager's shim, else "".
func (e Env) whyShim(name string) string {
	if slices.Contains(builtins, name) {
		return ""
	}
	if found, err := child.NewPrograms(e.Commands.variable("PATH")).Path(name); err == nil && child.IsShim(found) {
		return otherName(name)
	}
	return ""
}
