package workspace

import (
	"context"
	"io/fs"
)

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
