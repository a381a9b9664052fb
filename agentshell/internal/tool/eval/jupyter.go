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

// prepare tells a program that has a folder for it how it can be reached as a kernel of Jupyter.
func (c *client) prepare(hello map[string]any) (*jupyter.Connection, error) {
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

// connectKernel connects to the kernel that the program is.
func (c *client) connectKernel(ctx context.Context, connection *jupyter.Connection) (err error) {
	if connection == nil {
		return errGarbage
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

// handleKernel does what a message of the kernel says.
func (c *client) handleKernel(m jupyter.Message, published bool) error {
	c.mu.Lock()
	r := c.run
	c.mu.Unlock()
	if r == nil {
		return nil
	}
	current := m.Parent.ID == c.jupyter.RequestID(r.number)
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
		r.noteKernel(func(e *kernelEnd) { e.begin() })
	case kind == "status" || kind == "stream" || kind == "display_data" || kind == "execute_result" ||
		kind == "update_display_data":
		if json.Unmarshal(m.Content, &content) != nil {
			return errGarbage
		}
		switch {
		case content.State == "idle" && current:
			r.noteIdle(placeOf(m))
		case placeOf(m) == 0:
		case kind == "stream": // of something that writes to the streams of a kernel
			content.Data = Display{"text/plain": content.Text}
			fallthrough
		case content.Data != nil:
			return c.noteShown(r, message{Mark: placeOf(m), Data: content.Data, size: m.Size})
		}
	}
	return nil
}

// placeOf returns the mark at which a message stands in the output, 0 if it has none.
func placeOf(m jupyter.Message) int {
	var metadata struct {
		Mark int `json:"scrollkeep"`
	}
	if json.Unmarshal(m.Metadata, &metadata) != nil {
		return 0
	}
	return max(metadata.Mark, 0)
}

// kernelEnd is what is known of the end of a cell that a kernel runs: the kernel replies, and
// publishes that it is idle, in either order.
type kernelEnd struct {
	begun chan struct{} // closed when the cell can be interrupted
	reply *message      // without a mark
	idle  bool
	mark  int
	asked bool // it was asked to interrupt the cell
}

// begin notes that the kernel has begun with the cell.
func (e *kernelEnd) begin() {
	select {
	case <-e.begun:
	default:
		close(e.begun)
	}
}

// noReply is how long the reply of a kernel that is idle is waited for. An interrupt at the wrong
// moment has it forget the reply.
const noReply = 3 * time.Second

// noteReply notes how the kernel says that the cell ended.
func (r *run) noteReply(content []byte) error {
	var c struct {
		Status string   `json:"status"`
		Name   string   `json:"ename"`
		Value  string   `json:"evalue"`
		Trace  []string `json:"traceback"`
	}
	if json.Unmarshal(content, &c) != nil {
		return errGarbage
	}
	r.mu.Lock()
	asked := r.kernel.asked
	r.mu.Unlock()
	m := message{}
	switch {
	case c.Status == "ok":
	case c.Name == "KeyboardInterrupt" || c.Name == "CancelledError" && asked || c.Status != "error":
		m.Interrupted = true
	case c.Name == "SystemExit":
		if c.Value != "" && c.Value != "0" && c.Value != "None" {
			m.Error = "SystemExit: " + c.Value
		}
	default:
		m.Error = strings.TrimSpace(colours().ReplaceAllString(strings.Join(c.Trace, "\n"), ""))
		if m.Error == "" {
			m.Error = c.Name + ": " + c.Value
		}
	}
	r.noteKernel(func(e *kernelEnd) { e.reply = &m })
	return nil
}

// colours are escape sequences that colour text.
var colours = lazyregexp.New("\x1b\\[[0-9;]*m")

// noteIdle notes that the kernel has done all that belongs to the cell.
func (r *run) noteIdle(mark int) {
	r.noteKernel(func(e *kernelEnd) { e.idle, e.mark = true, mark })
	late := time.AfterFunc(noReply, func() {
		r.noteKernel(func(e *kernelEnd) {
			if e.reply == nil {
				e.reply = &message{Interrupted: true}
			}
		})
	})
	context.AfterFunc(r.ctx, func() { late.Stop() })
}

// noteKernel notes a part of the end, which is there with both.
func (r *run) noteKernel(note func(*kernelEnd)) {
	r.mu.Lock()
	note(&r.kernel)
	end := r.kernel
	r.mu.Unlock()
	if end.reply != nil && end.idle {
		m := *end.reply
		m.Mark = end.mark
		r.finish(m)
	}
}
