package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// maxErrorText is how many bytes of a server's error are reported: some send a stack trace.
const maxErrorText = 300

// Client is a connection to a server that runs. It is safe for use by several goroutines.
type Client struct {
	opening sync.Mutex // held while a text is sent to the server
	server  Server
	dir     string // of the workspace
	conn    *jsonrpc2.Conn
	process *helper.Process
	lastID  atomic.Uint64

	// Set by initialize.
	Encoding     Encoding
	Capabilities json.RawMessage
	can          abilities

	answers chan func() // answers to requests of the server, sent by one goroutine

	commands sync.Mutex // held while a command runs
	mu       sync.Mutex
	state    knowledge
	changed  chan struct{} // closed at the next change of what is known
}

// knowledge is what a server has told, and what it knows of us.
type knowledge struct {
	documents  map[string]*document // by path
	opened     uint64               // counts openings, for the order of use
	published  map[string]published // by path
	progress   map[string]bool      // tokens of work that goes on
	loaded     bool                 // the first work after the start has ended
	pulls      bool                 // it wants to be asked for diagnostics
	noted      map[string]Event     // changes on disk that it was not told of
	users      int                  // that count on the texts that the server has
	lent       bool                 // it has another text of a file, only to format it
	collecting bool                 // a command runs: its edits are collected
	collected  []json.RawMessage
}

// abilities are the capabilities of a server that we look at.
type abilities struct {
	PositionEncoding   Encoding        `json:"positionEncoding"`
	DiagnosticProvider json.RawMessage `json:"diagnosticProvider"`
	Formatting         json.RawMessage `json:"documentFormattingProvider"`
}

const maxMessage = 64 << 20 // bytes of one message of a server

// stream returns the messages of a server.
func stream(p *helper.Process) *helper.Stream {
	return helper.NewStream(p, maxMessage, child.Pace{Burst: 20_000, Rate: 5_000})
}

// connect greets a server that has just started in dir.
func connect(ctx context.Context, p *helper.Process, s Server, dir, version string) (*Client, error) {
	c := &Client{server: s, dir: dir, process: p, Encoding: UTF16, changed: make(chan struct{}),
		answers: make(chan func(), 256), state: knowledge{documents: map[string]*document{},
			published: map[string]published{}, progress: map[string]bool{}}}
	go c.answer()
	c.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), stream(p), handler{c},
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	var result struct {
		Capabilities json.RawMessage `json:"capabilities"`
	}
	raw, err := c.Request(ctx, "initialize", initializeParams(s, dir, version))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("it answered initialize with what cannot be read: %w", err)
	}
	c.Capabilities = result.Capabilities
	if !isNull(result.Capabilities) {
		if err := json.Unmarshal(result.Capabilities, &c.can); err != nil {
			return nil, fmt.Errorf("it sent capabilities that cannot be read: %w", err)
		}
	}
	switch c.can.PositionEncoding {
	case UTF8, UTF16, UTF32:
		c.Encoding = c.can.PositionEncoding
	}
	c.mu.Lock()
	c.state.pulls = c.state.pulls || offers(c.can.DiagnosticProvider)
	c.mu.Unlock()
	return c, c.notify(ctx, "initialized", struct{}{})
}

// offers reports whether a capability is there: true, or its options.
func offers(capability json.RawMessage) bool {
	return !isNull(capability) && string(capability) != "false"
}

// goodbye asks the server to end, in half a second.
func (c *Client) goodbye() {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if _, err := c.Request(ctx, "shutdown", nil); err == nil {
		_ = c.notify(ctx, "exit", nil)
	}
}

// Request asks the server. When ctx ends first, the server is told that nobody waits any more.
func (c *Client) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	id := jsonrpc2.ID{Num: c.lastID.Add(1)}
	var result json.RawMessage
	err := c.conn.Call(ctx, method, params, &result, jsonrpc2.PickID(id))
	var refused *jsonrpc2.Error
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil:
		_ = c.conn.Notify(context.WithoutCancel(ctx), "$/cancelRequest", map[string]any{"id": id.Num})
		return nil, ctx.Err()
	case errors.As(err, &refused):
		return nil, &RefusedError{Code: refused.Code, Text: firstLine(refused.Message)}
	}
	if why := c.process.Why(); why != nil {
		err = why
	}
	return nil, fmt.Errorf("the server has ended: %w", err)
}

// RefusedError is the error with which a server answers.
type RefusedError struct {
	Code int64
	Text string
}

func (e *RefusedError) Error() string { return e.Text }

// Unsupported reports whether err says that a server does not know a request.
func Unsupported(err error) bool {
	var refused *RefusedError
	// Some say that the request is invalid (-32600).
	return errors.As(err, &refused) && (refused.Code == jsonrpc2.CodeMethodNotFound ||
		refused.Code == jsonrpc2.CodeInvalidRequest)
}

// firstLine returns the first line of a text, bounded.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), "\n")
	if line == "" {
		line = "it answers with an error without a text"
	}
	return bounded(strings.TrimSpace(line), maxErrorText)
}

func (c *Client) notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

// changedNow wakes all that wait for news of the server. The caller holds the lock.
func (c *Client) changedNow() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// await waits until ready, which is called with the lock held, or until ctx ends. It reports which.
func (c *Client) await(ctx context.Context, ready func() bool) bool {
	for {
		c.mu.Lock()
		ok, changed := ready(), c.changed
		c.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		case <-c.process.Gone():
			return false
		}
	}
}

// Load waits until the first work after the start has ended, at most for limit.
func (c *Client) Load(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c.await(ctx, func() bool { return c.state.loaded || len(c.state.progress) == 0 })
	c.mu.Lock()
	c.state.loaded = true
	c.mu.Unlock()
}

// RunCommand has the server run a command, and returns the edits that it asked for meanwhile.
func (c *Client) RunCommand(ctx context.Context, command Command) (result json.RawMessage, edits []json.RawMessage,
	err error) {
	c.commands.Lock()
	defer c.commands.Unlock()
	c.mu.Lock()
	c.state.collecting, c.state.collected = true, nil
	c.mu.Unlock()
	result, err = c.Request(ctx, "workspace/executeCommand", map[string]any{"command": command.Command,
		"arguments": command.Arguments})
	c.mu.Lock()
	defer c.mu.Unlock()
	edits, c.state.collecting, c.state.collected = c.state.collected, false, nil
	return result, edits, err
}
