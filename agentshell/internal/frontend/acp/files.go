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
	conn    *conn
	session atomic.Pointer[session] // nil: it is being made, and the client does not know it
}

// A client may take fileTime for a file, and owedTime behind a stop of the turn: what was given to
// it may be written whatever we do, so a write is waited for, but no longer.
const (
	fileTime = 30 * time.Second
	owedTime = 300 * time.Millisecond
)

func (*files) Name() string { return "the editor" }

func (f *files) ReadText(ctx context.Context, name string) (string, error) {
	s := f.session.Load()
	if s == nil {
		return "", workspace.ErrNotHeld
	}
	var r wire.ReadTextFileResponse
	err := f.ask(ctx, s, wire.ClientMethodFsReadTextFile, wire.ReadTextFileRequest{SessionId: s.id, Path: name}, &r)
	return r.Content, err
}

func (f *files) WriteText(ctx context.Context, name, text string) error {
	s := f.session.Load()
	if s == nil {
		return workspace.ErrNotHeld
	}
	return f.ask(ctx, s, wire.ClientMethodFsWriteTextFile,
		wire.WriteTextFileRequest{SessionId: s.id, Path: name, Content: text}, new(wire.WriteTextFileResponse))
}

// errOwed is that the client has not answered in time. What it does later nobody here knows.
var errOwed = errors.New("no answer came, and it may do it all the same; read the file before you go on")

// ask asks the client in the time that it has.
func (f *files) ask(ctx context.Context, s *session, method string, params, result any) error {
	own, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-s.stopped():
		case <-over:
			return
		}
		late := time.NewTimer(owedTime)
		defer late.Stop()
		select {
		case <-late.C:
			cancel()
		case <-over:
		}
	}()
	err := f.conn.request(own, method, params, result)
	if own.Err() != nil && ctx.Err() == nil && errors.Is(err, own.Err()) {
		return errOwed
	}
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
