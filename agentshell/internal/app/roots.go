package app

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// rootsOf returns the directories of a session: dir, and the ones that the person adds. Each of the
// others has the name of its directory, which stands in front of its paths; :ro behind one makes it
// read-only. One that lies in a directory of the session already adds nothing.
func rootsOf(dir string, added, more []string, home string) ([]workspace.Root, error) {
	roots := []workspace.Root{{Dir: dir}}
	taken := map[string]bool{"workspace": true}
	for i, text := range append(slices.Clone(added), more...) {
		root := workspace.Root{Dir: text}
		if i < len(added) { // an editor's are paths and nothing else
			root.Dir, root.ReadOnly = addedDir(text, home)
		}
		abs, err := filepath.Abs(root.Dir)
		if err != nil || root.Dir == "" {
			return nil, usage("--add-dir: %q is no directory", text)
		}
		root.Dir = abs
		if info, err := os.Stat(abs); err != nil {
			return nil, usage("--add-dir: %w", err)
		} else if !info.IsDir() {
			return nil, usage("--add-dir: %s is not a directory", abs)
		}
		if covered, err := overlap(roots, root); err != nil {
			return nil, err
		} else if covered {
			continue
		}
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

// addedDir returns the directory that a person adds by a text, and whether it may be read only.
func addedDir(text, home string) (dir string, readOnly bool) {
	dir, readOnly = strings.CutSuffix(text, ":ro")
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && home != "" {
		dir = filepath.Join(home, rest)
	}
	return dir, readOnly
}

// overlap compares a new directory with those that are there. A file has one path that may be
// written: the same file under two would be told and taken back twice, and a directory that is
// read-only by one path would be written by the other.
func overlap(roots []workspace.Root, root workspace.Root) (covered bool, err error) {
	for _, r := range roots {
		switch {
		case liesIn(r.Dir, root.Dir) && r.ReadOnly == root.ReadOnly:
			return true, nil
		case liesIn(r.Dir, root.Dir) && root.ReadOnly:
			return false, usage("--add-dir: %s lies in %s, which may be written, so it cannot be read-only",
				root.Dir, r.Dir)
		case liesIn(root.Dir, r.Dir) && !root.ReadOnly:
			return false, usage("--add-dir: %s contains %s: add it read-only (%s:ro), or work in it (--workspace %s)",
				root.Dir, r.Dir, root.Dir, root.Dir)
		}
	}
	return false, nil
}

// liesIn reports whether full is dir or lies in it, whatever links lead there.
func liesIn(dir, full string) bool {
	rel, err := filepath.Rel(linkFree(dir), linkFree(full))
	return err == nil && filepath.IsLocal(rel)
}

// linkFree returns dir without links, or dir if it cannot be looked at, which is told when it is
// opened.
func linkFree(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
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
