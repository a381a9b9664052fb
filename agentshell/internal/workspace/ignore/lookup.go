package ignore

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Lookup knows of single paths what git ignores. It reads each directory once, so it is for one
// moment only.
type Lookup struct {
	m    Matcher
	dirs map[workspace.Path]level
}

// NewLookup returns a lookup in ws.
func NewLookup(ws *workspace.Workspace) *Lookup {
	return &Lookup{m: Matcher{ws: ws}, dirs: map[workspace.Path]level{}}
}

// Ignores reports whether a file or a directory is ignored, or one of the directories above it. It
// need not be there. A root is not ignored.
func (l *Lookup) Ignores(file workspace.Path, isDir bool) bool {
	if file.Rel() == "." {
		return false
	}
	dir := file.Top()
	now := l.dir(dir, l.m.rootLevel)
	names := strings.Split(file.Rel(), "/")
	for _, name := range names[:len(names)-1] {
		above := now
		dir = dir.Join(name)
		now = l.dir(dir, func() level { return l.levelBelow(above, dir, name) })
	}
	if !now.inside && !now.folder.ignores(&l.m.scratch, file.Base(), isDir) {
		return false
	}
	return now.repo == nil || !now.repo.tracks(l.m.ws, file, isDir)
}

// dir returns a directory, with what it holds; before is what holds outside of it.
func (l *Lookup) dir(dir workspace.Path, before func() level) level {
	now, known := l.dirs[dir]
	if !known {
		now = l.m.read(before(), l.m.ws.DirInfo(dir, File), dir)
		l.dirs[dir] = now
	}
	return now
}

// levelBelow returns the rules that hold in the directory name of above before anything in it is
// read.
func (l *Lookup) levelBelow(above level, dir workspace.Path, name string) level {
	if !above.inside {
		above.inside = above.folder.ignores(&l.m.scratch, name, true)
		above.folder = above.folder.entered(&l.m.scratch, name)
	}
	return above
}
