package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
)

// Backend reads and writes the files of a workspace (FS-1). It gets paths that are resolved. A
// backend that passes calls to an editor can still be refused by the editor. A Backend cannot
// delete or move files, or create directories (FS-4).
type Backend interface {
	// Name returns a name for messages, such as "local disk".
	Name() string
	// ReadText returns at most limit lines, beginning with the line number line. Lines count from
	// 1. A limit of 0 means all further lines; 0 for both means the complete file. A line after the
	// end returns "".
	ReadText(ctx context.Context, p Path, line, limit int) (string, error)
	// ReadBytes returns the complete file. The error has the kind TooLarge if it has more than max
	// bytes.
	ReadBytes(ctx context.Context, p Path, max int64) ([]byte, error)
	// WriteText creates or replaces a file. It creates missing parent directories.
	WriteText(ctx context.Context, p Path, content string) error
	// Fingerprint returns the present state of a file.
	Fingerprint(ctx context.Context, p Path) (Fingerprint, error)
}

// Snapshotter is an optional interface of a Backend that can read the bytes and the fingerprint of
// a file in one step.
type Snapshotter interface {
	Snapshot(ctx context.Context, p Path, max int64) (File, error)
}

// Checker is an optional interface of a Backend that can compare a file with a fingerprint faster
// than by making a new one. Check returns an error of kind Conflict if they differ.
type Checker interface {
	Check(ctx context.Context, p Path, base Fingerprint) error
}

// Committer is an optional interface of a Backend that writes only if the file has not changed.
// Without it only an editor can protect against other programs that write (FS-8).
type Committer interface {
	Commit(ctx context.Context, c Change) (Receipt, error)
}

// ErrNotHeld says that an editor does not have a file. Then the file is read from the disk.
var ErrNotHeld = errors.New("the editor does not hold it")

// Editor is an editor with open files, whose text may differ from the disk. It identifies a file by
// its absolute path without links.
type Editor interface {
	// Name returns a name for messages, such as "the editor".
	Name() string
	// ReadText returns the complete text of a file. The error is [fs.ErrNotExist] if the editor
	// says that the file does not exist, and [ErrNotHeld] if the editor does not have it.
	ReadText(ctx context.Context, name string) (string, error)
	// WriteText creates or replaces a file. It creates missing parent directories.
	WriteText(ctx context.Context, name, text string) error
}

// TextOnly implements the other methods of a Backend that can only read text. Embed it and set Text
// (FS-5, FS-6).
type TextOnly struct {
	Text interface {
		ReadText(ctx context.Context, p Path, line, limit int) (string, error)
	}
	Label string
}

// Name returns t.Label.
func (t TextOnly) Name() string { return t.Label }

// ReadBytes returns an error, because the backend can only read text.
func (t TextOnly) ReadBytes(context.Context, Path, int64) ([]byte, error) {
	return nil, refusedError("%s cannot read raw bytes", t.Label)
}

// Fingerprint returns a fingerprint with the hash of the whole text.
func (t TextOnly) Fingerprint(ctx context.Context, p Path) (Fingerprint, error) {
	s, err := t.Text.ReadText(ctx, p, 0, 0)
	if KindOf(err) == NotFound && err != nil {
		return Fingerprint{}, nil
	}
	if err != nil {
		return Fingerprint{}, err
	}
	return Fingerprint{Exists: true, Size: int64(len(s)), Sum: sha256.Sum256([]byte(s))}, nil
}

// None is a Backend for tests that must not use files. All its methods return errors (FS-9).
type None struct{}

func (None) Name() string { return "no-op backend" }

func (n None) ReadText(context.Context, Path, int, int) (string, error) {
	return "", refusedError("%s cannot read", n.Name())
}

func (n None) ReadBytes(context.Context, Path, int64) ([]byte, error) {
	return nil, refusedError("%s cannot read", n.Name())
}

func (n None) WriteText(context.Context, Path, string) error {
	return refusedError("%s cannot write", n.Name())
}

func (n None) Fingerprint(context.Context, Path) (Fingerprint, error) {
	return Fingerprint{}, refusedError("%s cannot read", n.Name())
}

// cutLines returns at most limit lines of text, beginning with the line number line: see
// [Backend.ReadText] (FS-2).
func cutLines(text string, line, limit int) (string, error) {
	if line == 0 && limit == 0 {
		return text, nil
	}
	if line < 1 || limit < 0 {
		return "", invalidError("line numbers begin at 1, got line %d, limit %d", line, limit)
	}
	for ; line > 1; line-- {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return "", nil
		}
		text = rest
	}
	if limit == 0 {
		return text, nil
	}
	end := 0
	for ; limit > 0; limit-- {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text, nil
		}
		end += i + 1
	}
	return text[:end], nil
}
