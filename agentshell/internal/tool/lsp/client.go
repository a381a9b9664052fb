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

// maxErrorBytes is the number of bytes that are reported of a server's error message. Some servers
// send a stack trace.
const maxErrorBytes = 300

// Client is a connection to a running language server. It is safe for use by several goroutines.
type Client struct {
	sendTextMu sync.Mutex // sendTextMu is held while the text of a file is sent to the server.
	server     Server
	dir        string // dir is the directory of the workspace.
	conn       *jsonrpc2.Conn
	process    *helper.Process
	lastID     atomic.Uint64

	// Encoding and the two fields below it are set by the initialize request.
	Encoding     Encoding
	Capabilities json.RawMessage
	capabilities usedCapabilities

	// answerQueue holds functions that send answers to requests of the server. One goroutine calls
	// them.
	answerQueue chan func()

	commandMu sync.Mutex // commandMu is held while the server runs a command.
	mu        sync.Mutex
	state     clientState
	changed   chan struct{} // changed is closed and replaced when state changes.
}

// clientState is the state of a connection: what the server has reported, and which texts of files
// it has received.
type clientState struct {
	documents map[string]*openDocument        // documents holds the open files by path.
	sentCount uint64                          // sentCount counts the texts that were sent; it gives their order.
	published map[string]publishedDiagnostics // published holds the diagnostics that the server has sent, by path.
	// runningWork holds the tokens of work that the server has reported and not ended.
	runningWork map[string]bool
	loaded      bool // loaded says that the server has ended its first work after the start.
	// wantsPulls says that the server registered for textDocument/diagnostic: it wants to be asked
	// for diagnostics.
	wantsPulls bool
	// fileEvents holds the changes of files on disk that the server was not told yet, by path.
	fileEvents map[string]Event
	// holders counts the callers that need the texts of the server to stay as they are.
	holders int
	// isLent says that the server temporarily has another text of a file than the one on disk.
	isLent bool
	// collecting says that a command runs: the edits that the server asks for are added to
	// collected.
	collecting bool
	collected  []json.RawMessage
}

// usedCapabilities holds the server capabilities that this package uses.
type usedCapabilities struct {
	PositionEncoding   Encoding        `json:"positionEncoding"`
	DiagnosticProvider json.RawMessage `json:"diagnosticProvider"`
	Formatting         json.RawMessage `json:"documentFormattingProvider"`
}

const maxMessageBytes = 64 << 20 // maxMessageBytes is the number of bytes that one message of a server may have.

// openStream returns a message stream to a server's process. It limits the size and the rate of the
// messages.
func openStream(p *helper.Process) *helper.Stream {
	return helper.NewStream(p, maxMessageBytes, child.Pace{Burst: 20_000, Rate: 5_000})
}

// openConnection opens the connection to a server that has just started, and sends the initialize
// request. dir is the workspace, and version that of this program.
func openConnection(ctx context.Context, p *helper.Process, s Server, dir, version string) (*Client, error) {
	c := &Client{server: s, dir: dir, process: p, Encoding: UTF16, changed: make(chan struct{}),
		answerQueue: make(chan func(), 256), state: clientState{documents: map[string]*openDocument{},
			published: map[string]publishedDiagnostics{}, runningWork: map[string]bool{}}}
	go c.sendAnswers()
	c.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), openStream(p), handler{c},
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
		if err := json.Unmarshal(result.Capabilities, &c.capabilities); err != nil {
			return nil, fmt.Errorf("it sent capabilities that cannot be read: %w", err)
		}
	}
	switch c.capabilities.PositionEncoding {
	case UTF8, UTF16, UTF32:
		c.Encoding = c.capabilities.PositionEncoding
	}
	c.mu.Lock()
	c.state.wantsPulls = c.state.wantsPulls || isOffered(c.capabilities.DiagnosticProvider)
	c.mu.Unlock()
	return c, c.notify(ctx, "initialized", struct{}{})
}

// isOffered reports whether a server has a capability: the JSON is true or an object with options.
func isOffered(capability json.RawMessage) bool {
	return !isNull(capability) && string(capability) != "false"
}

// shutdown asks the server to exit, and waits half a second at most.
func (c *Client) shutdown() {
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

// firstLine returns the first line of an error message, cut after maxErrorBytes bytes.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), "\n")
	if line == "" {
		line = "it answers with an error without a text"
	}
	return cutText(strings.TrimSpace(line), maxErrorBytes)
}

func (c *Client) notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

// signalChange wakes the goroutines that wait for a change of c.state. The caller holds the lock.
func (c *Client) signalChange() {
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
	c.await(ctx, func() bool { return c.state.loaded || len(c.state.runningWork) == 0 })
	c.mu.Lock()
	c.state.loaded = true
	c.mu.Unlock()
}

// RunCommand has the server run a command. It returns the result and the edits that the server
// asked to apply during the command; they are not applied.
func (c *Client) RunCommand(ctx context.Context, command Command) (result json.RawMessage, edits []json.RawMessage,
	err error) {
	c.commandMu.Lock()
	defer c.commandMu.Unlock()
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
