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

// maxMessage is the number of bytes that one message of a browser may have: a picture of a long
// page, or the text of a page.
const maxMessage = 96 << 20

// errGarbage is why a browser is ended that sends what is no message.
var errGarbage = errors.New("it sent what is no message of its protocol")

// link carries whole messages to and from a browser.
type link interface {
	Send(message []byte) error
	Receive() ([]byte, error)
}

// pipe is the link to a browser that we have started: a message ends with a NUL byte.
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
		if len(message)+len(part) > maxMessage {
			return nil, errGarbage
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

// message is a reply or an event of the protocol.
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

// ProtocolError is the error that a browser answers with.
type ProtocolError struct{ Method, Text string }

func (e *ProtocolError) Error() string { return e.Method + ": " + e.Text }

// conn speaks the DevTools protocol over a link. It is safe for use by several goroutines.
type conn struct {
	link  link
	event func(session, method string, params json.RawMessage) // it must not wait for the browser
	gone  chan struct{}                                        // closed when nothing comes any more

	mu      sync.Mutex
	next    int64
	waiting map[int64]chan message
	err     error
}

// newConn returns a connection. Call read.
func newConn(l link, event func(session, method string, params json.RawMessage)) *conn {
	return &conn{link: l, event: event, gone: make(chan struct{}), waiting: map[int64]chan message{}}
}

// read takes what comes until the link ends, and returns why it ended.
func (c *conn) read() error {
	for {
		data, err := c.link.Receive()
		var m message
		if err == nil && json.Unmarshal(data, &m) != nil {
			err = errGarbage
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
		answer := c.waiting[m.ID]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// object is a JSON object of parameters.
type object = map[string]any

// call has the browser do something, and reads its answer into result; nil: nobody wants it.
func (c *conn) call(ctx context.Context, session, method string, params object, result any) error {
	return c.begin(session, method, params)(ctx, result)
}

// begin has the browser do something, and returns what waits for its answer. The browser does what
// it is asked in order.
func (c *conn) begin(session, method string, params object) (wait func(ctx context.Context, result any) error) {
	if params == nil {
		params = object{}
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	c.next++
	id := c.next
	c.waiting[id] = answer
	c.mu.Unlock()
	order := object{"id": id, "method": method, "params": params}
	if session != "" {
		order["sessionId"] = session
	}
	data, err := json.Marshal(order)
	if err == nil {
		if err = c.link.Send(data); err != nil {
			err = fmt.Errorf("%w: %w", errGone, err)
		}
	}
	return func(ctx context.Context, result any) error {
		defer func() {
			c.mu.Lock()
			delete(c.waiting, id)
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
			return errGone
		}
	}
}

// read reads the answer to a method into result.
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

// errGone is the error of a call of a browser that is not there any more.
var errGone = errors.New("the browser has ended, and all its tabs with it")
