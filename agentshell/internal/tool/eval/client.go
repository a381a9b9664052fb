package eval

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval/jupyter"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// These constants limit what the program of a language may send.
const (
	maxMessageBytes = 24 << 20 // maxMessageBytes is the number of bytes of one message, which may be a picture.
	// longLineBytes is the number of bytes of a message after which room for maxMessageBytes is
	// allocated at once.
	longLineBytes = 1 << 20
	maxCalls      = 256 // maxCalls is the number of calls of the host that may run at the same time.
	// maxShownValues is the number of displayed values that wait until the output has reached their
	// places.
	maxShownValues = 256
	maxShownBytes  = 32 << 20 // maxShownBytes is the number of bytes of these values.
)

// errBadMessage is why a program is ended that sends something else than messages. Code cells can
// write to the channel by mistake.
var errBadMessage = errors.New("a cell wrote to the channel of its kernel what is no message")

// channelMessage is one JSON message of the channel between this program and the program of a
// language.
type channelMessage struct {
	Kind        string          `json:"t"`
	Cell        int             `json:"cell,omitempty"`
	Mark        int             `json:"mark,omitempty"`
	ID          int             `json:"id,omitempty"`
	Name        string          `json:"name,omitempty"`
	Args        json.RawMessage `json:"args,omitempty"`
	Data        Display         `json:"data,omitempty"`
	Error       string          `json:"error,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
	size        int
}

// connection is the connection to the running program of a language.
type connection struct {
	process *helper.Process
	output  *cellOutput
	config  Config
	ready   chan struct{}
	// name is the name of the Jupyter kernel that runs the code, once ready is closed; "": the
	// program's own loop runs it.
	name    string
	jupyter *jupyter.Client // jupyter is the connection to that kernel.
	closed  chan struct{}   // closed is closed when no more messages come.

	writeMu sync.Mutex // writeMu is held while a message is written.

	mu         sync.Mutex
	run        *cellRun // run is the running code cell; nil: none runs.
	shown      map[int]shownValue
	shownBytes int           // shownBytes is the number of bytes of the values in shown.
	changed    chan struct{} // changed is closed and replaced when shown changes.
}

// shownValue is a displayed value that waits until the output has reached its place.
type shownValue struct {
	display Display
	size    int
}

// openConnection greets a program that has just started, and waits until it is ready.
func openConnection(ctx context.Context, p *helper.Process, out *cellOutput, config Config) (*connection, error) {
	c := &connection{process: p, output: out, config: config, ready: make(chan struct{}), closed: make(chan struct{}),
		shown: map[int]shownValue{}, changed: make(chan struct{})}
	name := rand.Text()
	out.beginRun(name)
	begun := make(chan struct{})
	once := sync.OnceFunc(func() { close(begun) })
	out.connectCell(func([]byte) {}, func(int) { once() }) // what is printed at the start belongs to no cell
	defer out.connectCell(nil, nil)
	hello := map[string]any{"t": "hello", "mark": name, "dir": config.Dir, "width": config.Width}
	connection, err := c.prepareJupyter(hello)
	if err != nil {
		return nil, err
	}
	if err := c.send(hello); err != nil {
		return nil, err
	}
	go c.readMessages()
	if err := c.wait(ctx, c.ready); err != nil || c.name == "" {
		return c, err
	}
	if err := c.wait(ctx, begun); err != nil {
		return nil, err
	}
	return c, c.connectKernel(ctx, connection)
}

// wait waits until done is closed. It returns an error if the program or ctx ends before.
func (c *connection) wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-c.closed:
		return io.EOF
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send sends a message to the program.
func (c *connection) send(m any) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	_, err = c.process.In.Write(append(data, '\n'))
	return err
}

// readMessages handles the messages of the program until it ends.
func (c *connection) readMessages() {
	defer close(c.closed)
	in := bufio.NewReaderSize(c.process.Out, 64<<10)
	for {
		m, err := readMessage(in)
		if err == nil {
			err = c.handle(m)
		}
		if err != nil {
			c.process.Fail(err)
			return
		}
	}
}

// readMessage reads one message, which is a line of JSON.
func readMessage(in *bufio.Reader) (m channelMessage, err error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxMessageBytes {
			return m, errBadMessage
		}
		if len(line) > longLineBytes { // a slice that grows by itself leaves many times as much behind
			line = slices.Grow(line, maxMessageBytes-len(line))
		}
		line = append(line, part...)
		switch {
		case err == nil:
			if json.Unmarshal(line, &m) != nil || m.Kind == "" {
				return m, errBadMessage
			}
			m.size = len(line)
			return m, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return m, err
		}
	}
}

// kernelName matches the name that a Jupyter kernel may report.
var kernelName = lazyregexp.New(`^ipykernel [0-9][0-9A-Za-z.+-]{0,30}$`)

// handle handles one message of the program.
func (c *connection) handle(m channelMessage) error {
	c.mu.Lock()
	r := c.run
	c.mu.Unlock()
	switch m.Kind {
	case "ready":
		select {
		case <-c.ready:
			return errBadMessage
		default:
			if c.name = m.Name; c.name != "" && !kernelName().MatchString(c.name) {
				return errBadMessage
			}
			close(c.ready)
		}
	case "show":
		return c.noteShown(r, m)
	case "unmarked": // its output is closed: there is no place
		if r != nil {
			r.reached(m.Mark)
		}
	case "call":
		return c.call(r, m)
	case "done":
		if r == nil || m.Cell != r.cellNumber || !r.noteEnd(m) {
			return errBadMessage
		}
	default:
		return errBadMessage
	}
	return nil
}

// noteShown stores a displayed value until the output has reached its place. It waits while too
// many are stored.
func (c *connection) noteShown(r *cellRun, m channelMessage) error {
	if m.Mark <= 0 || m.Data == nil {
		return errBadMessage
	}
	for r != nil {
		c.mu.Lock()
		if c.run != r {
			c.mu.Unlock()
			return nil
		}
		if len(c.shown) < maxShownValues && c.shownBytes < maxShownBytes {
			c.shown[m.Mark] = shownValue{m.Data, m.size}
			c.shownBytes += m.size
			c.signalChange()
			c.mu.Unlock()
			return nil
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-r.outputAbandoned:
		case <-c.process.Gone():
			return io.EOF
		}
	}
	return nil
}

// takeShown removes and returns the value that was displayed at a mark. If found is false, the
// value may come later: changed is closed then.
func (c *connection) takeShown(mark int) (d Display, found bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, found := c.shown[mark]
	if found {
		delete(c.shown, mark)
		c.shownBytes -= value.size
		c.signalChange()
	}
	return value.display, found, c.changed
}

// signalChange wakes the goroutines that wait for a change of shown. The caller holds the lock.
func (c *connection) signalChange() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// call has the host answer a call that the code cell has made, in the background.
func (c *connection) call(r *cellRun, m channelMessage) error {
	if r == nil || r.cellNumber != m.Cell {
		return c.send(map[string]any{"t": "reply", "id": m.ID, "error": "the cell that calls has ended"})
	}
	if !r.beginCall() {
		return c.send(map[string]any{"t": "reply", "id": m.ID, "error": fmt.Sprintf("more than %d calls at once",
			maxCalls)})
	}
	go func() {
		defer r.endCall()
		reply := map[string]any{"t": "reply", "id": m.ID}
		value, err := r.cell.Host.Call(r.ctx, m.Name, m.Args)
		if err != nil {
			reply["error"] = err.Error()
		} else {
			reply["value"] = value
		}
		if c.send(reply) != nil {
			c.process.Fail(io.EOF)
		}
	}()
	return nil
}
