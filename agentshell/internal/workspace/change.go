package workspace

import (
	"context"
	"io/fs"
)

// Change is one write that is to be committed: the new content Data for the file Path, if the file
// is still in the state Base.
type Change struct {
	Path Path
	Base Fingerprint
	Data []byte
	// InPlace overwrites the bytes of the file instead of replacing it by a new one. So its other
	// hard links change too (FS-65). The write is not atomic.
	InPlace bool
	// Remove removes the file; Data is ignored. It is used when the user undoes the creation of a
	// file. No tool of a model sets it (FS-4). Prune lists directories, as slash paths relative to
	// the root, that are removed too if they become empty.
	Remove bool
	Prune  []string
	// Mode is the exact permissions of a new file; 0: 0666 minus umask.
	Mode fs.FileMode
	// Executable makes a new file executable for everybody who may read it.
	Executable bool
	// MayLose lists the attributes that will not be kept, which the user has been told. The commit
	// fails if it would lose others (FS-63).
	MayLose []string
}

// Guard tells how a commit was protected against other programs that write at the same moment.
type Guard string

const (
	// Exchanged means that the old file was compared after it was exchanged with the new one.
	Exchanged Guard = "exchanged"
	Linked    Guard = "linked" // Linked means that the name was free when the file was created.
	// Unguarded means that the file was checked and then replaced: an edit in between is lost.
	Unguarded Guard = "unguarded"
	Client    Guard = "client" // Client means that an editor wrote the file; only the editor can protect it.
)

// Receipt is the result of a successful commit.
type Receipt struct {
	Path    Path
	Print   Fingerprint // Print is the state of the file after the commit.
	Created bool
	Removed bool
	Dirs    []string // Dirs lists the directories that the commit created or removed, as they are displayed.
	Guard   Guard
	Undo    *Undo // Undo gives access to the replaced file; nil for a new file.
	// Split says that the old file got another hard link during the write. That name keeps the old
	// content.
	Split bool
	// Notes holds sentences about failures after the commit, such as a temporary file that could
	// not be removed. The change itself is made.
	Notes []string
}

// Commit writes a change. If the file is not in the state c.Base any more, it returns an error of
// kind Conflict and does not change the file (FS-50). It observes ctx only until it writes the
// first byte.
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
		return Receipt{}, refusedError("%s cannot remove files", w.backend.Name())
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

// WithPinned calls do with a name for an existing file, for a library that writes the file in place
// with its own transactions, such as SQLite. While do runs, the file's directory is held open and
// checked to be that of base, and no commit runs. The changes that do makes have no undo copy.
func (w *Workspace) WithPinned(ctx context.Context, p Path, base Fingerprint, do func(name string) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.Writable(p); err != nil {
		return err
	}
	if w.disk == nil {
		return refusedError("%s has no files that a library can write", w.backend.Name())
	}
	return w.disk.withPinned(ctx, p, base, do)
}
