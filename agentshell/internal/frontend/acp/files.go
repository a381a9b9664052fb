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

// clientFiles reads and writes text files through the client, so that an editor's unsaved texts are
// used (fs/read_text_file, fs/write_text_file; FS-10).
type clientFiles struct {
	conn    *conn
	session atomic.Pointer[session] // The session; nil until the client knows its id.
}

// fileTimeout is the time that the client has to read or write a file. When the turn is stopped,
// stopTimeout is left of it. A write that the client has received may happen in any case, so even
// then the answer is worth a short wait.
const (
	fileTimeout = 30 * time.Second
	stopTimeout = 300 * time.Millisecond
)

// Name implements [workspace.Editor].
func (*clientFiles) Name() string { return "the editor" }

// ReadText implements [workspace.Editor]. It returns [workspace.ErrNotHeld] while the client does
// not know the session.
func (f *clientFiles) ReadText(ctx context.Context, name string) (string, error) {
	s := f.session.Load()
	if s == nil {
		return "", workspace.ErrNotHeld
	}
	var r wire.ReadTextFileResponse
	err := f.request(ctx, s, wire.ClientMethodFsReadTextFile, wire.ReadTextFileRequest{SessionId: s.id, Path: name}, &r)
	return r.Content, err
}

// WriteText implements [workspace.Editor].
func (f *clientFiles) WriteText(ctx context.Context, name, text string) error {
	s := f.session.Load()
	if s == nil {
		return workspace.ErrNotHeld
	}
	return f.request(ctx, s, wire.ClientMethodFsWriteTextFile,
		wire.WriteTextFileRequest{SessionId: s.id, Path: name, Content: text}, new(wire.WriteTextFileResponse))
}

// errNoAnswer says that the client has not answered in time. It may still carry out the request.
var errNoAnswer = errors.New("no answer came, and it may do it all the same; read the file before you go on")

// request sends a request about a file to the client, with a limit on the time for the answer.
func (f *clientFiles) request(ctx context.Context, s *session, method string, params, result any) error {
	limited, cancel := context.WithTimeout(ctx, fileTimeout)
	defer cancel()
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case <-s.turnStopped():
		case <-done:
			return
		}
		timer := time.NewTimer(stopTimeout)
		defer timer.Stop()
		select {
		case <-timer.C:
			cancel()
		case <-done:
		}
	}()
	err := f.conn.request(limited, method, params, result)
	if limited.Err() != nil && ctx.Err() == nil && errors.Is(err, limited.Err()) {
		return errNoAnswer
	}
	return readableError(err)
}

// codeMissing is the protocol's error code for "resource not found".
const codeMissing = -32002

// readableError converts an error of the client to one whose text is a readable sentence.
func readableError(err error) error {
	var e *wire.RequestError
	switch {
	case !errors.As(err, &e):
		return err
	case e.Code == codeMissing:
		return fmt.Errorf("%w: %s", fs.ErrNotExist, visibleText(e.Message))
	}
	text := visibleText(e.Message)
	if m, ok := e.Data.(map[string]any); ok {
		for _, key := range []string{"details", "error"} {
			if more, ok := m[key].(string); ok && more != "" {
				text += ": " + visibleText(more)
				break
			}
		}
	}
	return errors.New(text)
}
