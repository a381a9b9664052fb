//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// delegated is the backend of a session whose client holds the texts: an editor, which knows more
// than the disk of a file that is open and not saved (FS-10). Which file a path means, whether it
// may be written, and what is no text is read off the disk as in every session (FS-11).
type delegated struct {
	disk   *local
	editor Editor
}

// by returns l for the files whose texts the client has.
func (l *local) by(e Editor) Backend { return &delegated{disk: l, editor: e} }

func (d *delegated) Name() string { return d.editor.Name() }

// text returns the whole text of p as the client has it.
func (d *delegated) text(ctx context.Context, p Path) (string, error) {
	text, err := d.editor.ReadText(ctx, d.disk.w.Abs(p))
	switch {
	case err == nil:
		return text, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return "", &Error{Kind: NotFound, Path: p.String(), Cause: err}
	}
	return "", &Error{Kind: Failed, Path: p.String(), Cause: fmt.Errorf("%s cannot read it: %w", d.Name(), err)}
}

// ReadText gives lines of the client's text. The client is asked for the whole of it: what a line
// is for one that counts them is its own affair.
func (d *delegated) ReadText(ctx context.Context, p Path, line, limit int) (string, error) {
	f, err := d.Snapshot(ctx, p, MaxRead)
	switch {
	case err != nil && KindOf(err) == TooLarge && (line > 0 || limit > 0):
		return d.disk.ReadText(ctx, p, line, limit) // too large to be asked for
	case err != nil:
		return "", err
	case !f.Print.Exists:
		return "", &Error{Kind: NotFound, Path: p.String()}
	}
	text, err := checked(p, f.Data)
	if err != nil {
		return "", err
	}
	return cutLines(text, line, limit)
}

// ReadBytes gives the file as it is on the disk: pictures, archives and databases are nothing that
// a client has as a text.
func (d *delegated) ReadBytes(ctx context.Context, p Path, max int64) ([]byte, error) {
	return d.disk.ReadBytes(ctx, p, max)
}

// Snapshot returns the text that the client has, with a fingerprint of it. What is no text is read
// off the disk, and written there.
func (d *delegated) Snapshot(ctx context.Context, p Path, max int64) (File, error) {
	disk, err := d.disk.Snapshot(ctx, p, max)
	if err != nil || disk.Print.Exists && Text(p, disk.Data) != nil {
		return disk, err
	}
	text, err := d.text(ctx, p)
	switch {
	case errors.Is(err, ErrNotHeld), KindOf(err) == NotFound && err != nil && !disk.Print.Exists:
		return disk, nil
	case err != nil && ctx.Err() == nil && !disk.Print.Exists:
		// Some clients say in their own words that there is no such file. It is absent as long as
		// they say the same: other words are another failure, of a file that may be there.
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

func (d *delegated) Fingerprint(ctx context.Context, p Path) (Fingerprint, error) {
	f, err := d.Snapshot(ctx, p, maxStream)
	return f.Print, err
}

// WriteText writes without a condition on the content; tools use Commit.
func (d *delegated) WriteText(ctx context.Context, p Path, content string) error {
	return d.editor.WriteText(ctx, d.disk.w.Abs(p), content)
}

// Commit compares what the client has with the base, gives it the new text, and looks at what came
// of it. Nothing keeps another program from writing in between: that is the client's guarantee
// (FS-8), and the receipt says so.
func (d *delegated) Commit(ctx context.Context, c Change) (Receipt, error) {
	switch {
	case c.Remove:
		return d.remove(ctx, c)
	case onDisk(c.Base), !c.Base.Exists && !isText(c):
		return d.disk.Commit(ctx, c)
	case c.InPlace:
		return Receipt{}, refused("%s decides itself how it writes a file with several names", d.Name())
	case !isText(c):
		return Receipt{}, refused("%s can only write text", d.Name())
	}
	now, err := d.Fingerprint(ctx, c.Path)
	switch {
	case err != nil:
		return Receipt{}, err
	case now != c.Base:
		return Receipt{}, conflict(c.Path)
	case ctx.Err() != nil:
		return Receipt{}, ctx.Err()
	}
	ctx = context.WithoutCancel(ctx) // what was given to the client may be written whatever we do
	if err := d.WriteText(ctx, c.Path, string(c.Data)); err != nil {
		return Receipt{}, &Error{Kind: Failed, Path: c.Path.String(),
			Cause: fmt.Errorf("%s did not write it: %w", d.Name(), err)}
	}
	r := Receipt{Path: c.Path, Created: !c.Base.Exists, Guard: Client}
	f, err := d.Snapshot(ctx, c.Path, maxStream)
	switch {
	case err != nil:
		r.Notes = append(r.Notes, fmt.Sprintf("%s took the text, and it cannot be told what the file is now: %v.",
			d.Name(), err))
	case string(f.Data) != string(c.Data):
		r.Notes = append(r.Notes, fmt.Sprintf("%s has made something else of it: it has %d bytes now, and %d were "+
			"given. "+
			"Read the file again.", d.Name(), len(f.Data), len(c.Data)))
	}
	r.Print = f.Print
	return r, nil
}

// onDisk reports whether the state was read off the disk: that of a client's text has no identity.
func onDisk(f Fingerprint) bool { return f.Ino != 0 }

func isText(c Change) bool { return Text(c.Path, c.Data) == nil }

// remove takes a file away that is on the disk what the client has: clients cannot, and see that it
// is gone.
func (d *delegated) remove(ctx context.Context, c Change) (Receipt, error) {
	if onDisk(c.Base) {
		return d.disk.Commit(ctx, c)
	}
	now, err := d.Snapshot(ctx, c.Path, maxStream)
	switch {
	case err != nil:
		return Receipt{}, err
	case now.Print != c.Base:
		return Receipt{}, conflict(c.Path)
	}
	disk, err := d.disk.Snapshot(ctx, c.Path, maxStream)
	switch {
	case err != nil:
		return Receipt{}, err
	case string(disk.Data) != string(now.Data):
		return Receipt{}, refused("%s has changes of %s that are not saved", d.Name(), c.Path)
	}
	c.Base = disk.Print
	return d.disk.Commit(ctx, c)
}
