package workspace

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// RunsCode returns a sentence about the program that executes or obeys the file p without asking,
// or "" if there is none (FS-34). The user has to decide about each write to such a file, in every
// mode and whatever the permission rules say. requested is the path in the request, which may be a
// link with a dangerous name, or "".
func (w *Workspace) RunsCode(p Path, requested string, mode fs.FileMode) string {
	r := w.rootNamed(p.root)
	if r == nil {
		return ""
	}
	if why := w.whyGitRuns(w.Abs(p)); why != "" {
		return why
	}
	if why := whyRun(runnerTable, p.rel); why != "" {
		return why
	}
	if link := w.unresolvedPath(requested); link != "" {
		if why := whyRun(runnerTable, link); why != "" {
			return why
		}
	}
	if rootIsInAutorunDir(runnerTable, r.realPath) {
		return "programs run what lies below " + r.realPath
	}
	if link := r.dangerousLink(p); link != "" {
		return "programs run this file by the link " + link
	}
	if mode.IsRegular() && mode.Perm()&0o111 != 0 {
		return "this file is run by anyone: it is executable"
	}
	return ""
}

// rootIsInAutorunDir reports whether a root is in a hidden directory of the table, such as
// ".github/workflows". It returns false for a worktree of an agent, such as
// ".claude/worktrees/fix": there each file is judged alone.
func rootIsInAutorunDir(table []runner, dir string) bool {
	dir = filepath.ToSlash(dir)
	return !strings.Contains(dir, "/worktrees/") && inAutorunDir(table, dir)
}

// unresolvedPath returns a request as a path relative to its root, without resolving links. It
// returns "" if it is in no root.
func (w *Workspace) unresolvedPath(requested string) string {
	if filepath.IsAbs(requested) {
		_, rel := w.rootOf(filepath.Clean(requested))
		return rel
	}
	if requested = filepath.ToSlash(filepath.Clean(requested)); requested == "." {
		return ""
	}
	return strings.ReplaceAll(requested, "../", "")
}

// maxSearchedEntries is the number of entries of a directory that are searched for links.
const maxSearchedEntries = 10_000

// dangerousLink returns a link that leads to p and has a name that a program runs, or "" if there
// is none. It searches the directory of p and those above it in the root.
func (r *root) dangerousLink(p Path) string {
	full := filepath.Join(r.realPath, filepath.FromSlash(p.rel))
	for dir := p.dir(); ; dir = path.Dir(dir) {
		for link, to := range readLinks(filepath.Join(r.realPath, filepath.FromSlash(dir))) {
			if rel := path.Join(dir, link); whyRun(runnerTable, rel) != "" || whyRun(runnerTable, rel+"/x") != "" {
				if _, in := relativeTo(to, full); in {
					return rel
				}
			}
		}
		if dir == "." {
			return ""
		}
	}
}

// readLinks returns the targets of the symbolic links in a directory, by their names.
func readLinks(dir string) map[string]string {
	f, err := regular.OpenDir(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	found := map[string]string{}
	entries, _ := f.ReadDir(maxSearchedEntries)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if at, err := resolveLinks(name); err == nil {
			found[e.Name()] = at.fullPath()
		} else if to, err := os.Readlink(name); err == nil { // its target may be created by this write
			found[e.Name()] = absolutePath(to, dir, "")
		}
	}
	return found
}
