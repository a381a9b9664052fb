package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root describes a directory in which a model may work.
type Root struct {
	Name     string // Name is the name of the root; "": "workspace".
	Dir      string
	ReadOnly bool
}

// root is an opened root.
type root struct {
	name     string
	realPath string // realPath is its absolute path without links.
	readOnly bool
	handle   *os.Root
}

// AddRoot adds a root to an open workspace. It returns an error for a directory that would remove a
// protection: one that contains the home directory, or one that contains a protected directory or
// is in one.
func (w *Workspace) AddRoot(c Root) error {
	r, err := openRoot(c)
	if err != nil {
		return err
	}
	if err := w.checkAdded(r); err != nil {
		r.handle.Close()
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rootNamed(r.name) != nil {
		r.handle.Close()
		return fmt.Errorf("two roots are named %q", r.name)
	}
	set := append(slices.Clone(w.roots()), r)
	w.openedRoots.Store(&set)
	return nil
}

// CheckAdded returns the error that [Workspace.AddRoot] would return for a directory.
func (w *Workspace) CheckAdded(dir string) error {
	r, err := openRoot(Root{Dir: dir})
	if err != nil {
		return err
	}
	defer r.handle.Close()
	return w.checkAdded(r)
}

// checkAdded returns an error that says why a root must not be added, or nil.
func (w *Workspace) checkAdded(r *root) error {
	if why := whyTooBroad([]*root{r}, w.home); why != "" {
		_, what, _ := strings.Cut(why, "the workspace ")
		return fmt.Errorf("%s %s", r.realPath, what)
	}
	for _, dir := range w.protected {
		_, holds := relativeTo(r.realPath, dir)
		_, lies := relativeTo(dir, r.realPath)
		switch {
		case holds || isInsideByIdentity(r.realPath, dir):
			return fmt.Errorf("%s contains %s, which belongs to agentshell itself", r.realPath, dir)
		case lies || isInsideByIdentity(dir, r.realPath):
			return fmt.Errorf("%s belongs to agentshell itself", r.realPath)
		}
	}
	return nil
}

// pathOutsideRoots returns dir if it is an absolute path outside of all roots, and otherwise "".
func (w *Workspace) pathOutsideRoots(dir string) string {
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	place, err := resolveLinks(dir)
	if err != nil {
		return ""
	}
	if r, _ := w.rootOf(place.fullPath()); r != nil {
		return ""
	}
	return dir
}

func openRoot(c Root) (*root, error) {
	if c.Name == "" {
		c.Name = "workspace"
	}
	if strings.ContainsAny(c.Name, `/\`+"\x00") || c.Name == "." || c.Name == ".." {
		return nil, fmt.Errorf("%q is no name for a root", c.Name)
	}
	real, err := realDir(c.Dir)
	if err != nil {
		return nil, err
	}
	h, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	r := &root{name: c.Name, realPath: real, readOnly: c.ReadOnly, handle: h}
	if err := r.checkAlive(); err != nil {
		h.Close()
		return nil, err
	}
	return r, nil
}

// checkAlive returns an error if the root's path does not lead to the opened directory any more
// (FS-30).
func (r *root) checkAlive() error {
	at, err := os.Lstat(r.realPath)
	if err != nil {
		return refusedError("workspace root %s was moved or removed", r.realPath)
	}
	opened, err := r.handle.Stat(".")
	if err != nil {
		return systemError(r.name, err)
	}
	if !os.SameFile(at, opened) {
		return refusedError("workspace root %s was moved or replaced", r.realPath)
	}
	return nil
}

func whyTooBroad(roots []*root, home string) string {
	if home != "" {
		if real, err := realDir(home); err == nil {
			home = real
		}
	}
	for _, r := range roots {
		switch {
		case filepath.Dir(r.realPath) == r.realPath:
			return "the workspace is the whole file system"
		case r.realPath == home:
			return "the workspace is the home directory"
		}
		if _, inside := relativeTo(r.realPath, home); home != "" && inside {
			return "the workspace contains the home directory"
		}
	}
	return ""
}

// isInsideByIdentity reports whether full is in dir, by comparing device and inode numbers. So it
// finds a directory under another name, such as a bind mount or another spelling.
func isInsideByIdentity(dir, full string) bool {
	wanted, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for at := full; ; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && os.SameFile(wanted, info) {
			return true
		}
		if filepath.Dir(at) == at {
			return false
		}
	}
}
