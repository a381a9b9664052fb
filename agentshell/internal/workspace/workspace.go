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
	// Protected are directories that no tool may ever write to: our config, state and session
	// directories (FS-34). They need not exist.
	Protected []string
	// GitConfigs are files outside the workspace that may name a hooks directory
	// (`core.hooksPath`): the person's own git configuration.
	GitConfigs []string
	Home       string  // the person's home directory, "" if there is none
	Backend    Backend // nil: the local disk, with Editor
	// Editor holds the texts of files; nil: nobody but the disk does.
	Editor Editor
	// Journal is the absolute path of a directory of ours that says which commits are under way:
	// what a killed process left in the workspace is tidied by the next Open with the same Journal.
	// It need not exist. "" or inside a root: nothing is noted, and a kill can leave a temporary
	// file.
	Journal string
	Now     func() time.Time // what late writes are kept for is counted by it; nil: the system's clock
}

// Workspace is a set of roots and the backend that holds their files. It is safe for use by several
// goroutines.
type Workspace struct {
	roots     []*root
	byName    map[string]*root
	protected []string // link-free
	configs   []string // git's configuration files outside
	home      string
	broad     string // why only mode ask is allowed, or ""
	backend   Backend
	disk      *local // nil: the backend is somebody else's
	journal   string
	now       func() time.Time
	recovered []string
	system    system

	mu    sync.Mutex
	undo  []*Undo
	known known // of the default root
}

// root is one opened root.
type root struct {
	name     string
	real     string // link-free absolute path
	readOnly bool
	h        *os.Root
}

// Open opens the roots. A root that cannot be resolved is an error (FS-29). Close it.
func Open(cfg Config) (*Workspace, error) {
	if len(cfg.Roots) == 0 {
		return nil, errors.New("workspace: no root")
	}
	w := &Workspace{byName: map[string]*root{}, backend: cfg.Backend, now: cfg.Now}
	if w.now == nil {
		w.now = time.Now
	}
	for _, c := range cfg.Roots {
		r, err := openRoot(c)
		if err != nil {
			w.Close()
			return nil, fmt.Errorf("workspace %s: %w", c.Dir, err)
		}
		w.roots = append(w.roots, r)
		if w.byName[r.name] != nil {
			w.Close()
			return nil, fmt.Errorf("workspace: two roots are named %q", r.name)
		}
		w.byName[r.name] = r
	}
	for _, dir := range cfg.Protected {
		abs, err := filepath.Abs(dir)
		if err != nil {
			w.Close()
			return nil, err
		}
		at, err := walk(abs)
		if err != nil {
			w.Close()
			return nil, fmt.Errorf("workspace: protected directory: %w", err)
		}
		w.protected = append(w.protected, at.full())
	}
	w.configs, w.home = cfg.GitConfigs, cfg.Home
	w.broad = tooBroad(w.roots, cfg.Home)
	if w.backend == nil {
		l := &local{w: w}
		w.disk, w.backend, w.journal = l, l, w.outside(cfg.Journal)
		w.recovered = l.recover()
		if w.journal != "" {
			forgetLate(w.journal, w.now())
		}
		if cfg.Editor != nil {
			w.backend = l.by(cfg.Editor)
		}
	}
	return w, nil
}

// outside returns dir, or "" if it is not outside of every root.
func (w *Workspace) outside(dir string) string {
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	at, err := walk(dir)
	if err != nil {
		return ""
	}
	if r, _ := w.rootOf(at.full()); r != nil {
		return ""
	}
	return dir
}

// Recovered says in words, one sentence each, what Open found of a session that was killed and had
// to decide about; leftovers that nobody needs are removed silently.
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
	r := &root{name: c.Name, real: real, readOnly: c.ReadOnly, h: h}
	if err := r.alive(); err != nil {
		h.Close()
		return nil, err
	}
	return r, nil
}

// alive reports whether the root's path still leads to the directory that was opened (FS-30).
func (r *root) alive() error {
	at, err := os.Lstat(r.real)
	if err != nil {
		return refused("workspace root %s was moved or removed", r.real)
	}
	opened, err := r.h.Stat(".")
	if err != nil {
		return systemError(r.name, err)
	}
	if !os.SameFile(at, opened) {
		return refused("workspace root %s was moved or replaced", r.real)
	}
	return nil
}

// Close releases the roots and the undo copies.
func (w *Workspace) Close() error {
	var errs []error
	for _, r := range w.roots {
		errs = append(errs, r.h.Close())
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
func (w *Workspace) Dir() string { return w.roots[0].real }

// Dirs returns the link-free absolute paths of the roots, the default one first.
func (w *Workspace) Dirs() []string {
	var dirs []string
	for _, r := range w.roots {
		dirs = append(dirs, r.real)
	}
	return dirs
}

// RootPath returns the path of the default root.
func (w *Workspace) RootPath() Path {
	return Path{root: w.roots[0].name, rel: ".", def: true}
}

// Alive reports whether the default root is still the directory that was opened.
func (w *Workspace) Alive() error { return w.roots[0].alive() }

// Default returns the name of the default root.
func (w *Workspace) Default() string { return w.roots[0].name }

// Roots returns the names of the roots, the default one first.
func (w *Workspace) Roots() []string {
	var names []string
	for _, r := range w.roots {
		names = append(names, r.name)
	}
	return names
}

// WritableRoots returns the paths of the roots that may be written, in the order of Roots.
func (w *Workspace) WritableRoots() []Path {
	var paths []Path
	for i, r := range w.roots {
		if !r.readOnly {
			paths = append(paths, Path{root: r.name, rel: ".", def: i == 0})
		}
	}
	return paths
}

// Backend returns where the files are.
func (w *Workspace) Backend() Backend { return w.backend }

// Broad says why this workspace allows only mode ask ("the workspace is your home directory"), or
// "" (FS-34).
func (w *Workspace) Broad() string { return w.broad }

func tooBroad(roots []*root, home string) string {
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
		if _, inside := below(r.real, home); home != "" && inside {
			return "the workspace contains the home directory"
		}
	}
	return ""
}

// Abs returns the absolute path of p, for a message or a subprocess; files are not opened by it.
func (w *Workspace) Abs(p Path) string {
	return filepath.Join(w.byName[p.root].real, filepath.FromSlash(p.rel))
}

// Writable says whether p may be written at all: not in a read-only root, not in a directory of
// ours (FS-34), and not if the file or its directory is write-protected (EDIT-5).
func (w *Workspace) Writable(p Path) error {
	r := w.byName[p.root]
	if r == nil {
		return refused("no root %s", p.root)
	}
	if r.readOnly {
		return refused("%s is read-only", r.name)
	}
	full := w.Abs(p)
	for _, dir := range w.protected {
		if _, in := below(dir, full); in || below2(dir, full) {
			return refused("%s belongs to scrollkeep itself and is never written by a tool", p)
		}
	}
	if w.disk != nil {
		return w.disk.writable(p)
	}
	return nil
}

// below2 compares identities instead of names: a directory that is reached under a second name (a
// bind mount, a name that differs in case) is the same directory.
func below2(dir, full string) bool {
	want, err := os.Stat(dir)
	if err != nil {
		return false
	}
	for at := full; ; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && os.SameFile(want, info) {
			return true
		}
		if filepath.Dir(at) == at {
			return false
		}
	}
}

// Snapshot reads a file with its fingerprint; one that does not exist has no data and an absent
// fingerprint. More than max bytes are TooLarge.
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
		return File{}, conflict(p) // it changed between the two reads
	}
	return File{Path: p, Data: data, Print: print}, nil
}

// Check answers Conflict if p is no longer in the state base.
func (w *Workspace) Check(ctx context.Context, p Path, base Fingerprint) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c, ok := w.backend.(Checker); ok {
		return c.Check(ctx, p, base)
	}
	now, err := w.backend.Fingerprint(ctx, p)
	if err == nil && now != base {
		err = conflict(p)
	}
	return err
}

// Change is one write: Data for Path, if it is still in the state Base.
type Change struct {
	Path Path
	Base Fingerprint
	Data []byte
	// InPlace overwrites the bytes of a hard-linked file, so that its other names see them too,
	// instead of replacing it (FS-65). It is not atomic.
	InPlace bool
	// Remove takes the file away instead: Data is not looked at. It is for a person who takes back
	// what was created; no tool of a model sets it (FS-4). Prune are slash paths below the root of
	// directories that go with it if they are empty then.
	Remove bool
	Prune  []string
	// Mode are the permissions of a new file, exactly; 0: 0666 minus umask.
	Mode fs.FileMode
	// Executable makes a new file one that those who may read it can run.
	Executable bool
	// MayLose are the attributes that the person was told will not be kept; losing another one
	// fails the commit (FS-63).
	MayLose []string
}

// Guard says how well a commit was protected against other writers.
type Guard string

const (
	Exchanged Guard = "exchanged" // the displaced file was compared after the exchange
	Linked    Guard = "linked"    // the name was free at the instant of creation
	Unguarded Guard = "unguarded" // checked, then renamed: an edit in between would be lost
	Client    Guard = "client"    // written by a client; the guarantee is the client's
)

// Receipt is what a commit did.
type Receipt struct {
	Path    Path
	Print   Fingerprint // the state it left
	Created bool
	Removed bool
	Dirs    []string // directories it created, or removed, as shown
	Guard   Guard
	Undo    *Undo // nil for a new file
	Split   bool  // while it was written the old file got another name, which keeps the old content
	// Notes say in sentences what did not go well behind the commit: the change is made, but a
	// temporary file stays, or a flush failed.
	Notes []string
}

// Commit writes a change. If the file is no longer the base it answers Conflict and the other one's
// bytes stay (FS-50). ctx is looked at before the first byte is written, not after.
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
			w.keep(r.Undo)
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

// Pinned gives do the name of a file that is there, for a library that writes in place by its own
// transactions. While do runs, the file's directory is the one of base and held open, and no commit
// runs. What do writes is not kept for an undo.
func (w *Workspace) Pinned(ctx context.Context, p Path, base Fingerprint, do func(name string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.Writable(p); err != nil {
		return err
	}
	if w.disk == nil {
		return refused("%s has no files that a library can write", w.backend.Name())
	}
	return w.disk.pinned(ctx, p, base, do)
}

// ReadText reads lines of a file (FS-2).
func (w *Workspace) ReadText(ctx context.Context, p Path, line, limit int) (string, error) {
	return w.backend.ReadText(ctx, p, line, limit)
}

// keep holds an undo copy. Of the older ones those are let go that nobody can write to any more,
// and beyond maxUndo the oldest.
func (w *Workspace) keep(u *Undo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.undo = append(w.undo, u)
	older := len(w.undo) - newUndo
	for i, old := range slices.Clone(w.undo[:max(older, 0)]) {
		if old.settled() || i == 0 && len(w.undo) > maxUndo {
			old.close()
			w.undo = slices.DeleteFunc(w.undo, func(u *Undo) bool { return u == old })
		}
	}
}

// met remembers that p was resolved.
func (w *Workspace) met(p Path) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known.add(p)
}

// trails returns the known paths of a root.
func (w *Workspace) trails(root string) *trail {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.known.trails(root)
}

// Undos returns the displaced files of this session, oldest first.
func (w *Workspace) Undos() []*Undo {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.undo)
}
