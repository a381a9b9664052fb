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

// maxErrorText is the number of bytes that are reported of a server's error message. Some servers
// send a stack trace.
const maxErrorText = 300

// Client is a connection to a running language server. It is safe for use by several goroutines.
type Client struct {
	opening sync.Mutex // opening is held while the text of a file is sent to the server.
	server  Server
	dir     string // dir is the directory of the workspace.
	conn    *jsonrpc2.Conn
	process *helper.Process
	lastID  atomic.Uint64

	// Encoding and the two fields below it are set by the initialize request.
	Encoding     Encoding
	Capabilities json.RawMessage
	can          abilities

	// answers holds functions that send answers to requests of the server. One goroutine calls
	// them.
	answers chan func()

	commands sync.Mutex // commands is held while the server runs a command.
	mu       sync.Mutex
	state    knowledge
	changed  chan struct{} // changed is closed and replaced when state changes.
}

// knowledge is the state of a connection: what the server has reported, and which texts of files it
// has received.
type knowledge struct {
	documents map[string]*document // documents holds the open files by path.
	opened    uint64               // opened counts the texts that were sent; it gives their order.
	published map[string]published // published holds the diagnostics that the server has sent, by path.
	progress  map[string]bool      // progress holds the tokens of work that the server has reported and not ended.
	loaded    bool                 // loaded says that the server has ended its first work after the start.
	// pulls says that the server registered for textDocument/diagnostic: it wants to be asked for
	// diagnostics.
	pulls bool
	// noted holds the changes of files on disk that the server was not told yet, by path.
	noted map[string]Event
	// users counts the callers that need the texts of the server to stay as they are.
	users int
	// lent says that the server temporarily has another text of a file than the one on disk.
	lent bool
	// collecting says that a command runs: the edits that the server asks for are added to
	// collected.
	collecting bool
	collected  []json.RawMessage
}

// abilities holds the server capabilities that this package uses.
type abilities struct {
	PositionEncoding   Encoding        `json:"positionEncoding"`
	DiagnosticProvider json.RawMessage `json:"diagnosticProvider"`
	Formatting         json.RawMessage `json:"documentFormattingProvider"`
}

const maxMessage = 64 << 20 // maxMessage is the number of bytes that one message of a server may have.

// stream returns a message stream to a server's process. It limits the size and the rate of the
// messages.
func stream(p *helper.Process) *helper.Stream {
	return helper.NewStream(p, maxMessage, child.Pace{Burst: 20_000, Rate: 5_000})
}

// connect opens the connection to a server that has just started, and sends the initialize request.
// dir is the workspace, and version that of this program.
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

// offers reports whether a server has a capability: the JSON is true or an object with options.
func offers(capability json.RawMessage) bool {
	return !isNull(capability) && string(capability) != "false"
}

// goodbye asks the server to exit, and waits half a second at most.
func (c *Client) goodbye() {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if _, err := c.Request(ctx, "shutdown", nil); err == nil {
		_ = c.notify(ctx, "exit", nil)
	}
}

// Request sends a request and returns the result. If ctx ends before the answer comes, it cancels
// the request at the server. The error is a [*RefusedError] if the server answers with an error.
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

// RefusedError is an error that the server sent as the answer to a request.
type RefusedError struct {
	Code int64
	Text string
}

func (e *RefusedError) Error() string { return e.Text }

// Unsupported reports whether err says that the server does not support a request.
func Unsupported(err error) bool {
	var refused *RefusedError
	// Some say that the request is invalid (-32600).
	return errors.As(err, &refused) && (refused.Code == jsonrpc2.CodeMethodNotFound ||
		refused.Code == jsonrpc2.CodeInvalidRequest)
}

// firstLine returns the first line of an error message, cut after maxErrorText bytes.
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

// changedNow wakes the goroutines that wait for a change of c.state. The caller holds the lock.
func (c *Client) changedNow() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// await waits until ready returns true; ready is called with the lock held. It returns false if ctx
// or the server ends before.
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

// Load waits until the server has ended the first work that it reported after its start, but not
// longer than limit.
func (c *Client) Load(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c.await(ctx, func() bool { return c.state.loaded || len(c.state.progress) == 0 })
	c.mu.Lock()
	c.state.loaded = true
	c.mu.Unlock()
}

// RunCommand has the server run a command. It returns the result and the edits that the server
// asked to apply during the command; they are not applied.
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
