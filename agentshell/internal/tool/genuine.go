package tool

import (
	"os"
	"path/filepath"
	"strings"
)

// maxLine is the longest file of one line that is read of a repository, in bytes.
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
		to, ok := strings.CutPrefix(line(git), "gitdir: ")
		if !ok {
			return false
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(top, to)
		}
		back := line(filepath.Join(to, "gitdir"))
		if back != "" && !filepath.IsAbs(back) {
			back = filepath.Join(to, back)
		}
		a, err := os.Stat(back)
		return back != "" && err == nil && os.SameFile(a, info)
	}
	return false
}

// line is the one line of a small file, "" if it has none.
func line(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxLine {
		return ""
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
