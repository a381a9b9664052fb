package main

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

// rootsOf are the directories of a session: dir, and those that the person adds. Each of the others
// has the name of its directory, which stands in front of its paths; :ro behind one makes it
// read-only.
func rootsOf(dir string, added, more []string, home string) ([]workspace.Root, error) {
	roots := []workspace.Root{{Dir: dir}}
	taken := map[string]bool{"workspace": true}
	for i, text := range append(added, more...) {
		root := workspace.Root{Dir: text}
		if i < len(added) { // an editor's are paths and nothing else
			root.Dir, root.ReadOnly = strings.CutSuffix(text, ":ro")
		}
		if rest, ok := strings.CutPrefix(root.Dir, "~/"); ok && home != "" {
			root.Dir = filepath.Join(home, rest)
		}
		abs, err := filepath.Abs(root.Dir)
		if err != nil || root.Dir == "" {
			return nil, usage("--add-dir: %q is no directory", text)
		}
		root.Dir = abs
		base := filepath.Base(abs)
		root.Name = base
		for n := 2; taken[root.Name]; n++ {
			root.Name = base + "-" + strconv.Itoa(n)
		}
		taken[root.Name] = true
		roots = append(roots, root)
	}
	return roots, nil
}

// besides says which roots there are besides the first, for the model; "" for none.
func besides(roots []workspace.Root) string {
	var list []string
	for _, r := range roots[1:] {
		about := r.Name + " (" + r.Dir + ")"
		if r.ReadOnly {
			about = r.Name + " (" + r.Dir + ", read-only)"
		}
		list = append(list, about)
	}
	if len(list) == 0 {
		return ""
	}
	return " There are further roots, whose name stands in front of a path, as in " + roots[1].Name + "/file: " +
		strings.Join(list, ", ") + "."
}
