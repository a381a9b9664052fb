package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxMessageBytes is the number of bytes that one DevTools message may have: enough for a picture
// or the text of a long page.
const maxMessageBytes = 96 << 20

// errBadMessage is the error for a browser that sends something else than DevTools messages. Its
// connection is ended.
var errBadMessage = errors.New("it sent what is no message of its protocol")

// browserLink carries whole DevTools messages to and from a browser.
type browserLink interface {
	Send(message []byte) error
	Receive() ([]byte, error)
}

// pipe is the link to a browser that the service has started: a pair of pipes, on which each
// message ends with a NUL byte.
type pipe struct {
	mu  sync.Mutex
	out io.Writer
	in  *bufio.Reader
}

func newPipe(in io.Reader, out io.Writer) *pipe {
	return &pipe{out: out, in: bufio.NewReaderSize(in, 64<<10)}
}

// Send implements link.
func (p *pipe) Send(message []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.out.Write(append(message, 0))
	return err
}

// Receive implements link.
func (p *pipe) Receive() ([]byte, error) {
	var message []byte
	for {
		part, err := p.in.ReadSlice(0)
		if len(message)+len(part) > maxMessageBytes {
			return nil, errBadMessage
		}
		message = append(message, part...)
		if err == nil {
			return message[:len(message)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// message is a message that a browser sends in the DevTools protocol: the answer to a call, or an
// event, which has no ID.
type message struct {
	ID      int64           `json:"id"`
	Session string          `json:"sessionId"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Message string `json:"message"`
		Data    string `json:"data"`
	} `json:"error"`
}

// ProtocolError is an error that the browser reported as the answer to a DevTools method.
type ProtocolError struct{ Method, Text string }

func (e *ProtocolError) Error() string { return e.Method + ": " + e.Text }

// conn makes calls in the Chrome DevTools protocol over a link, and distributes events. It is safe
// for use by several goroutines.
type conn struct {
	link browserLink
	// event receives the events. It must not wait for the browser.
	event func(session, method string, params json.RawMessage)
	gone  chan struct{} // gone is closed when the link has ended.

	mu           sync.Mutex
	lastID       int64
	pendingCalls map[int64]chan message
	err          error
}

// newConn returns a connection. The caller must run read on a goroutine, or no answer arrives.
func newConn(l browserLink, event func(session, method string, params json.RawMessage)) *conn {
	return &conn{link: l, event: event, gone: make(chan struct{}), pendingCalls: map[int64]chan message{}}
}

// read receives messages until the link ends, and returns the reason. Answers go to the waiting
// calls, and events to c.event.
func (c *conn) read() error {
	for {
		data, err := c.link.Receive()
		var m message
		if err == nil && json.Unmarshal(data, &m) != nil {
			err = errBadMessage
		}
		if err != nil {
			c.mu.Lock()
			c.err = err
			c.mu.Unlock()
			close(c.gone)
			return err
		}
		if m.ID == 0 {
			c.event(m.Session, m.Method, m.Params)
			continue
		}
		c.mu.Lock()
		answer := c.pendingCalls[m.ID]
		delete(c.pendingCalls, m.ID)
		c.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// object is a JSON object, such as the parameters of a DevTools method.
type object = map[string]any

// call calls a DevTools method and decodes its answer into result. A nil result discards the
// answer.
func (c *conn) call(ctx context.Context, session, method string, params object, result any) error {
	return c.begin(session, method, params)(ctx, result)
}

// begin sends a call of a DevTools method. The returned wait function waits for the answer. The
// browser handles calls in the order in which they are sent, so several can be sent at once.
func (c *conn) begin(session, method string, params object) (wait func(ctx context.Context, result any) error) {
	if params == nil {
		params = object{}
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	c.pendingCalls[id] = answer
	c.mu.Unlock()
	order := object{"id": id, "method": method, "params": params}
	if session != "" {
		order["sessionId"] = session
	}
	data, err := json.Marshal(order)
	if err == nil {
		if err = c.link.Send(data); err != nil {
			err = fmt.Errorf("%w: %w", errBrowserGone, err)
		}
	}
	return func(ctx context.Context, result any) error {
		defer func() {
			c.mu.Lock()
			delete(c.pendingCalls, id)
			c.mu.Unlock()
		}()
		if err != nil {
			return err
		}
		select {
		case m := <-answer:
			return m.read(method, result)
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-c.gone:
			return errBrowserGone
		}
	}
}

// read decodes the answer to a method into result, or returns the error that the browser reported.
func (m message) read(method string, result any) error {
	switch {
	case m.Error != nil && m.Error.Data != "":
		return &ProtocolError{method, m.Error.Message + " (" + m.Error.Data + ")"}
	case m.Error != nil:
		return &ProtocolError{method, m.Error.Message}
	case result == nil:
		return nil
	}
	return json.Unmarshal(m.Result, result)
}

// errBrowserGone is the error of a call when the connection to the browser has ended.
var errBrowserGone = errors.New("the browser has ended, and all its tabs with it")
