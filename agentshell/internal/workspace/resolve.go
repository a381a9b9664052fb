package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	maxNameBytes = 255 // maxNameBytes is the number of bytes of one component of a path.
)

// Resolve returns the Path of the file that a request names (FS-20 to 32). The request is relative
// to the default root, begins with the name of a root, or is an absolute path in a root. The file
// need not exist. It is an error if the path leaves its root, contains a dangling link, or names a
// pipe, a socket or a device.
func (w *Workspace) Resolve(request string) (Path, error) {
	if filepath.IsAbs(request) && filepath.Dir(filepath.Clean(request)) == filepath.Clean(request) {
		return Path{}, refusedError("path has no parent: %s", request)
	}
	p, info, err := w.resolve(request)
	if err != nil {
		return Path{}, err
	}
	last := request[strings.LastIndexAny(request, `/`+string(filepath.Separator))+1:]
	if p.rel == "." || last == "" || last == "." || last == ".." {
		return Path{}, refusedError("path has no file component: %s", request)
	}
	if info != nil && !info.IsDir() && !info.Mode().IsRegular() {
		return Path{}, irregularError(p, info.Mode())
	}
	return p, nil
}

// Find returns the Path for rel in the root with a name. It is for a path that was resolved and
// stored earlier: it is an error if a link makes it lead elsewhere now.
func (w *Workspace) Find(root, rel string) (Path, error) {
	r := w.rootNamed(root)
	if r == nil {
		return Path{}, refusedError("no root %s", root)
	}
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return Path{}, refusedError("%s is not a path of this workspace", rel)
	}
	p, err := w.Resolve(filepath.Join(r.realPath, filepath.FromSlash(rel)))
	if err == nil && (p.root != root || p.rel != rel) {
		return Path{}, refusedError("%s leads to %s now", root+"/"+rel, p)
	}
	return p, err
}

// ResolveDir returns the Path of the directory that a request names. "" and "." mean the default
// root.
func (w *Workspace) ResolveDir(request string) (Path, error) {
	if request == "" {
		request = "."
	}
	p, info, err := w.resolve(request)
	switch {
	case err != nil:
		return Path{}, err
	case info == nil:
		return Path{}, &Error{Kind: NotFound, Path: p.String()}
	case !info.IsDir():
		return Path{}, &Error{Kind: InvalidArgs, Reason: "not a directory: " + p.String()}
	}
	return p, nil
}

// LinkedDir returns the directory to which the link p leads, and false if it leads to none within a
// root.
func (w *Workspace) LinkedDir(p Path) (Path, bool) {
	r := w.rootNamed(p.root)
	if r == nil {
		return Path{}, false
	}
	dir, err := w.ResolveDir(filepath.Join(r.realPath, p.rel))
	return dir, err == nil
}

// waysInHint is the end of an error message: it tells how to make a directory outside accessible.
const waysInHint = "; /add-dir, or --add-dir at the start, adds a directory"

// resolve returns the Path for a request and the state of the file, or nil if it does not exist.
func (w *Workspace) resolve(request string) (Path, fs.FileInfo, error) {
	if err := checkText(request); err != nil {
		return Path{}, nil, err
	}
	target, err := w.absoluteRequest(request)
	if err != nil {
		return Path{}, nil, err
	}
	place, err := resolveLinks(target)
	r, rel := w.rootOf(place.fullPath())
	if r == nil {
		// Even if the walk failed: nobody may learn what exists outside of the roots.
		shownRoot := w.roots()[0]
		if lexical, _ := w.rootOf(filepath.Clean(target)); lexical != nil {
			shownRoot = lexical
		}
		if place.existing == "" { // the walk could not begin
			return Path{}, nil, err
		}
		return Path{}, nil, refusedError("path %s escapes workspace root %s"+waysInHint, target, shownRoot.realPath)
	}
	if err != nil {
		return Path{}, nil, err
	}
	p := Path{root: r.name, rel: rel, isDefault: r == w.roots()[0]}
	w.rememberPath(p)
	if len(place.missingNames) > 0 {
		return p, nil, nil
	}
	return p, place.info, nil
}

// checkText returns an error for a request that is not valid as a path on any file system (FS-31).
func checkText(request string) error {
	switch {
	case request == "":
		return invalidError("path is empty")
	case strings.ContainsRune(request, 0):
		return invalidError("path contains a NUL byte")
	case len(request) > MaxPath:
		return invalidError("path is too long: %d bytes > %d", len(request), MaxPath)
	}
	for part := range strings.SplitSeq(filepath.ToSlash(request), "/") {
		if len(part) > maxNameBytes {
			return invalidError("path has a component of %d bytes > %d", len(part), maxNameBytes)
		}
	}
	return nil
}

// absoluteRequest returns a request as an absolute path (FS-20, and both readings of FS-32).
func (w *Workspace) absoluteRequest(request string) (string, error) {
	if filepath.IsAbs(request) {
		return request, nil
	}
	if below, ok := strings.CutPrefix(request, "~/"); ok || request == "~" { // as for a shell, and in rules
		if !filepath.IsAbs(w.home) {
			return "", invalidError("path %s is in the home directory, and it is not known which that is; "+
				"write ./%[1]s for a folder of the workspace", request)
		}
		return strings.TrimSuffix(w.home, "/") + "/" + strings.TrimPrefix(below, "~"), nil
	}
	defaultRoot := w.roots()[0]
	first, remaining, _ := strings.Cut(filepath.ToSlash(request), "/")
	named := w.rootNamed(first)
	if named == nil {
		return defaultRoot.realPath + string(filepath.Separator) + request, nil
	}
	if _, err := os.Lstat(filepath.Join(defaultRoot.realPath, first)); !errors.Is(err, fs.ErrNotExist) {
		return "",
			invalidError("path %s is ambiguous: ./%s in root %s, or %s in root %s; write ./%s or %s", request,
				request, defaultRoot.name,
				orDotText(remaining), named.name, request, filepath.Join(named.realPath, filepath.FromSlash(remaining)))
	}
	return named.realPath + string(filepath.Separator) + filepath.FromSlash(remaining), nil
}

func orDotText(s string) string {
	if s == "" {
		return "."
	}
	return s
}

// rootOf returns the innermost root that contains full, a path without links, and the path relative
// to that root. It returns nil if there is none.
func (w *Workspace) rootOf(full string) (*root, string) {
	var best *root
	var bestRel string
	for _, r := range w.roots() {
		if rel, ok := relativeTo(r.realPath, full); ok && (best == nil || len(r.realPath) > len(best.realPath)) {
			best, bestRel = r, rel
		}
	}
	return best, bestRel
}

func irregularError(p Path, m fs.FileMode) error {
	kind := "not a regular file"
	switch {
	case m&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case m&fs.ModeSocket != 0:
		kind = "a socket"
	case m&fs.ModeDevice != 0:
		kind = "a device"
	case m&fs.ModeSymlink != 0:
		kind = "a link"
	}
	return refusedError("%s is %s", p, kind)
}
