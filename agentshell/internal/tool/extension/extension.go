// Package extension runs the extensions of a person: programs that speak JSON-RPC on their standard
// streams and add commands, tools, rows and questions to the shell. docs/extensions.md is the
// protocol.
//
// Nothing that such a program sends is trusted. It can add what its manifest lists and nothing
// else, its messages and rows are bounded and read at a pace, and nobody who draws waits for it:
// [Extension.Rows] returns what is there and asks beside that.
package extension

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Source says where an extension is, and what it adds.
type Source struct {
	Name     string
	Dir      string // its folder, absolute
	Manifest Manifest
	Env      []string // NAME=value, besides those of all extensions
	// Verify returns an error if the program must not be started now; nil: it may be.
	Verify    func() error
	Workspace bool // it comes with the workspace
}

// Extension is one extension. Its program runs once it is used. It is safe for use by several
// goroutines.
type Extension struct {
	Source
	service *Service
	log     *lateLog // nil: there is none
	helper  *helper.Helper[*client]
	events  chan Event

	mu      sync.Mutex
	last    int              // number of the last token
	works   map[string]*work // by token
	command bool             // one runs
	dialog  *work            // whose question is on the screen
	views   map[string]chan json.RawMessage
	frames  map[frameKey]*frame
	missed  int
	heeds   bool            // a goroutine sends events
	refused error           // why it was not started
	final   bool            // and will not be
	cut     map[string]bool // what was noted as cut
	told    bool            // the screen was told that it was given up
}

// work is a command or a call that runs.
type work struct {
	ctx      context.Context
	token    string
	late     time.Time // from then on nobody has just pressed a key for it
	progress chan string
	asks     bool // its question is on the screen
}

// The times of commands and calls.
const (
	startTime      = 10 * time.Second
	workTime       = 10 * time.Minute
	completionTime = 500 * time.Millisecond
	// ResultTime is how long the end of a call waits for its rows.
	ResultTime = 300 * time.Millisecond
	renderTime = 30 * time.Second
	// freshTime is how long a command may take until its question is one that nobody waits for.
	freshTime = 500 * time.Millisecond
)

// use returns the connection to the program, which it starts if need be.
func (e *Extension) use(ctx context.Context) (*client, func(), error) {
	if !e.helper.Ready() {
		err, final := e.Manifest.Unbuilt(e.Dir), false
		if err == nil && e.Verify != nil {
			err = e.Verify()
			final = err != nil
		}
		e.mu.Lock()
		e.refused, e.final = err, final
		e.mu.Unlock()
		if err != nil {
			return nil, nil, err
		}
	}
	return e.helper.Use(ctx)
}

// tellFailure reports whether the program was given up, and tells the screen so once: nobody has
// asked for what it shows by itself.
func (e *Extension) tellFailure() bool {
	st := e.Status()
	failed := st.State == helper.Failed
	e.mu.Lock()
	tell := failed && !e.told
	e.told = failed
	e.mu.Unlock()
	if screen, ok := e.service.screen().(Failures); ok && tell {
		screen.Failed(st)
	}
	return failed
}

// do runs a command or a call: the request method, whose params have the token that params gets. It
// gives up when ctx ends, or when the program says nothing for long.
func (e *Extension) do(ctx context.Context, method, name string, params func(token string) any,
	report func(string), result any) error {
	c, release, err := e.use(ctx)
	if err != nil {
		return err
	}
	defer release()
	fromTool, names := method == "tool", c.serves.Commands
	if fromTool {
		names = c.serves.Tools
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("the program does not serve the %s %s", method, name)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.mu.Lock()
	e.last++
	w := &work{ctx: ctx, token: string(method[0]) + strconv.Itoa(e.last), progress: make(chan string, 1)}
	if !fromTool {
		w.late = time.Now().Add(freshTime)
	}
	e.works[w.token] = w
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		delete(e.works, w.token)
		e.mu.Unlock()
	}()
	done := make(chan error, 1)
	go func() { done <- c.call(ctx, method, params(w.token), result) }()
	late := time.NewTimer(e.service.config.WorkTime)
	defer late.Stop()
	for {
		select {
		case err := <-done:
			if ctx.Err() != nil {
				c.notify("cancel", map[string]string{"token": w.token})
			}
			return e.service.config.Secrets.Error(err)
		case text := <-w.progress:
			late.Reset(e.service.config.WorkTime)
			if report != nil {
				report(e.service.config.Secrets.Redact(text))
			}
		case <-late.C:
			if e.asking(w) {
				late.Reset(e.service.config.WorkTime)
				continue
			}
			c.notify("cancel", map[string]string{"token": w.token})
			return fmt.Errorf("it has not answered within %v", e.service.config.WorkTime)
		}
	}
}

func (e *Extension) asking(w *work) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return w.asks
}

// Command runs a command. report is told of its progress.
func (e *Extension) Command(ctx context.Context, name, args string, columns int, report func(string)) (Reply, error) {
	e.mu.Lock()
	running := e.command
	e.command = true
	e.mu.Unlock()
	if running {
		return Reply{}, errors.New("a command of it still runs")
	}
	defer func() {
		e.mu.Lock()
		e.command = false
		e.mu.Unlock()
	}()
	var reply Reply
	err := e.do(ctx, "command", name, func(token string) any {
		return commandParams{Name: name, Args: args, Token: token, Screen: e.service.asker("") != nil, Width: columns}
	}, report, &reply)
	e.noteCut("the rows of /"+name, len(reply.Rows), MaxRows)
	e.noteCut("the bytes of the draft of /"+name, len(reply.Draft), maxSent)
	e.noteCut("the bytes of the message of /"+name, len(reply.Send), maxSent)
	reply.Rows = reply.Rows.bounded(MaxRows).redacted(e.service.config.Secrets.Redact)
	reply.Draft = width.Head(reply.Draft, min(len(reply.Draft), maxSent))
	reply.Send = strings.TrimSpace(width.Head(reply.Send, min(len(reply.Send), maxSent)))
	return reply, err
}

// Complete returns what the program offers for the argument of a command, in half a second.
func (e *Extension) Complete(ctx context.Context, name, args string) []Item {
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	items, _ := e.Completions(ctx, name, args)
	return items
}

// noteCut notes once that of what a program gave only a part is used.
func (e *Extension) noteCut(what string, has, most int) {
	e.mu.Lock()
	known := has <= most || e.cut[what]
	if !known {
		e.cut[what] = true
	}
	e.mu.Unlock()
	if known {
		return
	}
	text := fmt.Sprintf("%s are %d, and only the first %d are used", what, has, most)
	if trial := e.service.config.Trial; trial != nil {
		trial(text)
	} else if e.log != nil {
		_, _ = io.WriteString(e.log, "agentshell: "+text+"\n")
	}
}

// ToolReply is what a tool answers.
type ToolReply struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

// Tool calls a tool. report is told of its progress.
func (e *Extension) Tool(ctx context.Context, name string, input json.RawMessage,
	report func(string)) (ToolReply, error) {
	var reply ToolReply
	err := e.do(ctx, "tool", name, func(token string) any {
		return toolParams{Name: name, Input: input, Token: token, Screen: e.service.asker("") != nil}
	}, report, &reply)
	return reply, err
}

// heard takes a notification of the program.
func (e *Extension) heard(method string, raw json.RawMessage) {
	var params struct {
		Part, View, Token, Text string
		Value                   json.RawMessage
	}
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	switch method {
	case "changed":
		e.changed(params.Part, params.View)
	case "close":
		e.mu.Lock()
		closed := e.views[params.View]
		e.mu.Unlock()
		if params.Value == nil {
			params.Value = json.RawMessage("null")
		}
		if closed != nil {
			select {
			case closed <- params.Value:
			default:
			}
		}
	case "progress":
		e.mu.Lock()
		w := e.works[params.Token]
		e.mu.Unlock()
		if w == nil {
			return
		}
		select {
		case w.progress <- width.Head(strings.Join(strings.Fields(params.Text), " "), 200):
		default:
		}
	}
}

// openDialog takes the screen for a question, if the work that it belongs to still runs.
func (e *Extension) openDialog(q Question) (*work, Dialog, int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.works[q.Token]
	switch {
	case w == nil || w.ctx.Err() != nil:
		return nil, Dialog{}, notNow
	case e.dialog != nil:
		return nil, Dialog{}, busy
	}
	e.dialog, w.asks = w, true
	q.redact(e.service.config.Secrets.Redact)
	d := Dialog{Question: q, Extension: e.Name, Late: !time.Now().Before(w.late)}
	if q.Kind == PartView {
		closed := make(chan json.RawMessage, 1)
		e.views[q.View] = closed
		d.Closed = closed
		d.Rows = func(columns, rows int) Rows {
			return e.Rows(Asked{Part: PartView, View: q.View, Width: columns, Height: rows})
		}
		d.Key = func(key, text string) { e.key(q.View, key, text) }
	}
	return w, d, 0
}

// closeDialog gives the screen back.
func (e *Extension) closeDialog(w *work) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dialog, w.asks = nil, false
	clear(e.views)
	for key := range e.frames {
		if key.part == PartView {
			delete(e.frames, key)
		}
	}
}

// key tells the program of a key in its view.
func (e *Extension) key(view, key, text string) {
	if !e.helper.Ready() {
		return
	}
	c, release, err := e.helper.Use(context.Background())
	if err != nil {
		return
	}
	defer release()
	c.notify("key", map[string]string{"view": view, "key": key, "text": width.Head(text, maxEventText)})
}

// hears reports whether the extension is told of an event.
func (e *Extension) hears(event string) bool { return slices.Contains(e.Manifest.Events, event) }

// event tells the program of an event, beside the caller. What does not fit is left out.
func (e *Extension) event(ev Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.heeds {
		e.heeds = true
		e.service.wg.Go(e.sendEvents)
	}
	if ev.Missed = e.missed; ev.Missed > 0 {
		e.missed = 0
	}
	select {
	case e.events <- ev:
	default:
		e.missed = ev.Missed + 1
	}
}

// sendEvents sends events until the service ends.
func (e *Extension) sendEvents() {
	for {
		select {
		case ev := <-e.events:
			e.sendEvent(ev)
		case <-e.service.ending.Done():
			return
		}
	}
}

func (e *Extension) sendEvent(ev Event) {
	c, release, err := e.use(e.service.ending)
	if err != nil {
		e.tellFailure()
		return
	}
	defer release()
	if !slices.Contains(c.serves.Events, ev.Event) {
		return
	}
	if c.out.crowded() {
		e.mu.Lock()
		e.missed += ev.Missed + 1
		e.mu.Unlock()
		return
	}
	c.notify("event", ev)
}
