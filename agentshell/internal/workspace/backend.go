package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
)

// Backend holds the files of a workspace (FS-1). The paths that it gets are resolved. A backend
// that delegates to an editor may be refused by the editor all the same. It cannot delete, move or
// create directories (FS-4).
type Backend interface {
	// Name returns a name for messages: "local disk".
	Name() string
	// ReadText returns at most limit lines from line on. Lines count from 1. Limit 0 means all
	// lines, and line 0 with limit 0 the whole file. A line beyond the end gives an empty text.
	ReadText(ctx context.Context, p Path, line, limit int) (string, error)
	// ReadBytes returns the whole file, or TooLarge if it has more than max bytes.
	ReadBytes(ctx context.Context, p Path, max int64) ([]byte, error)
	// WriteText creates or replaces a file, parent directories included.
	WriteText(ctx context.Context, p Path, content string) error
	// Fingerprint returns the present state of the file.
	Fingerprint(ctx context.Context, p Path) (Fingerprint, error)
}

// Snapshotter is a Backend that reads the bytes and the fingerprint of a file in one step.
type Snapshotter interface {
	Snapshot(ctx context.Context, p Path, max int64) (File, error)
}

// Checker is a Backend that can compare a fingerprint with less work than making a new one. It
// returns a Conflict if they differ.
type Checker interface {
	Check(ctx context.Context, p Path, base Fingerprint) error
}

// Committer is a Backend that can write under a condition. Without it only the editor can protect
// against other writers (FS-8).
type Committer interface {
	Commit(ctx context.Context, c Change) (Receipt, error)
}

// ErrNotHeld says that an editor does not hold the text of a file. Then the file is read from the
// disk.
var ErrNotHeld = errors.New("the editor does not hold it")

// Editor is an editor that holds the texts of files. The text of a file that is open in it may
// differ from the disk. It names a file by its absolute path, without links.
type Editor interface {
	// Name returns a name for messages: "the editor".
	Name() string
	// ReadText returns the whole text of a file. It returns [fs.ErrNotExist] for a file that does
	// not exist, if the editor says so, and [ErrNotHeld] for one that the editor does not hold.
	ReadText(ctx context.Context, name string) (string, error)
	// WriteText creates or replaces a file, parent directories included.
	WriteText(ctx context.Context, name, text string) error
}

// TextOnly has the default methods of a backend that knows text only: embed it and set Text (FS-5,
// FS-6).
type TextOnly struct {
	Text interface {
		ReadText(ctx context.Context, p Path, line, limit int) (string, error)
	}
	Label string
}

// Name returns the label of the backend.
func (t TextOnly) Name() string { return t.Label }

// ReadBytes returns an error: the backend cannot read bytes.
func (t TextOnly) ReadBytes(context.Context, Path, int64) ([]byte, error) {
	return nil, refused("%s cannot read raw bytes", t.Label)
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

// None is the backend of tests that must not touch a file. It refuses everything (FS-9).
type None struct{}

func (None) Name() string { return "no-op backend" }

func (n None) ReadText(context.Context, Path, int, int) (string, error) {
	return "", refused("%s cannot read", n.Name())
}

func (n None) ReadBytes(context.Context, Path, int64) ([]byte, error) {
	return nil, refused("%s cannot read", n.Name())
}

func (n None) WriteText(context.Context, Path, string) error {
	return refused("%s cannot write", n.Name())
}

func (n None) Fingerprint(context.Context, Path) (Fingerprint, error) {
	return Fingerprint{}, refused("%s cannot read", n.Name())
}

// cutLines returns at most limit lines of text from line on, as [Backend] says (FS-2).
func cutLines(text string, line, limit int) (string, error) {
	if line == 0 && limit == 0 {
		return text, nil
	}
	if line < 1 || limit < 0 {
		return "", invalid("line numbers begin at 1, got line %d, limit %d", line, limit)
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
