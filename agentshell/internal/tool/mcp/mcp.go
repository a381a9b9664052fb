// Package mcp speaks the Model Context Protocol with one server, by the official SDK: over the
// standard input and output of a program that it starts, or over HTTP.
//
// Everything that a server says is untrusted: names that are not plain are left out, and messages
// and results are bounded. What it asks of us is put to the person, or refused; a program hears
// which folder the workspace is (roots). A program gets the environment that the person listed and
// nothing else, a session without a terminal, and its standard error goes to a log. A server that
// floods us is read at a pace, and one that does not read or answer is given up.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

const (
	// revision is asked for first: a program of an older one may not answer at all what came later
	// (server/discover), or end.
	revision = "2025-11-25"

	maxLine  = 16 << 20 // bytes of one message of a server
	maxArgs  = 15 << 20 // and of the arguments of a call
	maxTools = 200      // of one server
	maxText  = 1 << 20  // bytes of a result's text; the middle of a longer one is left out

	defaultTimeout = 10 * time.Minute
	extensions     = 6 // the most that reports of progress make of a timeout
	grace          = 400 * time.Millisecond
)

// Server says how a server is reached: by Command or by URL.
type Server struct {
	Name    string
	Command []string          // program and arguments, executed without a shell
	Env     []string          // NAME=value, all that it gets
	Dir     string            // of the workspace: where it runs, and one of its roots
	More    []string          // its other roots
	Log     io.Writer         // its standard error; nil: discarded
	URL     string            // of a server over HTTP
	Token   string            // bearer token for URL; "": none
	Headers map[string]string // that go to URL besides
	// Tokens is where logins at URL are kept; ClientID and ClientSecret are those that its
	// authorization server has given us, "" where it registers who asks.
	Tokens                 Tokens
	ClientID, ClientSecret string
	// Ask puts a question of the server to the person, and Sample asks the model for it; nil: both
	// are refused.
	Ask    func(ctx context.Context, q Question) (Reply, error)
	Sample func(ctx context.Context, s Sample) (text, model string, err error)
	// Secrets are in nothing that is told of the server or taken from it: it prints and echoes what
	// it was started with. The text of a result, which comes in full, is the caller's.
	Secrets secret.Set
	// Timeout is how long a call may take after its start or the last report of progress, at most
	// six times as long in all; 0: 10 minutes.
	Timeout time.Duration
	// Greeting is how long it may take to start and list its tools, in a Fleet; 0: a minute.
	Greeting time.Duration
	Family   *child.Family // nil: one of its own

	ask      auth.AuthorizationCodeFetcher // nil: nobody can log in
	redirect string
}

// Tool is one tool of a server, as the server describes it.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // of its arguments, an object
}

// Client is a connection to a running server. It is safe for use by several goroutines.
type Client struct {
	session *mcp.ClientSession
	own     *mcp.Client
	local   bool  // it was told the roots
	pipe    *pipe // nil over HTTP
	met     *prelude
	idle    func()
	end     context.CancelCauseFunc // of the connection
	gone    chan struct{}
	changed chan struct{} // the server says that its tools are others now
	timeout time.Duration
	secrets secret.Set
	// Skipped are the tools that were left out, one sentence each.
	Skipped []string

	mu       sync.Mutex
	last     int
	progress map[int]chan string // of the calls that wait, by their tokens
}

// Start reaches a server, greets it and gets its list of tools. ctx bounds the greeting, not the
// server. Close it.
func Start(ctx context.Context, s Server, version string) (*Client, []Tool, error) {
	c := &Client{timeout: cmp.Or(s.Timeout, defaultTimeout), progress: map[int]chan string{}, idle: func() {},
		gone: make(chan struct{}), changed: make(chan struct{}, 1), secrets: s.Secrets}
	// The older transport holds the context of its start for as long as the connection lives.
	life, end := context.WithCancelCause(context.WithoutCancel(ctx))
	start := ctx
	started := context.AfterFunc(start, func() { end(context.Cause(start)) })
	ctx, c.end, c.met = life, end, &prelude{end: end}
	options := &mcp.ClientOptions{Capabilities: s.capabilities(), ProgressNotificationHandler: c.heard,
		ToolListChangedHandler:   func(context.Context, *mcp.ToolListChangedRequest) { c.other() },
		PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) { c.other() },
	}
	s.answers(options)
	own := mcp.NewClient(&mcp.Implementation{Name: "agentshell", Version: version}, options)
	if s.Dir != "" && s.URL == "" { // a server elsewhere has no use for a path of this machine
		addRoots(own, append([]string{s.Dir}, s.More...))
		c.local = true
	}
	c.own = own
	var err error
	switch {
	case s.URL != "":
		err = c.dial(ctx, own, s)
	case len(s.Command) == 0:
		err = errors.New("it has neither a command nor a url")
	default:
		if c.pipe, err = open(s, c.met); err == nil {
			c.session, err = own.Connect(ctx, c.pipe, &mcp.ClientSessionOptions{ProtocolVersion: revision})
		}
	}
	var tools []Tool
	if err == nil {
		session := c.session
		go func() {
			_ = session.Wait()
			close(c.gone)
		}()
		tools, err = c.tools(ctx)
	}
	if err != nil {
		started()
		why := context.Cause(ctx)
		if c.Close(); why == nil {
			why = c.because(context.Background(), err)
		}
		return nil, nil, s.Secrets.Error(why)
	}
	if !started() { // it has ended meanwhile
		c.Close()
		return nil, nil, context.Cause(ctx)
	}
	c.met.ready()
	return c, tools, nil
}

// other notes that the server has other tools or prompts now.
func (c *Client) other() {
	select {
	case c.changed <- struct{}{}:
	default: // nobody has looked since the last one
	}
}

// Gone returns a channel that is closed when the connection has ended.
func (c *Client) Gone() <-chan struct{} { return c.gone }

// because returns err, or why the program is not there any more.
func (c *Client) because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if c.pipe != nil {
		if why := c.pipe.process.Why(); endedByUs(why) {
			return why
		} else if why != nil {
			return fmt.Errorf("the server has exited: %w", why)
		}
	}
	return err
}

// tools returns the list of tools, without those that cannot be offered.
func (c *Client) tools(ctx context.Context) (tools []Tool, err error) {
	c.Skipped = nil
	skip := func(format string, args ...any) { c.Skipped = append(c.Skipped, fmt.Sprintf(format, args...)) }
	seen := map[string]bool{} // true: more than once
	read, endless, err := pages(func(cursor string) (string, bool, error) {
		list, err := c.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return "", false, err
		}
		for _, t := range list.Tools {
			if twice, known := seen[t.Name]; known {
				if !twice {
					skip("the tool %q is listed twice", t.Name)
				}
				seen[t.Name] = true
				continue
			}
			seen[t.Name] = false
			one, why := c.offered(t)
			switch {
			case c.secrets.Contains([]byte(t.Name)):
				skip("a tool with a secret in its name is left out")
			case why != "":
				skip("the tool %q is left out: %s", clip(t.Name, maxOwnName), why)
			default:
				tools = append(tools, one)
			}
			if len(tools) == maxTools || len(c.Skipped) == maxTools {
				return "", false, nil
			}
		}
		return list.NextCursor, true, nil
	})
	var said *jsonrpc.Error
	switch {
	case errors.As(err, &said) && said.Code == jsonrpc.CodeMethodNotFound && len(tools) == 0:
		return nil, nil // it has resources or prompts only
	case endless:
		skip("its list of tools does not end; what came of it in %d pages is used", read)
	}
	return tools, err
}

// offered returns a tool as it is offered; why: it cannot be.
func (c *Client) offered(t *mcp.Tool) (one Tool, why string) {
	schema, err := json.Marshal(t.InputSchema)
	if err != nil {
		schema = nil
	}
	if clean := c.secrets.RedactJSON(string(schema)); clean != string(schema) {
		schema = []byte(clean)
	}
	schema = mendSchema(schema)
	return Tool{t.Name, c.secrets.Redact(t.Description), schema}, unfit(t.Name, schema)
}

// maxPages is how many pages of a list are asked for.
const maxPages = 50

// pages asks for the pages of a list, until there are no more, or each wants no more, and returns
// how many it has read. The list is endless if a cursor comes again, or if there are too many.
func pages(each func(cursor string) (next string, more bool, err error)) (read int, endless bool, err error) {
	seen := map[string]bool{}
	for cursor := ""; ; {
		next, more, err := each(cursor)
		read++
		switch {
		case err != nil || !more || next == "":
			return read, false, err
		case seen[next] || read == maxPages:
			return read, true, nil
		}
		seen[next] = true
		cursor = next
	}
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// plain reports whether name is 1 to 40 of the characters A-Z a-z 0-9 _ -. (No regular expression:
// it would be compiled at every start.)
func plain(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, letters+"0123456789_-") == ""
}

// maxOwnName is how many bytes the name of a tool may have.
const maxOwnName = 256

// unfit says why a tool cannot be offered, or "".
func unfit(name string, schema json.RawMessage) string {
	var object struct{ Type string }
	switch {
	case strings.TrimSpace(name) == "" || len(name) > maxOwnName || !utf8.ValidString(name):
		return "its name is empty, too long or no text"
	case json.Unmarshal(schema, &object) != nil || object.Type != "object" || len(schema) > 64<<10:
		return "the schema of its arguments is no object"
	}
	return ""
}

// Close ends the connection. A program is asked to end by closing its input, then by a signal, and
// is killed with everything that it has started if it does not. It takes two seconds at most,
// whatever the server does.
func (c *Client) Close() {
	if c.pipe != nil {
		c.pipe.process.End()
	}
	if c.session != nil {
		done := make(chan struct{})
		go func() {
			_ = c.session.Close() // over HTTP it tells the server, which may not answer
			close(done)
		}()
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case <-done:
		case <-late.C:
		}
	}
	c.end(errClosed)
	c.idle()
}
