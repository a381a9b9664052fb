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

// maxMessage is the number of bytes that a message of the client may have. A picture of 24 MB fits,
// in base64.
const maxMessage = 32 << 20

// flushTimeout is the time for sending what remains after the end of the input.
const flushTimeout = 500 * time.Millisecond

// conn speaks JSON-RPC 2.0 with a client, one message a line. Requests of the client run in
// parallel, and its notifications run in order. The connection of the SDK is not used: it accepts
// only 10 MiB a line, and a write that the client does not accept blocks it for ever.
type conn struct {
	in  *bufio.Reader
	out io.Writer
	log *slog.Logger
	// handle gets the client's requests and notifications in their order. It returns the work for a
	// request, and nil for a notification.
	handle func(ctx context.Context, method string, params json.RawMessage) work

	lines  chan []byte   // to the goroutine that writes
	closed chan struct{} // closed when nothing is sent any more
	once   sync.Once

	ctx context.Context // ends with the input
	end context.CancelFunc

	mu       sync.Mutex
	lastID   int                           // of our requests
	pending  map[string]chan message       // channels for the answers to our requests, by id
	running  map[string]context.CancelFunc // cancels requests of the client, by id
	requests sync.WaitGroup
}

// work runs a request. After the answer has been sent, then is called, unless it is nil.
type work func() (result any, then func(), err error)

// message is any message of the protocol. ID is nil in a notification.
type message struct {
	Version string             `json:"jsonrpc"`
	ID      json.RawMessage    `json:"id,omitempty"`
	Method  string             `json:"method,omitempty"`
	Params  json.RawMessage    `json:"params,omitempty"`
	Result  json.RawMessage    `json:"result,omitempty"`
	Error   *wire.RequestError `json:"error,omitempty"`
}

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

// finish waits until everything is sent that can be.
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
	select { // the writer takes the next line when the last one is written
	case c.lines <- nil:
	case <-c.closed:
	}
	c.close()
}

func (c *conn) close() { c.once.Do(func() { close(c.closed) }) }

// writeLines writes the messages that are sent, each with one Write.
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

// send passes a message to the goroutine that writes. It waits until the client has accepted the
// previous one.
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

// notify sends a notification to the client.
func (c *conn) notify(ctx context.Context, method string, params any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.send(ctx, message{Method: method, Params: b})
}

// request sends a request to the client and stores the answer in result. If ctx ends, the client is
// told that the request is cancelled.
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

// readMessages reads and handles the client's messages until their end.
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

// handleMessage handles one message.
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

// startRequest starts a request of the client, in parallel to others, and answers it.
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

// deliverAnswer passes an answer to the request that waits for it.
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

// refuse answers a message that is too long. A request gets an error. If it is the answer to a
// request of ours, that request fails.
func (c *conn) refuse(m oversize) {
	rpcErr := &wire.RequestError{Code: codeRequest,
		Message: fmt.Sprintf("the message is not taken: it has %d bytes, and "+
			"%d (%d MiB) are the most", m.size, maxMessage, maxMessage>>20)}
	c.log.Warn(rpcErr.Message, "method", m.method)
	switch {
	case m.method == "" && m.id != nil:
		c.deliverAnswer(message{ID: m.id, Error: rpcErr})
	case m.id == nil && m.method != "": // nobody waits for an answer
	case m.id == nil:
		_ = c.send(c.ctx, message{ID: json.RawMessage("null"), Error: rpcErr})
	default:
		_ = c.send(c.ctx, message{ID: m.id, Error: rpcErr})
	}
}

// asError returns err in the form of the protocol.
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
