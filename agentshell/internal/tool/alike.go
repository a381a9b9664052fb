package tool

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// alike returns the path whose name looks like that of missing, which is not there, and a note for
// the model that says so. note is "" if there is none. Several are an error that names them.
func (e Env) alike(missing workspace.Path) (p workspace.Path, note string, err error) {
	found := e.Workspace.Alike(missing)
	switch len(found) {
	case 0:
		return missing, "", nil
	case 1:
		return found[0], fmt.Sprintf("There is no %s; the name of %s is the same but for characters that look alike",
			shown(missing), shown(found[0])), nil
	}
	var names []string
	for _, f := range found[:min(len(found), maxSuffixes)] {
		names = append(names, fmt.Sprintf("%s (%+q)", shown(f), f.Base()))
	}
	return missing, "", &Error{Code: "not_found", Text: fmt.Sprintf("file not found: %s; did you mean %s?",
		shown(missing), strings.Join(names, " or "))}
}
