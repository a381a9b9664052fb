package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/clipboard"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/keep"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// pastedBounds are which pictures that were pasted stay: a message that is sent again, or taken
// back to the prompt, still names them.
var pastedBounds = keep.Bounds{Age: 30 * 24 * time.Hour, Files: 100, Bytes: 256 << 20}

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
		path, err := store(filepath.Join(stateDir, "pasted"), c.Picture)
		return "@" + mention.Quote(path, false), "picture: " + c.Picture.Facts(), err
	}
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
