package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Config describes a workspace.
type Config struct {
	Roots []Root // the first one is the default; there must be one
	// Protected are directories that no tool may write to: the configuration, state and session
	// directories of the program itself (FS-34). They need not exist.
	Protected []string
	// GitConfigs are files outside the workspace that may name a hooks directory
	// (`core.hooksPath`): the person's own git configuration.
	GitConfigs []string
	// GitIgnore is the file in which the person says what git ignores everywhere, "" for none.
	GitIgnore string
	Home      string  // the home directory of the person, "" if there is none
	Backend   Backend // nil: the local disk, and Editor for the texts
	// Editor holds the texts of files that are open in it; nil: there is none.
	Editor Editor
	// Journal is the absolute path of a directory of the program itself in which commits are noted
	// while they are made. What a killed process left in the workspace is tidied by the next Open
	// with the same Journal. It need not exist. If it is "" or inside a root nothing is noted, and
	// a kill can leave a temporary file.
	Journal string
	Now     func() time.Time // the clock by which saved late writes grow old; nil: the system's
}

// Workspace is a set of roots and the backend that holds their files. It is safe for use by several
// goroutines.
type Workspace struct {
	opened    atomic.Pointer[[]*root] // the default one first; more may be added
	protected []string                // link-free
	configs   []string                // git's configuration files outside of the roots
	gitIgnore string
	home      string
	whyBroad  string // see WhyBroad
	backend   Backend
	disk      *local // nil if Config.Backend was given
	journal   string
	now       func() time.Time
	recovered []string
	caseProbe caseProbe

	mu         sync.Mutex
	undo       []*Undo
	knownPaths knownPaths // of the default root
}

// Open opens the roots, and tidies what killed sessions left. A root that cannot be resolved is an
// error (FS-29). Close the workspace.
func Open(cfg Config) (*Workspace, error) {
	if len(cfg.Roots) == 0 {
		return nil, errors.New("workspace: no root")
	}
	w := &Workspace{backend: cfg.Backend, now: cfg.Now}
	var roots []*root
	if w.now == nil {
		w.now = time.Now
	}
	for _, c := range cfg.Roots {
		r, err := openRoot(c)
		if err != nil {
			w.Close()
			return nil, fmt.Errorf("workspace %s: %w", c.Dir, err)
		}
		taken := w.rootNamed(r.name) != nil
		roots = append(roots, r)
		set := slices.Clone(roots)
		if w.opened.Store(&set); taken {
			w.Close()
			return nil, fmt.Errorf("workspace: two roots are named %q", r.name)
		}
	}
	for _, dir := range cfg.Protected {
		abs, err := filepath.Abs(dir)
		if err != nil {
			w.Close()
			return nil, err
		}
		at, err := resolveLinks(abs)
		if err != nil {
			w.Close()
			return nil, fmt.Errorf("workspace: protected directory: %w", err)
		}
		w.protected = append(w.protected, at.fullPath())
	}
	w.configs, w.gitIgnore, w.home = cfg.GitConfigs, cfg.GitIgnore, cfg.Home
	w.whyBroad = whyTooBroad(w.roots(), cfg.Home)
	if w.backend == nil {
		l := &local{workspace: w}
		w.disk, w.backend, w.journal = l, l, w.outsideRoots(cfg.Journal)
		w.recovered = l.recover()
		if w.journal != "" {
			trimLateFiles(w.journal, w.now())
		}
		if cfg.Editor != nil {
			w.backend = l.withEditor(cfg.Editor)
		}
	}
	return w, nil
}

// roots returns the roots, the default one first.
func (w *Workspace) roots() []*root {
	if set := w.opened.Load(); set != nil {
		return *set
	}
	return nil
}

// rootNamed returns the root of that name; nil: there is none.
func (w *Workspace) rootNamed(name string) *root {
	for _, r := range w.roots() {
		if r.name == name {
			return r
		}
	}
	return nil
}

// Recovered returns what Open had to decide about after a session was killed, one sentence for each
// file. Leftovers that nobody needs are removed silently.
func (w *Workspace) Recovered() []string { return slices.Clone(w.recovered) }

// Close closes the roots and the undo copies.
func (w *Workspace) Close() error {
	var errs []error
	for _, r := range w.roots() {
		errs = append(errs, r.handle.Close())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.undo {
		errs = append(errs, u.close())
	}
	w.undo = nil
	return errors.Join(errs...)
}

// Dir returns the link-free absolute path of the default root.
func (w *Workspace) Dir() string { return w.roots()[0].real }

// Dirs returns the link-free absolute paths of the roots, the default one first.
func (w *Workspace) Dirs() []string {
	var dirs []string
	for _, r := range w.roots() {
		dirs = append(dirs, r.real)
	}
	return dirs
}

// RootPath returns the default root as a Path.
func (w *Workspace) RootPath() Path {
	return Path{root: w.roots()[0].name, rel: ".", isDefault: true}
}

// Alive returns an error if the default root was moved, removed or replaced.
func (w *Workspace) Alive() error { return w.roots()[0].alive() }

// Default returns the name of the default root.
func (w *Workspace) Default() string { return w.roots()[0].name }

// Roots returns the names of the roots, the default one first.
func (w *Workspace) Roots() []string {
	var names []string
	for _, r := range w.roots() {
		names = append(names, r.name)
	}
	return names
}

// WritableRoots returns the paths of the roots that may be written, in the order of Roots.
func (w *Workspace) WritableRoots() []Path {
	var paths []Path
	for i, r := range w.roots() {
		if !r.readOnly {
			paths = append(paths, Path{root: r.name, rel: ".", isDefault: i == 0})
		}
	}
	return paths
}

// Backend returns the backend that holds the files.
func (w *Workspace) Backend() Backend { return w.backend }

// WhyBroad returns the reason why this workspace allows only mode ask ("the workspace is your home
// directory"), "" if it allows all modes (FS-34).
func (w *Workspace) WhyBroad() string { return w.whyBroad }

// Abs returns the absolute path of p, for a message or a subprocess. Do not open files by it.
func (w *Workspace) Abs(p Path) string {
	return filepath.Join(w.rootNamed(p.root).real, filepath.FromSlash(p.rel))
}

// Writable returns an error if p must not be written: in a read-only root, in a protected directory
// (FS-34), or if the file or its directory is write-protected (EDIT-5).
func (w *Workspace) Writable(p Path) error {
	r := w.rootNamed(p.root)
	if r == nil {
		return refused("no root %s", p.root)
	}
	if r.readOnly {
		return refused("%s is read-only", r.name)
	}
	full := w.Abs(p)
	for _, dir := range w.protected {
		if _, in := relativeTo(dir, full); in || isInsideByIdentity(dir, full) {
			return refused("%s belongs to agentshell itself and is never written by a tool", p)
		}
	}
	if w.disk != nil {
		return w.disk.checkWritable(p)
	}
	return nil
}

// Snapshot reads a file and its fingerprint. A file that does not exist has no data and an absent
// fingerprint. One of more than max bytes is TooLarge.
func (w *Workspace) Snapshot(ctx context.Context, p Path, max int64) (File, error) {
	if err := ctx.Err(); err != nil {
		return File{}, err
	}
	if s, ok := w.backend.(Snapshotter); ok {
		return s.Snapshot(ctx, p, max)
	}
	data, err := w.backend.ReadBytes(ctx, p, max)
	if err != nil && KindOf(err) == NotPermitted {
		var text string
		if text, err = w.backend.ReadText(ctx, p, 0, 0); err == nil {
			data = []byte(text)
		}
	}
	switch {
	case err != nil && KindOf(err) == NotFound:
		data = nil
	case err != nil:
		return File{}, err
	case int64(len(data)) > max:
		return File{}, &Error{Kind: TooLarge, Path: p.String(), Bytes: int64(len(data)), Limit: max}
	}
	print, err := w.backend.Fingerprint(ctx, p)
	if err != nil {
		return File{}, err
	}
	if print.Exists != (data != nil) ||
		print.Exists && (print.Size != int64(len(data)) || print.Sum != sha256.Sum256(data)) {
		return File{}, conflictError(p) // it changed between the two reads
	}
	return File{Path: p, Data: data, Print: print}, nil
}

// Check returns a Conflict if p is no longer in the state base.
func (w *Workspace) Check(ctx context.Context, p Path, base Fingerprint) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c, ok := w.backend.(Checker); ok {
		return c.Check(ctx, p, base)
	}
	now, err := w.backend.Fingerprint(ctx, p)
	if err == nil && now != base {
		err = conflictError(p)
	}
	return err
}

// ReadText reads lines of a file (FS-2).
func (w *Workspace) ReadText(ctx context.Context, p Path, line, limit int) (string, error) {
	return w.backend.ReadText(ctx, p, line, limit)
}

// keepUndo keeps an undo copy. It closes older copies that nobody can write to any more, and the
// oldest one if there are more than maxUndo.
func (w *Workspace) keepUndo(u *Undo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.undo = append(w.undo, u)
	older := len(w.undo) - recentUndo
	for i, old := range slices.Clone(w.undo[:max(older, 0)]) {
		if old.isFinal() || i == 0 && len(w.undo) > maxUndo {
			old.close()
			w.undo = slices.DeleteFunc(w.undo, func(u *Undo) bool { return u == old })
		}
	}
}

// rememberPath remembers that p was resolved.
func (w *Workspace) rememberPath(p Path) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.knownPaths.add(p)
}

// knownTree returns the known paths of a root as a tree.
func (w *Workspace) knownTree(root string) *pathTree {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.knownPaths.tree(root)
}

// Undos returns the displaced files of this session, oldest first.
func (w *Workspace) Undos() []*Undo {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.undo)
}
