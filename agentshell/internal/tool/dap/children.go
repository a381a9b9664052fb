package dap

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// An adapter may have parts of a program debugged by connections of their own: js-debug asks for
// one for each process and each worker, and says nothing of them by the first. They are children
// here.

// maxChildren is the number of child sessions at a time. childTimeout is how long one may take to
// begin.
const (
	maxChildren  = 32
	childTimeout = 30 * time.Second
)

// adapterLink is the channel to an adapter: its standard streams, or a socket.
type adapterLink struct {
	in   io.Writer
	out  io.Reader
	gone <-chan struct{} // gone is closed when nothing can be sent any more.
	fail func(error)     // fail closes gone; the first reason is kept.
}

// socketName is the file name of the socket in the folder that the adapter and this program share.
const socketName = "adapter"

// hasSharedFolder reports whether an adapter listens on a socket in a shared folder, because its
// command line names that folder.
func (a Adapter) hasSharedFolder() bool {
	return slices.ContainsFunc(a.Command, func(word string) bool { return strings.Contains(word, helper.SharedName) })
}

// dialSocket waits until the adapter listens in its shared folder, and connects to it. fail is
// called when the connection fails later.
func dialSocket(ctx context.Context, p *helper.Process, fail func(error)) (adapterLink, error) {
	path := filepath.Join(p.Shared(), socketName)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := net.Dial("unix", path)
		if err == nil {
			return newLink(conn, p, fail), nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return adapterLink{}, ctx.Err()
		case <-p.Gone():
			return adapterLink{}, p.Why()
		}
	}
}

// newLink returns a link over a connection. It is closed when the process p ends.
func newLink(conn net.Conn, p *helper.Process, fail func(error)) adapterLink {
	gone := make(chan struct{})
	end := sync.OnceFunc(func() {
		close(gone)
		_ = conn.Close()
	})
	go func() {
		select {
		case <-p.Gone():
			end()
		case <-gone:
		}
	}()
	return adapterLink{in: conn, out: conn, gone: gone, fail: func(why error) {
		fail(why)
		end()
	}}
}

// request is a DAP request: a command with its arguments.
type request struct {
	command   string
	arguments map[string]any
}

// beginChildSession handles the request startDebugging: it begins a child session in the
// background. It returns why not if it refuses, and otherwise "".
func (c *Client) beginChildSession(arguments json.RawMessage) (why string) {
	var asked struct {
		Request       string          `json:"request"`
		Configuration json.RawMessage `json:"configuration"`
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch err := json.Unmarshal(arguments, &asked); {
	case c.state.dialAgain == nil:
		return "the adapter wants a child session, which is not followed"
	case err != nil || asked.Request != "launch" && asked.Request != "attach":
		return "the adapter wants a child session of a kind that nobody knows here"
	case len(c.state.children) >= maxChildren:
		return "the adapter wants one more child session, which is not followed"
	}
	child := &Client{adapter: c.adapter, process: c.process, programBoard: c.programBoard, isChild: true}
	c.state.children = append([]*Client{child}, c.state.children...)
	go child.runChildSession(asked.Request, asked.Configuration)
	return ""
}

// runChildSession connects a child session, and starts it with the command and configuration that
// the adapter asked for. It gets the breakpoints and other configuration of the program.
func (c *Client) runChildSession(command string, configuration json.RawMessage) {
	ctx, cancel := context.WithTimeout(context.Background(), childTimeout)
	defer cancel()
	err := c.configureChild(ctx, command, configuration)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.removeChild()
		c.state.output.addNote("a child session does not begin: " + err.Error())
	}
	c.signalChange()
}

func (c *Client) configureChild(ctx context.Context, command string, configuration json.RawMessage) error {
	l, err := c.state.dialAgain(ctx, func(error) {})
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.link, c.outgoing, c.pending = l, make(chan []byte, maxQueuedMessages), map[int]chan message{}
	c.mu.Unlock()
	go c.writeMessages()
	go c.readMessages()
	if err := c.initialize(ctx); err != nil {
		return err
	}
	answer, err := c.start(ctx, command, configuration)
	if err != nil {
		return err
	}
	if !c.await(ctx, func(*programState) bool { return c.isInitialized }) {
		return ctx.Err()
	}
	c.mu.Lock()
	c.isReady = true
	all := slices.Collect(maps.Values(c.state.configured))
	c.mu.Unlock()
	for _, r := range all {
		if err := c.Request(ctx, r.command, r.arguments, nil); err != nil {
			return err
		}
	}
	if err := c.configure(ctx); err != nil {
		return err
	}
	return answer(ctx, nil)
}

// makeLeader makes c the first child session, which gets the requests of the session. The caller
// holds the lock, also in the methods below.
func (c *Client) makeLeader() {
	if i := slices.Index(c.state.children, c); i > 0 {
		c.state.children = append([]*Client{c}, slices.Delete(c.state.children, i, i+1)...)
	}
}

// isLeader reports whether c is the connection that gets the requests of the session.
func (c *Client) isLeader() bool { return c.leader() == c }

// leader returns the connection that gets the requests of the session: the child session that
// stopped or began last, or c if there is none.
func (c *Client) leader() *Client {
	if i := slices.IndexFunc(c.state.children, func(o *Client) bool { return o.isReady }); i >= 0 {
		return c.state.children[i]
	}
	return c
}

// removeChild removes a child session that has ended; the others continue. It returns false if c is
// no child session.
func (c *Client) removeChild() bool {
	if !c.isChild {
		return false
	}
	led := c.isLeader()
	c.state.children = slices.DeleteFunc(c.state.children, func(o *Client) bool { return o == c })
	if led && c.state.status == Stopped {
		c.state.noteResumed()
	}
	return true
}

// currentClient returns the connection for requests about the program: see [Client.leader].
func (s *Session) currentClient() *Client {
	s.client.mu.Lock()
	defer s.client.mu.Unlock()
	return s.client.leader()
}

// configureAll sends a configuration request to the current connection and then to all child
// sessions, and stores it under name for future ones. body receives the answer of the current
// connection.
func (s *Session) configureAll(ctx context.Context, name string, r request, body any) error {
	current := s.currentClient()
	if err := current.Request(ctx, r.command, r.arguments, body); err != nil {
		return err
	}
	c := s.client
	c.mu.Lock()
	if c.state.configured == nil {
		c.state.configured = map[string]request{}
	}
	c.state.configured[name] = r
	others := slices.DeleteFunc(append([]*Client{}, c.state.children...), func(o *Client) bool {
		return o == current || !o.isReady
	})
	c.mu.Unlock()
	for _, o := range others {
		_ = o.Request(ctx, r.command, r.arguments, nil) // it may have ended
	}
	return nil
}
