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

// turnView shows the events of one turn as blocks. It is used on the goroutine of the turn only.
type turnView struct {
	sh             *Shell
	ctx            context.Context // of the turn
	replays        bool            // the turn is shown again after its end
	queuedBytes    int             // since the last frame
	lastStatus     string          // text of the last status
	lastFailure    string          // of the last attempt to get an answer
	text           *markdown.Document
	block          *tui.Block // the block of text
	isThinking     bool       // text holds thinking, not an answer
	hasText        bool       // visible text of the message was shown
	calls          map[string]*callBlock
	agentCalls     map[string]bool           // the ids of calls that let agents work
	proposedTitles map[string]string         // by the id of the call
	inputs         map[string]agent.ToolCall // of calls that an extension may show, by their ids
	ended          bool
}

// callBlock is a call and its block in the transcript.
type callBlock struct {
	call  *call
	block *tui.Block
	reads *readRow // nil: it is no read
}

// handleEvent shows one event.
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

// How much of a turn a frame shows. The model waits for the frame then. So each View has little
// to do, and keys wait for no more than one frame.
const (
	frameBytes = 16 << 10
	eventBytes = 64 // what an event counts in addition to its text
)

// pace waits for a frame once n more bytes fill one. A model that sends very much gets a frame
// after the ordinary time, so that the person can stop it. A replay does not wait that long. A
// stopped turn does not wait.
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

// setStatus changes the text of the status row.
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

// streamText writes text of the model in parts that fit into a frame. After a stop it drops all but
// the first part.
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

// writeText adds text to the open block, or opens one.
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

// closeText makes the open text block final.
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

// retract removes the open text block from the screen, except for rows that are in history. A
// notice tells that those do not count.
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

// recast takes the text that is open back, as far as it is not in history, and shows it as the
// thinking that it was.
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

// retryDelay returns a waiting time for the screen, such as "30s" or "5 min".
func retryDelay(d time.Duration) string {
	if d < 2*time.Minute {
		return tui.Elapsed(d + time.Second - 1)
	}
	return fmt.Sprintf("%d min", (d+time.Minute-1)/time.Minute)
}

// startCall opens the block of a running call.
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

// startRead shows a file that is being read.
func (t *turnView) startRead(id, title string) {
	c := &call{title: displayTitle(title)}
	r := t.sh.addRead(c)
	t.calls[id] = &callBlock{call: c, block: r.block, reads: r}
	t.sh.app.Do(func() { t.sh.addPaged(&paged{title: c.title, live: c}) })
}

// end shows the end of the call, with the rows of an extension if they are not nil.
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

// startsAgents reports whether a call with that title lets agents work.
func (t *turnView) startsAgents(title string) bool {
	return t.sh.cfg.Crew != nil && !t.replays && (title == tool.TaskName || strings.HasPrefix(title, tool.TaskName+" "))
}

// startAgents shows that a call has started agents. Its block is complete: what they do stands
// above the prompt, and what came of each is a block of its own.
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

// endAgents records that a call that has started agents has ended. What came of each agent is shown
// before anything that follows.
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

// endCall shows the result of a call. A call that the person decided gets its block only now.
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

// endTurn shows why the turn ended, if the person has to know.
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

// explainError returns what happened, what that means and what to do.
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
