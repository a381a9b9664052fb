package eval

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval/jupyter"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// prepareJupyter writes a connection file for a Jupyter kernel into the program's shared folder,
// and adds its path to the greeting. It returns nil if the program has no such folder.
func (c *connection) prepareJupyter(hello map[string]any) (*jupyter.Connection, error) {
	dir := c.process.Shared()
	if dir == "" {
		return nil, nil
	}
	connection, file, err := jupyter.Prepare(dir)
	if errors.Is(err, jupyter.ErrTooLong) {
		return nil, nil
	}
	hello["connection"] = file
	return connection, err
}

// connectKernel connects to the program as a Jupyter kernel.
func (c *connection) connectKernel(ctx context.Context, connection *jupyter.Connection) (err error) {
	if connection == nil {
		return errBadMessage
	}
	c.jupyter, err = connection.Connect(ctx, c.handleKernel, c.process.Fail)
	if err != nil {
		return err
	}
	go func() {
		<-c.process.Gone()
		c.jupyter.Close()
	}()
	return nil
}

// handleKernel handles a message of the Jupyter kernel.
func (c *connection) handleKernel(m jupyter.Message, published bool) error {
	c.mu.Lock()
	r := c.run
	c.mu.Unlock()
	if r == nil {
		return nil
	}
	current := m.Parent.ID == c.jupyter.RequestID(r.cellNumber)
	var content struct {
		State string  `json:"execution_state"`
		Data  Display `json:"data"`
		Text  string  `json:"text"`
	}
	switch kind := m.Header.Type; {
	case kind == "execute_reply" && !published && current:
		return r.noteReply(m.Content)
	case !published:
	case kind == "execute_input" && current:
		r.noteKernel(func(e *cellEnd) { e.begin() })
	case kind == "status" || kind == "stream" || kind == "display_data" || kind == "execute_result" ||
		kind == "update_display_data":
		if json.Unmarshal(m.Content, &content) != nil {
			return errBadMessage
		}
		switch {
		case content.State == "idle" && current:
			r.noteIdle(markOf(m))
		case markOf(m) == 0:
		case kind == "stream": // of something that writes to the streams of a kernel
			content.Data = Display{"text/plain": content.Text}
			fallthrough
		case content.Data != nil:
			return c.noteShown(r, channelMessage{Mark: markOf(m), Data: content.Data, size: m.Size})
		}
	}
	return nil
}

// markOf returns the number of the mark in the output to which a message belongs, or 0.
func markOf(m jupyter.Message) int {
	var metadata struct {
		Mark int `json:"scrollkeep"`
	}
	if json.Unmarshal(m.Metadata, &metadata) != nil {
		return 0
	}
	return max(metadata.Mark, 0)
}

// cellEnd holds what is known about the end of a code cell in a Jupyter kernel. The kernel sends
// a reply and publishes that it is idle, in either order.
type cellEnd struct {
	interruptible  chan struct{}   // interruptible is closed when the cell can be interrupted.
	reply          *channelMessage // reply is the kernel's reply without a mark; nil: it has not come.
	isIdle         bool
	mark           int
	interruptAsked bool // interruptAsked says that the kernel was asked to interrupt the cell.
}

// begin notes that the kernel has begun to run the cell.
func (e *cellEnd) begin() {
	select {
	case <-e.interruptible:
	default:
		close(e.interruptible)
	}
}

// replyTimeout is how long to wait for the reply of an idle kernel. An interrupt at the wrong
// moment makes the kernel forget its reply.
const replyTimeout = 3 * time.Second

// noteReply handles the kernel's reply at the end of a cell.
func (r *cellRun) noteReply(content []byte) error {
	var c struct {
		Status string   `json:"status"`
		Name   string   `json:"ename"`
		Value  string   `json:"evalue"`
		Trace  []string `json:"traceback"`
	}
	if json.Unmarshal(content, &c) != nil {
		return errBadMessage
	}
	r.mu.Lock()
	asked := r.kernelEnd.interruptAsked
	r.mu.Unlock()
	m := channelMessage{}
	switch {
	case c.Status == "ok":
	case c.Name == "KeyboardInterrupt" || c.Name == "CancelledError" && asked || c.Status != "error":
		m.Interrupted = true
	case c.Name == "SystemExit":
		if c.Value != "" && c.Value != "0" && c.Value != "None" {
			m.Error = "SystemExit: " + c.Value
		}
	default:
		m.Error = strings.TrimSpace(colourSequences().ReplaceAllString(strings.Join(c.Trace, "\n"), ""))
		if m.Error == "" {
			m.Error = c.Name + ": " + c.Value
		}
	}
	r.noteKernel(func(e *cellEnd) { e.reply = &m })
	return nil
}

// colourSequences matches escape sequences that colour text.
var colourSequences = lazyregexp.New("\x1b\\[[0-9;]*m")

// noteIdle notes that the kernel is idle after the cell. mark is the last mark of the cell in the
// output.
func (r *cellRun) noteIdle(mark int) {
	r.noteKernel(func(e *cellEnd) { e.isIdle, e.mark = true, mark })
	late := time.AfterFunc(replyTimeout, func() {
		r.noteKernel(func(e *cellEnd) {
			if e.reply == nil {
				e.reply = &channelMessage{Interrupted: true}
			}
		})
	})
	context.AfterFunc(r.ctx, func() { late.Stop() })
}

// noteKernel calls note to change r.kernelEnd. The cell has ended when both the reply and the idle
// state are there.
func (r *cellRun) noteKernel(note func(*cellEnd)) {
	r.mu.Lock()
	note(&r.kernelEnd)
	end := r.kernelEnd
	r.mu.Unlock()
	if end.reply != nil && end.isIdle {
		m := *end.reply
		m.Mark = end.mark
		r.noteEnd(m)
	}
}
