package extension

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// The limits of the protocol between a shell and an extension.
const (
	// version of the protocol
	protocol   = 1
	maxMessage = 1 << 20                // bytes of a message that the shell accepts
	maxRead    = 8 << 20                // bytes of a message that the extension accepts
	maxWaiting = 256                    // events or keys that may wait for a function of the extension
	farewell   = 200 * time.Millisecond // time to wait for functions that still run when the program ends
)

// message is a JSON-RPC message: a request, a notification or a response.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// server is the extension's side of the connection with a shell.
type server struct {
	Extension
	views sync.Map // The views on the screen, by name; the values are *shownView.

	outMu sync.Mutex
	out   io.Writer

	session *Session

	mu    sync.Mutex
	last  int                           // The id of the last request that was sent to the shell.
	waits map[string]chan message       // Channels for the responses of the shell, by the id of the request.
	calls map[string]context.CancelFunc // Functions that cancel running calls, by the token of the call.

	running sync.WaitGroup // Counts the running functions of the extension.
	events  chan Event     // Events that wait until the extension has handled earlier ones.
	missed  int            // The number of dropped events since the last one that was accepted.
}

func newServer(e Extension, out io.Writer) *server {
	s := &server{Extension: e, out: out, waits: map[string]chan message{}, calls: map[string]context.CancelFunc{},
		events: make(chan Event, maxWaiting)}
	s.session = &Session{server: s}
	return s
}

// serve handles messages of the shell until the shell ends the program, or in reaches its end.
func (s *server) serve(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.running.Go(s.tellEvents)
	r := bufio.NewReaderSize(in, 64<<10)
	var err error
	for {
		var m message
		if m, err = readMessage(r); err != nil || m.Method == "shutdown" {
			cancel()
			close(s.events)
			s.wait()
			if err == nil {
				s.reply(m, struct{}{}, nil)
			} else if errors.Is(err, io.EOF) {
				err = nil
			}
			return err
		}
		s.take(ctx, m)
	}
}

// wait waits for running functions of the extension, but no longer than the time farewell.
func (s *server) wait() {
	done := make(chan struct{})
	go func() { s.running.Wait(); close(done) }()
	late := time.NewTimer(farewell)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// take handles one message. It never waits for a function of the extension.
func (s *server) take(ctx context.Context, m message) {
	switch m.Method {
	case "":
		s.mu.Lock()
		answer := s.waits[string(m.ID)]
		delete(s.waits, string(m.ID))
		s.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	case "initialize":
		s.initialize(ctx, m)
	case "command", "tool":
		s.work(ctx, m)
	case "complete":
		s.running.Go(func() { s.answer(m, func() (any, error) { return s.complete(ctx, m.Params) }) })
	case "render":
		s.running.Go(func() { s.answer(m, func() (any, error) { return s.render(ctx, m.Params) }) })
	case "event":
		var e Event
		if json.Unmarshal(m.Params, &e) == nil && s.Event != nil {
			e.Missed += s.missed
			select {
			case s.events <- e:
				s.missed = 0
			default:
				s.missed = e.Missed + 1
			}
		}
	case "key":
		var k struct {
			Key
			View string `json:"view"`
		}
		if json.Unmarshal(m.Params, &k) == nil {
			if v, ok := s.views.Load(k.View); ok {
				select {
				case v.(*shownView).keys <- k.Key:
				default: // it does not read them
				}
			}
		}
	case "cancel":
		var c struct{ Token string }
		if json.Unmarshal(m.Params, &c) == nil {
			s.mu.Lock()
			if cancel := s.calls[c.Token]; cancel != nil {
				cancel()
			}
			s.mu.Unlock()
		}
	default:
		s.reply(m, nil, &Error{Code: -32601, Message: "unknown method"})
	}
}

// initialize answers the shell's first request and then calls the extension's function Start.
func (s *server) initialize(ctx context.Context, m message) {
	var hello struct {
		Name, Workspace string
		Shell           struct{ Version string }
		Screen          bool
		Width, Height   int
		Manifest        bool
	}
	if err := json.Unmarshal(m.Params, &hello); err != nil {
		s.reply(m, nil, badParams(err))
		return
	}
	*s.session = Session{Name: hello.Name, Version: hello.Shell.Version, Workspace: hello.Workspace,
		Screen: hello.Screen, Width: hello.Width, Height: hello.Height, server: s}
	commands, tools, renderers := []string{}, []string{}, []string{}
	for _, c := range s.Commands {
		commands = append(commands, c.Name)
	}
	for _, t := range s.Tools {
		tools = append(tools, t.Name)
	}
	for _, r := range s.Renderers {
		renderers = append(renderers, r.Tool)
	}
	answer := map[string]any{"protocol": protocol, "commands": commands, "tools": tools, "renderers": renderers,
		"status": s.Status != nil, "footer": s.Footer != nil, "events": append([]string{}, s.Extension.Events...)}
	if hello.Manifest {
		answer["manifest"] = s.Manifest()
	}
	s.reply(m, answer, nil)
	if s.Start != nil {
		s.running.Go(func() { _, _ = s.guard(func() (any, error) { s.Start(ctx, s.session); return nil, nil }) })
	}
}

// work starts a command or a tool call in a goroutine, which sends the response.
func (s *server) work(ctx context.Context, m message) {
	var p struct {
		Name, Args, Token string
		Input             json.RawMessage
		Screen            *bool
		Width             int
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		s.reply(m, nil, badParams(err))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.calls[p.Token] = cancel
	s.mu.Unlock()
	c := &Call{Session: s.session, Name: p.Name, Args: p.Args, Screen: s.session.Screen, Width: p.Width, token: p.Token}
	if p.Screen != nil {
		c.Screen = *p.Screen
	}
	s.running.Go(func() {
		s.answer(m, func() (any, error) {
			defer func() {
				s.mu.Lock()
				delete(s.calls, p.Token)
				s.mu.Unlock()
				cancel()
			}()
			if m.Method == "command" {
				return s.command(ctx, c)
			}
			return s.tool(ctx, c, p.Input)
		})
	})
}

// command runs a command of the extension.
func (s *server) command(ctx context.Context, c *Call) (any, error) {
	for _, one := range s.Commands {
		if one.Name == c.Name && one.Run != nil {
			reply, err := one.Run(ctx, c)
			if errors.Is(err, ErrCancelled) {
				return Reply{}, nil
			}
			return reply, err
		}
	}
	return nil, fmt.Errorf("there is no command %q", c.Name)
}

// tool runs a tool of the extension. Its error becomes a result for the model.
func (s *server) tool(ctx context.Context, c *Call, input json.RawMessage) (any, error) {
	for _, one := range s.Tools {
		if one.Name == c.Name && one.Run != nil {
			text, err := one.Run(ctx, c, input)
			if err != nil {
				return map[string]any{"text": err.Error(), "failed": true}, nil
			}
			return map[string]any{"text": text, "failed": false}, nil
		}
	}
	return nil, fmt.Errorf("there is no tool %q", c.Name)
}

// complete returns the completions for the argument of a command.
func (s *server) complete(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct{ Name, Args string }
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, badParams(err)
	}
	items := []Item{}
	for _, c := range s.Commands {
		if c.Name == p.Name && c.Complete != nil {
			items = append(items, c.Complete(ctx, p.Args)...)
		}
	}
	return map[string]any{"items": items}, nil
}

// render returns the rows of a part of the screen. The rows are nil if the shell should show that
// part as usual.
func (s *server) render(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct {
		Part, View string
		Shown
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, badParams(err)
	}
	var rows []Row
	switch {
	case p.Part == "status" && s.Status != nil:
		if row := s.Status(ctx, p.Width); row != nil {
			rows = []Row{row}
		}
	case p.Part == "footer" && s.Footer != nil:
		rows = s.Footer(ctx, p.Width)
	case p.Part == "view":
		if v, ok := s.views.Load(p.View); ok {
			rows = v.(*shownView).rows(p.Width, p.Height)
		}
	case p.Part == "call", p.Part == "result":
		for _, r := range s.Renderers {
			show := r.Call
			if p.Part == "result" {
				show = r.Result
			}
			if show != nil && (r.Tool == p.Tool || r.Tool == "*") {
				rows = show(ctx, p.Shown)
				break
			}
		}
	}
	return map[string]any{"rows": rows}, nil
}

// tellEvents calls the extension's function Event for each event, until the channel is closed.
func (s *server) tellEvents() {
	for e := range s.events {
		_, _ = s.guard(func() (any, error) { s.Event(e); return nil, nil })
	}
}

// answer calls f, which runs a function of the extension, and sends the result as the response to
// request m.
func (s *server) answer(m message, f func() (any, error)) {
	result, err := s.guard(f)
	var e *Error
	switch {
	case err == nil:
		s.reply(m, result, nil)
	case errors.As(err, &e):
		s.reply(m, nil, e)
	default:
		s.reply(m, nil, &Error{Code: -32000, Message: err.Error()})
	}
}

// guard calls f. It converts a panic to an error and prints the stack to the standard error.
func (s *server) guard(f func() (any, error)) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "panic: %v\n%s", p, debug.Stack())
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// badParams returns the JSON-RPC error for params that cannot be decoded.
func badParams(err error) *Error { return &Error{Code: -32602, Message: err.Error()} }
