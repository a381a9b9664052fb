package extension

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These are the error codes of the protocol.
const (
	codeUnknownMethod = jsonrpc2.CodeMethodNotFound
	codeBadParams     = jsonrpc2.CodeInvalidParams
	codeNoScreen      = 1
	codeNotNow        = 2
	codeBusy          = 3
	codeTooLarge      = 4
)

// NoScreen is the text of the error for a question when there is no screen to show it on.
const NoScreen = "no screen"

// maxErrorBytes is the number of bytes that are reported of a program's error message.
const maxErrorBytes = 300

// connection is a connection to the running program of an extension.
type connection struct {
	conn    *jsonrpc2.Conn
	out     *outbox
	process *helper.Process
	serves  registeredNames
	// trial is called with a description of each fault in the program's answers; nil: faults are
	// not reported.
	trial func(text string)
}

// connect opens the connection to a program that has just started, and sends the initialize
// request.
func (e *Extension) connect(ctx context.Context, p *helper.Process) (*connection, error) {
	c := &connection{process: p, out: newOutbox(p), trial: e.service.config.Trial}
	c.conn = jsonrpc2.NewConn(context.WithoutCancel(ctx), c.out, handler{e, c},
		jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	w, h := e.service.size()
	hello := initializeParams{Protocol: Protocol, Shell: shellName{"agentshell", e.service.config.Version},
		Name:      e.Name,
		Workspace: e.service.config.Dir, Screen: e.service.screen() != nil, Width: w, Height: h,
		Manifest: e.service.config.Trial != nil}
	if err := c.call(ctx, "initialize", hello, &c.serves); err != nil {
		return nil, err
	}
	if err := e.Manifest.checkRegistered(c.serves); err != nil {
		return nil, err
	}
	go func() {
		<-p.Gone()
		e.programEnded()
	}()
	return c, nil
}

// checkRegistered returns an error if the program registers a command, a tool or something else
// that its manifest does not list.
func (m Manifest) checkRegistered(s registeredNames) error {
	if s.Protocol != Protocol {
		return fmt.Errorf("it speaks version %d of the protocol, not %d", s.Protocol, Protocol)
	}
	var commands, tools, renderers []string
	for _, c := range m.Commands {
		commands = append(commands, c.Name)
	}
	for _, t := range m.Tools {
		tools = append(tools, t.Name)
	}
	for _, r := range m.Renderers {
		renderers = append(renderers, r.Tool)
	}
	for _, l := range []struct {
		what          string
		has, declared []string
	}{{"command", s.Commands, commands}, {"tool", s.Tools, tools}, {"renderer of", s.Renderers, renderers},
		{"event", s.Events, m.Events}} {
		for _, name := range l.has {
			if !slices.Contains(l.declared, name) {
				return fmt.Errorf("it registers the %s %s, which %s does not list", l.what, width.Head(name, 40),
					ManifestName)
			}
		}
	}
	for field, more := range map[string]bool{"status": s.Status && !m.Status, "footer": s.Footer && !m.Footer} {
		if more {
			return fmt.Errorf("it registers a %s, which %s does not list: %[1]s = true is missing", field, ManifestName)
		}
	}
	return nil
}

// refusedError is an error that the program sent as the answer to a request.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return e.text }

// call sends a request and decodes the answer into result; nil discards it.
func (c *connection) call(ctx context.Context, method string, params, result any) error {
	var raw json.RawMessage
	err := c.conn.Call(ctx, method, params, &raw)
	if err == nil && result != nil && raw != nil {
		err = json.Unmarshal(raw, result)
		c.tellUnknown(method, raw, result)
	}
	var refused *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errLarge):
		return err
	case errors.As(err, &refused):
		return &refusedError{firstLine(refused.Message)}
	}
	if why := c.process.Why(); why != nil {
		return fmt.Errorf("the extension has ended: %w", why)
	}
	return fmt.Errorf("it answered %s with what cannot be read: %s", method, firstLine(err.Error()))
}

// tellUnknown reports a field of an answer that the protocol does not define, if the client has a
// trial. like is a value of the answer's type.
func (c *connection) tellUnknown(method string, answer json.RawMessage, like any) {
	if c.trial == nil {
		return
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	err := d.Decode(reflect.New(reflect.TypeOf(like).Elem()).Interface())
	if field, unknown := strings.CutPrefix(fmt.Sprint(err), "json: unknown field "); unknown {
		c.trial("the answer to " + method + " has the field " + field + ", which the protocol does not have")
	}
}

func (c *connection) notify(method string, params any) {
	_ = c.conn.Notify(context.Background(), method, params)
}

// shutdown sends the waiting events and asks the program to end.
func (e *Extension) shutdown(c *connection) {
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	for waits := true; waits; {
		select {
		case ev := <-e.events:
			c.notify("event", ev)
		default:
			waits = false
		}
	}
	if e.service.isClosed() && slices.Contains(c.serves.Events, SessionEnd) {
		c.notify("event", Event{Event: SessionEnd})
	}
	_ = c.call(ctx, "shutdown", struct{}{}, nil)
}

// firstLine returns the first line of an error message, cut after maxErrorBytes bytes.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "it answers with an error without a text"
	}
	if len(line) > maxErrorBytes {
		line = width.Head(line, maxErrorBytes) + "…"
	}
	return line
}

// handler handles requests and notifications of a program. It never waits.
type handler struct {
	extension *Extension
	client    *connection
}

// Handle implements jsonrpc2.Handler.
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	params := json.RawMessage("{}")
	if r.Params != nil {
		params = *r.Params
	}
	switch {
	case r.Notif:
		h.extension.handleNotification(r.Method, params)
	case r.Method == "show":
		h.show(ctx, conn, r.ID, params)
	default:
		_ = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: codeUnknownMethod, Message: "unknown method"})
	}
}

// show handles the request show: it asks the user a question on another goroutine, which sends the
// answer.
func (h handler) show(ctx context.Context, conn *jsonrpc2.Conn, id jsonrpc2.ID, params json.RawMessage) {
	refuse := func(code int64, text string) {
		_ = conn.ReplyWithError(ctx, id, &jsonrpc2.Error{Code: code, Message: text})
	}
	var q Question
	if err := json.Unmarshal(params, &q); err != nil {
		refuse(codeBadParams, firstLine(err.Error()))
		return
	}
	if text, code := q.findProblem(); text != "" {
		refuse(code, text)
		return
	}
	asker := h.extension.service.asker(q.Kind)
	if asker == nil {
		refuse(codeNoScreen, NoScreen)
		return
	}
	w, d, code := h.extension.openDialog(q)
	switch code {
	case codeNotNow:
		refuse(codeNotNow, "not now")
		return
	case codeBusy:
		refuse(codeBusy, "busy")
		return
	}
	go func() {
		value, err := asker.Show(w.ctx, d)
		h.extension.closeDialog(w)
		if err != nil {
			_ = conn.Reply(ctx, id, map[string]bool{"cancelled": true})
			return
		}
		_ = conn.Reply(ctx, id, map[string]json.RawMessage{"value": value})
	}()
}
