package ignore

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Lookup tells for single paths what git ignores. It reads each directory once, so it is only valid
// for a moment.
type Lookup struct {
	matcher    Matcher
	levelByDir map[workspace.Path]level
}

// NewLookup returns a lookup for the files of ws.
func NewLookup(ws *workspace.Workspace) *Lookup {
	return &Lookup{matcher: Matcher{ws: ws}, levelByDir: map[workspace.Path]level{}}
}

// Ignores reports whether a path or a directory in it is ignored. The path need not exist. A root
// is not ignored.
func (l *Lookup) Ignores(file workspace.Path, isDir bool) bool {
	if file.Rel() == "." {
		return false
	}
	dir := file.Top()
	now := l.levelOf(dir, l.matcher.rootLevel)
	names := strings.Split(file.Rel(), "/")
	for _, name := range names[:len(names)-1] {
		above := now
		dir = dir.Join(name)
		now = l.levelOf(dir, func() level { return l.levelBelow(above, dir, name) })
	}
	if !now.isInIgnored && !now.folder.isIgnored(&l.matcher.scratch, file.Base(), isDir) {
		return false
	}
	return now.repo == nil || !now.repo.isTracked(l.matcher.ws, file, isDir)
}

// levelOf returns the rules in a directory, including those of the directory itself. before returns
// the rules without those.
func (l *Lookup) levelOf(dir workspace.Path, before func() level) level {
	now, known := l.levelByDir[dir]
	if !known {
		now = l.matcher.addOwnRules(before(), l.matcher.ws.DirInfo(dir, File), dir)
		l.levelByDir[dir] = now
	}
	return now
}

// levelBelow returns the rules for the directory name in above, without those of the directory
// itself.
func (l *Lookup) levelBelow(above level, dir workspace.Path, name string) level {
	if !above.isInIgnored {
		above.isInIgnored = above.folder.isIgnored(&l.matcher.scratch, name, true)
		above.folder = above.folder.rulesInside(&l.matcher.scratch, name)
	}
	return above
}
