package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// nestedGuards collects the protected paths of git repositories and linked work trees in subfolders
// of a workspace. Commands can commit there as in the workspace's own repository.
type nestedGuards struct {
	root   string
	closed []string // paths that are read-only or hidden, with everything below them
	list   []guard  // the result, which includes the paths of the workspace's own repository
	// number of .git files and directories found
	seen int
	// number of repositories made writable
	opened int
}

// add adds the protected paths for the .git file or directory at the given path.
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

// addRepository adds the protected paths of the repository in the directory dir. If commands must
// not write that directory, it becomes read-only as a whole.
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

// isWritable reports whether an earlier guard has made the repository's directory writable.
func (n *nestedGuards) isWritable(dir string) bool {
	return slices.ContainsFunc(n.list, func(g guard) bool { return g.path == dir && g.writable })
}

// mayOpen reports whether commands may write the repository's directory. It returns false if the
// directory lies below a read-only or hidden path, or in a folder that programs run or obey.
func (n *nestedGuards) mayOpen(dir string) bool {
	for _, c := range n.closed {
		if real, err := filepath.EvalSymlinks(c); within(dir, filepath.Clean(c)) || err == nil && within(dir, real) {
			return false
		}
	}
	above, err := filepath.Rel(n.root, filepath.Dir(dir))
	return err == nil && dir != n.root && !slices.ContainsFunc(strings.Split(above, "/"), isAutorun)
}

// isRepository reports whether dir has the structure of a git repository: HEAD, objects and refs.
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

// hasLink reports whether one of the protected paths is a symbolic link. Nothing can be mounted
// over a link.
func hasLink(list []guard) bool {
	return slices.ContainsFunc(list, func(g guard) bool {
		info, err := os.Lstat(g.path)
		return err == nil && info.Mode()&os.ModeSymlink != 0
	})
}

// namedDir returns the directory that a .git file names ("gitdir: ..."), without links, or "" if
// there is none.
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
