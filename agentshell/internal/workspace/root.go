package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root is a directory that a model may work in.
type Root struct {
	Name     string // "workspace" if empty
	Dir      string
	ReadOnly bool
}

// root is one opened root.
type root struct {
	name     string
	real     string // its absolute path, without links
	readOnly bool
	handle   *os.Root
}

// AddRoot adds a root while the workspace is in use. It refuses one that would take a protection
// away: the home directory and what contains it, and what contains a protected directory or lies in
// one.
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
	w.opened.Store(&set)
	return nil
}

// CheckAdded returns the error with which [Workspace.AddRoot] would refuse a directory.
func (w *Workspace) CheckAdded(dir string) error {
	r, err := openRoot(Root{Dir: dir})
	if err != nil {
		return err
	}
	defer r.handle.Close()
	return w.checkAdded(r)
}

// checkAdded returns why a root must not be added.
func (w *Workspace) checkAdded(r *root) error {
	if why := whyTooBroad([]*root{r}, w.home); why != "" {
		_, what, _ := strings.Cut(why, "the workspace ")
		return fmt.Errorf("%s %s", r.real, what)
	}
	for _, dir := range w.protected {
		_, holds := relativeTo(r.real, dir)
		_, lies := relativeTo(dir, r.real)
		switch {
		case holds || isInsideByIdentity(r.real, dir):
			return fmt.Errorf("%s contains %s, which belongs to agentshell itself", r.real, dir)
		case lies || isInsideByIdentity(dir, r.real):
			return fmt.Errorf("%s belongs to agentshell itself", r.real)
		}
	}
	return nil
}

// outsideRoots returns dir, or "" if it is inside of a root or not absolute.
func (w *Workspace) outsideRoots(dir string) string {
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
	r := &root{name: c.Name, real: real, readOnly: c.ReadOnly, handle: h}
	if err := r.alive(); err != nil {
		h.Close()
		return nil, err
	}
	return r, nil
}

// alive returns an error if the root's path no longer leads to the directory that was opened
// (FS-30).
func (r *root) alive() error {
	at, err := os.Lstat(r.real)
	if err != nil {
		return refused("workspace root %s was moved or removed", r.real)
	}
	opened, err := r.handle.Stat(".")
	if err != nil {
		return systemError(r.name, err)
	}
	if !os.SameFile(at, opened) {
		return refused("workspace root %s was moved or replaced", r.real)
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
		case filepath.Dir(r.real) == r.real:
			return "the workspace is the whole file system"
		case r.real == home:
			return "the workspace is the home directory"
		}
		if _, inside := relativeTo(r.real, home); home != "" && inside {
			return "the workspace contains the home directory"
		}
	}
	return ""
}

// isInsideByIdentity reports whether full lies in dir, by comparing device and inode numbers. It
// finds a directory under a second name (a bind mount, a name that differs in case).
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
