package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
)

// Backend holds the files of a workspace (FS-1). The paths it gets are resolved; a backend that
// delegates to a client may be refused by the client all the same. Delete, move and make-directory
// are not part of it (FS-4).
type Backend interface {
	// Name is for messages: "local disk".
	Name() string
	// ReadText gives the text from line on (from 1; 0 with limit 0 means the whole file), at most
	// limit lines (0: all). A line beyond the end gives an empty text.
	ReadText(ctx context.Context, p Path, line, limit int) (string, error)
	// ReadBytes gives the whole file, TooLarge if it has more than max bytes.
	ReadBytes(ctx context.Context, p Path, max int64) ([]byte, error)
	// WriteText creates or replaces a file, parent directories included.
	WriteText(ctx context.Context, p Path, content string) error
	// Fingerprint is the file's present state.
	Fingerprint(ctx context.Context, p Path) (Fingerprint, error)
}

// Snapshotter is a Backend that reads bytes and fingerprint as one.
type Snapshotter interface {
	Snapshot(ctx context.Context, p Path, max int64) (File, error)
}

// Checker is a Backend that can compare a fingerprint with less work than making one. It answers
// Conflict if they differ.
type Checker interface {
	Check(ctx context.Context, p Path, base Fingerprint) error
}

// Committer is a Backend that can write under a condition. Without it the guarantee is the client's
// (FS-8).
type Committer interface {
	Commit(ctx context.Context, c Change) (Receipt, error)
}

// ErrNotHeld says that an editor does not hold the text of a file: the disk has it then.
var ErrNotHeld = errors.New("the editor does not hold it")

// Editor is a program that holds the texts of a workspace's files, an editor: a file that is open
// in it may have another text than on the disk. It knows a file by its absolute path, which was
// resolved.
type Editor interface {
	// Name is for messages: "the editor".
	Name() string
	// ReadText gives the whole text of a file. It is [fs.ErrNotExist] for one that does not exist,
	// if the editor tells that, and [ErrNotHeld] for one that it has nothing to do with.
	ReadText(ctx context.Context, name string) (string, error)
	// WriteText creates or replaces a file, parent directories included.
	WriteText(ctx context.Context, name, text string) error
}

// TextOnly has the defaults for a backend that knows text only: embed it and set Text (FS-5, FS-6).
type TextOnly struct {
	Text interface {
		ReadText(ctx context.Context, p Path, line, limit int) (string, error)
	}
	Label string
}

// Name returns the label.
func (t TextOnly) Name() string { return t.Label }

// ReadBytes is not permitted.
func (t TextOnly) ReadBytes(context.Context, Path, int64) ([]byte, error) {
	return nil, refused("%s cannot read raw bytes", t.Label)
}

// Fingerprint returns the hash of the whole text.
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

// None is the backend of tests that must not touch a file: everything is refused (FS-9).
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

// cutLines is FS-2 for a text in memory.
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
