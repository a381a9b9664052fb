package shell

import (
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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// turns runs one turn after the other until ctx ends. It is the app's Main.
func (sh *Shell) turns(ctx context.Context, ag Agent) error {
	sh.branches()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-sh.inbox:
			turn, cancel := context.WithCancel(ctx)
			sh.app.Do(func() {
				sh.running = cancel
				if sh.stopped { // before it began
					cancel()
				}
			})
			if m.work != nil {
				then := m.work(turn)
				cancel()
				sh.branches()
				sh.app.Do(func() {
					sh.free()
					then()
					sh.next()
					sh.entitle()
				})
				continue
			}
			began := time.Now()
			t := &turnView{sh: sh, ctx: turn, calls: make(map[string]*callBlock), asked: make(map[string]string)}
			err := sh.run(turn, ag, m, t.event)
			cancel()
			t.close()
			if err != nil && !t.ended {
				sh.append(notice, problem("The turn could not run: "+err.Error()))
			}
			t.advise(ctx)
			took := time.Since(began)
			sh.branches()
			sh.app.Do(func() { sh.over(took) })
		}
	}
}

// submit takes a message or a command from the prompt, on the loop.
func (sh *Shell) submit(text string) {
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") {
		sh.command(strings.TrimSpace(text))
		return
	}
	sh.send(typed(text))
}

// send begins a turn with a message, or lets it wait, on the loop.
func (sh *Shell) send(m message) {
	switch {
	case m.text == "":
	case sh.busy():
		sh.queue = append(sh.queue, m)
	default:
		sh.begin(m)
	}
}

// busy reports whether a turn runs or is about to.
func (sh *Shell) busy() bool { return sh.status.Text != "" }

// begin starts a turn, on the loop.
func (sh *Shell) begin(m message) {
	sh.parting = false
	sh.stopped = false
	sh.editor.Placeholder = ""
	if !m.quiet {
		sh.append(person, said(m.String()))
	}
	sh.status = tui.Status{Text: "working", Hint: sh.cfg.Keys.Say("{stop} stops")}
	sh.entitle()
	sh.inbox <- m
}

// long is how long a turn takes of which the person is told when it ends: they may look elsewhere
// by then.
const long = 20 * time.Second

// over ends a turn that took so long, on the loop.
func (sh *Shell) over(took time.Duration) {
	if took >= long && !sh.stopped && len(sh.queue) == 0 {
		sh.app.Notify("scrollkeep", "The turn has ended.")
	}
	sh.free()
	sh.next()
	sh.entitle()
}

// free says that nothing runs any more, on the loop.
func (sh *Shell) free() {
	sh.running, sh.status, sh.stopped, sh.brief = nil, tui.Status{}, false, false
}

// next begins the turn that waits, on the loop.
func (sh *Shell) next() {
	if len(sh.queue) > 0 && !sh.busy() {
		m := sh.queue[0]
		sh.queue = sh.queue[1:]
		sh.begin(m)
	}
}

// stop stops the turn and gives queued messages back to the prompt (SH-25), on the loop.
func (sh *Shell) stop() {
	if !sh.busy() {
		return
	}
	sh.stopped = true
	sh.status.Text, sh.status.Hint = "stopping", ""
	if sh.running != nil {
		sh.running()
	}
	if len(sh.queue) > 0 {
		var back string
		for i, m := range sh.queue {
			if i > 0 {
				back += "\n\n"
			}
			back += m.String()
		}
		if draft := sh.editor.Text(); strings.TrimSpace(draft) != "" {
			back += "\n\n" + draft
		}
		sh.queue = nil
		sh.editor.SetText(back)
	}
}

// turnView maps the events of one turn to blocks. It lives on the goroutine of the turn.
type turnView struct {
	sh       *Shell
	ctx      context.Context // of the turn
	replays  bool            // it is over, and shown again
	ahead    int             // what was queued since the last frame, in bytes
	state    string          // what status said last
	text     *markdown.Document
	block    *tui.Block // of text
	thoughts bool       // text is thinking
	said     bool       // the message has visible text
	calls    map[string]*callBlock
	asked    map[string]string // titles of calls that were proposed, by their ids
	ended    bool
	approved int // commands, by the person
}

// advise tells the person what is to be known after the commands that they approved.
func (t *turnView) advise(ctx context.Context) {
	if t.approved == 0 || t.sh.cfg.Advise == nil {
		return
	}
	if text := t.sh.cfg.Advise(ctx, t.approved); text != "" {
		t.sh.append(notice, words(true, text))
	}
}

// callBlock is a call on the screen.
type callBlock struct {
	call  *call
	block *tui.Block
}

// event takes one event.
func (t *turnView) event(ev agent.Event) {
	switch ev := ev.(type) {
	case agent.Text:
		t.stream(ev.Delta, false)
	case agent.Thinking:
		t.status("thinking")
		if t.sh.cfg.Look.Thinking {
			t.stream(ev.Delta, true)
		}
	case agent.ToolStream:
		if ev.Name != "" {
			t.close()
			name, _ := clip(ev.Name)
			t.status("writing a call to " + name)
			t.pace(0)
		}
	case agent.MessageEnd:
		t.close()
		t.said = false
	case agent.ToolStart:
		t.close()
		t.status("working")
		if ev.Proposal == nil {
			t.start(ev.ID, ev.Title)
		} else {
			t.asked[ev.ID] = ev.Title
		}
	case agent.Approval:
		if p := ev.Proposal; p != nil && ev.Decision.Allow {
			if c, ok := p.Payload.(approval.Command); ok {
				t.start(ev.Call, "bash "+c.Command)
				if ev.Decision.By == "person" {
					t.approved++
				}
			}
			if _, foreign := p.Payload.(approval.Generic); foreign { // it may tell how far it is
				t.start(ev.Call, t.asked[ev.Call])
			}
		}
	case agent.ToolProgress:
		if c := t.calls[ev.ID]; c != nil {
			c.block.Update(func() { c.call.write(ev.Text) })
			t.pace(len(ev.Text))
		}
	case agent.ToolEnd:
		t.end(ev)
		t.pace(0)
	case agent.Usage:
		t.sh.app.Do(func() {
			t.sh.spent += ev.Input + ev.Output
			t.sh.gauge.use(ev)
		})
	case agent.Compacting:
		t.close()
		t.status("compacting")
	case agent.Compacted:
		t.status("working")
		t.sh.app.Do(func() {
			t.sh.gauge.used, t.sh.gauge.window = ev.After, ev.Window
			if ev.Text != "" {
				t.sh.copies.title, t.sh.copies.output = "compacted", ev.Text
			}
		})
		t.sh.append(notice, compacted(ev))
	case agent.Reported:
		t.close()
		t.sh.app.Do(func() {
			t.sh.gauge.used, t.sh.gauge.window = ev.After, ev.Window
			t.sh.copies.title, t.sh.copies.output = "report", ev.Text
		})
		t.sh.append(notice, reported(ev))
	case agent.Retry:
		t.retry(ev)
	case agent.Retracted:
		t.retract(ev)
	case agent.Notice:
		t.close()
		t.sh.append(notice, problem(ev.Text))
	case agent.TurnEnd:
		t.finish(ev)
	}
}

// What a frame takes of a turn: the model waits for it then. So each View has little to do, and
// keys are never behind more than that.
const (
	frameBytes = 16 << 10
	eventBytes = 64 // that an event counts beside its text
)

// pace waits for a frame once enough was queued for it; not when the turn was stopped. A model that
// floods gets a frame every 33 ms, so that a person can stop it; what is replayed waits for none.
func (t *turnView) pace(n int) {
	if t.ahead += n + eventBytes; t.ahead < frameBytes {
		return
	}
	t.ahead = 0
	if t.replays {
		_ = t.sh.app.Flush(t.ctx)
	} else {
		_ = t.sh.app.Shown(t.ctx)
	}
}

// status says what the turn is at.
func (t *turnView) status(text string) {
	if text == t.state {
		return
	}
	t.state = text
	t.sh.app.Do(func() {
		if !t.sh.stopped {
			t.sh.status.Text = text
		}
	})
}

// stream writes text of the model in parts that fit a frame. What comes in one piece with the stop
// is not shown beyond the first one.
func (t *turnView) stream(delta string, thoughts bool) {
	for {
		n := min(len(delta), frameBytes)
		for n < len(delta) && !utf8.RuneStart(delta[n]) {
			n--
		}
		t.write(delta[:n], thoughts)
		t.pace(n)
		if delta = delta[n:]; delta == "" || t.ctx.Err() != nil {
			return
		}
	}
}

// write adds a part to the text that is open, or opens one.
func (t *turnView) write(delta string, thoughts bool) {
	if t.text != nil && t.thoughts != thoughts {
		t.close()
	}
	if t.text == nil {
		if strings.TrimSpace(delta) == "" { // a block begins with its first visible letter
			return
		}
		if !thoughts {
			t.said = true
			t.status("working")
		}
		t.thoughts = thoughts
		t.block = t.sh.block(prosaic, func(gap bool) tui.Component {
			t.text = &markdown.Document{Gap: gap, Dim: thoughts, Breaks: true}
			return t.text
		})
	}
	text := t.text
	t.block.Update(func() { _, _ = text.Write([]byte(delta)) })
}

// close makes the text final.
func (t *turnView) close() {
	if t.text == nil {
		return
	}
	text, sh := t.text, t.sh
	t.block.Update(func() {
		if !text.Dim {
			sh.copies.answer = text.Source()
		}
	})
	t.block.Done()
	t.text, t.block = nil, nil
}

// retract takes the text that is open back, as far as it is not in history. What is there stays;
// the notice below says that it does not count.
func (t *turnView) retract(ev agent.Retracted) {
	if t.text != nil {
		t.block.Abort("")
		t.text, t.block = nil, nil
	}
	t.said = false
	t.status("working")
	t.sh.append(notice, problem(ev.Line()))
	t.pace(0)
}

// retry says that an attempt failed, and when the next one follows.
func (t *turnView) retry(ev agent.Retry) {
	said := t.said
	t.close()
	t.said = false
	next := fmt.Sprintf("Retrying in %s (attempt %d of %d)", tui.Elapsed(ev.Wait+time.Second-1), ev.Attempt, ev.Of)
	if said {
		next += "; the partial answer above is discarded"
	}
	t.sh.append(notice, problem(sentence(ev.Err.Error()), next+t.sh.cfg.Keys.Say(". {stop} stops.")))
}

// sentence returns text with a capital letter.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// waiting returns a time that a provider asks for, in the unit that matters.
func waiting(d time.Duration) string {
	if d < 2*time.Minute {
		return tui.Elapsed(d + time.Second - 1)
	}
	return fmt.Sprintf("%d min", (d+time.Minute-1)/time.Minute)
}

// start shows a call at work.
func (t *turnView) start(id, title string) {
	c := &call{title: shownTitle(title)}
	block := t.sh.block(tooling, func(gap bool) tui.Component {
		if gap {
			return gapped{c}
		}
		return c
	})
	t.calls[id] = &callBlock{c, block}
	t.sh.app.Do(func() { t.sh.pages(&paged{title: c.title, live: c}) })
}

// end shows what came of a call. One that the person decided on appears only now.
func (t *turnView) end(ev agent.ToolEnd) {
	if list, ok := ev.Result.Data.(todo.List); ok {
		t.sh.app.Do(func() { t.sh.todo = list })
	}
	if text, cut := whole(ev); cut {
		t.sh.app.Do(func() { t.sh.copies.title, t.sh.copies.output = ev.Title, text })
	}
	defer t.sh.show(ev.Result.Images)
	if c := t.calls[ev.ID]; c != nil {
		delete(t.calls, ev.ID)
		c.block.Update(func() { c.call.end = &ev })
		c.block.Done()
		t.sh.app.Do(func() { t.sh.ends(c.call, ev) })
		return
	}
	t.sh.app.Do(func() { t.sh.ends(nil, ev) })
	k := change
	switch p := ev.Proposal; {
	case p == nil:
		k = tooling
	case !p.Diff.Identical():
		t.sh.app.Do(func() { t.sh.copies.change = p })
	}
	t.sh.append(k, ended(ev))
}

// finish shows why the turn ended, if it must be said.
func (t *turnView) finish(ev agent.TurnEnd) {
	t.ended = true
	t.close()
	for id, c := range t.calls { // a call without an end: the turn broke
		delete(t.calls, id)
		end := agent.ToolEnd{ID: id, Title: c.call.title, Kind: agent.KindInterrupted, Text: "interrupted"}
		c.block.Update(func() { c.call.end = &end })
		c.block.Done()
		t.sh.app.Do(func() { t.sh.ends(c.call, end) })
	}
	switch ev.Reason {
	case agent.Interrupted:
		t.sh.append(notice, words(true, "stopped"))
	case agent.Limit:
		t.sh.append(notice, atBound(ev.Limit))
	case agent.Failed, agent.Mismatch:
		what, means, do := explain(ev.Err)
		t.sh.append(notice, problem(what, means, do))
	}
}

// explain says of an error what happened, what it means and what to do.
func explain(err error) (what, means, do string) {
	what, means = "The turn failed.", "Your message is kept."
	do = "Send another message to try again."
	if err == nil {
		return what, means, do
	}
	what = "The turn failed: " + err.Error()
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
		return what, "The script was written for another conversation.",
			"Restart, or fix the script at that line."
	case !errors.As(err, &e):
		return what, means, do
	}
	what = sentence(err.Error())
	switch {
	case e.Advice != "":
		do = e.Advice
	case e.Status == 401 || e.Status == 403:
		do = "Set a valid key in the environment and restart; /model tells how."
	case e.Status == 404:
		do = "Choose another model with --model, or another provider with --provider."
	case e.TooLong || e.Status == 413:
		do = "/compact makes the conversation smaller, /clear starts over."
	case e.Status == 429 || e.Status == 529:
		do = "Wait a moment, then send a message to continue."
		if e.RetryAfter > 0 {
			do = "The provider asks to wait " + waiting(e.RetryAfter) + ". Send a message to continue then."
		}
	case e.Status == 0:
		do = "Check your network connection, then send a message to continue."
	}
	return what, means, do
}
