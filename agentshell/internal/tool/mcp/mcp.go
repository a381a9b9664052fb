// Package mcp speaks the Model Context Protocol with one server, by the official SDK: over the
// standard input and output of a program that it starts, or over HTTP.
//
// Everything that a server says is untrusted: names that are not plain are left out, and messages
// and results are bounded. What it asks of us is put to the user, or refused; a program hears
// which folder the workspace is (roots). A program gets the environment that the user listed and
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
	// protocolVersion is the protocol version that is requested first. A server of an older version
	// may not answer newer requests such as server/discover, or may even end.
	protocolVersion = "2025-11-25"

	maxMessageLineBytes = 16 << 20 // maxMessageLineBytes is the number of bytes of one message of a server.
	maxArgsBytes        = 15 << 20 // maxArgsBytes is the number of bytes of the arguments of a call.
	maxTools            = 200      // maxTools is the number of tools of one server.
	// maxTextBytes is the number of bytes of a result's text; the middle of a longer one is left
	// out.
	maxTextBytes = 1 << 20

	defaultTimeout = 10 * time.Minute
	maxTimeouts    = 6 // maxTimeouts is how many timeouts a call may take in all if it sends progress messages.
	closeGrace     = 400 * time.Millisecond
)

// Server describes how to reach an MCP server: by Command or by URL.
type Server struct {
	Name    string
	Command []string // Command is the program and its arguments. No shell is used.
	Env     []string // Env is the complete environment, as NAME=value.
	// Refuse says why Command must not run now; nil: nothing keeps it from that.
	Refuse func() error
	// Dir is the directory of the workspace. The program runs there, and it is the first root.
	Dir     string
	More    []string          // More lists further roots of the workspace.
	Log     io.Writer         // Log receives the standard error; nil: it is discarded.
	URL     string            // URL is the address of a server over HTTP.
	Token   string            // Token is the bearer token for URL; "": none.
	Headers map[string]string // Headers are sent to URL in addition.
	// Tokens stores the logins at URL. ClientID and ClientSecret are those that the authorization
	// server has issued; "": the client registers itself.
	Tokens                 Tokens
	ClientID, ClientSecret string
	// Ask asks the user a question of the server, and Sample the model. If one is nil, such
	// questions are refused.
	Ask    func(ctx context.Context, q Question) (Reply, error)
	Sample func(ctx context.Context, s Sample) (text, model string, err error)
	// Secrets are removed from error messages and descriptions of the server, because a server may
	// repeat them. The caller must remove them from results.
	Secrets secret.Set
	// Timeout is how long a call may take after its start or its last progress message; 0: 10
	// minutes. In all a call may take six times as long.
	Timeout time.Duration
	// Greeting is how long the server may take to start and to list its tools in a Fleet; 0: a
	// minute.
	Greeting time.Duration
	Family   *child.Family // Family manages the processes; nil: the server gets its own.

	ask      auth.AuthorizationCodeFetcher // ask shows the login page to the user; nil: no login is possible.
	redirect string
}

// Tool is a tool as the server describes it.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // Schema is the JSON schema of the arguments, which is an object.
}

// Client is a connection to a running MCP server. It is safe for use by several goroutines.
type Client struct {
	session       *mcp.ClientSession
	sdkClient     *mcp.Client
	local         bool         // local says that the server knows the roots of the workspace.
	pipe          *programPipe // pipe is nil for a server over HTTP.
	prelude       *prelude
	closeIdle     func()
	endConnection context.CancelCauseFunc // endConnection ends the connection.
	gone          chan struct{}
	changed       chan struct{} // changed receives a value when the server reports a change of its tools or prompts.
	timeout       time.Duration
	secrets       secret.Set
	// Skipped holds one sentence for each tool that is not offered.
	Skipped []string

	mu              sync.Mutex
	lastToken       int
	progressByToken map[int]chan string // progressByToken holds the channels of running calls by their progress tokens.
}

// Start starts a server or connects to it, and returns its tools. ctx limits only the start, not
// the life of the connection. The caller calls Close.
func Start(ctx context.Context, s Server, version string) (*Client, []Tool, error) {
	c := &Client{timeout: cmp.Or(s.Timeout, defaultTimeout), progressByToken: map[int]chan string{},
		closeIdle: func() {},
		gone:      make(chan struct{}), changed: make(chan struct{}, 1), secrets: s.Secrets}
	// The older transport holds the context of its start for as long as the connection lives.
	life, end := context.WithCancelCause(context.WithoutCancel(ctx))
	start := ctx
	started := context.AfterFunc(start, func() { end(context.Cause(start)) })
	ctx, c.endConnection, c.prelude = life, end, &prelude{end: end}
	options := &mcp.ClientOptions{Capabilities: s.capabilities(), ProgressNotificationHandler: c.handleProgress,
		ToolListChangedHandler:   func(context.Context, *mcp.ToolListChangedRequest) { c.noteChanged() },
		PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) { c.noteChanged() },
	}
	s.setHandlers(options)
	own := mcp.NewClient(&mcp.Implementation{Name: "agentshell", Version: version}, options)
	if s.Dir != "" && s.URL == "" { // a server elsewhere has no use for a path of this machine
		announceRoots(own, append([]string{s.Dir}, s.More...))
		c.local = true
	}
	c.sdkClient = own
	var err error
	switch {
	case s.URL != "":
		err = c.connectHTTP(ctx, own, s)
	case len(s.Command) == 0:
		err = errors.New("it has neither a command nor a url")
	default:
		if c.pipe, err = startProgram(s, c.prelude); err == nil {
			c.session, err = own.Connect(ctx, c.pipe, &mcp.ClientSessionOptions{ProtocolVersion: protocolVersion})
		}
	}
	var tools []Tool
	if err == nil {
		session := c.session
		go func() {
			_ = session.Wait()
			close(c.gone)
		}()
		tools, err = c.listTools(ctx)
	}
	if err != nil {
		started()
		why := context.Cause(ctx)
		if c.Close(); why == nil {
			why = c.reasonFor(context.Background(), err)
		}
		return nil, nil, s.Secrets.Error(why)
	}
	if !started() { // it has ended meanwhile
		c.Close()
		return nil, nil, context.Cause(ctx)
	}
	c.prelude.ready()
	return c, tools, nil
}

// noteChanged notes that the tools or prompts of the server have changed.
func (c *Client) noteChanged() {
	select {
	case c.changed <- struct{}{}:
	default: // nobody has looked since the last one
	}
}

// Gone returns a channel that is closed when the connection has ended.
func (c *Client) Gone() <-chan struct{} { return c.gone }

// reasonFor returns the reason why a request failed: the end of ctx or of the server's program, or
// otherwise err.
func (c *Client) reasonFor(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if c.pipe != nil {
		if why := c.pipe.process.Why(); isEndedByUs(why) {
			return why
		} else if why != nil {
			return fmt.Errorf("the server has exited: %w", why)
		}
	}
	return err
}

// listTools requests the list of tools. It leaves out those that cannot be offered to a model, and
// describes them in c.Skipped.
func (c *Client) listTools(ctx context.Context) (tools []Tool, err error) {
	c.Skipped = nil
	skip := func(format string, args ...any) { c.Skipped = append(c.Skipped, fmt.Sprintf(format, args...)) }
	seen := map[string]bool{} // true: more than once
	read, endless, err := readPages(func(cursor string) (string, bool, error) {
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
			one, why := c.offeredTool(t)
			switch {
			case c.secrets.Contains([]byte(t.Name)):
				skip("a tool with a secret in its name is left out")
			case why != "":
				skip("the tool %q is left out: %s", cutText(t.Name, maxToolNameBytes), why)
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

// offeredTool returns a tool as it is offered to the model. why says why it cannot be; "": it can.
func (c *Client) offeredTool(t *mcp.Tool) (one Tool, why string) {
	schema, err := json.Marshal(t.InputSchema)
	if err != nil {
		schema = nil
	}
	if clean := c.secrets.RedactJSON(string(schema)); clean != string(schema) {
		schema = []byte(clean)
	}
	schema = repairSchema(schema)
	return Tool{t.Name, c.secrets.Redact(t.Description), schema}, whyNotOffered(t.Name, schema)
}

// maxPages is the number of pages that are requested of one list.
const maxPages = 50

// readPages calls each for one page of a list after the other, until there is no next page or more
// is false. It returns the number of pages. endless is true if a cursor repeats or there are more
// than maxPages pages.
func readPages(each func(cursor string) (next string, more bool, err error)) (read int, endless bool, err error) {
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

const asciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isPlainName reports whether name consists of 1 to 40 letters, digits, _ and -. It uses no regular
// expression, because that would have to be compiled at every start.
func isPlainName(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, asciiLetters+"0123456789_-") == ""
}

// maxToolNameBytes is the number of bytes that the name of a tool may have.
const maxToolNameBytes = 256

// whyNotOffered returns why a tool cannot be offered to the model, or "" if it can.
func whyNotOffered(name string, schema json.RawMessage) string {
	var object struct{ Type string }
	switch {
	case strings.TrimSpace(name) == "" || len(name) > maxToolNameBytes || !utf8.ValidString(name):
		return "its name is empty, too long or no text"
	case json.Unmarshal(schema, &object) != nil || object.Type != "object" || len(schema) > 64<<10:
		return "the schema of its arguments is no object"
	}
	return ""
}

// Close ends the connection. A program's input is closed, then it gets a signal, and at last it is
// killed together with its children. This takes two seconds at most.
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
		late := time.NewTimer(closeGrace)
		defer late.Stop()
		select {
		case <-done:
		case <-late.C:
		}
	}
	c.endConnection(errClosed)
	c.closeIdle()
}
