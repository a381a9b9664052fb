package git

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// maxSmallFile is the maximum size in bytes of the files of a repository that are read here.
const maxSmallFile = 64 << 10

// IsGenuine reports whether .git in top is the repository of top. What git reads there first must
// not be a link. If .git is a file that names a directory elsewhere, that directory has to name top
// in turn, as git does it for a work tree. info is the state of .git.
func IsGenuine(top string, info os.FileInfo) bool {
	git := filepath.Join(top, ".git")
	switch {
	case info.IsDir():
		for _, name := range []string{"HEAD", "index", "config", "objects", "refs", "packed-refs"} {
			if at, err := os.Lstat(filepath.Join(git, name)); err == nil && at.Mode()&os.ModeSymlink != 0 {
				return false
			}
		}
		_, err := os.Lstat(filepath.Join(git, "commondir"))
		return os.IsNotExist(err)
	case info.Mode().IsRegular():
		dir := Dir(top)
		if dir == "" {
			return false
		}
		workTreeFile := trimmedFile(filepath.Join(dir, "gitdir"))
		if workTreeFile == "" {
			return isSubmodule(top, dir)
		}
		if !filepath.IsAbs(workTreeFile) {
			workTreeFile = filepath.Join(dir, workTreeFile)
		}
		a, err := os.Stat(workTreeFile)
		return err == nil && os.SameFile(a, info)
	}
	return false
}

// FindTop returns the work tree that dir lies in. A .git that is a link, or that names a repository
// which does not name it, is none.
func FindTop(dir string) (top string, ok bool) {
	for top = dir; ; top = filepath.Dir(top) {
		if info, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top, IsGenuine(top, info)
		}
		if filepath.Dir(top) == top {
			return "", false
		}
	}
}

// Dir returns the directory of the repository in top: .git itself, or the directory that the file
// .git names. It returns "" if there is neither.
func Dir(top string) string {
	git := filepath.Join(top, ".git")
	if info, err := os.Lstat(git); err == nil && info.IsDir() {
		return git
	}
	to, ok := strings.CutPrefix(trimmedFile(git), "gitdir: ")
	switch {
	case !ok:
		return ""
	case !filepath.IsAbs(to):
		return filepath.Join(top, to)
	}
	return to
}

// workTree matches the line in which the configuration of a submodule names its work tree.
var workTree = lazyregexp.New(`(?m)^\s*worktree\s*=\s*([^"\\#;\s]+)\s*$`)

// isSubmodule reports whether the repository in dir names top as its work tree, as the one of a
// submodule does.
func isSubmodule(top, dir string) bool {
	found := workTree().FindAllStringSubmatch(smallFile(filepath.Join(dir, "config")), 2)
	return len(found) == 1 && IsWorkTree(top, dir, found[0][1])
}

// IsWorkTree reports whether value, a work tree that the repository in dir names, is top.
func IsWorkTree(top, dir, value string) bool {
	if !filepath.IsAbs(value) {
		value = filepath.Join(dir, value)
	}
	a, errA := os.Stat(value)
	b, errB := os.Stat(top)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// trimmedFile returns the content of a small file without the ends of lines behind it, as git reads
// the name in one. It returns "" if there is none, or if blanks stand around the name.
func trimmedFile(name string) string {
	text := strings.TrimRight(smallFile(name), "\r\n")
	if text != strings.TrimSpace(text) {
		return ""
	}
	return text
}

// smallFile returns the content of a small regular file, "" if it is none.
func smallFile(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSmallFile {
		return ""
	}
	data, err := regular.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}
