package git

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// maxLine is the longest file that is read of a repository here, in bytes.
const maxLine = 64 << 10

// Genuine reports whether .git in top is a repository of its own: nothing that git reads there
// first is a link, and a file that names a directory elsewhere is one that this directory names,
// too, as it does for a work tree of git's.
func Genuine(top string, info os.FileInfo) bool {
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
		back := line(filepath.Join(dir, "gitdir"))
		if back == "" {
			return isSubmodule(top, dir)
		}
		if !filepath.IsAbs(back) {
			back = filepath.Join(dir, back)
		}
		a, err := os.Stat(back)
		return err == nil && os.SameFile(a, info)
	}
	return false
}

// Dir returns the directory that .git in top is, or that it names; "" if it is neither.
func Dir(top string) string {
	git := filepath.Join(top, ".git")
	if info, err := os.Lstat(git); err == nil && info.IsDir() {
		return git
	}
	to, ok := strings.CutPrefix(line(git), "gitdir: ")
	switch {
	case !ok:
		return ""
	case !filepath.IsAbs(to):
		return filepath.Join(top, to)
	}
	return to
}

// workTree matches the line by which the configuration of a submodule names its work tree.
var workTree = regexp.MustCompile(`(?m)^\s*worktree\s*=\s*([^"\\#;\s]+)\s*$`)

// isSubmodule reports whether the repository in dir says that top is its work tree, as that of a
// submodule does.
func isSubmodule(top, dir string) bool {
	found := workTree.FindAllStringSubmatch(smallFile(filepath.Join(dir, "config")), 2)
	return len(found) == 1 && IsWorkTree(top, dir, found[0][1])
}

// IsWorkTree reports whether the repository in dir names top by value as its work tree.
func IsWorkTree(top, dir, value string) bool {
	if !filepath.IsAbs(value) {
		value = filepath.Join(dir, value)
	}
	a, errA := os.Stat(value)
	b, errB := os.Stat(top)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// line returns the one line of a small file, "" if it has none.
func line(name string) string { return strings.TrimSpace(smallFile(name)) }

// smallFile returns what a small file holds, "" if it is none.
func smallFile(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLine {
		return ""
	}
	data, err := regular.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}
