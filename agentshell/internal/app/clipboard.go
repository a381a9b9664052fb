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

// pastedBounds are which pictures and texts that were pasted stay: a message that is sent again, or
// taken back to the prompt, still names them.
var pastedBounds = keep.Bounds{Age: 30 * 24 * time.Hour, Files: 100, Bytes: 256 << 20}

// pastedDir returns the directory of what was pasted, "" without one of our state.
func pastedDir(stateDir string) string {
	if stateDir == "" {
		return ""
	}
	return filepath.Join(stateDir, "pasted")
}

// pasted reads the clipboard for the prompt. A picture becomes a file in the state directory, which
// the text names; label says what it is.
func (p Host) pasted(stateDir string) func(ctx context.Context) (text, label string, err error) {
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
		path, err := store(pastedDir(stateDir), c.Picture)
		return "@" + mention.Quote(path, false), "picture: " + c.Picture.Facts(), err
	}
}

// pastedName begins the name by which the model reads a pasted text that went to a file.
const pastedName = "pasted-"

// pastedText is a file of the state directory for a text that was pasted, without secrets.
type pastedText struct {
	io.WriteCloser // to file
	file           *os.File
}

// spill makes one, which only the person can read.
func spill(dir string, secrets secret.Set) (shell.Spill, error) {
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

// Keep ends the file, and removes the oldest ones beside it.
func (p pastedText) Finish() (address, path string, err error) {
	path = p.file.Name()
	if err := errors.Join(p.Close(), p.file.Close()); err != nil {
		return "", "", errors.Join(err, os.Remove(path))
	}
	keep.Trim(filepath.Join(filepath.Dir(path), "*"), pastedBounds, time.Now())
	return scheme + pastedName + strings.TrimSuffix(filepath.Base(path), ".txt"), path, nil
}

// Drop removes the file.
func (p pastedText) Remove() {
	_ = p.file.Close()
	_ = os.Remove(p.file.Name())
}

// maxPasted is how many bytes of a pasted text the model reads: all of it is held in memory then.
const maxPasted = 32 << 20

// pastedAs returns the text that was pasted, by its name.
func pastedAs(dir, name string) (string, error) {
	id, ok := strings.CutPrefix(name, pastedName)
	if !ok || dir == "" || id == "" || strings.Trim(id, "0123456789") != "" {
		return "", errors.New("nothing of that name was pasted")
	}
	path := filepath.Join(dir, id+".txt")
	f, err := regular.Open(path)
	if err != nil {
		return "", errors.New("this text is not kept any more")
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

// store writes a picture that only the person can read, and removes the oldest ones.
func store(dir string, p picture.Picture) (path string, err error) {
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
