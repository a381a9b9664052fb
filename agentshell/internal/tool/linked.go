package tool

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

// maxLinkedLooked is the number of symbolic links that are checked for whether they lead to a
// folder. maxLinkedNames is the number of such folders that a result names.
const (
	maxLinkedLooked = 1000
	maxLinkedNames  = 5
)

// linkedFolders collects the symbolic links to folders that a search or a find met and did not
// follow, so that the model can be told.
type linkedFolders struct {
	names []string
	// n is the number of links to folders, and looked the number of links that were checked.
	n      int
	looked int
	lookup *ignore.Lookup
}

// add checks the symbolic link at which the walk t stands, and records it if it leads to a folder.
// A folder that the walk also visits at its real path is not recorded, unless the walk would find
// other files there.
func (l *linkedFolders) add(w *workspace.Workspace, t *workspace.Tree, what looks) {
	if l == nil || t.Mode()&fs.ModeSymlink == 0 || l.looked == maxLinkedLooked || t.PathLength() > workspace.MaxPath {
		return
	}
	l.looked++
	at := t.Path()
	to, ok := w.LinkedDir(at)
	if !ok || anyDepth(what.glob) && l.meets(w, t.StartPath(), to, what.ignored) {
		return
	}
	if l.n++; len(l.names) < maxLinkedNames {
		l.names = append(l.names, diff.Escape(at.Match()))
	}
}

// anyDepth reports whether the glob matches a file name in any directory.
func anyDepth(glob string) bool {
	after, ok := strings.CutPrefix(glob, "**")
	return glob == "" || ok && strings.LastIndexByte(after, '/') <= 0
}

// meets reports whether a walk that starts at top visits dir. ignored is true if the walk includes
// files that git ignores.
func (l *linkedFolders) meets(w *workspace.Workspace, top, dir workspace.Path, ignored bool) bool {
	if top.Root() != dir.Root() || top.Rel() != "." && !strings.HasPrefix(dir.Rel()+"/", top.Rel()+"/") {
		return false
	}
	if l.lookup == nil {
		l.lookup = ignore.NewLookup(w)
	}
	return ignored || !l.lookup.Ignores(dir, true)
}

// text returns the line about the links for the model, or "" if there are none. done is what was
// not done with the folders, such as "searched".
func (l *linkedFolders) text(done string) string {
	if l.n == 0 {
		return ""
	}
	more := ""
	if l.n > len(l.names) {
		more = fmt.Sprintf(" and %d more", l.n-len(l.names))
	}
	was := "was"
	if l.n > 1 {
		was = "were"
	}
	return fmt.Sprintf("[%s %s not %s: %s%s; name it to have it %s]\n", count(l.n, "linked folder"), was, done,
		strings.Join(l.names, ", "), more, done)
}
