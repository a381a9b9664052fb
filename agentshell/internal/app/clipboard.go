package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/clipboard"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/keep"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// pastedBounds limits the age, the number and the size of stored pasted pictures and texts. They
// are stored because a message that is sent again, or taken back into the prompt, still names them.
var pastedBounds = keep.Bounds{Age: 30 * 24 * time.Hour, Files: 100, Bytes: 256 << 20}

// pastedDir returns the directory for pasted pictures and texts, or "" if there is no state
// directory.
func pastedDir(stateDir string) string {
	if stateDir == "" {
		return ""
	}
	return filepath.Join(stateDir, "pasted")
}

// clipboardReader returns the function that reads the clipboard for the prompt. If the clipboard
// has a picture, the function stores it in a file, and returns a text that names the file, and a
// label that describes the picture.
func (p Host) clipboardReader(stateDir string) func(ctx context.Context) (text, label string, err error) {
	r := clipboard.Reader{Env: secret.ForPerson(p.environ), Darwin: runtime.GOOS == "darwin", Run: p.family.Run,
		Programs: p.family.Programs}
	return func(ctx context.Context) (text, label string, err error) {
		c, err := r.Read(ctx)
		if err != nil || c.Picture.Data == nil {
			return c.Text, "", err
		}
		if stateDir == "" {
			return "", "", errors.New("there is no directory for pictures: set HOME")
		}
		path, err := storePicture(pastedDir(stateDir), c.Picture)
		return "@" + mention.Quote(path, false), "picture: " + c.Picture.Facts(), err
	}
}

// pastedPrefix is the beginning of the names by which the model reads pasted texts that are stored
// in files.
const pastedPrefix = "pasted-"

// pastedText writes a pasted text to a file in the state directory, with its secrets replaced.
type pastedText struct {
	io.WriteCloser // Writes to file, with secrets replaced.
	file           *os.File
}

// newPastedText creates a file in dir for a pasted text. Only the user can read the file.
func newPastedText(dir string, secrets secret.Set) (shell.Spill, error) {
	if dir == "" {
		return nil, errors.New("there is no directory for it: set HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "*.txt")
	if err != nil {
		return nil, err
	}
	return pastedText{secrets.Writer(f), f}, nil
}

// Finish closes the file. It returns the address by which the model reads the text, and the path of
// the file. It also removes the oldest pasted files if there are too many.
func (p pastedText) Finish() (address, path string, err error) {
	path = p.file.Name()
	if err := errors.Join(p.Close(), p.file.Close()); err != nil {
		return "", "", errors.Join(err, os.Remove(path))
	}
	keep.Trim(filepath.Join(filepath.Dir(path), "*"), pastedBounds, time.Now())
	return artifactScheme + pastedPrefix + strings.TrimSuffix(filepath.Base(path), ".txt"), path, nil
}

// Remove closes and deletes the file of the pasted text.
func (p pastedText) Remove() {
	_ = p.file.Close()
	_ = os.Remove(p.file.Name())
}

// maxPasted is the number of bytes that the model can read of a pasted text. They are read into
// memory at once.
const maxPasted = 32 << 20

// readPasted returns the pasted text with the name that the model uses. A text of more than
// maxPasted bytes is cut.
func readPasted(dir, name string) (string, error) {
	id, ok := strings.CutPrefix(name, pastedPrefix)
	if !ok || dir == "" || id == "" || strings.Trim(id, "0123456789") != "" {
		return "", errors.New("nothing of that name was pasted")
	}
	path := filepath.Join(dir, id+".txt")
	f, err := regular.Open(path)
	if err != nil {
		return "", errors.New("this text is no longer kept")
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPasted+1))
	if err != nil {
		return "", err
	}
	if len(text) > maxPasted {
		text = fmt.Appendf(text[:maxPasted], "\n[only the first %d MiB are read here; all of it is in %s]\n",
			maxPasted>>20, path)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD"), nil
}

// storePicture stores a pasted picture in a new file in dir that only the user can read. It also
// removes the oldest pasted files if there are too many.
func storePicture(dir string, p picture.Picture) (path string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "*."+strings.TrimPrefix(p.Media, "image/"))
	if err != nil {
		return "", err
	}
	_, err = f.Write(p.Data)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	keep.Trim(filepath.Join(dir, "*"), pastedBounds, time.Now())
	return f.Name(), nil
}
