// Package ignore tells which files of a workspace git ignores.
//
// The rules are git's own (dir.c and wildmatch.c, as they are up to git 2.51): patterns of
// .gitignore files, of .git/info/exclude and of the person's core.excludesFile, of which the last
// one that matches holds; nothing below an ignored directory comes back; what the index tracks is
// not ignored; and a repository in another one has rules of its own. Without a repository the
// .gitignore files and the person's file count.
//
// What is read of a workspace has no authority. No link leads out of it, each file has a bound, and
// an index that does not hold what its format says tracks nothing.
package ignore

import "github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"

// File is the name of the files of patterns that lie in directories.
const File = ".gitignore"

// Matcher knows along a walk what git ignores. The walk must have been asked for [File]. A nil one
// ignores nothing.
type Matcher struct {
	ws      *workspace.Workspace
	levels  []level // by depth of the entries
	scratch scratch
	ignored bool // the patterns say so of the last entry
}

// level is a directory.
type level struct {
	folder folder
	repo   *repository // that it is in; nil: none
	inside bool        // it is ignored, and entered for what is tracked in it
	read   bool        // what it holds itself is part of it
}

// New returns a matcher for a walk that begins. The directory that it begins in is not ignored.
func New(ws *workspace.Workspace, t *workspace.Tree) *Matcher {
	m := &Matcher{ws: ws}
	now := m.rootLevel()
	dir := t.StartPath().Top()
	for in, name := range t.Ancestors() {
		now = m.read(now, in, dir)
		now.folder, now.read = now.folder.entered(&m.scratch, name), false
		dir = dir.Join(name)
	}
	m.levels = append(m.levels, now)
	return m
}

// rootLevel returns the rules that hold in a root before anything in it is read.
func (m *Matcher) rootLevel() level { return level{folder: folder{}.with(personal(m.ws))} }

// read returns l with the rules that the directory dir itself has: the file of patterns in it, and
// those of a repository that begins there.
func (m *Matcher) read(l level, in workspace.DirInfo, dir workspace.Path) level {
	if in.Git {
		if repo, base, ok := openRepository(m.ws, dir); ok {
			l = level{folder: base, repo: repo}
		}
	}
	if !l.inside {
		l.folder = l.folder.with(in.Text)
	}
	l.read = true
	return l
}

// Ignores reports whether the entry that t is at is ignored. Whoever walks leaves out an ignored
// directory as a whole, as git does.
func (m *Matcher) Ignores(t *workspace.Tree) bool {
	if m == nil {
		return false
	}
	depth := t.Depth()
	m.levels = m.levels[:depth]
	now := &m.levels[depth-1]
	if !now.read {
		in := t.Dir()
		if in.Git || in.Text != "" {
			*now = m.read(*now, in, t.DirPath())
		}
		now.read = true
	}
	dir := t.Mode().IsDir()
	m.ignored = now.inside || now.folder.ignores(&m.scratch, t.Name(), dir)
	return m.ignored && (now.repo == nil || t.PathLength() > workspace.MaxPath || !now.repo.tracks(m.ws, t.Path(), dir))
}

// Enter goes into the directory that t is at, right after [Matcher.Ignores] was asked about it.
func (m *Matcher) Enter(t *workspace.Tree) {
	if m == nil {
		return
	}
	depth := t.Depth()
	now := m.levels[depth-1]
	if !now.inside {
		now.folder = now.folder.entered(&m.scratch, t.Name())
	}
	now.inside, now.read = m.ignored, false
	m.levels = append(m.levels[:depth], now)
}
