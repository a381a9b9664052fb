// Package mcp speaks the Model Context Protocol, revision 2025-06-18, with one server over its
// standard input and output.
//
// Everything that a server says is untrusted: names that are not plain are left out, lines and
// results are bounded, and whatever it asks of us (sampling, elicitation, roots) is refused. It
// gets the environment that the person listed and nothing else, a session without a terminal, and
// its standard error goes to a log. A server that floods us is read at a pace, and one that does
// not read or answer is given up.
package mcp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/child"
)

const (
	maxLine  = 16 << 20 // bytes of one message, either way
	maxTools = 200      // of one server
	maxPages = 20       // of its list
	maxID    = 256      // bytes of the id of a server's request
	maxSay   = 16       // answers and notices that wait for a server that does not read; more are left out
	maxText  = 1 << 20  // bytes of a result's text; the middle of a longer one is left out

	patience       = 30 * time.Second // how long a server may take nothing of a message
	defaultTimeout = 10 * time.Minute
	extensions     = 6 // the most that reports of progress make of a timeout
	grace          = 400 * time.Millisecond
)

// Server says how a server is started.
type Server struct {
	Name    string
	Command []string // program and arguments, executed without a shell
	Env     []string // NAME=value, all that it gets
	Dir     string
	Log     io.Writer // its standard error; nil: discarded
	// Timeout is how long a call may take after its start or the last report of progress, at most
	// six times as long in all; 0: 10 minutes.
	Timeout time.Duration
	Family  *child.Family // nil: one of its own
}

// Tool is one tool of a server, as the server describes it.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // of its arguments, an object
}

// Client is a connection to a running server. It is safe for use by several goroutines.
type Client struct {
	talk    *child.Talk
	timeout time.Duration
	// Skipped are the tools that were left out, one sentence each.
	Skipped []string

	out     chan []byte // requests, one line each, to the one goroutine that writes
	say     chan []byte // what needs no answer
	mu      sync.Mutex
	last    int
	waiting map[int]wait
	why     error         // the first thing that went wrong
	err     error         // why the connection ended
	ended   chan struct{} // closed when it did
}

// wait is a request without an answer.
type wait struct {
	reply    chan message
	progress chan struct{} // a report has come
}

// message is a request, a response or a notification.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Start starts a server, greets it and gets its list of tools. ctx bounds the greeting, not the
// server. Close it.
func Start(ctx context.Context, s Server, version string) (*Client, []Tool, error) {
	if len(s.Command) == 0 {
		return nil, nil, errors.New("it has no command")
	}
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	// Never nil: that would be our own environment.
	cmd.Env, cmd.Dir, cmd.Stderr = append([]string{}, s.Env...), s.Dir, s.Log
	family := s.Family
	if family == nil {
		family = new(child.Family)
	}
	talk, err := family.Talk(cmd, patience)
	if err != nil {
		return nil, nil, err
	}
	c := &Client{
		talk: talk, timeout: cmp.Or(s.Timeout, defaultTimeout),
		out: make(chan []byte), say: make(chan []byte, maxSay), waiting: map[int]wait{}, ended: make(chan struct{}),
	}
	go c.write()
	go c.read(bufio.NewReaderSize(talk.Out, 64<<10))
	tools, err := c.greet(ctx, version)
	if err != nil {
		c.Close()
		return nil, nil, err
	}
	return c, tools, nil
}

// greet is the handshake and the list of tools.
func (c *Client) greet(ctx context.Context, version string) ([]Tool, error) {
	var hello struct {
		ProtocolVersion string `json:"protocolVersion"`
	}
	err := c.request(ctx, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "scrollkeep", "version": version},
	}, &hello)
	if err != nil {
		return nil, err
	}
	ready, err := encode(message{Method: "notifications/initialized"})
	if err != nil {
		return nil, err
	}
	select {
	case c.out <- ready:
	case <-c.ended:
		return nil, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var tools []Tool
	seen := map[string]bool{}
	cursor := ""
	for range maxPages {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		var page struct {
			Tools []struct {
				Name        string          `json:"name"`
				Description string          `json:"description"`
				Schema      json.RawMessage `json:"inputSchema"`
			} `json:"tools"`
			Next string `json:"nextCursor"`
		}
		if err := c.request(ctx, "tools/list", params, &page); err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			switch why := unfit(t.Name, t.Schema); {
			case why != "":
				c.Skipped = append(c.Skipped, fmt.Sprintf("the tool %q is left out: %s", t.Name, why))
			case seen[t.Name]:
				c.Skipped = append(c.Skipped, fmt.Sprintf("the tool %q is listed twice", t.Name))
			case len(tools) == maxTools:
				return tools, nil
			default:
				seen[t.Name] = true
				tools = append(tools, Tool(t))
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	return tools, nil
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// plain reports whether name is 1 to 40 of the characters A-Z a-z 0-9 _ -. (No regular expression:
// it would be compiled at every start.)
func plain(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, letters+"0123456789_-") == ""
}

// unfit says why a tool cannot be offered, or "".
func unfit(name string, schema json.RawMessage) string {
	var object struct{ Type string }
	switch {
	case !plain(name) || strings.Contains(name, "__"):
		return "its name is not plain"
	case json.Unmarshal(schema, &object) != nil || object.Type != "object" || len(schema) > 64<<10:
		return "the schema of its arguments is no object"
	}
	return ""
}

// Answer is what a tool gave.
type Answer struct {
	Text   string
	Failed bool // the tool says that it failed
}

// Call calls a tool. When ctx ends or the time of the call is over, the server is told and the call
// given up.
func (c *Client) Call(ctx context.Context, name string, args json.RawMessage) (Answer, error) {
	var result struct {
		Content []struct {
			Type, Text, MimeType string
			Resource             struct{ URI, Text string }
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
	}
	if err := c.request(ctx, "tools/call", map[string]any{"name": name, "arguments": args}, &result); err != nil {
		return Answer{}, err
	}
	var parts []string
	for _, p := range result.Content {
		switch p.Type {
		case "text":
			parts = append(parts, p.Text)
		case "resource":
			parts = append(parts, p.Resource.URI+"\n"+p.Resource.Text)
		default:
			parts = append(parts, fmt.Sprintf("[%s %s, not shown]", p.Type, p.MimeType))
		}
	}
	if len(parts) == 0 && len(result.Structured) > 0 {
		parts = append(parts, string(result.Structured))
	}
	return Answer{Text: bounded(strings.Join(parts, "\n")), Failed: result.IsError}, nil
}

// bounded is text without its middle if it is too long.
func bounded(text string) string {
	if len(text) <= maxText {
		return text
	}
	const half = maxText / 2
	return strings.ToValidUTF8(fmt.Sprintf("%s\n[%d bytes left out]\n%s", text[:half], len(text)-maxText,
		text[len(text)-half:]), "\uFFFD")
}

// request sends a request and waits for its response.
func (c *Client) request(ctx context.Context, method string, params map[string]any, result any) error {
	w := wait{reply: make(chan message, 1), progress: make(chan struct{}, 1)}
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = w
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	if method == "tools/call" {
		params["_meta"] = map[string]any{"progressToken": id}
	}
	line, err := encode(message{ID: fmt.Append(nil, id), Method: method, Params: params})
	if err != nil {
		return err
	}
	late := time.NewTimer(c.timeout)
	defer late.Stop()
	end := time.Now().Add(extensions * c.timeout)
	give := c.out // nil once it was taken
	for {
		select {
		case give <- line:
			give, line = nil, nil
		case m := <-w.reply:
			if m.Error != nil {
				return fmt.Errorf("the server answers with an error: %s (%d)", bounded(m.Error.Message), m.Error.Code)
			}
			if err := json.Unmarshal(m.Result, result); err != nil {
				return fmt.Errorf("the server's answer to %s cannot be read: %w", method, err)
			}
			return nil
		case <-w.progress:
			late.Reset(min(c.timeout, time.Until(end)))
		case <-c.ended:
			return c.err
		case <-ctx.Done():
			c.cancel(method, id, "the user stopped it")
			return ctx.Err()
		case <-late.C:
			c.cancel(method, id, "it took too long")
			return fmt.Errorf("the server has not answered %s within %v; timeout_s in the config file gives it "+
				"more time", method, c.timeout)
		}
	}
}

// cancel tells the server that an answer is not waited for any more.
func (c *Client) cancel(method string, id int, why string) {
	if method != "initialize" {
		c.tell(message{Method: "notifications/cancelled", Params: map[string]any{"requestId": id, "reason": why}})
	}
}

// encode is a message as a line.
func encode(m message) ([]byte, error) {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	switch {
	case err != nil:
		return nil, err
	case len(line) > maxLine:
		return nil, fmt.Errorf("it was not sent: the message has %d bytes, and a server gets at most %d",
			len(line), maxLine)
	}
	return append(line, '\n'), nil
}

// tell sends what needs no answer. If the server does not read what was sent before, it is left
// out.
func (c *Client) tell(m message) {
	line, err := encode(m)
	if err != nil {
		return
	}
	select {
	case c.say <- line:
	default:
	}
}

// write sends what is to be sent until the connection ends.
func (c *Client) write() {
	for {
		var line []byte
		select {
		case line = <-c.say:
		case line = <-c.out:
		case <-c.ended:
			return
		}
		if _, err := c.talk.In.Write(line); err != nil {
			c.fail(err)
			return
		}
	}
}

// fail ends the connection; the first reason counts.
func (c *Client) fail(why error) {
	c.mu.Lock()
	if c.why == nil {
		c.why = why
	}
	c.mu.Unlock()
	_ = c.talk.In.Close()
	_ = c.talk.Out.Close()
}

// read takes the server's messages until it ends.
func (c *Client) read(in *bufio.Reader) {
	err := c.messages(in)
	_ = c.talk.In.Close()
	if errors.Is(err, io.EOF) { // if it ends by itself it says how
		late := time.NewTimer(grace)
		select {
		case <-c.talk.Done():
		case <-late.C:
		}
		late.Stop()
	}
	c.talk.End(0)
	c.mu.Lock()
	if c.why != nil {
		err = c.why
	}
	if why := c.talk.Err(); why != nil && errors.Is(err, io.EOF) { // the end of its output says nothing
		err = why
	}
	c.err = fmt.Errorf("the server has exited: %w", err)
	c.mu.Unlock()
	close(c.ended)
}

func (c *Client) messages(in *bufio.Reader) error {
	for {
		line, err := readLine(in)
		if err != nil {
			return err
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *fault          `json:"error"`
			Params struct {
				Token json.RawMessage `json:"progressToken"`
			} `json:"params"`
		}
		if json.Unmarshal(line, &m) != nil {
			continue // not a message
		}
		switch {
		case len(m.ID) > maxID:
		case m.Method == "ping" && len(m.ID) > 0:
			c.tell(message{ID: m.ID, Result: json.RawMessage("{}")})
		case m.Method != "" && len(m.ID) > 0: // sampling, elicitation, roots: we do nothing for a server
			c.tell(message{ID: m.ID, Error: &fault{-32601, "refused"}})
		case m.Method == "notifications/progress":
			if w, ok := c.waits(m.Params.Token, false); ok {
				select {
				case w.progress <- struct{}{}:
				default:
				}
			}
		case m.Method != "": // another notification
		default:
			if w, ok := c.waits(m.ID, true); ok {
				w.reply <- message{Result: m.Result, Error: m.Error}
			}
		}
	}
}

// waits gives the request with an id. An answer counts once: it is taken then.
func (c *Client) waits(number json.RawMessage, take bool) (w wait, ok bool) {
	var id int
	if json.Unmarshal(number, &id) != nil {
		return wait{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok = c.waiting[id]
	if take {
		delete(c.waiting, id)
	}
	return w, ok
}

// readLine reads a line of at most maxLine bytes.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxLine {
			return nil, fmt.Errorf("a message has more than %d bytes", maxLine)
		}
		switch {
		case err == nil:
			return bytes.TrimSpace(line), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// Close asks the server to end by closing its input, then by a signal, and kills it and everything
// that it has started if it does not. It takes two seconds at most, whatever the server does.
func (c *Client) Close() {
	_ = c.talk.In.Close() // also under a write that the server does not take
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-c.talk.Done():
	case <-late.C:
	}
	c.talk.End(grace)
	c.fail(errClosed) // whoever still holds its output
	<-c.ended
}

var errClosed = errors.New("it was closed")
