package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// system is what is asked of the file system to find out how it spells. The zero value asks the
// real one.
type system struct {
	lstat func(name string) (fs.FileInfo, error)
	same  func(a, b fs.FileInfo) bool
}

func (s system) equal(a, b string) bool {
	if s.lstat == nil {
		s.lstat, s.same = os.Lstat, os.SameFile
	}
	x, err := s.lstat(a)
	if err != nil {
		return false
	}
	y, err := s.lstat(b)
	return err == nil && s.same(x, y)
}

// Folds reports whether the file system takes other spellings (SECRET for secret) for the file of a
// path, which is given as [Path.Match] gives it and need not exist. It looks at every directory on
// the way that exists.
func (w *Workspace) Folds(match string) bool {
	r, rel := w.roots[0], match
	if first, rest, _ := strings.Cut(match, "/"); w.byName[first] != nil && w.byName[first] != r {
		r, rel = w.byName[first], rest
	}
	dir := r.real
	for _, part := range strings.Split(rel, "/") {
		if w.system.folds(dir, part) {
			return true
		}
		dir = filepath.Join(dir, part)
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			return false
		}
	}
	return false
}

// maxProbed is how many entries of a directory are looked at for one whose spelling can be changed.
const maxProbed = 100

// folds reports whether a directory takes other spellings for its entries. name is tried first; if
// it tells nothing, other entries are, and at last the directory itself in the one above.
func (s system) folds(dir, name string) bool {
	if s.lstat == nil && marked(dir) {
		return true
	}
	if other := otherCase(name); other != name && s.equal(filepath.Join(dir, name), filepath.Join(dir, other)) {
		return true
	}
	f, err := regular.OpenDir(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxProbed)
	for _, n := range names {
		if other := otherCase(n); other != n {
			return s.equal(filepath.Join(dir, n), filepath.Join(dir, other))
		}
	}
	if above := filepath.Dir(dir); above != dir {
		base := filepath.Base(dir)
		if other := otherCase(base); other != base {
			return s.equal(dir, filepath.Join(above, other))
		}
	}
	return false
}

// otherCase returns a name with the case of its letters changed.
func otherCase(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
}
