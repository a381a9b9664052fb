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

// Config holds the settings of a workspace.
type Config struct {
	Roots []Root // Roots must have at least one root. The first one is the default.
	// Protected lists directories that no tool may write to: those of this program for
	// configuration, state and sessions (FS-34). They need not exist.
	Protected []string
	// GitConfigs lists the user's own git configuration files outside of the workspace. They may
	// name a directory of hooks (`core.hooksPath`).
	GitConfigs []string
	// GitIgnore is the path of the user's file of patterns that git ignores everywhere; "": none.
	GitIgnore string
	Home      string  // Home is the home directory of the user; "": there is none.
	Backend   Backend // Backend reads and writes the files; nil: the local disk, with Editor for texts.
	// Editor is an editor with open files; nil: there is none.
	Editor Editor
	// Journal is the absolute path of a directory in which running commits are noted. The next Open
	// with the same Journal cleans up what a killed process has left. The directory need not exist.
	// If it is "" or in a root, nothing is noted, and a kill can leave a temporary file.
	Journal string
	Now     func() time.Time // Now is the clock for the age of saved late writes; nil: that of the system.
}

// Workspace is a set of root directories with the backend for their files. It is safe for use by
// several goroutines.
type Workspace struct {
	// openedRoots holds the roots, the default one first. Others can be added later.
	openedRoots       atomic.Pointer[[]*root]
	protected         []string // protected holds paths without links.
	gitConfigs        []string // gitConfigs lists git's configuration files outside of the roots.
	gitIgnore         string
	home              string
	whyBroad          string // whyBroad is the result of WhyBroad.
	backend           Backend
	disk              *local // disk is nil if Config.Backend was set.
	journal           string
	now               func() time.Time
	recoveredMessages []string
	caseProbe         caseProbe

	mu         sync.Mutex
	undoFiles  []*Undo
	knownPaths knownPaths // of the default root
}

// Open opens the roots, and cleans up what killed sessions have left. It returns an error if a root
// cannot be resolved (FS-29). The caller closes the workspace.
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
		if w.openedRoots.Store(&set); taken {
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
	w.gitConfigs, w.gitIgnore, w.home = cfg.GitConfigs, cfg.GitIgnore, cfg.Home
	w.whyBroad = whyTooBroad(w.roots(), cfg.Home)
	if w.backend == nil {
		l := &local{workspace: w}
		w.disk, w.backend, w.journal = l, l, w.pathOutsideRoots(cfg.Journal)
		w.recoveredMessages = l.recover()
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
	if set := w.openedRoots.Load(); set != nil {
		return *set
	}
	return nil
}

// rootNamed returns the root with a name, or nil.
func (w *Workspace) rootNamed(name string) *root {
	for _, r := range w.roots() {
		if r.name == name {
			return r
		}
	}
	return nil
}

// Recovered returns a sentence for each file that Open had to decide about after a session was
// killed. Other remains are removed silently.
func (w *Workspace) Recovered() []string { return slices.Clone(w.recoveredMessages) }

// Close closes the roots and the replaced files that were kept open.
func (w *Workspace) Close() error {
	var errs []error
	for _, r := range w.roots() {
		errs = append(errs, r.handle.Close())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.undoFiles {
		errs = append(errs, u.close())
	}
	w.undoFiles = nil
	return errors.Join(errs...)
}

// Dir returns the absolute path of the default root, without links.
func (w *Workspace) Dir() string { return w.roots()[0].realPath }

// Dirs returns the absolute paths of the roots, without links, the default one first.
func (w *Workspace) Dirs() []string {
	var dirs []string
	for _, r := range w.roots() {
		dirs = append(dirs, r.realPath)
	}
	return dirs
}

// RootPath returns the default root as a Path.
func (w *Workspace) RootPath() Path {
	return Path{root: w.roots()[0].name, rel: ".", isDefault: true}
}

// Alive returns an error if the default root was moved, removed or replaced.
func (w *Workspace) Alive() error { return w.roots()[0].checkAlive() }

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

// WritableRoots returns the paths of the roots that are not read-only, in the order of Roots.
func (w *Workspace) WritableRoots() []Path {
	var paths []Path
	for i, r := range w.roots() {
		if !r.readOnly {
			paths = append(paths, Path{root: r.name, rel: ".", isDefault: i == 0})
		}
	}
	return paths
}

// Backend returns the backend that reads and writes the files.
func (w *Workspace) Backend() Backend { return w.backend }

// WhyBroad returns why this workspace only allows the mode in which the user is asked about
// everything, such as "the workspace is your home directory", or "" if it allows all modes (FS-34).
func (w *Workspace) WhyBroad() string { return w.whyBroad }

// Abs returns the absolute path of p for a message or a subprocess. Files must not be opened by it.
func (w *Workspace) Abs(p Path) string {
	return filepath.Join(w.rootNamed(p.root).realPath, filepath.FromSlash(p.rel))
}

// Writable returns an error if p must not be written: it is in a read-only root or a protected
// directory (FS-34), or the file or its directory is write-protected (EDIT-5).
func (w *Workspace) Writable(p Path) error {
	r := w.rootNamed(p.root)
	if r == nil {
		return refusedError("no root %s", p.root)
	}
	if r.readOnly {
		return refusedError("%s is read-only", r.name)
	}
	full := w.Abs(p)
	for _, dir := range w.protected {
		if _, in := relativeTo(dir, full); in || isInsideByIdentity(dir, full) {
			return refusedError("%s belongs to agentshell itself and is never written by a tool", p)
		}
	}
	if w.disk != nil {
		return w.disk.checkWritable(p)
	}
	return nil
}

// Snapshot reads a file and its fingerprint. If the file does not exist, Data is nil and the
// fingerprint says so. The error has the kind TooLarge if it has more than max bytes.
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

// Check returns an error of kind Conflict if p is not in the state base any more.
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

// ReadText returns lines of a file: see [Backend.ReadText] (FS-2).
func (w *Workspace) ReadText(ctx context.Context, p Path, line, limit int) (string, error) {
	return w.backend.ReadText(ctx, p, line, limit)
}

// keepUndo keeps a replaced file open. It closes older ones that nobody can write to any more, and
// the oldest one if there are more than maxUndoFiles.
func (w *Workspace) keepUndo(u *Undo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.undoFiles = append(w.undoFiles, u)
	older := len(w.undoFiles) - uncheckedUndoFiles
	for i, old := range slices.Clone(w.undoFiles[:max(older, 0)]) {
		if old.isFinal() || i == 0 && len(w.undoFiles) > maxUndoFiles {
			old.close()
			w.undoFiles = slices.DeleteFunc(w.undoFiles, func(u *Undo) bool { return u == old })
		}
	}
}

// rememberPath adds p to the known paths.
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

// Undos returns the files replaced in this session, the oldest first.
func (w *Workspace) Undos() []*Undo {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.undoFiles)
}
