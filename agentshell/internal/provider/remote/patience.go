package remote

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// patience is an HTTP transport that gives up on a response that sends nothing for longer than
// idle. Providers send a keep-alive every few seconds while a model thinks, so that a long silence
// means a dead connection.
type patience struct {
	idle time.Duration
	next http.RoundTripper
}

// RoundTrip sends a request. It limits the time until the response's header arrives, and the time
// of each Read of its body.
func (p patience) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	tooLong := &provider.Error{Message: fmt.Sprintf("the answer was silent for %v", p.idle)}
	timer := time.AfterFunc(p.idle, func() { cancel(tooLong) })
	resp, err := p.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		timer.Stop()
		err = cause(ctx, err)
		cancel(nil)
		return nil, err
	}
	resp.Body = &watched{ReadCloser: resp.Body, ctx: ctx, cancel: cancel, timer: timer, idle: p.idle}
	return resp, nil
}

// watched is the body of a response. Each Read may take at most the time idle.
type watched struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	idle   time.Duration
}

func (w *watched) Read(b []byte) (int, error) {
	w.timer.Reset(w.idle)
	n, err := w.ReadCloser.Read(b)
	w.timer.Stop() // the time that the consumer takes does not count
	if err != nil && err != io.EOF {
		err = cause(w.ctx, err)
	}
	return n, err
}

func (w *watched) Close() error {
	w.timer.Stop()
	defer w.cancel(nil)
	return w.ReadCloser.Close()
}

// cause returns the error of the time limit if that has cancelled ctx, or else err.
func cause(ctx context.Context, err error) error {
	if e, ok := context.Cause(ctx).(*provider.Error); ok {
		return e
	}
	return err
}
