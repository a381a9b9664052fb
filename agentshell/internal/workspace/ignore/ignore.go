// Package ignore tells which files of a workspace git ignores.
//
// The rules are git's own (dir.c and wildmatch.c, as they are up to git 2.51): patterns of
// .gitignore files, of .git/info/exclude and of the user's core.excludesFile, of which the last
// one that matches holds; nothing below an ignored directory comes back; what the index tracks is
// not ignored; and a repository in another one has rules of its own. Without a repository the
// .gitignore files and the user's file count.
//
// What is read of a workspace has no authority. No link leads out of it, each file has a bound, and
// an index that does not hold what its format says tracks nothing.
package ignore

import "github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"

// File is the name of files with ignore patterns.
const File = ".gitignore"

// Matcher tells during a walk what git ignores. The walk must read the text of [File]. A nil
// Matcher ignores nothing.
type Matcher struct {
	ws          *workspace.Workspace
	levels      []level // levels holds the directories on the walk's path, by depth.
	scratch     stateScratch
	lastIgnored bool // lastIgnored says that the patterns ignore the last entry.
}

// level is a directory on the walk's path.
type level struct {
	folder folderRules
	repo   *repository // repo is the repository that contains it; nil: none.
	// isInIgnored says that the directory is ignored, and is walked only because of tracked files
	// in it.
	isInIgnored bool
	hasOwnRules bool // hasOwnRules says that the rules in the directory itself are included.
}

// New returns a matcher for a walk that begins. The walk's start directory is not ignored.
func New(ws *workspace.Workspace, t *workspace.Tree) *Matcher {
	m := &Matcher{ws: ws}
	now := m.rootLevel()
	dir := t.StartPath().Top()
	for in, name := range t.Ancestors() {
		now = m.addOwnRules(now, in, dir)
		now.folder, now.hasOwnRules = now.folder.rulesInside(&m.scratch, name), false
		dir = dir.Join(name)
	}
	m.levels = append(m.levels, now)
	return m
}

// rootLevel returns the rules for a root before its files are read: the user's own patterns.
func (m *Matcher) rootLevel() level { return level{folder: folderRules{}.withFile(userPatterns(m.ws))} }

// addOwnRules returns l with the rules in the directory dir itself: its .gitignore, and those of a
// repository that begins there.
func (m *Matcher) addOwnRules(l level, in workspace.DirInfo, dir workspace.Path) level {
	if in.Git {
		if repo, base, ok := openRepository(m.ws, dir); ok {
			l = level{folder: base, repo: repo}
		}
	}
	if !l.isInIgnored {
		l.folder = l.folder.withFile(in.Text)
	}
	l.hasOwnRules = true
	return l
}

// Ignores reports whether the walk's current entry is ignored. The caller must skip an ignored
// directory completely, as git does.
func (m *Matcher) Ignores(t *workspace.Tree) bool {
	if m == nil {
		return false
	}
	depth := t.Depth()
	m.levels = m.levels[:depth]
	now := &m.levels[depth-1]
	if !now.hasOwnRules {
		in := t.Dir()
		if in.Git || in.Text != "" {
			*now = m.addOwnRules(*now, in, t.DirPath())
		}
		now.hasOwnRules = true
	}
	dir := t.Mode().IsDir()
	m.lastIgnored = now.isInIgnored || now.folder.isIgnored(&m.scratch, t.Name(), dir)
	return m.lastIgnored && (now.repo == nil || t.PathLength() > workspace.MaxPath || !now.repo.isTracked(m.ws,
		t.Path(), dir))
}

// Enter tells the matcher that the walk enters the current directory. It is called directly after
// [Matcher.Ignores].
func (m *Matcher) Enter(t *workspace.Tree) {
	if m == nil {
		return
	}
	depth := t.Depth()
	now := m.levels[depth-1]
	if !now.isInIgnored {
		now.folder = now.folder.rulesInside(&m.scratch, t.Name())
	}
	now.isInIgnored, now.hasOwnRules = m.lastIgnored, false
	m.levels = append(m.levels[:depth], now)
}
