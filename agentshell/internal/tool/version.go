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
	why := name + " may be a program of another name here, which looks into the workspace"
	search := ""
	for _, v := range e.Environ {
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			search = value
		}
	}
	found, err := child.NewPrograms(search, e.Workspace.Dirs()...).Path(name)
	if err != nil {
		return name + " is not installed"
	}
	real, err := filepath.EvalSymlinks(found)
	if err != nil || !strings.HasPrefix(filepath.Base(real), name) ||
		!slices.ContainsFunc(programDirs, func(dir string) bool { return strings.HasPrefix(real, dir) }) {
		return why
	}
	f, err := regular.Open(real)
	if err != nil {
		return why
	}
	defer f.Close()
	magic := make([]byte, 4)
	if _, err := io.ReadFull(f, magic); err != nil ||
		!slices.Contains([]string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe"}, string(magic)) {
		return why // a script, which may start another program
	}
	return ""
}
