package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// nestedGuards collects the guards of the repositories and linked work trees below a workspace's
// top. Commands can commit in them as in the workspace's own repository.
type nestedGuards struct {
	root   string
	closed []string // paths below which nothing becomes writable
	list   []guard  // also those of the workspace's own repository
	seen   int
	opened int
}

// add adds the guards of the .git at that path, a file or a directory.
func (n *nestedGuards) add(at string, isDir bool) {
	n.seen++
	if isDir {
		n.addRepository(at)
		return
	}
	n.list = append(n.list, guard{path: at})
	worktreeDir, common := worktreeDirs(at)
	if worktreeDir == "" {
		if dir := namedDir(at); dir != "" {
			n.addRepository(dir)
		}
		return
	}
	n.addRepository(common)
	if list := worktreeGuards(worktreeDir); n.isWritable(common) && !hasLink(list) {
		n.list = append(n.list, list...)
	}
}

// addRepository adds the guards of a repository's directory. Where it must not be written it stays
// read-only as a whole.
func (n *nestedGuards) addRepository(dir string) {
	switch list := gitDirGuards(dir); {
	case n.isWritable(dir) || !within(dir, n.root):
	case n.opened < maxModules && isRepository(dir) && n.mayOpen(dir) && !hasLink(list):
		n.opened++
		n.list = append(n.list, list...)
	case filepath.Base(dir) == ".git" || isRepository(dir) && dir != n.root:
		n.list = append(n.list, guard{path: dir})
	}
}

// isWritable reports whether commands can write to a repository's directory already.
func (n *nestedGuards) isWritable(dir string) bool {
	return slices.ContainsFunc(n.list, func(g guard) bool { return g.path == dir && g.writable })
}

// mayOpen reports whether a repository's directory can be written: nothing on the way to it is
// closed, or is obeyed by a program.
func (n *nestedGuards) mayOpen(dir string) bool {
	for _, c := range n.closed {
		if real, err := filepath.EvalSymlinks(c); within(dir, filepath.Clean(c)) || err == nil && within(dir, real) {
			return false
		}
	}
	above, err := filepath.Rel(n.root, filepath.Dir(dir))
	return err == nil && dir != n.root && !slices.ContainsFunc(strings.Split(above, "/"), isAutorun)
}

// isRepository reports whether a directory is one of git's.
func isRepository(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil || !head.Mode().IsRegular() {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// hasLink reports whether one of the guards is a symbolic link, over which nothing can be put.
func hasLink(list []guard) bool {
	return slices.ContainsFunc(list, func(g guard) bool {
		info, err := os.Lstat(g.path)
		return err == nil && info.Mode()&os.ModeSymlink != 0
	})
}

// namedDir returns the directory that a .git file names, "" if there is none.
func namedDir(file string) string {
	line, ok := strings.CutPrefix(readSmall(file), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(line) {
		line = filepath.Join(filepath.Dir(file), line)
	}
	dir, err := filepath.EvalSymlinks(line)
	if err != nil {
		return ""
	}
	return dir
}
