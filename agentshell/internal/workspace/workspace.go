package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Root is a directory that a model may work in.
type Root struct {
	Name     string // "workspace" if empty
	Dir      string
	ReadOnly bool
}

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

// root is one opened root.
type root struct {
	name     string
	real     string // its absolute path, without links
	readOnly bool
	handle   *os.Root
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

// Recovered returns what Open had to decide about after a session was killed, one sentence for each
// file. Leftovers that nobody needs are removed silently.
func (w *Workspace) Recovered() []string { return slices.Clone(w.recovered) }

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

// Change is one write: Data for Path, on the condition that the file is still in the state Base.
type Change struct {
	Path Path
	Base Fingerprint
	Data []byte
	// InPlace overwrites the bytes of the file instead of replacing it, so that its other hard
	// links show them too (FS-65). It is not atomic.
	InPlace bool
	// Remove removes the file instead; Data is ignored. It is for a person who undoes the creation
	// of a file: no tool of a model sets it (FS-4). Prune are slash paths below the root of
	// directories that are removed too if they are empty then.
	Remove bool
	Prune  []string
	// Mode has the permissions of a new file, exactly; 0: 0666 minus umask.
	Mode fs.FileMode
	// Executable makes a new file executable for all who may read it.
	Executable bool
	// MayLose are the attributes that will not be kept, as the person was told. The commit fails if
	// it would lose another one (FS-63).
	MayLose []string
}

// Guard is the degree to which a commit was protected against other writers.
type Guard string

const (
	Exchanged Guard = "exchanged" // the displaced file was compared after the exchange
	Linked    Guard = "linked"    // the name was free at the moment of creation
	Unguarded Guard = "unguarded" // checked, then renamed: an edit in between would be lost
	Client    Guard = "client"    // written by an editor, which alone can protect against other writers
)

// Receipt is the result of a commit.
type Receipt struct {
	Path    Path
	Print   Fingerprint // the state of the file afterwards
	Created bool
	Removed bool
	Dirs    []string // the directories that it created, or removed, as they are shown
	Guard   Guard
	Undo    *Undo // nil for a new file
	Split   bool  // the old file got another name during the write; that name keeps the old content
	// Notes are sentences about what failed after the commit: the change is made, but a temporary
	// file stays, or a flush failed.
	Notes []string
}

// Commit writes a change. If the file is no longer in the base state it returns a Conflict and
// keeps the file as it is (FS-50). It looks at ctx before it writes the first byte, and not after.
func (w *Workspace) Commit(ctx context.Context, c Change) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	if err := w.Writable(c.Path); err != nil {
		return Receipt{}, err
	}
	if b, ok := w.backend.(Committer); ok {
		r, err := b.Commit(ctx, c)
		if r.Undo != nil {
			w.keepUndo(r.Undo)
		}
		return r, err
	}
	if c.Remove {
		return Receipt{}, refused("%s cannot remove files", w.backend.Name())
	}
	if err := w.Check(ctx, c.Path, c.Base); err != nil {
		return Receipt{}, err
	}
	if err := w.backend.WriteText(ctx, c.Path, string(c.Data)); err != nil {
		return Receipt{}, err
	}
	print, err := w.backend.Fingerprint(ctx, c.Path)
	return Receipt{Path: c.Path, Print: print, Created: !c.Base.Exists, Guard: Client}, err
}

// WithPinned calls do with the name of an existing file, for a library that writes the file in
// place by its own transactions. While do runs, the file's directory is held open and is the one of
// base, and no commit runs. There is no undo copy of what do writes.
func (w *Workspace) WithPinned(ctx context.Context, p Path, base Fingerprint, do func(name string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.Writable(p); err != nil {
		return err
	}
	if w.disk == nil {
		return refused("%s has no files that a library can write", w.backend.Name())
	}
	return w.disk.withPinned(ctx, p, base, do)
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
