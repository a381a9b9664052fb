package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// turnView shows the events of one turn as transcript blocks. It is used on the goroutine of that
// turn only.
type turnView struct {
	sh          *Shell
	ctx         context.Context // Ends when the turn is stopped.
	replays     bool            // The events are those of a stored conversation that is shown again.
	queuedBytes int             // The number of bytes of text since the last frame.
	lastStatus  string          // The text that the status row got last.
	lastFailure string          // The error of the last failed request to the model; "": the last one succeeded.
	// The content of the open text block; nil: none is open.
	text       *markdown.Document
	block      *tui.Block // The open text block.
	isThinking bool       // The open text block shows the model's thinking, not its answer.
	hasText    bool       // Text of the current answer was shown.
	// The running calls that have a block, by the id of the call.
	calls          map[string]*callBlock
	agentCalls     map[string]bool   // The ids of running calls that have started agents.
	proposedTitles map[string]string // The titles of calls that wait for approval, by the id of the call.
	// The arguments of calls whose blocks an extension may draw, by the id of the call.
	inputs map[string]agent.ToolCall
	// The event that ends the turn was shown.
	ended bool
}

// callBlock holds a tool call and its block in the transcript.
type callBlock struct {
	call  *call
	block *tui.Block
	reads *readRow // The block of reads that the call belongs to; nil: it has a block of its own.
}

// handleEvent shows one event of the turn.
func (t *turnView) handleEvent(ev agent.Event) {
	switch ev := ev.(type) {
	case agent.Text:
		t.streamText(ev.Delta, false)
	case agent.Thinking:
		t.setStatus("thinking")
		if t.sh.showsThinking() {
			t.streamText(ev.Delta, true)
		}
	case agent.TextWasThinking:
		t.recast(ev)
	case agent.ToolStream:
		if ev.Name != "" {
			t.closeText()
			name, _ := clipLine(ev.Name)
			t.setStatus("writing a call to " + name)
			t.pace(0)
		}
	case agent.MessageEnd:
		t.closeText()
		t.hasText, t.lastFailure = false, ""
	case agent.ToolCall:
		t.noteInput(ev)
	case agent.ToolStart:
		t.closeText()
		t.setStatus("working")
		switch {
		case ev.Proposal == nil && ev.Name == tool.ReadName:
			t.startRead(ev.ID, ev.Title)
		case ev.Proposal == nil:
			t.startCall(ev.ID, ev.Title)
		default:
			t.proposedTitles[ev.ID] = ev.Title
		}
	case agent.Approval:
		if p := ev.Proposal; p != nil && ev.Decision.Allow {
			if c, ok := p.Payload.(approval.Command); ok {
				title := "bash " + c.Command
				if p.Tool != "bash" {
					title = t.proposedTitles[ev.Call]
				}
				t.startCall(ev.Call, title)
			}
			if _, foreign := p.Payload.(approval.Generic); foreign { // it may tell how far it is
				t.startCall(ev.Call, t.proposedTitles[ev.Call])
			}
		}
	case agent.ToolProgress:
		if c := t.calls[ev.ID]; c != nil {
			c.block.Update(func() { c.call.appendOutput(ev.Text) })
			t.pace(len(ev.Text))
		}
	case agent.ToolEnd:
		t.sh.app.Do(func() { t.sh.askers.callEnded("", ev) })
		t.endCall(ev)
		t.pace(0)
	case agent.Usage:
		t.sh.app.Do(func() {
			t.sh.ownBill.add(ev)
			t.sh.gauge.addUsage(ev)
		})
	case agent.Compacting:
		t.closeText()
		t.setStatus("compacting")
	case agent.Compacted:
		t.setStatus("working")
		t.sh.app.Do(func() {
			t.sh.gauge.used, t.sh.gauge.window = ev.After, ev.Window
			if ev.Text != "" {
				t.sh.copies.title, t.sh.copies.output = "compacted", ev.Text
			}
		})
		t.sh.addBlock(notice, compactedBlock(ev))
	case agent.Reported:
		t.closeText()
		t.sh.app.Do(func() {
			t.sh.gauge.used, t.sh.gauge.window = ev.After, ev.Window
			t.sh.copies.title, t.sh.copies.output = "report", ev.Text
		})
		t.sh.addBlock(notice, rewoundBlock(ev))
	case agent.Retry:
		t.showRetry(ev)
	case agent.Retracted:
		t.retract(ev)
	case agent.Notice:
		t.closeText()
		t.sh.addBlock(notice, problem(ev.Text))
	case agent.TurnEnd:
		t.endTurn(ev)
	}
}

// Limits of the text that one frame adds. The model's output waits for the frame then, so that
// drawing a frame takes little time and keys never wait longer than for one frame.
const (
	frameBytes = 16 << 10
	eventBytes = 64 // The number of bytes that an event counts in addition to its text.
)

// pace waits until a frame is shown if n more bytes of text fill one. So the user can still stop a
// model that sends very much. A replay waits only until the frame is written. A stopped turn does
// not wait.
func (t *turnView) pace(n int) {
	if t.queuedBytes += n + eventBytes; t.queuedBytes < frameBytes {
		return
	}
	t.queuedBytes = 0
	if t.replays {
		_ = t.sh.app.Flush(t.ctx)
	} else {
		_ = t.sh.app.WaitShown(t.ctx)
	}
}

// setStatus sets the text of the status row, unless the turn was stopped.
func (t *turnView) setStatus(text string) {
	if text == t.lastStatus {
		return
	}
	t.lastStatus = text
	t.sh.app.Do(func() {
		if !t.sh.stopped {
			t.sh.status.Text = text
		}
	})
}

// streamText shows text of the model, at most frameBytes in one frame. Once the turn is stopped it
// drops the remaining text.
func (t *turnView) streamText(delta string, thinking bool) {
	for {
		n := min(len(delta), frameBytes)
		for n < len(delta) && !utf8.RuneStart(delta[n]) {
			n--
		}
		t.writeText(delta[:n], thinking)
		t.pace(n)
		if delta = delta[n:]; delta == "" || t.ctx.Err() != nil {
			return
		}
	}
}

// writeText appends text of the model to the open text block, or opens such a block.
func (t *turnView) writeText(delta string, thinking bool) {
	if t.text != nil && t.isThinking != thinking {
		t.closeText()
	}
	if t.text == nil {
		if strings.TrimSpace(delta) == "" { // a block begins with its first visible letter
			return
		}
		if !thinking {
			t.hasText = true
			t.setStatus("working")
		}
		t.isThinking = thinking
		t.block = t.sh.openBlock(answer, func(gap bool) tui.Component {
			t.text = &markdown.Document{Gap: gap, Dim: thinking, Breaks: true}
			return t.text
		})
	}
	text := t.text
	t.block.Update(func() { _, _ = text.Write([]byte(delta)) })
}

// closeText closes the open text block, if there is one. The block does not change any more.
func (t *turnView) closeText() {
	if t.text == nil {
		return
	}
	text, sh := t.text, t.sh
	t.block.Update(func() {
		if !text.Dim {
			sh.copies.answer = text.Source()
			sh.copies.code = cmp.Or(markdown.LastCode(sh.copies.answer), sh.copies.code)
		}
	})
	t.block.Done()
	t.text, t.block = nil, nil
}

// retract removes the open text block from the screen, because the model's answer is discarded.
// Rows in the scrollback stay; a notice says that they do not count.
func (t *turnView) retract(ev agent.Retracted) {
	if t.text != nil {
		t.block.Abort("")
		t.text, t.block = nil, nil
	}
	t.hasText = false
	t.setStatus("working")
	t.sh.addBlock(notice, problem(ev.Line()))
	t.pace(0)
}

// recast removes the open text block from the screen, except for rows in the scrollback, and shows
// its text as thinking: the model's server has sent thinking as if it were the answer.
func (t *turnView) recast(ev agent.TextWasThinking) {
	if t.text != nil {
		t.block.Abort(ev.Line())
		t.text, t.block = nil, nil
	}
	t.hasText = false
	if t.sh.showsThinking() {
		t.streamText(ev.Text, true)
		t.closeText()
	}
	t.pace(0)
}

// capitalizeFirst returns text with a capital first letter.
func capitalizeFirst(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// retryDelay returns a waiting time as the screen shows it, such as "30s" or "5 min".
func retryDelay(d time.Duration) string {
	if d < 2*time.Minute {
		return tui.Elapsed(d + time.Second - 1)
	}
	return fmt.Sprintf("%d min", (d+time.Minute-1)/time.Minute)
}

// startCall opens the transcript block of a call that begins to run.
func (t *turnView) startCall(id, title string) {
	if t.startsAgents(title) {
		t.startAgents(id, title)
		return
	}
	c := &call{title: displayTitle(title), rows: t.callRows(id)}
	block := t.sh.openBlock(toolCall, func(gap bool) tui.Component {
		if gap {
			return gapped{c}
		}
		return c
	})
	t.calls[id] = &callBlock{call: c, block: block}
	t.sh.app.Do(func() { t.sh.addPaged(&paged{title: c.title, live: c}) })
}

// startRead shows a call that reads a file, in the open block of reads.
func (t *turnView) startRead(id, title string) {
	c := &call{title: displayTitle(title)}
	r := t.sh.addRead(c)
	t.calls[id] = &callBlock{call: c, block: r.block, reads: r}
	t.sh.app.Do(func() { t.sh.addPaged(&paged{title: c.title, live: c}) })
}

// end shows the end of the call. shown are rows that an extension has made for it, or nil.
func (c *callBlock) end(sh *Shell, ev agent.ToolEnd, shown extension.Rows) {
	if c.reads != nil {
		sh.endRead(c.reads, ev)
	} else {
		diff := sh.diffs.add(ev)
		c.block.Update(func() {
			c.call.diff = diff
			ended := withPrinted(ev, c.call)
			c.call.ended, c.call.shown = &ended, shown
		})
		c.block.Done()
	}
	sh.app.Do(func() { sh.setPagedResult(c.call, ev) })
}

// startsAgents reports whether a call of that title starts agents.
func (t *turnView) startsAgents(title string) bool {
	return t.sh.cfg.Crew != nil && !t.replays && (title == tool.TaskName || strings.HasPrefix(title, tool.TaskName+" "))
}

// startAgents adds the block of a call that starts agents. The block never changes: rows above the
// prompt show what the agents do, and each agent gets a block of its own at its end.
func (t *turnView) startAgents(id, title string) {
	t.sh.addBlock(toolCall, func(s tui.Space) []tui.Line {
		return titleRows(s, s.Look().Glyphs.Tool, s.Look().Accent, title, "")
	})
	if t.agentCalls == nil {
		t.agentCalls = map[string]bool{}
	}
	t.agentCalls[id] = true
	t.sh.app.Do(func() { t.sh.agents.calls++ })
}

// endAgents notes the end of a call that has started agents. It first waits until the results of
// the agents are shown, so that they come before later blocks.
func (t *turnView) endAgents(ev agent.ToolEnd) {
	delete(t.agentCalls, ev.ID)
	t.sh.agents.feed.Sync()
	t.sh.app.Do(func() {
		t.sh.agents.calls--
		t.sh.setPagedResult(nil, ev)
	})
	if !ev.OK && ev.Kind != agent.KindInterrupted {
		t.sh.addBlock(toolCall, endedCall(ev))
	}
}

// endCall shows the result of a call. A call that the user had to approve gets its block only now,
// except for commands and calls of foreign tools.
func (t *turnView) endCall(ev agent.ToolEnd) {
	if list, ok := ev.Result.Data.(todo.List); ok {
		t.sh.app.Do(func() { t.sh.todoList = list })
	}
	if text, truncated := fullOutput(ev); truncated {
		t.sh.app.Do(func() { t.sh.copies.title, t.sh.copies.output = ev.Title, text })
	}
	if t.agentCalls[ev.ID] {
		t.endAgents(ev)
		return
	}
	defer t.sh.showPictures(ev.Result.Images)
	shown, forget := t.resultRows(ev)
	defer forget()
	if c := t.calls[ev.ID]; c != nil {
		delete(t.calls, ev.ID)
		c.end(t.sh, ev, shown)
		return
	}
	if ev.Name == tool.ReadName && ev.OK && ev.Proposal == nil { // of a resumed conversation
		t.startRead(ev.ID, ev.Title)
		t.calls[ev.ID].end(t.sh, ev, nil)
		delete(t.calls, ev.ID)
		return
	}
	t.sh.app.Do(func() { t.sh.setPagedResult(nil, ev) })
	kind := fileChange
	switch p := ev.Proposal; {
	case p == nil:
		kind = toolCall
	case !p.Diff.Identical():
		t.sh.app.Do(func() { t.sh.copies.change = p })
	}
	t.sh.addBlock(kind, endedCallAs(ev, shown, t.sh.diffs.add(ev)))
}

// endTurn ends what is still open, and shows why the turn ended unless it ended well.
func (t *turnView) endTurn(ev agent.TurnEnd) {
	t.ended = true
	t.closeText()
	for range t.agentCalls {
		t.sh.app.Do(func() { t.sh.agents.calls-- })
	}
	for id, c := range t.calls { // a call without an end: the turn broke
		delete(t.calls, id)
		end := agent.ToolEnd{ID: id, Title: c.call.title, Kind: agent.KindInterrupted, Text: "interrupted"}
		c.end(t.sh, end, nil)
	}
	switch ev.Reason {
	case agent.Interrupted:
		t.sh.addBlock(notice, paragraphs(true, "stopped"))
	case agent.Limit:
		t.sh.addBlock(notice, limitBlock(ev.Limit))
	case agent.Failed, agent.Mismatch:
		what, means, do := explainError(ev.Err)
		t.sh.addBlock(notice, problem(what, means, do))
	}
}

// explainError returns the texts about the error that ended a turn: what happened, what that means
// for the conversation, and what the user can do.
func explainError(err error) (event, means, advice string) {
	event, means = "The turn failed.", "Your message is kept."
	advice = "Send another message to try again."
	if err == nil {
		return event, means, advice
	}
	event = "The turn failed: " + err.Error()
	var (
		e *provider.Error
		x *provider.Excess
	)
	switch {
	case errors.As(err, &x):
		return "The answer was cut off: " + x.What + ".",
			"What it said so far is kept; its tool calls were not run.",
			"Send another message to continue."
	case errors.Is(err, provider.ErrOtherConversation):
		return event, "The script was written for another conversation.",
			"Restart, or fix the script at that line."
	case !errors.As(err, &e):
		return event, means, advice
	}
	event = capitalizeFirst(err.Error())
	switch {
	case e.Advice != "":
		advice = e.Advice
	case e.Status == 401 || e.Status == 403:
		advice = "Set a valid key and start again: agentshell doctor says where the key comes from, and " +
			"agentshell -c goes on here."
	case e.Status == 404:
		advice = "Choose another model with /model, then send a message to continue."
	case e.TooLong || e.Status == 413:
		advice = "/compact makes the conversation smaller, /clear starts over."
	case e.Status == 429 || e.Status == 529:
		advice = "Wait a moment, then send a message to continue."
		if e.RetryAfter > 0 {
			advice = "The provider asks to wait " + retryDelay(e.RetryAfter) + ". Send a message to continue then."
		}
	case e.Status == 0:
		advice = "Check that the server runs, and your network, then send a message to continue."
	}
	return event, means, advice
}
