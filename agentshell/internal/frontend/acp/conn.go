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

// maxMessage is the size in bytes of the largest message that is accepted from the client. A
// picture of 24 MB fits, in base64.
const maxMessage = 32 << 20

// flushTimeout is the time for sending the remaining messages after the client's input has ended.
const flushTimeout = 500 * time.Millisecond

// conn is a JSON-RPC 2.0 connection to a client, with one message a line. The client's requests run
// in parallel; its notifications are handled in their order.
//
// The connection of the SDK is not used: it accepts only 10 MiB a line, and it blocks for ever if
// the client stops reading.
type conn struct {
	in  *bufio.Reader
	out io.Writer
	log *slog.Logger
	// handle is called for each request and notification of the client, in their order. For a
	// request it returns the work that answers it. The result for a notification is ignored.
	handle func(ctx context.Context, method string, params json.RawMessage) work

	lines  chan []byte   // Passes messages to the goroutine that writes them to the client.
	closed chan struct{} // Closed when no more messages are sent to the client.
	once   sync.Once

	ctx context.Context // Cancelled when the client's input ends.
	end context.CancelFunc

	mu     sync.Mutex
	lastID int // The id of the last request that was sent to the client.
	// The channels that receive the client's answers to requests, by the id of the request.
	pending map[string]chan message
	running map[string]context.CancelFunc // The functions that cancel the client's running requests, by id.
	// The client's requests that are running.
	requests sync.WaitGroup
}

// work carries out a request and returns its result. If then is not nil, it is called after the
// answer has been sent.
type work func() (result any, then func(), err error)

// message is a JSON-RPC message: a request, a notification or an answer. ID is nil in a
// notification.
type message struct {
	Version string             `json:"jsonrpc"`
	ID      json.RawMessage    `json:"id,omitempty"`
	Method  string             `json:"method,omitempty"`
	Params  json.RawMessage    `json:"params,omitempty"`
	Result  json.RawMessage    `json:"result,omitempty"`
	Error   *wire.RequestError `json:"error,omitempty"`
}

// errDisconnected is the error of requests to a client that has closed the connection.
var errDisconnected = errors.New("the editor has ended the connection")

const (
	codeParse    = -32700
	codeRequest  = -32600
	codeMethod   = -32601
	methodCancel = "$/cancel_request"
)

func newConn(in io.Reader, out io.Writer, log *slog.Logger) *conn {
	c := &conn{in: bufio.NewReaderSize(in, 64<<10), out: out, log: log, lines: make(chan []byte),
		closed: make(chan struct{}), pending: map[string]chan message{}, running: map[string]context.CancelFunc{}}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c
}

// run serves the client until its input or ctx ends.
func (c *conn) run(ctx context.Context) {
	go c.writeLines()
	readDone := make(chan struct{})
	go func() {
		defer close(readDone)
		c.readMessages()
	}()
	select {
	case <-readDone:
	case <-ctx.Done():
	}
	c.end()
	time.AfterFunc(flushTimeout, c.close)
}

// finish waits until all answers to the client are written, or until flushTimeout has passed.
func (c *conn) finish() {
	done := make(chan struct{})
	go func() {
		c.requests.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-c.closed:
		return
	}
	select { // the writer takes nil only after the last line is written
	case c.lines <- nil:
	case <-c.closed:
	}
	c.close()
}

func (c *conn) close() { c.once.Do(func() { close(c.closed) }) }

// writeLines writes the messages from the channel lines to the client, each with one call of Write,
// until the connection is closed.
func (c *conn) writeLines() {
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

// send sends a message to the client. It waits until the client has read the previous one.
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
		return errDisconnected
	case <-ctx.Done():
		return ctx.Err()
	}
}

// notify sends a notification, which has no answer, to the client.
func (c *conn) notify(ctx context.Context, method string, params any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.send(ctx, message{Method: method, Params: b})
}

// request sends a request to the client, waits, and decodes the answer into result. If ctx ends
// first, the client is told to cancel the request.
func (c *conn) request(ctx context.Context, method string, params, result any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	c.lastID++
	id := strconv.Itoa(c.lastID)
	c.pending[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, id)
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
		_ = c.notify(c.ctx, methodCancel, map[string]json.RawMessage{"requestId": json.RawMessage(id)})
		return ctx.Err()
	case <-c.ctx.Done():
		return errDisconnected
	}
}

// readMessages reads and handles the client's messages until the input ends.
func (c *conn) readMessages() {
	for {
		line, tooLong, err := readMessage(c.in)
		switch {
		case tooLong != nil:
			c.refuse(*tooLong)
		case len(line) > 0:
			c.handleMessage(line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.log.Warn("the client cannot be read", "err", err)
			}
			return
		}
	}
}

// handleMessage handles one message of the client.
func (c *conn) handleMessage(line []byte) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		c.log.Warn("a message of the client is no JSON-RPC message", "err", err)
		_ = c.send(c.ctx, message{ID: json.RawMessage("null"), Error: &wire.RequestError{Code: codeParse,
			Message: "the message is no JSON-RPC message: " + err.Error()}})
		return
	}
	switch {
	case m.Method == "" && m.ID != nil:
		c.deliverAnswer(m)
	case m.Method == methodCancel:
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
		c.handle(c.ctx, m.Method, m.Params)
	default:
		c.startRequest(m)
	}
}

// startRequest runs a request of the client in a goroutine of its own, and answers it.
func (c *conn) startRequest(m message) {
	ctx, cancel := context.WithCancel(c.ctx)
	c.mu.Lock()
	c.running[string(m.ID)] = cancel
	c.mu.Unlock()
	do := c.handle(ctx, m.Method, m.Params)
	c.requests.Go(func() {
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

// deliverAnswer passes the client's answer to the request of ours that waits for it.
func (c *conn) deliverAnswer(m message) {
	id := strings.Trim(string(m.ID), `"`)
	c.mu.Lock()
	answer := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if answer != nil {
		answer <- m
	}
}

// refuse rejects a message of the client that is too long. A request is answered with an error. If
// the message is an answer to a request of ours, that request fails.
func (c *conn) refuse(m oversize) {
	rpcErr := &wire.RequestError{Code: codeRequest,
		Message: fmt.Sprintf("the message is not taken: it has %d bytes, and "+
			"%d (%d MiB) are the most", m.size, maxMessage, maxMessage>>20)}
	c.log.Warn(rpcErr.Message, "method", m.method)
	switch {
	case m.method == "" && m.id != nil:
		c.deliverAnswer(message{ID: m.id, Error: rpcErr})
	case m.id == nil && m.method != "": // a notification has no answer
	case m.id == nil:
		_ = c.send(c.ctx, message{ID: json.RawMessage("null"), Error: rpcErr})
	default:
		_ = c.send(c.ctx, message{ID: m.id, Error: rpcErr})
	}
}

// asError converts err to an error of the JSON-RPC protocol.
func asError(err error) *wire.RequestError {
	var e *wire.RequestError
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &wire.RequestError{Code: -32800, Message: "the request was cancelled"}
	}
	return &wire.RequestError{Code: codeInternal, Message: visibleText(err.Error())}
}
