package ignore

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Lookup tells for single paths what git ignores. It reads each directory once, so it is only valid
// for a moment.
type Lookup struct {
	m    Matcher
	dirs map[workspace.Path]level
}

// NewLookup returns a lookup for the files of ws.
func NewLookup(ws *workspace.Workspace) *Lookup {
	return &Lookup{m: Matcher{ws: ws}, dirs: map[workspace.Path]level{}}
}

// Ignores reports whether a path or a directory in it is ignored. The path need not exist. A root
// is not ignored.
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

// dir returns the rules in a directory, including those of the directory itself. before returns the
// rules without those.
func (l *Lookup) dir(dir workspace.Path, before func() level) level {
	now, known := l.dirs[dir]
	if !known {
		now = l.m.read(before(), l.m.ws.DirInfo(dir, File), dir)
		l.dirs[dir] = now
	}
	return now
}

// levelBelow returns the rules for the directory name in above, without those of the directory
// itself.
func (l *Lookup) levelBelow(above level, dir workspace.Path, name string) level {
	if !above.inside {
		above.inside = above.folder.ignores(&l.m.scratch, name, true)
		above.folder = above.folder.entered(&l.m.scratch, name)
	}
	return above
}
