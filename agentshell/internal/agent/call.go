package agent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Kinds of results beside those of FS-46.
const (
	KindDenied      = "denied"
	KindInterrupted = "interrupted"
)

// call runs one call from ToolStart to ToolEnd: prepare, decide, run. It always gives a result.
func (b *batch) call(c provider.ToolCall) provider.ToolResult {
	ready, over := b.open(c)
	if over != nil {
		return *over
	}
	return b.finish(c, b.decide(c, ready))
}

// open prepares a call and says that it begins. over: it has ended already, with this result.
func (b *batch) open(c provider.ToolCall) (ready tool.Call, over *provider.ToolResult) {
	ended := func(r provider.ToolResult) (tool.Call, *provider.ToolResult) { return tool.Call{}, &r }
	if why := b.misplaced(c); why != "" {
		return ended(b.fail(c, "tool_failed", why))
	}
	if _, known := b.turn.agent.spec(c.Name); !known && b.own == nil {
		return ended(b.fail(c, "invalid_args",
			fmt.Sprintf("there is no tool %q; the tools are %s", c.Name, strings.Join(b.names(), ", "))))
	}
	if b.turn.ctx.Err() != nil { // a stop answers every open call with the denial text (PANE-11)
		b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: begin(c)})
		return ended(b.deny(c, begin(c), nil, approval.Decision{}))
	}
	ready, err := b.prepare(b.turn.ctx, c)
	if err != nil {
		return ended(b.fail(c, tool.Kind(err), err.Error()))
	}
	if len(ready.Parts) > 0 {
		return ready, nil // each part begins by itself
	}
	b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: ready.Title, Proposal: ready.Proposal})
	return ready, b.barred(c, ready)
}

// barred returns the result of a call that must not be decided, nil if it may: it builds on what
// was denied, or a hook forbids it.
func (b *batch) barred(c provider.ToolCall, ready tool.Call) *provider.ToolResult {
	if ready.Mutates && ready.Path != "" && b.refused[ready.Path] { // built on a change that was denied (PANE-11)
		path := ready.Path
		if ready.Proposal != nil {
			path = cmp.Or(ready.Proposal.Path, path)
		}
		r := b.end(c, ready, approval.Decision{}, "conflict", "file changed since last read: "+path)
		return &r
	}
	if said := b.hooked(c, ready); said.Denied {
		is := approval.Decision{By: "hook", Reason: said.Reason}
		b.emit(Approval{Call: c.ID, Proposal: ready.Proposal, Decision: is})
		if ready.Mutates && ready.Path != "" {
			b.refused[ready.Path] = true
		}
		r := b.deny(c, ready.Title, ready.Proposal, is)
		return &r
	}
	return nil
}

// decided is a call with the decision that is about it; err: it came to none.
type decided struct {
	call tool.Call
	is   approval.Decision
	say  bool // with an [Approval]: it had to be decided
	err  error
}

// finish runs a decided call, or says why not. What has to be decided anew then is asked again.
func (b *batch) finish(c provider.ToolCall, d decided) provider.ToolResult {
	for {
		result, again := b.attempt(c, d)
		if again == nil {
			return result
		}
		d = b.decide(c, *again)
	}
}

// attempt is finish without a further question: with again, nothing was written, and that call has
// to be decided.
func (b *batch) attempt(c provider.ToolCall, d decided) (result provider.ToolResult, again *tool.Call) {
	ready, is := d.call, d.is
	if d.say {
		b.emit(Approval{Call: c.ID, Proposal: ready.Proposal, Decision: is})
	}
	switch {
	case d.err != nil:
		return b.end(c, ready, is, tool.Kind(d.err), d.err.Error()), nil
	case !is.Allow:
		if ready.Mutates && ready.Path != "" {
			b.refused[ready.Path] = true
		}
		return b.deny(c, ready.Title, ready.Proposal, is), nil
	}
	done, late, err := b.perform(c, &d)
	if late != nil {
		return result, late
	}
	ready, is = d.call, d.is
	if ready.Rebase != nil && tool.Kind(err) == "conflict" && b.turn.ctx.Err() == nil {
		// What a person wrote is not lost because the file changed after the yes: nothing was
		// written, and it is asked anew.
		if rebased, e := rebase(b.turn.ctx, ready); e == nil {
			return result, &rebased
		}
	}
	for _, said := range b.turn.agent.cfg.Inbox.Warnings() {
		done.Text, done.Detail = line(done.Text, said), line(done.Detail, said)
	}
	failed := ""
	for _, said := range b.after(c, ready, done.Text, err) {
		done.Text, done.Detail, failed = line(done.Text, said), line(done.Detail, said), failed+"\n"+said
	}
	switch {
	case err != nil && b.turn.ctx.Err() != nil:
		text := "interrupted: the user stopped this tool call while it ran; it may have had effects"
		if !errors.Is(err, context.Canceled) || err.Error() != context.Canceled.Error() {
			text += "\n" + err.Error() // what the tool has done until then
		}
		return b.ended(c, ready, is, KindInterrupted, text, done), nil
	case err != nil:
		return b.ended(c, ready, is, tool.Kind(err), err.Error()+failed, done), nil
	}
	if movesTalk(c.Name) {
		b.moved[c.Name] = true
	}
	done.Text = b.fit(done.Text)
	b.emit(ToolEnd{ID: c.ID, Name: c.Name, Title: ready.Title, OK: true, Result: done, Text: done.Text,
		Proposal: ready.Proposal, Decision: is})
	return provider.ToolResult{ID: c.ID, Text: done.Text, Images: done.Images}, nil
}

// line returns text with one more line.
func line(text, more string) string {
	if text == "" {
		return more
	}
	return strings.TrimSuffix(text, "\n") + "\n" + more
}

// decide gets the answer for a call from the policy or the person. It gives the call that the
// answer is about: one that was prepared again because the file had changed, or revised by the
// person, is another one with another proposal.
func (b *batch) decide(c provider.ToolCall, ready tool.Call) decided {
	for {
		now, verdict, d := b.settle(c, ready)
		if d != nil {
			return *d
		}
		if b.turn.agent.cfg.Approver == nil {
			return decided{call: now, say: true, is: unasked(now.Proposal, verdict)}
		}
		if ready, d = b.next(c, now, b.ask(now.Proposal)); d != nil {
			return *d
		}
	}
}

// settle decides a call without the person: by rule, by mode, because there is nothing to ask, or
// because the same was denied before. A nil decision: the proposal of the call that it gives has to
// be asked.
func (b *batch) settle(c provider.ToolCall, ready tool.Call) (tool.Call, approval.Verdict, *decided) {
	verdict := b.verdict(c, ready)
	if verdict.Action == approval.Ask && verdict.By == "rule" && ready.Proposal == nil && ready.Propose != nil {
		p, err := propose(b.turn.ctx, ready)
		if err != nil {
			return ready, verdict, &decided{call: ready, err: err}
		}
		ready.Proposal = p
	}
	switch {
	case verdict.Action == approval.Deny:
		return ready, verdict, &decided{call: ready, say: true,
			is: approval.Decision{By: verdict.By, Reason: verdict.Reason}}
	case ready.Proposal == nil && verdict.Action == approval.Ask && verdict.By != "":
		// Told to ask, but there is nothing to show.
		return ready, verdict, &decided{call: ready, say: true,
			is: approval.Decision{By: verdict.By, Reason: "this call must be asked for and cannot be shown"}}
	case ready.Proposal == nil:
		return ready, verdict, &decided{call: ready, is: approval.Decision{Allow: true}}
	case verdict.Action == approval.Allow:
		if verdict.Reading {
			if ready.Reading == nil {
				return ready, verdict, &decided{call: ready, say: true, is: approval.Decision{By: verdict.By}}
			}
			ready.Run = ready.Reading
		}
		return ready, verdict, &decided{call: ready, say: true,
			is: approval.Decision{Allow: true, By: verdict.By}}
	}
	if before, ok := b.turn.remember(sameAs(c, ready.Proposal)); ok {
		return ready, verdict, &decided{call: ready, say: true, is: before}
	}
	return ready, verdict, nil
}

// next returns what becomes of the person's answer: a decision, or, with a nil one, a call with a
// fresh proposal that has to be decided. What the call cannot do is no yes.
func (b *batch) next(c provider.ToolCall, ready tool.Call, answer approval.Answer) (tool.Call, *decided) {
	var again tool.Call
	var err error
	is := approval.Decision{By: "person"}
	switch a := answer.(type) {
	case approval.Stale:
		if ready.Rebase != nil {
			again, err = rebase(b.turn.ctx, ready)
		} else {
			again, err = b.prepare(b.turn.ctx, c)
		}
		return fresh(ready, again, err)
	case approval.InPlace:
		if ready.InPlace != nil {
			again, err = inPlace(b.turn.ctx, ready)
			return fresh(ready, again, err)
		}
	case approval.Revise:
		if ready.Revise != nil {
			again, err = revise(b.turn.ctx, ready, a.After)
			return fresh(ready, again, err)
		}
	case approval.Yes:
		is.Allow = true
		if ready.In != nil && a.Mode != "" {
			ready = ready.In(a.Mode)
		}
		return ready, &decided{call: ready, say: true, is: is}
	case approval.No:
		is.Reason = a.Reason
	}
	b.turn.keep(sameAs(c, ready.Proposal), is)
	return ready, &decided{call: ready, say: true, is: is}
}

// fresh returns what next gives for a call that was made again, or could not be.
func fresh(ready, again tool.Call, err error) (tool.Call, *decided) {
	if err != nil {
		return ready, &decided{call: ready, err: err}
	}
	return again, nil
}

// sameAs names what a proposal would do: two with the same name are the same question.
func sameAs(c provider.ToolCall, p *approval.Proposal) string {
	if p.After == nil {
		return c.Name + "\x00" + string(c.Input)
	}
	return fmt.Sprintf("%s\x00%s\x00%x", c.Name, p.Path, sha256.Sum256(p.After))
}

// remember gives the denial that the same question got before in this turn: a person says no once.
// keep stores one.
func (t *turn) remember(key string) (approval.Decision, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	is, before := t.refusals[key]
	is.Reason = cmp.Or(is.Reason, "the same was denied before in this turn")
	return is, before
}

func (t *turn) keep(key string, is approval.Decision) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refusals == nil {
		t.refusals = map[string]approval.Decision{}
	}
	t.refusals[key] = is
}

func (b *batch) verdict(c provider.ToolCall, ready tool.Call) approval.Verdict {
	if b.turn.agent.cfg.Policy == nil || b.own != nil {
		return approval.Verdict{}
	}
	return b.turn.agent.cfg.Policy.Decide(ready.Subject(c.Name))
}

// unasked returns the denial of a proposal that nobody is there to be asked about.
func unasked(p *approval.Proposal, verdict approval.Verdict) approval.Decision {
	switch verdict.By {
	case "flag":
		return approval.Decision{By: "flag",
			Reason: "nobody to ask, and rules cannot cover a flagged call: " + flagNames(p.Flags)}
	case "sandbox", "mode":
		return approval.Decision{By: verdict.By, Reason: "nobody to ask, and " + verdict.Reason}
	case "rule":
		return approval.Decision{By: "rule",
			Reason: "nobody to ask, and a rule requires asking: " + verdict.Rule}
	}
	return approval.Decision{By: "no_terminal", Reason: "nobody to ask, and no rule allows this call"}
}

// ask puts a proposal to the person.
func (b *batch) ask(p *approval.Proposal) approval.Answer {
	defer b.question()()
	if b.turn.ctx.Err() != nil {
		return approval.No{ID: p.ID}
	}
	answer, err := b.turn.agent.cfg.Approver.Ask(b.turn.ctx, p)
	return b.heard(p, answer, err)
}

// question begins a question to the person; the func that it returns ends it. There is one at a
// time, and read-only calls do not wait for it.
func (b *batch) question() func() {
	b.once.Do(func() { close(b.asked) })
	b.asking <- struct{}{}
	return func() { <-b.asking }
}

// heard returns what counts of an answer: everything but a clear one to this very proposal is a no.
func (b *batch) heard(p *approval.Proposal, answer approval.Answer, err error) approval.Answer {
	var id string
	no := approval.No{ID: p.ID}
	switch a := answer.(type) {
	case approval.Yes:
		id = a.ID
	case approval.No:
		no.Reason = a.Reason
	case approval.Stop:
		b.turn.stop()
	case approval.Stale:
		id = a.ID
	case approval.Revise:
		id = a.ID
	case approval.InPlace:
		id = a.ID
	}
	if err != nil || id != p.ID || id == "" || b.turn.ctx.Err() != nil {
		return no
	}
	return answer
}

func flagNames(flags []approval.Flag) string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// fail ends a call that was not prepared.
func (b *batch) fail(c provider.ToolCall, kind, text string) provider.ToolResult {
	title := begin(c)
	b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: title})
	return b.end(c, tool.Call{Title: title}, approval.Decision{}, kind, text)
}

// deny ends a call with the denial text, and the reason on a second line (HARN-8).
func (b *batch) deny(c provider.ToolCall, title string, p *approval.Proposal,
	is approval.Decision) provider.ToolResult {
	is.Reason = strings.Join(strings.Fields(is.Reason), " ") // one line
	return b.end(c, tool.Call{Title: title, Proposal: p}, is, KindDenied, is.Text())
}

func (b *batch) end(c provider.ToolCall, ready tool.Call, is approval.Decision,
	kind, text string) provider.ToolResult {
	return b.ended(c, ready, is, kind, text, tool.Result{})
}

// ended is end for a call that ran: what it has done and shown until it failed is in result.
func (b *batch) ended(c provider.ToolCall, ready tool.Call, is approval.Decision, kind, text string,
	result tool.Result) provider.ToolResult {
	text = b.fit(text)
	b.emit(ToolEnd{ID: c.ID, Name: c.Name, Title: ready.Title, Kind: kind, Text: text, Result: result,
		Proposal: ready.Proposal, Decision: is})
	return provider.ToolResult{ID: c.ID, Text: text, IsError: true}
}

func (b *batch) names() []string {
	var names []string
	for _, s := range b.turn.agent.specs {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// begin returns the title of a call that was not prepared: its name and its path, or else its
// input, on one line.
func begin(c provider.ToolCall) string {
	const (
		most = 120       // runes of the input
		look = 16 * most // bytes of it: it may have megabytes
	)
	text := string(c.Input[:min(len(c.Input), look)])
	var in struct{ Path string }
	if json.Unmarshal(c.Input, &in) == nil && in.Path != "" {
		text = in.Path[:min(len(in.Path), look)]
	}
	input := strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if r := []rune(input); len(r) > most {
		input = string(r[:most]) + "..."
	}
	return strings.TrimSpace(strings.ToValidUTF8(c.Name[:min(len(c.Name), look)], "\uFFFD") + " " + input)
}

// prepare, propose, revise, rebase, inPlace and run turn a panic of a tool into an error of its
// call: one broken tool must not leave a terminal in raw mode.

func (b *batch) prepare(ctx context.Context, c provider.ToolCall) (call tool.Call, err error) {
	defer caught(&err)
	if b.own != nil {
		return b.own(ctx, c)
	}
	if len(c.Input) == 0 {
		c.Input = json.RawMessage("{}")
	}
	return b.turn.agent.cfg.Tools.Prepare(ctx, c.Name, c.ID, c.Input)
}

func propose(ctx context.Context, ready tool.Call) (p *approval.Proposal, err error) {
	defer caught(&err)
	return ready.Propose(ctx)
}

func revise(ctx context.Context, ready tool.Call, after []byte) (call tool.Call, err error) {
	defer caught(&err)
	return ready.Revise(ctx, after)
}

func rebase(ctx context.Context, ready tool.Call) (call tool.Call, err error) {
	defer caught(&err)
	return ready.Rebase(ctx)
}

func inPlace(ctx context.Context, ready tool.Call) (call tool.Call, err error) {
	defer caught(&err)
	return ready.InPlace(ctx)
}

func run(ctx context.Context, ready tool.Call, progress func(string)) (r tool.Result, err error) {
	defer caught(&err)
	return ready.Run(ctx, progress)
}

func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the tool panicked, which is a bug of the shell: %v\n%s", p, firstLines(debug.Stack(), 12))
	}
}

func firstLines(b []byte, n int) string {
	lines := strings.SplitN(string(b), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
