package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	wire "github.com/coder/acp-go-sdk"
)

// maxMessage is how many bytes a message of the client may have: a picture of 24 MB fits, in
// base64.
const maxMessage = 32 << 20

// linger is how long what is still to be said may take behind the end of the input.
const linger = 500 * time.Millisecond

// conn is JSON-RPC 2.0 with a client, one message a line. Requests of the client run beside each
// other, its notifications in their order. (The connection of the SDK takes no more than 10 MiB a
// line, and a write that the client does not take holds it for ever.)
type conn struct {
	in  *bufio.Reader
	out io.Writer
	log *slog.Logger
	// begin takes a request or a notification, in the order in which they come, and returns what
	// does it. Of a notification that is nil.
	begin func(ctx context.Context, method string, params json.RawMessage) work

	lines  chan []byte   // to the goroutine that writes
	closed chan struct{} // closed when nothing is sent any more
	once   sync.Once

	ctx context.Context // ends with the input
	end context.CancelFunc

	mu      sync.Mutex
	last    int                           // id of our requests
	waiting map[string]chan message       // for the answers to them
	running map[string]context.CancelFunc // requests of the client
	works   sync.WaitGroup
}

// work does a request. then is called when its answer has been handed on; nil: there is nothing to
// do.
type work func() (result any, then func(), err error)

// message is any message. ID is nil in a notification.
type message struct {
	Version string             `json:"jsonrpc"`
	ID      json.RawMessage    `json:"id,omitempty"`
	Method  string             `json:"method,omitempty"`
	Params  json.RawMessage    `json:"params,omitempty"`
	Result  json.RawMessage    `json:"result,omitempty"`
	Error   *wire.RequestError `json:"error,omitempty"`
}

var errGone = errors.New("the editor has ended the connection")

const (
	codeParse   = -32700
	codeRequest = -32600
	codeMethod  = -32601
	cancelOne   = "$/cancel_request"
)

func newConn(in io.Reader, out io.Writer, log *slog.Logger) *conn {
	c := &conn{in: bufio.NewReaderSize(in, 64<<10), out: out, log: log, lines: make(chan []byte),
		closed: make(chan struct{}), waiting: map[string]chan message{}, running: map[string]context.CancelFunc{}}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c
}

// run serves the client until its input ends, or ctx does.
func (c *conn) run(ctx context.Context) {
	go c.write()
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.read()
	}()
	select {
	case <-over:
	case <-ctx.Done():
	}
	c.end()
	time.AfterFunc(linger, c.close)
}

// finish waits until all is said that can be.
func (c *conn) finish() {
	done := make(chan struct{})
	go func() {
		c.works.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-c.closed:
		return
	}
	select { // the writer takes the next line when the last one is written
	case c.lines <- nil:
	case <-c.closed:
	}
	c.close()
}

func (c *conn) close() { c.once.Do(func() { close(c.closed) }) }

// write writes what is sent, each message as one Write.
func (c *conn) write() {
	for {
		select {
		case line := <-c.lines:
			if _, err := c.out.Write(line); err != nil {
				c.log.Warn("the client cannot be written to", "err", err)
				c.end()
				c.close()
				return
			}
		case <-c.closed:
			return
		}
	}
}

// send hands a message to the goroutine that writes. It waits for the client to take the one
// before.
func (c *conn) send(ctx context.Context, m message) error {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	select {
	case c.lines <- append(line, '\n'):
		return nil
	case <-c.closed:
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// notify tells the client something.
func (c *conn) notify(ctx context.Context, method string, params any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.send(ctx, message{Method: method, Params: b})
}

// request asks the client for something; result gets its answer. When ctx ends the client is told
// that nobody waits any more.
func (c *conn) request(ctx context.Context, method string, params, result any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	c.last++
	id := strconv.Itoa(c.last)
	c.waiting[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	if err := c.send(ctx, message{ID: json.RawMessage(id), Method: method, Params: b}); err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return m.Error
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		_ = c.notify(c.ctx, cancelOne, map[string]json.RawMessage{"requestId": json.RawMessage(id)})
		return ctx.Err()
	case <-c.ctx.Done():
		return errGone
	}
}

// read takes what the client sends until its end.
func (c *conn) read() {
	for {
		line, over, err := readMessage(c.in)
		switch {
		case over != nil:
			c.refuse(*over)
		case len(line) > 0:
			c.take(line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.log.Warn("the client cannot be read", "err", err)
			}
			return
		}
	}
}

// take does what a message wants.
func (c *conn) take(line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		c.log.Warn("a message of the client is no JSON-RPC message", "err", err)
		_ = c.send(c.ctx, message{ID: json.RawMessage("null"), Error: &wire.RequestError{Code: codeParse,
			Message: "the message is no JSON-RPC message: " + err.Error()}})
		return
	}
	switch {
	case m.Method == "" && m.ID != nil:
		c.answered(m)
	case m.Method == cancelOne:
		var p struct{ RequestID json.RawMessage }
		if json.Unmarshal(m.Params, &p) == nil {
			c.mu.Lock()
			cancel := c.running[string(p.RequestID)]
			c.mu.Unlock()
			if cancel != nil {
				cancel()
			}
		}
	case m.Method == "":
		c.log.Warn("a message of the client has neither a method nor an id")
	case m.ID == nil:
		c.begin(c.ctx, m.Method, m.Params)
	default:
		c.asked(m)
	}
}

// asked begins a request of the client and answers it beside the others.
func (c *conn) asked(m message) {
	ctx, cancel := context.WithCancel(c.ctx)
	c.mu.Lock()
	c.running[string(m.ID)] = cancel
	c.mu.Unlock()
	do := c.begin(ctx, m.Method, m.Params)
	c.works.Go(func() {
		result, then, err := do()
		c.mu.Lock()
		delete(c.running, string(m.ID))
		c.mu.Unlock()
		cancel()
		answer := message{ID: m.ID}
		if err == nil {
			answer.Result, err = json.Marshal(result)
		}
		if err != nil {
			answer.Error = asError(err)
		}
		if c.send(context.Background(), answer) == nil && then != nil {
			then()
		}
	})
}

// answered takes an answer to a request of ours.
func (c *conn) answered(m message) {
	id := strings.Trim(string(m.ID), `"`)
	c.mu.Lock()
	answer := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if answer != nil {
		answer <- m
	}
}

// refuse answers a message that is too long: a request by an error, and an answer to a request of
// ours is one then.
func (c *conn) refuse(o oversize) {
	why := &wire.RequestError{Code: codeRequest, Message: fmt.Sprintf("the message is not taken: it has %d bytes, and "+
		"%d (%d MiB) are the most", o.size, maxMessage, maxMessage>>20)}
	c.log.Warn(why.Message, "method", o.method)
	switch {
	case o.method == "" && o.id != nil:
		c.answered(message{ID: o.id, Error: why})
	case o.id == nil && o.method != "": // nobody waits for an answer
	case o.id == nil:
		_ = c.send(c.ctx, message{ID: json.RawMessage("null"), Error: why})
	default:
		_ = c.send(c.ctx, message{ID: o.id, Error: why})
	}
}

// asError returns err as the protocol has it.
func asError(err error) *wire.RequestError {
	var e *wire.RequestError
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &wire.RequestError{Code: -32800, Message: "the request was cancelled"}
	}
	return &wire.RequestError{Code: codeInternal, Message: plain(err.Error())}
}
