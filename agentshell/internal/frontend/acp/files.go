package acp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// files are the texts that the client holds (fs/read_text_file, fs/write_text_file; FS-10).
type files struct {
	conn    *wire.AgentSideConnection
	session atomic.Pointer[wire.SessionId] // nil: it is being made, and the client does not know it
}

// fileTime is how long a client may take for a file: a write is waited for even when the turn was
// stopped.
const fileTime = 30 * time.Second

func (*files) Name() string { return "the editor" }

func (f *files) ReadText(ctx context.Context, name string) (string, error) {
	id := f.session.Load()
	if id == nil {
		return "", workspace.ErrNotHeld
	}
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	r, err := f.conn.ReadTextFile(ctx, wire.ReadTextFileRequest{SessionId: *id, Path: name})
	return r.Content, told(err)
}

func (f *files) WriteText(ctx context.Context, name, text string) error {
	id := f.session.Load()
	if id == nil {
		return workspace.ErrNotHeld
	}
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	_, err := f.conn.WriteTextFile(ctx, wire.WriteTextFileRequest{SessionId: *id, Path: name, Content: text})
	return told(err)
}

// codeMissing is the protocol's "resource not found".
const codeMissing = -32002

// told is an error of the client as a sentence.
func told(err error) error {
	var e *wire.RequestError
	switch {
	case !errors.As(err, &e):
		return err
	case e.Code == codeMissing:
		return fmt.Errorf("%w: %s", fs.ErrNotExist, plain(e.Message))
	}
	text := plain(e.Message)
	if m, ok := e.Data.(map[string]any); ok {
		for _, key := range []string{"details", "error"} {
			if more, ok := m[key].(string); ok && more != "" {
				text += ": " + plain(more)
				break
			}
		}
	}
	return errors.New(text)
}
