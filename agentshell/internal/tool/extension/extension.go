// Package extension runs the extensions of a user: programs that speak JSON-RPC on their standard
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

// Source describes where an extension is, and what it adds.
type Source struct {
	Name     string
	Dir      string // Dir is the absolute path of its folder.
	Manifest Manifest
	Env      []string // Env holds environment variables (NAME=value) in addition to those of all extensions.
	// Verify returns an error if the program must not be started now. It may be nil.
	Verify    func() error
	Workspace bool // Workspace says that the extension is part of the workspace.
}

// Extension is an extension whose program starts when it is first used. It is safe for use by
// several goroutines.
type Extension struct {
	Source
	service *Service
	log     *lateLog // log is nil if nothing is logged.
	helper  *helper.Helper[*connection]
	events  chan Event

	mu               sync.Mutex
	lastToken        int                     // lastToken is the number of the last token.
	workByToken      map[string]*runningWork // workByToken holds the running commands and tool calls by their tokens.
	isCommandRunning bool                    // isCommandRunning says that a command runs.
	// dialogWork is the command or call whose question is on the screen; nil: none.
	dialogWork      *runningWork
	viewClosed      map[string]chan json.RawMessage
	frames          map[frameKey]*partFrame
	missedEvents    int
	isSendingEvents bool // isSendingEvents says that a goroutine sends events.
	// startError is why the program was not started. isFinal says that a restart does not help.
	startError    error
	isFinal       bool            // and will not be
	notedCuts     map[string]bool // notedCuts holds what the log already says was shortened.
	isFailureTold bool            // isFailureTold says that the screen already knows of the failure.
}

// runningWork is a running command or tool call.
type runningWork struct {
	ctx   context.Context
	token string
	// expectedUntil is the time from which the user no longer expects a question of it: see
	// expectedTime.
	expectedUntil   time.Time
	progress        chan string
	isQuestionShown bool // isQuestionShown says that its question is on the screen.
}

// These are timeouts for programs of extensions.
const (
	startTimeout      = 10 * time.Second
	workTimeout       = 10 * time.Minute
	completionTimeout = 500 * time.Millisecond
	// ResultTime is how long the display of a finished tool call waits for the rows of an
	// extension.
	ResultTime    = 300 * time.Millisecond
	renderTimeout = 30 * time.Second
	// expectedTime is the time after a command was entered in which a question is expected. A
	// question that comes later must not take a key that the user presses for something else.
	expectedTime = 500 * time.Millisecond
)

// useProgram returns the connection to the program, which it starts if it does not run. The caller
// calls the returned function at the end.
func (e *Extension) useProgram(ctx context.Context) (*connection, func(), error) {
	if !e.helper.Ready() {
		err, final := e.Manifest.Unbuilt(e.Dir), false
		if err == nil && e.Verify != nil {
			err = e.Verify()
			final = err != nil
		}
		e.mu.Lock()
		e.startError, e.isFinal = err, final
		e.mu.Unlock()
		if err != nil {
			return nil, nil, err
		}
	}
	return e.helper.Use(ctx)
}

// tellFailure reports whether the program has failed for good. It tells the screen so, once,
// because the user has not asked for anything that would show the error.
func (e *Extension) tellFailure() bool {
	st := e.Status()
	failed := st.State == helper.Failed
	e.mu.Lock()
	tell := failed && !e.isFailureTold
	e.isFailureTold = failed
	e.mu.Unlock()
	if screen, ok := e.service.screen().(Failures); ok && tell {
		screen.Failed(st)
	}
	return failed
}

// runWork runs a command or a tool call: it sends the request method with the parameters that
// params returns for a new token. It calls report with progress messages. It fails if ctx ends or
// the program is silent for too long.
func (e *Extension) runWork(ctx context.Context, method, name string, params func(token string) any,
	report func(string), result any) error {
	c, release, err := e.useProgram(ctx)
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
	e.lastToken++
	w := &runningWork{ctx: ctx, token: string(method[0]) + strconv.Itoa(e.lastToken), progress: make(chan string, 1)}
	if !fromTool {
		w.expectedUntil = time.Now().Add(expectedTime)
	}
	e.workByToken[w.token] = w
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		delete(e.workByToken, w.token)
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
			if e.isAsking(w) {
				late.Reset(e.service.config.WorkTime)
				continue
			}
			c.notify("cancel", map[string]string{"token": w.token})
			return fmt.Errorf("it has not answered within %v", e.service.config.WorkTime)
		}
	}
}

func (e *Extension) isAsking(w *runningWork) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return w.isQuestionShown
}

// Command runs a command of the extension. report is called with its progress messages, and columns
// is the width of the screen. Only one command runs at a time.
func (e *Extension) Command(ctx context.Context, name, args string, columns int, report func(string)) (Reply, error) {
	e.mu.Lock()
	running := e.isCommandRunning
	e.isCommandRunning = true
	e.mu.Unlock()
	if running {
		return Reply{}, errors.New("a command of it still runs")
	}
	defer func() {
		e.mu.Lock()
		e.isCommandRunning = false
		e.mu.Unlock()
	}()
	var reply Reply
	err := e.runWork(ctx, "command", name, func(token string) any {
		return commandParams{Name: name, Args: args, Token: token, Screen: e.service.asker("") != nil, Width: columns}
	}, report, &reply)
	e.noteCut("the rows of /"+name, len(reply.Rows), MaxRows)
	e.noteCut("the bytes of the draft of /"+name, len(reply.Draft), maxSentBytes)
	e.noteCut("the bytes of the message of /"+name, len(reply.Send), maxSentBytes)
	reply.Rows = reply.Rows.bounded(MaxRows).redacted(e.service.config.Secrets.Redact)
	reply.Draft = width.Head(reply.Draft, min(len(reply.Draft), maxSentBytes))
	reply.Send = strings.TrimSpace(width.Head(reply.Send, min(len(reply.Send), maxSentBytes)))
	return reply, err
}

// Complete returns the program's completions for the argument of a command. It waits half a second
// at most.
func (e *Extension) Complete(ctx context.Context, name, args string) []Item {
	ctx, cancel := context.WithTimeout(ctx, completionTimeout)
	defer cancel()
	items, _ := e.Completions(ctx, name, args)
	return items
}

// noteCut writes to the log, once for each what, that only the first most of an answer's has items
// are used.
func (e *Extension) noteCut(what string, has, most int) {
	e.mu.Lock()
	known := has <= most || e.notedCuts[what]
	if !known {
		e.notedCuts[what] = true
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

// ToolReply is the result of a tool call.
type ToolReply struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

// Tool calls a tool. report is called with progress messages.
func (e *Extension) Tool(ctx context.Context, name string, input json.RawMessage,
	report func(string)) (ToolReply, error) {
	var reply ToolReply
	err := e.runWork(ctx, "tool", name, func(token string) any {
		return toolParams{Name: name, Input: input, Token: token, Screen: e.service.asker("") != nil}
	}, report, &reply)
	return reply, err
}

// handleNotification handles a notification of the program.
func (e *Extension) handleNotification(method string, raw json.RawMessage) {
	var params struct {
		Part, View, Token, Text string
		Value                   json.RawMessage
	}
	if json.Unmarshal(raw, &params) != nil {
		return
	}
	switch method {
	case "changed":
		e.partChanged(params.Part, params.View)
	case "close":
		e.mu.Lock()
		closed := e.viewClosed[params.View]
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
		w := e.workByToken[params.Token]
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

// openDialog reserves the screen for a question. It returns an error code instead of 0 if the
// command or call of the question has ended, or another question is shown.
func (e *Extension) openDialog(q Question) (*runningWork, Dialog, int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.workByToken[q.Token]
	switch {
	case w == nil || w.ctx.Err() != nil:
		return nil, Dialog{}, codeNotNow
	case e.dialogWork != nil:
		return nil, Dialog{}, codeBusy
	}
	e.dialogWork, w.isQuestionShown = w, true
	q.redact(e.service.config.Secrets.Redact)
	d := Dialog{Question: q, Extension: e.Name, Late: !time.Now().Before(w.expectedUntil)}
	if q.Kind == PartView {
		closed := make(chan json.RawMessage, 1)
		e.viewClosed[q.View] = closed
		d.Closed = closed
		d.Rows = func(columns, rows int) Rows {
			return e.Rows(Asked{Part: PartView, View: q.View, Width: columns, Height: rows})
		}
		d.Key = func(key, text string) { e.sendKey(q.View, key, text) }
	}
	return w, d, 0
}

// closeDialog releases the screen, and forgets the rows of views.
func (e *Extension) closeDialog(w *runningWork) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dialogWork, w.isQuestionShown = nil, false
	clear(e.viewClosed)
	for key := range e.frames {
		if key.part == PartView {
			delete(e.frames, key)
		}
	}
}

// sendKey tells the program that the user has pressed a key in its view.
func (e *Extension) sendKey(view, key, text string) {
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

// hearsEvent reports whether the extension's manifest lists an event.
func (e *Extension) hearsEvent(event string) bool { return slices.Contains(e.Manifest.Events, event) }

// queueEvent queues an event for the program. It does not wait; if the queue is full, it counts the
// event as missed.
func (e *Extension) queueEvent(ev Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.isSendingEvents {
		e.isSendingEvents = true
		e.service.wg.Go(e.sendEvents)
	}
	if ev.Missed = e.missedEvents; ev.Missed > 0 {
		e.missedEvents = 0
	}
	select {
	case e.events <- ev:
	default:
		e.missedEvents = ev.Missed + 1
	}
}

// sendEvents sends queued events until the service ends.
func (e *Extension) sendEvents() {
	for {
		select {
		case ev := <-e.events:
			e.sendEvent(ev)
		case <-e.service.lifeContext.Done():
			return
		}
	}
}

func (e *Extension) sendEvent(ev Event) {
	c, release, err := e.useProgram(e.service.lifeContext)
	if err != nil {
		e.tellFailure()
		return
	}
	defer release()
	if !slices.Contains(c.serves.Events, ev.Event) {
		return
	}
	if c.out.isCrowded() {
		e.mu.Lock()
		e.missedEvents += ev.Missed + 1
		e.mu.Unlock()
		return
	}
	c.notify("event", ev)
}
