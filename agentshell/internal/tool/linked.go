package tool

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

// Limits of what is told of linked folders.
const (
	maxLinkedLooked = 1000 // links that are followed to see whether they lead to a folder
	maxLinkedNames  = 5
)

// linkedFolders are the folders that walks have met as links, and have not gone into.
type linkedFolders struct {
	names  []string
	n      int
	looked int
	lookup *ignore.Lookup
}

// add looks at a link that t is at, in a walk below top. A folder that the walk meets in its own
// place as well is left out, if it finds there what it would find by the link.
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

// anyDepth reports whether a file matches wherever it lies.
func anyDepth(glob string) bool {
	after, ok := strings.CutPrefix(glob, "**")
	return glob == "" || ok && strings.LastIndexByte(after, '/') <= 0
}

// meets reports whether a walk below top meets the directory.
func (l *linkedFolders) meets(w *workspace.Workspace, top, dir workspace.Path, ignored bool) bool {
	if top.Root() != dir.Root() || top.Rel() != "." && !strings.HasPrefix(dir.Rel()+"/", top.Rel()+"/") {
		return false
	}
	if l.lookup == nil {
		l.lookup = ignore.NewLookup(w)
	}
	return ignored || !l.lookup.Ignores(dir, true)
}

// text returns the line about them, "" for none. done says what was not done there: "searched".
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
