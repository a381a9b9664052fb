package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// caseProbe tests whether a file system ignores the case of letters in names. Its fields replace
// system calls in tests; the zero value uses the real system.
type caseProbe struct {
	lstat    func(name string) (fs.FileInfo, error)
	sameFile func(a, b fs.FileInfo) bool
}

func (p caseProbe) isSameFile(a, b string) bool {
	if p.lstat == nil {
		p.lstat, p.sameFile = os.Lstat, os.SameFile
	}
	x, err := p.lstat(a)
	if err != nil {
		return false
	}
	y, err := p.lstat(b)
	return err == nil && p.sameFile(x, y)
}

// FoldsCase reports whether the file system takes other spellings of a path, such as SECRET for
// secret, for the same file. match is a path in the form of [Path.Match]. It need not exist; every
// existing directory in it is tested.
func (w *Workspace) FoldsCase(match string) bool {
	r, rel := w.roots()[0], match
	if first, rest, _ := strings.Cut(match, "/"); w.rootNamed(first) != nil && w.rootNamed(first) != r {
		r, rel = w.rootNamed(first), rest
	}
	dir := r.realPath
	for _, part := range strings.Split(rel, "/") {
		if w.caseProbe.foldsCase(dir, part) {
			return true
		}
		dir = filepath.Join(dir, part)
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			return false
		}
	}
	return false
}

// AbsMatches returns the absolute paths that a path in the form of [Path.Match] can mean. There are
// two if a folder of the default root has the name of another root. The paths need not exist.
func (w *Workspace) AbsMatches(match string) []string {
	list := []string{filepath.Join(w.Dir(), filepath.FromSlash(match))}
	first, rest, _ := strings.Cut(match, "/")
	r := w.rootNamed(first)
	if r == nil || r == w.roots()[0] {
		return list
	}
	named := filepath.Join(r.realPath, filepath.FromSlash(rest))
	if _, err := os.Lstat(filepath.Join(w.Dir(), first)); err != nil {
		return []string{named}
	}
	return append(list, named)
}

// maxProbedNames is the number of entries of a directory that are searched for a name with letters.
const maxProbedNames = 100

// foldsCase reports whether a directory ignores the case of its entries' names. It tests name
// first, then other entries, and at last the directory's own name in its parent.
func (p caseProbe) foldsCase(dir, name string) bool {
	if p.lstat == nil && hasFoldFlag(dir) {
		return true
	}
	if other := otherCase(name); other != name && p.isSameFile(filepath.Join(dir, name), filepath.Join(dir, other)) {
		return true
	}
	f, err := regular.OpenDir(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxProbedNames)
	for _, n := range names {
		if other := otherCase(n); other != n {
			return p.isSameFile(filepath.Join(dir, n), filepath.Join(dir, other))
		}
	}
	if parent := filepath.Dir(dir); parent != dir {
		base := filepath.Base(dir)
		if other := otherCase(base); other != base {
			return p.isSameFile(dir, filepath.Join(parent, other))
		}
	}
	return false
}

// otherCase returns name with upper and lower case letters swapped.
func otherCase(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
}
