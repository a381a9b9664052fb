package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

const maxLinks = 40 // maxLinks is the number of links in one path, the same as the kernel's limit.

// resolvedPath is an absolute path after its links are resolved. existing is the part that exists,
// and missingNames lists the components after it that do not.
type resolvedPath struct {
	existing     string
	info         fs.FileInfo // info is the state of existing.
	missingNames []string
}

// fullPath returns existing joined with the missing components.
func (p resolvedPath) fullPath() string {
	return filepath.Join(append([]string{p.existing}, p.missingNames...)...)
}

// resolveLinks resolves the links of an absolute path, component by component (FS-21 to 28). The
// path must not be cleaned before, because `..` after a link means the parent of the link's target.
// `..` after a missing component is an error.
func resolveLinks(target string) (resolvedPath, error) {
	vol := filepath.VolumeName(target)
	cur := vol + string(filepath.Separator)
	info, err := os.Lstat(cur)
	if err != nil {
		return resolvedPath{}, refusedError("no existing ancestor found for: %s", target)
	}
	type part struct{ name, link string }
	split := func(s, link string) []part {
		var ps []part
		for _, n := range strings.FieldsFunc(s, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) }) {
			ps = append(ps, part{n, link})
		}
		return ps
	}
	todo := split(target[len(vol):], "")
	w := resolvedPath{existing: cur, info: info}
	links := 0
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		switch {
		case p.name == ".":
			continue
		case p.name == "..":
			if len(w.missingNames) > 0 {
				return w, refusedError("path %s has .. after a missing directory", target)
			}
			if !w.info.IsDir() {
				return w, refusedError("path %s goes through a file", target)
			}
			w.existing = filepath.Dir(w.existing)
			if w.info, err = os.Lstat(w.existing); err != nil {
				return w, systemError(target, err)
			}
			continue
		case len(w.missingNames) > 0:
			w.missingNames = append(w.missingNames, p.name)
			continue
		}
		if !w.info.IsDir() {
			return w, refusedError("path %s goes through a file", target)
		}
		next := filepath.Join(w.existing, p.name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if p.link != "" {
				return w, refusedError("dangling link: %s", p.link)
			}
			w.missingNames = append(w.missingNames, p.name)
			continue
		case errors.Is(err, syscall.ENOTDIR):
			return w, refusedError("path %s goes through a file", target)
		case err != nil:
			return w, systemError(target, err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			w.existing, w.info = filepath.Join(w.existing, trueName(w.existing, p.name, info)), info
			continue
		}
		if links++; links > maxLinks {
			return w, refusedError("too many links in %s", target)
		}
		to, err := os.Readlink(next)
		if err != nil {
			return w, systemError(target, err)
		}
		if filepath.IsAbs(to) {
			w.existing = filepath.VolumeName(to) + string(filepath.Separator)
			if w.info, err = os.Lstat(w.existing); err != nil {
				return w, systemError(target, err)
			}
			to = to[len(filepath.VolumeName(to)):]
		}
		todo = append(split(to, next), todo...)
	}
	return w, nil
}

// trueName returns name as the directory spells it, on systems that ignore case. So a permission
// rule for `secrets/**` also matches `SECRETS/key`.
func trueName(dir, name string, info fs.FileInfo) string {
	if runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		return name
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return name
	}
	found := name
	for _, e := range entries {
		if e.Name() == name {
			return name
		}
		if strings.EqualFold(e.Name(), name) {
			if i, err := e.Info(); err == nil && os.SameFile(i, info) {
				found = e.Name()
			}
		}
	}
	return found
}

// relativeTo returns full as a slash path relative to dir, and false if it is not in dir. It
// compares complete components (FS-22).
func relativeTo(dir, full string) (string, bool) {
	rel, err := filepath.Rel(dir, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// realDir returns the absolute path of an existing directory with its links resolved (FS-29).
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", &Error{Kind: Failed, Cause: err}
	}
	w, err := resolveLinks(abs)
	switch {
	case err != nil:
		return "", err
	case len(w.missingNames) > 0:
		return "", &Error{Kind: NotFound, Path: abs}
	case !w.info.IsDir():
		return "", &Error{Kind: Failed, Cause: fmt.Errorf("%s is not a directory", abs)}
	}
	return w.existing, nil
}
