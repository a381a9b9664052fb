// Package mcp speaks the Model Context Protocol, revision 2025-06-18, with one server over its standard input and output.
//
// Everything that a server says is untrusted: names that are not plain are left out, lines and results are bounded, and whatever it asks of us
// (sampling, elicitation, roots) is refused. It gets the environment that the person listed and nothing else, a session without a terminal, and
// its standard error goes to a log.
package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	maxLine  = 16 << 20 // bytes of one message
	maxTools = 200      // of one server
	maxPages = 20       // of its list
	grace    = 2 * time.Second
)

// Server says how a server is started.
type Server struct {
	Name    string
	Command []string // program and arguments, executed without a shell
	Env     []string // NAME=value, all that it gets
	Dir     string
	Log     io.Writer // its standard error; nil: discarded
}

// Tool is one tool of a server, as the server describes it.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // of its arguments, an object
}

// Client is a connection to a running server. It is safe for use by several goroutines.
type Client struct {
	cmd *exec.Cmd
	out io.WriteCloser
	// Skipped are the tools that were left out, one sentence each.
	Skipped []string

	write   sync.Mutex
	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	err     error         // why the connection ended
	ended   chan struct{} // closed when it did
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

// Start starts a server, greets it and gets its list of tools. ctx bounds the greeting, not the server. Close it.
func Start(ctx context.Context, s Server, version string) (*Client, []Tool, error) {
	if len(s.Command) == 0 {
		return nil, nil, errors.New("it has no command")
	}
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Env, cmd.Dir, cmd.Stderr = append([]string{}, s.Env...), s.Dir, s.Log // never nil: that would be our own environment
	alone(cmd)
	cmd.WaitDelay = grace // for a standard error that a descendant holds
	out, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	in, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	c := &Client{cmd: cmd, out: out, waiting: map[int]chan message{}, ended: make(chan struct{})}
	go c.read(bufio.NewReaderSize(in, 64<<10))
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
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "scrollkeep", "version": version},
	}, &hello)
	if err != nil {
		return nil, err
	}
	if err := c.send(message{Method: "notifications/initialized"}); err != nil {
		return nil, err
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

// plain reports whether name is 1 to 40 of the characters A-Z a-z 0-9 _ -. (No regular expression: it would be compiled at every start.)
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

// Call calls a tool. When ctx ends, the server is told and the call given up.
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
	return Answer{Text: strings.Join(parts, "\n"), Failed: result.IsError}, nil
}

// request sends a request and waits for its response.
func (c *Client) request(ctx context.Context, method string, params, result any) error {
	reply := make(chan message, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = reply
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	unsent := make(chan error, 1)
	go func() { // a server that does not read must not hold us
		if err := c.send(message{ID: fmt.Append(nil, id), Method: method, Params: params}); err != nil {
			unsent <- err
		}
	}()
	select {
	case err := <-unsent:
		return fmt.Errorf("the server does not take %s: %w", method, err)
	case m := <-reply:
		if m.Error != nil {
			return fmt.Errorf("the server answers with an error: %s (%d)", m.Error.Message, m.Error.Code)
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("the server's answer to %s cannot be read: %w", method, err)
		}
		return nil
	case <-c.ended:
		return c.err
	case <-ctx.Done():
		if method != "initialize" {
			go c.send(message{Method: "notifications/cancelled", Params: map[string]any{"requestId": id, "reason": "the user stopped it"}})
		}
		return ctx.Err()
	}
}

func (c *Client) send(m message) error {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.write.Lock()
	defer c.write.Unlock()
	_, err = c.out.Write(append(line, '\n'))
	return err
}

// read takes the server's messages until it ends.
func (c *Client) read(in *bufio.Reader) {
	err := c.messages(in)
	_ = c.out.Close()
	kill(c.cmd)
	wait := c.cmd.Wait()
	c.mu.Lock()
	c.err = fmt.Errorf("the server ended: %w", errors.Join(err, wait))
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
		}
		if json.Unmarshal(line, &m) != nil {
			continue // not a message
		}
		switch {
		case m.Method == "ping" && len(m.ID) > 0:
			go c.send(message{ID: m.ID, Result: json.RawMessage("{}")})
		case m.Method != "" && len(m.ID) > 0: // sampling, elicitation, roots: we do nothing for a server
			go c.send(message{ID: m.ID, Error: &fault{-32601, "refused"}})
		case m.Method != "": // a notification
		default:
			var id int
			if json.Unmarshal(m.ID, &id) != nil {
				continue
			}
			c.mu.Lock()
			reply := c.waiting[id]
			delete(c.waiting, id) // an answer counts once
			c.mu.Unlock()
			if reply != nil {
				reply <- message{Result: m.Result, Error: m.Error}
			}
		}
	}
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

// Close asks the server to end by closing its input, and kills its process group if it does not.
func (c *Client) Close() {
	_ = c.out.Close() // also under a write that the server does not take
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-c.ended:
	case <-late.C:
		kill(c.cmd)
		<-c.ended
	}
}
