package git

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// maxSmallFileBytes is the number of bytes of the files that are read here of a repository.
const maxSmallFileBytes = 64 << 10

// IsGenuine reports whether the .git in top, with the state info, really is the repository of that
// work tree. The files that git reads first must not be links. If .git is a file that names a
// directory elsewhere, that directory must name top as its work tree.
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
		workTreeFile := readTrimmed(filepath.Join(dir, "gitdir"))
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

// FindTop returns the work tree that contains dir. ok is false if there is none, or its .git is not
// genuine: see [IsGenuine].
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

// Dir returns the directory of the repository of the work tree top: .git itself, or the directory
// that the file .git names. It returns "" if there is neither.
func Dir(top string) string {
	git := filepath.Join(top, ".git")
	if info, err := os.Lstat(git); err == nil && info.IsDir() {
		return git
	}
	to, ok := strings.CutPrefix(readTrimmed(git), "gitdir: ")
	switch {
	case !ok:
		return ""
	case !filepath.IsAbs(to):
		return filepath.Join(top, to)
	}
	return to
}

// workTreePattern matches the line with the work tree in a submodule's configuration.
var workTreePattern = lazyregexp.New(`(?m)^\s*worktree\s*=\s*([^"\\#;\s]+)\s*$`)

// isSubmodule reports whether the repository in dir names top as its work tree, as that of a
// submodule does.
func isSubmodule(top, dir string) bool {
	found := workTreePattern().FindAllStringSubmatch(readSmallFile(filepath.Join(dir, "config")), 2)
	return len(found) == 1 && IsWorkTree(top, dir, found[0][1])
}

// IsWorkTree reports whether value, the work tree that the repository in dir names, is top.
func IsWorkTree(top, dir, value string) bool {
	if !filepath.IsAbs(value) {
		value = filepath.Join(dir, value)
	}
	a, errA := os.Stat(value)
	b, errB := os.Stat(top)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// readTrimmed returns the content of a small file without line breaks at its end. It returns "" if
// there is no such file, or if the content begins or ends with blanks.
func readTrimmed(name string) string {
	text := strings.TrimRight(readSmallFile(name), "\r\n")
	if text != strings.TrimSpace(text) {
		return ""
	}
	return text
}

// readSmallFile returns the content of a regular file of at most maxSmallFileBytes bytes, or "".
func readSmallFile(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSmallFileBytes {
		return ""
	}
	data, err := regular.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(data)
}
