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

// Bounds of what a program may send.
const (
	maxMessage = 24 << 20 // bytes of one message: a picture
	longLine   = 1 << 20  // bytes of one after which there is room made for the longest
	maxCalls   = 256      // calls of the host that are not answered
	maxShown   = 256      // values that were shown and whose places are not reached
	maxHeld    = 32 << 20 // bytes of them
)

// errGarbage is why a program is ended that writes to its channel what is no message.
var errGarbage = errors.New("a cell wrote to the channel of its kernel what is no message")

// message is one message of the channel, of any kind.
type message struct {
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

// client is the connection to a program that runs.
type client struct {
	process *helper.Process
	output  *output
	config  Config
	ready   chan struct{}
	name    string          // of the kernel that runs the cells, once ready; "": the loop of ours does
	jupyter *jupyter.Client // talks to that kernel
	closed  chan struct{}   // nothing comes any more

	write sync.Mutex // held while a message is written

	mu      sync.Mutex
	run     *run // nil: no cell runs
	shown   map[int]shown
	held    int           // bytes of shown
	changed chan struct{} // closed and made anew when shown changes
}

// shown is a value whose place in the output is not reached.
type shown struct {
	display Display
	size    int
}

// connect greets a program that has just started.
func connect(ctx context.Context, p *helper.Process, out *output, config Config) (*client, error) {
	c := &client{process: p, output: out, config: config, ready: make(chan struct{}), closed: make(chan struct{}),
		shown: map[int]shown{}, changed: make(chan struct{})}
	name := rand.Text()
	out.begin(name)
	begun := make(chan struct{})
	once := sync.OnceFunc(func() { close(begun) })
	out.lead(func([]byte) {}, func(int) { once() }) // what is printed at the start belongs to no cell
	defer out.lead(nil, nil)
	hello := map[string]any{"t": "hello", "mark": name, "dir": config.Dir, "width": config.Width}
	connection, err := c.prepare(hello)
	if err != nil {
		return nil, err
	}
	if err := c.send(hello); err != nil {
		return nil, err
	}
	go c.read()
	if err := c.wait(ctx, c.ready); err != nil || c.name == "" {
		return c, err
	}
	if err := c.wait(ctx, begun); err != nil {
		return nil, err
	}
	return c, c.connectKernel(ctx, connection)
}

// wait waits until done is closed.
func (c *client) wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-c.closed:
		return io.EOF
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send sends a message.
func (c *client) send(m any) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.write.Lock()
	defer c.write.Unlock()
	_, err = c.process.In.Write(append(data, '\n'))
	return err
}

// read takes what the program sends, until it ends.
func (c *client) read() {
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

// readMessage reads a line.
func readMessage(in *bufio.Reader) (m message, err error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxMessage {
			return m, errGarbage
		}
		if len(line) > longLine { // a slice that grows by itself leaves many times as much behind
			line = slices.Grow(line, maxMessage-len(line))
		}
		line = append(line, part...)
		switch {
		case err == nil:
			if json.Unmarshal(line, &m) != nil || m.Kind == "" {
				return m, errGarbage
			}
			m.size = len(line)
			return m, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return m, err
		}
	}
}

// kernelName is what a kernel of Jupyter may be called.
var kernelName = lazyregexp.New(`^ipykernel [0-9][0-9A-Za-z.+-]{0,30}$`)

// handle does what a message says.
func (c *client) handle(m message) error {
	c.mu.Lock()
	r := c.run
	c.mu.Unlock()
	switch m.Kind {
	case "ready":
		select {
		case <-c.ready:
			return errGarbage
		default:
			if c.name = m.Name; c.name != "" && !kernelName().MatchString(c.name) {
				return errGarbage
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
		if r == nil || m.Cell != r.number || !r.finish(m) {
			return errGarbage
		}
	default:
		return errGarbage
	}
	return nil
}

// noteShown stores a value until its place in the output is reached. It waits while there are too
// many.
func (c *client) noteShown(r *run, m message) error {
	if m.Mark <= 0 || m.Data == nil {
		return errGarbage
	}
	for r != nil {
		c.mu.Lock()
		if c.run != r {
			c.mu.Unlock()
			return nil
		}
		if len(c.shown) < maxShown && c.held < maxHeld {
			c.shown[m.Mark] = shown{m.Data, m.size}
			c.held += m.size
			c.change()
			c.mu.Unlock()
			return nil
		}
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-r.left:
		case <-c.process.Gone():
			return io.EOF
		}
	}
	return nil
}

// takeShown removes the value of a mark. If it is not there, changed is closed when that may be
// another matter.
func (c *client) takeShown(mark int) (d Display, found bool, changed <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	value, found := c.shown[mark]
	if found {
		delete(c.shown, mark)
		c.held -= value.size
		c.change()
	}
	return value.display, found, c.changed
}

// change tells those who wait that shown has changed. The caller holds the lock.
func (c *client) change() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// call has the host answer a call of a cell.
func (c *client) call(r *run, m message) error {
	if r == nil || r.number != m.Cell {
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
