// Package dap speaks the Debug Adapter Protocol with adapters that are helpers. A [Service] has the
// one debug session of a workspace. A [Client] is the connection to an adapter that runs.
//
// Nothing that an adapter says is trusted. Its messages are bounded, every request of its own is
// answered at once, and what it sends that nobody knows is passed over.
package dap

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

const (
	maxMessageBytes    = 16 << 20 // maxMessageBytes is the number of bytes of one message of an adapter.
	maxErrorBytes      = 2 << 10  // maxErrorBytes is the number of bytes that are reported of an adapter's error.
	maxQueuedMessages  = 256      // maxQueuedMessages is the number of messages that wait until the adapter reads them.
	maxPendingRequests = 256      // maxPendingRequests is the number of requests that wait for an answer.
)

// errFlood is why an adapter is ended that sends many requests and does not read the answers.
var errFlood = errors.New("it was ended: it asks without reading the answers")

// Client is a connection to a running debug adapter. It is safe for use by several goroutines.
type Client struct {
	adapter  string
	process  *helper.Process
	link     adapterLink
	outgoing chan []byte // outgoing holds encoded messages. One goroutine writes them.
	isChild  bool        // isChild says that this connection is a child session, which the adapter has asked for.

	*programBoard
	// The fields from here on are protected by the lock of the board.
	can           dap.Capabilities
	lastSeq       int
	pending       map[int]chan message // pending holds the waiting requests by their number.
	isInitialized bool                 // isInitialized says that the adapter accepts configuration requests.
	isReady       bool                 // isReady says that this is a child session that accepts requests.
}

// programBoard is the state of the debugged program. All connections to its adapter share one.
type programBoard struct {
	mu      sync.Mutex
	state   programState
	changed chan struct{} // changed is closed and replaced when state changes.
}

// message is a DAP message: a request, a response or an event.
type message struct {
	Seq     sequenceNumber `json:"seq"`
	Type    string         `json:"type"`
	Command string         `json:"command,omitempty"` // Command is set in a request and a response.
	Event   string         `json:"event,omitempty"`

	// RequestSeq is the number of the request that a response answers.
	RequestSeq sequenceNumber `json:"request_seq,omitempty"`
	Success    *bool          `json:"success,omitempty"`
	Message    string         `json:"message,omitempty"` // Message is why the request failed.

	Arguments json.RawMessage `json:"arguments,omitempty"` // Arguments belong to a request.
	Body      json.RawMessage `json:"body,omitempty"`
}

// sequenceNumber is the sequence number of a message. Anything that is no number in JSON decodes as
// 0.
type sequenceNumber int

// UnmarshalJSON accepts a number in any notation of JSON. For anything else it sets n to 0 and
// returns no error.
func (n *sequenceNumber) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(string(data), 64)
	if *n = 0; err == nil && math.Abs(f) < 1<<31 {
		*n = sequenceNumber(f)
	}
	return nil
}

// openConnection opens the connection to an adapter that has just started, and initializes it.
func openConnection(ctx context.Context, p *helper.Process, a Adapter) (*Client, error) {
	l := adapterLink{in: p.In, out: p.Out, gone: p.Gone(), fail: p.Fail}
	if a.hasSharedFolder() {
		go func() { // where it listens, and that it has ended
			_, _ = io.Copy(io.Discard, p.Out)
			p.Fail(io.EOF)
		}()
		var err error
		if l, err = dialSocket(ctx, p, p.Fail); err != nil {
			return nil, err
		}
	}
	c := newClient(a.Name, p, l, &programBoard{changed: make(chan struct{})})
	if a.hasSharedFolder() {
		c.state.dialAgain = func(ctx context.Context, fail func(error)) (adapterLink, error) {
			return dialSocket(ctx, p,
				fail)
		}
	}
	return c, c.initialize(ctx)
}

// newClient returns a connection over l, and starts to read from it.
func newClient(adapter string, p *helper.Process, l adapterLink, b *programBoard) *Client {
	c := &Client{adapter: adapter, process: p, link: l, programBoard: b, outgoing: make(chan []byte, maxQueuedMessages),
		pending: map[int]chan message{}}
	go c.writeMessages()
	go c.readMessages()
	return c
}

// initialize sends the initialize request, and stores the capabilities of the adapter.
func (c *Client) initialize(ctx context.Context) error {
	var can json.RawMessage
	err := c.Request(ctx, "initialize", map[string]any{"clientID": "agentshell", "clientName": "agentshell",
		"adapterID": c.adapter, "locale": "en", "linesStartAt1": true, "columnsStartAt1": true, "pathFormat": "path",
		"supportsVariableType": true, "supportsVariablePaging": false, "supportsRunInTerminalRequest": false,
		"supportsStartDebuggingRequest": c.state.dialAgain != nil, "supportsMemoryReferences": true,
		"supportsProgressReporting": false, "supportsInvalidatedEvent": false}, &can)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(can) > 0 && json.Unmarshal(can, &c.can) != nil {
		return errors.New("it sent capabilities that cannot be read")
	}
	return nil
}

// Can returns the capabilities of the adapter.
func (c *Client) Can() dap.Capabilities {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.can
}

// writeMessages sends queued messages until the adapter has ended.
func (c *Client) writeMessages() {
	for {
		select {
		case frame := <-c.outgoing:
			if _, err := c.link.in.Write(frame); err != nil {
				c.link.fail(err)
				return
			}
		case <-c.link.gone:
			return
		}
	}
}

// readMessages receives messages until the adapter has ended. A malformed message ends the
// connection.
func (c *Client) readMessages() {
	in := bufio.NewReaderSize(c.link.out, 64<<10)
	pace := child.Pace{Burst: 20_000, Rate: 5_000}
	for {
		data, err := helper.ReadFrame(in, maxMessageBytes)
		var m message
		if err == nil {
			pace.Spend(1)
			if err = json.Unmarshal(data, &m); err != nil {
				err = fmt.Errorf("it sent what is no message: %w", err)
			}
		}
		if err != nil {
			c.link.fail(err)
			c.mu.Lock()
			c.removeChild()
			c.signalChange()
			c.mu.Unlock()
			return
		}
		c.handleMessage(m)
	}
}

// handleMessage handles a message of the adapter. It never waits.
func (c *Client) handleMessage(m message) {
	switch m.Type {
	case "event":
		c.handleEvent(m.Event, m.Body)
	case "request":
		c.respond(m)
	case "response":
		c.mu.Lock()
		answer := c.pending[int(m.RequestSeq)]
		delete(c.pending, int(m.RequestSeq))
		c.mu.Unlock()
		if answer != nil { // nobody waits for an answer that comes twice
			answer <- m
		}
	}
}

// send queues a message for the adapter. If the queue is full, it waits if wait is true, and
// otherwise returns errFlood.
func (c *Client) send(ctx context.Context, m message, wait bool) error {
	c.mu.Lock()
	c.lastSeq++
	m.Seq = sequenceNumber(c.lastSeq)
	c.mu.Unlock()
	return c.queue(ctx, m, wait)
}

func (c *Client) queue(ctx context.Context, m message, wait bool) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	var frame bytes.Buffer
	if err := dap.WriteBaseMessage(&frame, data); err != nil {
		return err
	}
	if !wait {
		select {
		case c.outgoing <- frame.Bytes():
			return nil
		default:
			return errFlood
		}
	}
	select {
	case c.outgoing <- frame.Bytes():
		return nil
	case <-c.link.gone:
		return c.endedError()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RefusedError is an error that the adapter sent as the answer to a request.
type RefusedError struct {
	Command string
	Text    string
}

func (e *RefusedError) Error() string { return e.Text }

// TimeoutError is the error for a response or an event that did not come in time.
type TimeoutError struct {
	What  string // What is, for example, "request next" or "event stopped".
	Limit time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("DAP %s timed out after %dms", e.What, e.Limit.Milliseconds())
}

// Unwrap returns context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// timeoutError returns the error for a context that has ended: a [*TimeoutError] if its deadline
// has passed.
func timeoutError(ctx context.Context, what string, began time.Time) error {
	if end, ok := ctx.Deadline(); ok && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &TimeoutError{what, end.Sub(began).Round(100 * time.Millisecond)}
	}
	return ctx.Err()
}

// Request sends a request, waits for the answer and decodes it into body. A nil body discards the
// answer.
func (c *Client) Request(ctx context.Context, command string, arguments, body any) error {
	answer, err := c.start(ctx, command, arguments)
	if err != nil {
		return err
	}
	return answer(ctx, body)
}

// start sends a request. The returned function waits for the answer.
func (c *Client) start(ctx context.Context, command string, arguments any) (
	answer func(ctx context.Context, body any) error, err error) {
	began := time.Now()
	raw, err := json.Marshal(arguments)
	if err != nil {
		return nil, err
	}
	if string(raw) == "null" {
		raw = nil
	}
	came := make(chan message, 1)
	c.mu.Lock()
	if len(c.pending) >= maxPendingRequests {
		c.mu.Unlock()
		return nil, fmt.Errorf("%s leaves %d requests without an answer", c.adapter, maxPendingRequests)
	}
	c.lastSeq++
	seq := c.lastSeq
	c.pending[seq] = came
	c.mu.Unlock()
	forget := func() {
		c.mu.Lock()
		delete(c.pending, seq)
		c.mu.Unlock()
	}
	err = c.queue(ctx, message{Seq: sequenceNumber(seq), Type: "request", Command: command, Arguments: raw}, true)
	if err != nil {
		forget()
		if ctx.Err() != nil {
			err = timeoutError(ctx, "request "+command, began)
		}
		return nil, err
	}
	return func(ctx context.Context, body any) error {
		defer forget()
		select {
		case m := <-came:
			return m.readBody(command, body)
		case <-c.link.gone:
			select {
			case m := <-came: // the last that it said
				return m.readBody(command, body)
			default:
				return c.endedError()
			}
		case <-ctx.Done():
			if c.Can().SupportsCancelRequest {
				raw, _ := json.Marshal(map[string]any{"requestId": seq})
				_ = c.send(ctx, message{Type: "request", Command: "cancel", Arguments: raw}, false)
			}
			return timeoutError(ctx, "request "+command, began)
		}
	}, nil
}

// readBody decodes the body of a response, or returns a [*RefusedError] if the request failed.
func (m message) readBody(command string, body any) error {
	if m.Success == nil || !*m.Success {
		return &RefusedError{command, m.failureReason()}
	}
	if body == nil || len(m.Body) == 0 {
		return nil
	}
	if err := json.Unmarshal(m.Body, body); err != nil {
		return fmt.Errorf("the adapter answered %s with what cannot be read: %w", command, err)
	}
	return nil
}

// failureReason returns why a request failed. A response can contain two texts; the longer one
// counts.
func (m message) failureReason() string {
	var body dap.ErrorResponseBody
	text := m.Message
	if json.Unmarshal(m.Body, &body) == nil && body.Error != nil {
		long := body.Error.Format
		for name, value := range body.Error.Variables {
			long = strings.ReplaceAll(long, "{"+name+"}", value)
		}
		if len(long) > len(text) {
			text = long
		}
	}
	if text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")); text == "" {
		return "the adapter refused it and gives no reason"
	}
	return width.Head(text, maxErrorBytes)
}

// endedError returns the error that says how the adapter has ended.
func (c *Client) endedError() error {
	c.mu.Lock()
	left := c.state.adapterEnded
	c.mu.Unlock()
	why := c.process.Why()
	var exit *exec.ExitError
	switch {
	case why == nil, left, errors.Is(why, helper.ErrEnded), errors.Is(why, io.EOF): // as we or it wanted
		return fmt.Errorf("DAP adapter %s is not running", c.adapter)
	case errors.As(why, &exit) && why == error(exit):
		return fmt.Errorf("DAP adapter exited unexpectedly (code %d)", exit.ExitCode())
	case errors.As(why, &exit):
		return fmt.Errorf("DAP adapter exited (code %d): %s", exit.ExitCode(),
			strings.TrimPrefix(why.Error(), exit.Error()+": "))
	}
	return fmt.Errorf("DAP adapter exited: %w", why)
}

// Gone returns a channel that is closed when the adapter has ended.
func (c *Client) Gone() <-chan struct{} { return c.process.Gone() }

// signalChange wakes the goroutines that wait for a change of the state. The caller holds the lock.
func (c *Client) signalChange() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// await waits until ready returns true; ready is called with the lock held. It returns the last
// result of ready if ctx or the adapter ends before.
func (c *Client) await(ctx context.Context, ready func(s *programState) bool) bool {
	for {
		c.mu.Lock()
		ok, changed := ready(&c.state), c.changed
		c.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		case <-c.process.Gone():
			c.mu.Lock()
			defer c.mu.Unlock()
			return ready(&c.state)
		}
	}
}

// disconnect asks the adapter to disconnect, and waits half a second at most. A program that this
// session has launched ends too.
func (c *Client) disconnect() {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	c.mu.Lock()
	c.state.adapterEnded = true
	c.mu.Unlock()
	_ = c.Request(ctx, "disconnect", map[string]any{"terminateDebuggee": c.launched()}, nil)
}
