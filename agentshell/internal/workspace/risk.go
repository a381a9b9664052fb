package workspace

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// RunsCode says in a sentence who executes or obeys a file at p of that mode without being asked
// again, or "" (FS-34). A person who writes such a file decides on more than a text, so no rule
// and no mode writes it for them.
//
// asked is the path as it was asked for, which may be a link of such a name; "" if there is none.
func (w *Workspace) RunsCode(p Path, asked string, mode fs.FileMode) string {
	r := w.byName[p.root]
	if r == nil {
		return ""
	}
	if why := w.gitRuns(w.Abs(p)); why != "" {
		return why
	}
	if why := byName(runners, p.rel); why != "" {
		return why
	}
	if link := w.linkName(asked); link != "" {
		if why := byName(runners, link); why != "" {
			return why
		}
	}
	if within(runners, r.real) {
		return "programs run what lies below " + r.real
	}
	if link := r.flaggedLink(p); link != "" {
		return "programs run this file by the link " + link
	}
	if mode.IsRegular() && mode.Perm()&0o111 != 0 {
		return "this file is run by anyone: it is executable"
	}
	return ""
}

// within reports whether a root lies in a hidden directory of the table (".github/workflows"). A
// checkout that an agent keeps for itself (".claude/worktrees/fix") is judged by what is in it.
func within(table []runner, dir string) bool {
	dir = filepath.ToSlash(dir)
	return !strings.Contains(dir, "/worktrees/") && inside(table, dir)
}

// linkName returns a request as a path below a root, with its links not resolved; "" if it is none.
func (w *Workspace) linkName(asked string) string {
	if filepath.IsAbs(asked) {
		_, rel := w.rootOf(filepath.Clean(asked))
		return rel
	}
	if asked = filepath.ToSlash(filepath.Clean(asked)); asked == "." {
		return ""
	}
	return strings.ReplaceAll(asked, "../", "")
}

// maxLinked is how many entries of a directory are looked at for links.
const maxLinked = 10_000

// flaggedLink returns a link beside p, or above it within the root, that has a name that is run and
// leads to p; "" if there is none.
func (r *root) flaggedLink(p Path) string {
	full := filepath.Join(r.real, filepath.FromSlash(p.rel))
	for dir := p.dir(); ; dir = path.Dir(dir) {
		for link, to := range links(filepath.Join(r.real, filepath.FromSlash(dir))) {
			if rel := path.Join(dir, link); byName(runners, rel) != "" || byName(runners, rel+"/x") != "" {
				if _, in := below(to, full); in {
					return rel
				}
			}
		}
		if dir == "." {
			return ""
		}
	}
}

// links returns the symbolic links in a directory, by name, and where they lead.
func links(dir string) map[string]string {
	f, err := regular.OpenDir(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	found := map[string]string{}
	entries, _ := f.ReadDir(maxLinked)
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if at, err := walk(name); err == nil {
			found[e.Name()] = at.full()
		} else if to, err := os.Readlink(name); err == nil { // what it leads to may be made now
			found[e.Name()] = anchor(to, dir, "")
		}
	}
	return found
}
