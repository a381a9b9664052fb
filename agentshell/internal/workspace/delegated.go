//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// editorBackend is the Backend of a session with an editor. The editor has newer text than the disk
// for open files that are not saved (FS-10). Paths are resolved on the disk, which also decides
// what may be written and what is text (FS-11).
type editorBackend struct {
	disk   *local
	editor Editor
}

// withEditor returns a backend that gets the texts of files from e and uses l for everything else.
func (l *local) withEditor(e Editor) Backend { return &editorBackend{disk: l, editor: e} }

func (b *editorBackend) Name() string { return b.editor.Name() }

// readEditor returns the complete text of p in the editor.
func (b *editorBackend) readEditor(ctx context.Context, p Path) (string, error) {
	text, err := b.editor.ReadText(ctx, b.disk.workspace.Abs(p))
	switch {
	case err == nil:
		return text, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return "", &Error{Kind: NotFound, Path: p.String(), Cause: err}
	}
	return "", &Error{Kind: Failed, Path: p.String(), Cause: fmt.Errorf("%s cannot read it: %w", b.Name(), err)}
}

// ReadText returns lines of the editor's text. It requests the complete text, because editors
// differ in what they count as a line.
func (b *editorBackend) ReadText(ctx context.Context, p Path, line, limit int) (string, error) {
	f, err := b.Snapshot(ctx, p, MaxRead)
	switch {
	case err != nil && KindOf(err) == TooLarge && (line > 0 || limit > 0):
		return b.disk.ReadText(ctx, p, line, limit) // too large to be asked for
	case err != nil:
		return "", err
	case !f.Print.Exists:
		return "", &Error{Kind: NotFound, Path: p.String()}
	}
	text, err := textOf(p, f.Data)
	if err != nil {
		return "", err
	}
	return cutLines(text, line, limit)
}

// ReadBytes reads the file from the disk, because an editor has no binary files.
func (b *editorBackend) ReadBytes(ctx context.Context, p Path, max int64) ([]byte, error) {
	return b.disk.ReadBytes(ctx, p, max)
}

// Snapshot returns the text in the editor with its fingerprint. It reads files that are no text
// from the disk.
func (b *editorBackend) Snapshot(ctx context.Context, p Path, max int64) (File, error) {
	disk, err := b.disk.Snapshot(ctx, p, max)
	if err != nil || disk.Print.Exists && Text(p, disk.Data) != nil {
		return disk, err
	}
	text, err := b.readEditor(ctx, p)
	switch {
	case errors.Is(err, ErrNotHeld), KindOf(err) == NotFound && err != nil && !disk.Print.Exists:
		return disk, nil
	case err != nil && ctx.Err() == nil && !disk.Print.Exists:
		// Some editors report a missing file by an error text of their own. The file counts as
		// absent as long as that text stays the same: another text may be another failure, of a
		// file that exists.
		disk.Print.Sum = sum([]byte(err.Error()))
		return disk, nil
	case err != nil:
		return File{}, err
	case int64(len(text)) > max:
		return File{}, &Error{Kind: TooLarge, Path: p.String(), Bytes: int64(len(text)), Limit: max}
	}
	data := []byte(text)
	// The client may save by a new file or in place, so the file's identity says nothing.
	return File{Path: p, Data: data, Print: Fingerprint{Exists: true, Mode: disk.Print.Mode, Links: disk.Print.Links,
		Size: int64(len(data)), Sum: sum(data), Dir: disk.Print.Dir}}, nil
}

func (b *editorBackend) Fingerprint(ctx context.Context, p Path) (Fingerprint, error) {
	f, err := b.Snapshot(ctx, p, maxStreamBytes)
	return f.Print, err
}

// WriteText writes without checking the present content. Tools use Commit instead.
func (b *editorBackend) WriteText(ctx context.Context, p Path, content string) error {
	return b.editor.WriteText(ctx, b.disk.workspace.Abs(p), content)
}

// Commit writes the new text through the editor if the editor's text is still the base, and reads
// it back. Another program may write in between, which only the editor can prevent (FS-8). The
// receipt says so.
func (b *editorBackend) Commit(ctx context.Context, c Change) (Receipt, error) {
	switch {
	case c.Remove:
		return b.removeFile(ctx, c)
	case isFromDisk(c.Base), !c.Base.Exists && !isText(c):
		return b.disk.Commit(ctx, c)
	case c.InPlace:
		return Receipt{}, refusedError("%s decides itself how it writes a file with several names", b.Name())
	case !isText(c):
		return Receipt{}, refusedError("%s can only write text", b.Name())
	}
	now, err := b.Fingerprint(ctx, c.Path)
	switch {
	case err != nil:
		return Receipt{}, err
	case now != c.Base:
		return Receipt{}, conflictError(c.Path)
	case ctx.Err() != nil:
		return Receipt{}, ctx.Err()
	}
	ctx = context.WithoutCancel(ctx) // what was given to the client may be written whatever we do
	if err := b.WriteText(ctx, c.Path, string(c.Data)); err != nil {
		return Receipt{}, &Error{Kind: Failed, Path: c.Path.String(),
			Cause: fmt.Errorf("%s did not write it: %w", b.Name(), err)}
	}
	r := Receipt{Path: c.Path, Created: !c.Base.Exists, Guard: Client}
	f, err := b.Snapshot(ctx, c.Path, maxStreamBytes)
	switch {
	case err != nil:
		r.Notes = append(r.Notes, fmt.Sprintf("%s took the text, and it cannot be told what the file is now: %v.",
			b.Name(), err))
	case string(f.Data) != string(c.Data):
		r.Notes = append(r.Notes, fmt.Sprintf("%s has made something else of it: it has %d bytes now, and %d were "+
			"given. "+
			"Read the file again.", b.Name(), len(f.Data), len(c.Data)))
	}
	r.Print = f.Print
	return r, nil
}

// isFromDisk reports whether a state was read from the disk. The state of an editor's text has no
// inode number.
func isFromDisk(f Fingerprint) bool { return f.Ino != 0 }

func isText(c Change) bool { return Text(c.Path, c.Data) == nil }

// removeFile removes a file from the disk if its content equals the editor's text. Editors cannot
// remove files, and notice when one is removed.
func (b *editorBackend) removeFile(ctx context.Context, c Change) (Receipt, error) {
	if isFromDisk(c.Base) {
		return b.disk.Commit(ctx, c)
	}
	now, err := b.Snapshot(ctx, c.Path, maxStreamBytes)
	switch {
	case err != nil:
		return Receipt{}, err
	case now.Print != c.Base:
		return Receipt{}, conflictError(c.Path)
	}
	disk, err := b.disk.Snapshot(ctx, c.Path, maxStreamBytes)
	switch {
	case err != nil:
		return Receipt{}, err
	case string(disk.Data) != string(now.Data):
		return Receipt{}, refusedError("%s has changes of %s that are not saved", b.Name(), c.Path)
	}
	c.Base = disk.Print
	return b.disk.Commit(ctx, c)
}
