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
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Kinds of results, besides those of FS-46.
const (
	KindDenied      = "denied"
	KindInterrupted = "interrupted"
)

// StoppedText is the first line of what the model gets for a call that the person has stopped. What
// the call has done until then follows.
const StoppedText = "interrupted: the user stopped this tool call while it ran; it may have had effects"

// runCall runs one call from ToolStart to ToolEnd: it is prepared, decided and run. It always
// returns a result.
func (b *batch) runCall(c provider.ToolCall) provider.ToolResult {
	ready, result := b.prepareAndStart(c)
	if result != nil {
		return *result
	}
	return b.runDecided(c, b.decide(c, ready))
}

// prepareAndStart prepares a call and reports that it begins. If the call has ended already, result
// is its result.
func (b *batch) prepareAndStart(c provider.ToolCall) (ready tool.Call, result *provider.ToolResult) {
	endWith := func(r provider.ToolResult) (tool.Call, *provider.ToolResult) { return tool.Call{}, &r }
	if problem := b.checkpointProblem(c); problem != "" {
		return endWith(b.endUnprepared(c, "tool_failed", problem))
	}
	if _, known := b.turn.agent.spec(c.Name); !known && b.preparePersonal == nil {
		return endWith(b.endUnprepared(c, "invalid_args",
			fmt.Sprintf("there is no tool %q; the tools are %s", c.Name, strings.Join(b.toolNames(), ", "))))
	}
	if b.turn.ctx.Err() != nil { // a stop answers every open call with the denial text (PANE-11)
		b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: plainTitle(c)})
		return endWith(b.endDenied(c, plainTitle(c), nil, approval.Decision{}))
	}
	ready, err := b.prepare(b.turn.ctx, c)
	if err != nil {
		return endWith(b.endUnprepared(c, tool.Kind(err), err.Error()))
	}
	if len(ready.Parts) > 0 {
		return ready, nil // each part begins by itself
	}
	b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: ready.Title, Proposal: ready.Proposal})
	return ready, b.preventedResult(c, ready)
}

// preventedResult returns the result of a call that must not be decided, or nil. Such a call builds
// on a denied change, or a hook forbids it.
func (b *batch) preventedResult(c provider.ToolCall, ready tool.Call) *provider.ToolResult {
	if ready.Mutates && ready.Path != "" && b.refused[ready.Path] { // built on a change that was denied (PANE-11)
		path := ready.Path
		if ready.Proposal != nil {
			path = cmp.Or(ready.Proposal.Path, path)
		}
		r := b.endFailed(c, ready, approval.Decision{}, "conflict", "file changed since last read: "+path)
		return &r
	}
	if hookAnswer := b.hookAnswer(c, ready); hookAnswer.Denied {
		decision := approval.Decision{By: "hook", Reason: hookAnswer.Reason}
		b.emit(Approval{Call: c.ID, Proposal: ready.Proposal, Decision: decision})
		if ready.Mutates && ready.Path != "" {
			b.refused[ready.Path] = true
		}
		r := b.endDenied(c, ready.Title, ready.Proposal, decision)
		return &r
	}
	return nil
}

// decidedCall is a call with the decision on it.
type decidedCall struct {
	call     tool.Call
	decision approval.Decision
	report   bool // report it with an [Approval]: it had to be decided
	// there is no decision
	err error
}

// runDecided runs a decided call, or ends it with the reason why not. If a new decision is needed
// it asks again.
func (b *batch) runDecided(c provider.ToolCall, decided decidedCall) provider.ToolResult {
	for {
		result, next := b.runDecidedOnce(c, decided)
		if next == nil {
			return result
		}
		decided = b.decide(c, *next)
	}
}

// runDecidedOnce runs a decided call without a further question. If next is not nil, nothing was
// written, and next has to be decided.
func (b *batch) runDecidedOnce(c provider.ToolCall, decided decidedCall) (result provider.ToolResult, next *tool.Call) {
	ready, decision := decided.call, decided.decision
	if decided.report {
		b.emit(Approval{Call: c.ID, Proposal: ready.Proposal, Decision: decision})
	}
	switch {
	case decided.err != nil:
		return b.endFailed(c, ready, decision, tool.Kind(decided.err), decided.err.Error()), nil
	case !decision.Allow:
		if ready.Mutates && ready.Path != "" {
			b.refused[ready.Path] = true
		}
		return b.endDenied(c, ready.Title, ready.Proposal, decision), nil
	}
	toolResult, next, err := b.runWithRedo(c, &decided)
	if next != nil {
		return result, next
	}
	ready, decision = decided.call, decided.decision
	if ready.Rebase != nil && tool.Kind(err) == "conflict" && b.turn.ctx.Err() == nil {
		// What a person wrote is not lost because the file changed after the yes: nothing was
		// written, and it is asked anew.
		if rebased, e := rebase(b.turn.ctx, ready); e == nil {
			return result, &rebased
		}
	}
	for _, text := range b.turn.agent.cfg.Inbox.Warnings() {
		toolResult.Text, toolResult.Detail = appendLine(toolResult.Text, text), appendLine(toolResult.Detail, text)
	}
	failed := ""
	for _, text := range b.hookTexts(c, ready, toolResult.Text, err) {
		toolResult.Text, toolResult.Detail, failed = appendLine(toolResult.Text, text), appendLine(toolResult.Detail,
			text), failed+"\n"+text
	}
	switch {
	case err != nil && b.turn.ctx.Err() != nil:
		text := StoppedText
		if !errors.Is(err, context.Canceled) || err.Error() != context.Canceled.Error() {
			text += "\n" + err.Error() // what the tool has done until then
		}
		return b.endFailedWith(c, ready, decision, KindInterrupted, text, toolResult), nil
	case err != nil:
		return b.endFailedWith(c, ready, decision, tool.Kind(err), err.Error()+failed, toolResult), nil
	}
	if isCheckpointTool(c.Name) {
		b.checkpointCalls[c.Name] = true
	}
	toolResult.Text = b.fit(toolResult.Text)
	b.emit(ToolEnd{ID: c.ID, Name: c.Name, Title: ready.Title, OK: true, Result: toolResult, Text: toolResult.Text,
		Proposal: ready.Proposal, Decision: decision})
	return provider.ToolResult{ID: c.ID, Text: toolResult.Text, Images: toolResult.Images,
		Summary: toolResult.Summary}, nil
}

// appendLine returns text with one more line.
func appendLine(text, added string) string {
	if text == "" {
		return added
	}
	return strings.TrimSuffix(text, "\n") + "\n" + added
}

// decide gets the decision on a call from the policy or the person. It returns the call that was
// decided. That is another one than ready if the file had changed or the person has revised the
// proposal.
func (b *batch) decide(c provider.ToolCall, ready tool.Call) decidedCall {
	for {
		current, verdict, decided := b.decideWithoutPerson(c, ready)
		if decided != nil {
			return *decided
		}
		if b.turn.agent.cfg.Approver == nil {
			return decidedCall{call: current, report: true, decision: denialWithoutPerson(current.Proposal, verdict)}
		}
		if ready, decided = b.applyAnswer(c, current, b.ask(current.Proposal)); decided != nil {
			return *decided
		}
	}
}

// decideWithoutPerson decides a call without the person: by a rule, by the mode, because there is
// nothing to ask, or because the same was denied before. If the decision is nil, the proposal of
// the returned call has to be asked.
func (b *batch) decideWithoutPerson(c provider.ToolCall, ready tool.Call) (tool.Call, approval.Verdict, *decidedCall) {
	verdict := b.policyVerdict(c, ready)
	if verdict.Action == approval.Ask && verdict.By == "rule" && ready.Proposal == nil && ready.Propose != nil {
		proposal, err := propose(b.turn.ctx, ready)
		if err != nil {
			return ready, verdict, &decidedCall{call: ready, err: err}
		}
		ready.Proposal = proposal
	}
	switch {
	case verdict.Action == approval.Deny:
		return ready, verdict, &decidedCall{call: ready, report: true,
			decision: approval.Decision{By: verdict.By, Reason: verdict.Reason}}
	case ready.Proposal == nil && verdict.Action == approval.Ask && verdict.By != "":
		// Told to ask, but there is nothing to show.
		return ready, verdict, &decidedCall{call: ready, report: true,
			decision: approval.Decision{By: verdict.By, Reason: "this call must be asked for and cannot be shown"}}
	case ready.Proposal == nil:
		return ready, verdict, &decidedCall{call: ready, decision: approval.Decision{Allow: true}}
	case verdict.Action == approval.Allow:
		if verdict.Reading {
			if ready.Reading == nil {
				return ready, verdict,
					&decidedCall{call: ready, report: true, decision: approval.Decision{By: verdict.By}}
			}
			ready.Run = ready.Reading
		}
		return ready, verdict, &decidedCall{call: ready, report: true,
			decision: approval.Decision{Allow: true, By: verdict.By}}
	}
	if earlier, ok := b.turn.earlierDenial(questionKey(c, ready.Proposal)); ok {
		return ready, verdict, &decidedCall{call: ready, report: true, decision: earlier}
	}
	return ready, verdict, nil
}

// applyAnswer returns the decision that the person's answer gives. If the decision is nil, the
// returned call has a new proposal that has to be decided. An answer that the call does not support
// is a no.
func (b *batch) applyAnswer(c provider.ToolCall, ready tool.Call, answer approval.Answer) (tool.Call, *decidedCall) {
	var next tool.Call
	var err error
	decision := approval.Decision{By: "person"}
	switch a := answer.(type) {
	case approval.Stale:
		if ready.Rebase != nil {
			next, err = rebase(b.turn.ctx, ready)
		} else {
			next, err = b.prepare(b.turn.ctx, c)
		}
		return preparedAgain(ready, next, err)
	case approval.InPlace:
		if ready.InPlace != nil {
			next, err = inPlace(b.turn.ctx, ready)
			return preparedAgain(ready, next, err)
		}
	case approval.Revise:
		if ready.Revise != nil {
			next, err = revise(b.turn.ctx, ready, a.After)
			return preparedAgain(ready, next, err)
		}
	case approval.Yes:
		decision.Allow = true
		if ready.In != nil && a.Mode != "" {
			ready = ready.In(a.Mode)
		}
		return ready, &decidedCall{call: ready, report: true, decision: decision}
	case approval.No:
		decision.Reason = a.Reason
	}
	b.turn.storeDenial(questionKey(c, ready.Proposal), decision)
	return ready, &decidedCall{call: ready, report: true, decision: decision}
}

// preparedAgain returns the result of applyAnswer for a call that was prepared again, or could not
// be.
func preparedAgain(ready, next tool.Call, err error) (tool.Call, *decidedCall) {
	if err != nil {
		return ready, &decidedCall{call: ready, err: err}
	}
	return next, nil
}

// questionKey returns a key for what a proposal would do. Two proposals with the same key are the
// same question.
func questionKey(c provider.ToolCall, p *approval.Proposal) string {
	if p.After == nil {
		return c.Name + "\x00" + string(c.Input)
	}
	return fmt.Sprintf("%s\x00%s\x00%x", c.Name, p.Path, sha256.Sum256(p.After))
}

// earlierDenial returns the denial that the same question got before in this turn: a person says no
// only once.
func (t *turn) earlierDenial(key string) (approval.Decision, bool) {
	if t.outer != nil {
		return t.outer.earlierDenial(key)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	decision, found := t.refusals[key]
	decision.Reason = cmp.Or(decision.Reason, "the same was denied before in this turn")
	return decision, found
}

func (t *turn) storeDenial(key string, decision approval.Decision) {
	if t.outer != nil {
		t.outer.storeDenial(key, decision)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refusals == nil {
		t.refusals = map[string]approval.Decision{}
	}
	t.refusals[key] = decision
}

func (b *batch) policyVerdict(c provider.ToolCall, ready tool.Call) approval.Verdict {
	if b.turn.agent.cfg.Policy == nil || b.isPersonal() {
		return approval.Verdict{}
	}
	return b.turn.agent.cfg.Policy.Decide(ready.Subject(c.Name))
}

// denialWithoutPerson returns the denial of a proposal when there is no person to ask.
func denialWithoutPerson(p *approval.Proposal, verdict approval.Verdict) approval.Decision {
	switch verdict.By {
	case "flag":
		if _, command := p.Payload.(approval.Command); command {
			return approval.Decision{By: "flag",
				Reason: "nobody to ask, and only a rule for its exact line covers a flagged command: " +
					flagNames(p.Flags)}
		}
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

// ask shows a proposal to the person and returns the answer.
func (b *batch) ask(p *approval.Proposal) approval.Answer {
	defer b.beginQuestion()()
	if b.turn.ctx.Err() != nil {
		return approval.No{ID: p.ID}
	}
	answer, err := b.turn.agent.cfg.Approver.Ask(b.turn.ctx, p)
	return b.validAnswer(p, answer, err)
}

// beginQuestion waits until no other question is open, and begins one. The returned function ends
// it. Read-only calls do not wait for questions.
func (b *batch) beginQuestion() func() {
	b.firstQuestionOnce.Do(func() { close(b.firstQuestion) })
	b.questionLock <- struct{}{}
	return func() { <-b.questionLock }
}

// validAnswer returns the answer if it is a clear one to this proposal, and a no otherwise.
func (b *batch) validAnswer(p *approval.Proposal, answer approval.Answer, err error) approval.Answer {
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

// endUnprepared ends a call that was not prepared.
func (b *batch) endUnprepared(c provider.ToolCall, kind, text string) provider.ToolResult {
	title := plainTitle(c)
	b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: title})
	return b.endFailed(c, tool.Call{Title: title}, approval.Decision{}, kind, text)
}

// endDenied ends a call with the denial text, and the reason on a second line (HARN-8).
func (b *batch) endDenied(c provider.ToolCall, title string, proposal *approval.Proposal,
	decision approval.Decision) provider.ToolResult {
	decision.Reason = strings.Join(strings.Fields(decision.Reason), " ") // one line
	if proposal != nil && !proposal.Diff.Identical() && !b.isPersonal() {
		b.turn.agent.cfg.Observer.ChangeDenied(c.ID, proposal)
	}
	return b.endFailed(c, tool.Call{Title: title, Proposal: proposal}, decision, KindDenied, decision.Text())
}

func (b *batch) endFailed(c provider.ToolCall, ready tool.Call, decision approval.Decision,
	kind, text string) provider.ToolResult {
	return b.endFailedWith(c, ready, decision, kind, text, tool.Result{})
}

// endFailedWith ends a call that failed while it ran. result holds what it had done and shown until
// then.
func (b *batch) endFailedWith(c provider.ToolCall, ready tool.Call, decision approval.Decision, kind, text string,
	result tool.Result) provider.ToolResult {
	text = b.fit(text)
	b.emit(ToolEnd{ID: c.ID, Name: c.Name, Title: ready.Title, Kind: kind, Text: text, Result: result,
		Proposal: ready.Proposal, Decision: decision})
	stored := provider.ToolResult{ID: c.ID, Text: text, IsError: true}
	if kind == KindDenied || kind == KindInterrupted {
		stored.Kind, stored.Summary = kind, result.Summary
	}
	return stored
}

func (b *batch) toolNames() []string {
	var names []string
	for _, s := range b.turn.agent.specs {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// plainTitle returns the title of a call that was not prepared: its name and its path, or its input
// on one line.
func plainTitle(c provider.ToolCall) string {
	const (
		maxRunes = 120           // runes of the input
		maxBytes = 16 * maxRunes // bytes of it: it may have megabytes
	)
	text := string(c.Input[:min(len(c.Input), maxBytes)])
	var in struct{ Path string }
	if json.Unmarshal(c.Input, &in) == nil && in.Path != "" {
		text = in.Path[:min(len(in.Path), maxBytes)]
	}
	input := strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if r := []rune(input); len(r) > maxRunes {
		input = width.Head(input, len(string(r[:maxRunes]))) + "..."
	}
	return strings.TrimSpace(strings.ToValidUTF8(width.Head(c.Name, maxBytes), "\uFFFD") + " " + input)
}

// prepare, propose, revise, rebase, inPlace and run turn a panic of a tool into an error of its
// call: one broken tool must not leave a terminal in raw mode.

// prepare prepares a call. Like propose, revise, rebase, inPlace and run it turns a panic of a tool
// into an error of its call, because a broken tool must not leave the terminal in raw mode.
func (b *batch) prepare(ctx context.Context, c provider.ToolCall) (call tool.Call, err error) {
	defer recoverPanic(&err)
	if b.preparePersonal != nil {
		return b.preparePersonal(ctx, c)
	}
	if len(c.Input) == 0 {
		c.Input = json.RawMessage("{}")
	}
	return b.turn.agent.cfg.Tools.Prepare(ctx, c.Name, c.ID, c.Input)
}

func propose(ctx context.Context, ready tool.Call) (p *approval.Proposal, err error) {
	defer recoverPanic(&err)
	return ready.Propose(ctx)
}

func revise(ctx context.Context, ready tool.Call, after []byte) (call tool.Call, err error) {
	defer recoverPanic(&err)
	return ready.Revise(ctx, after)
}

func rebase(ctx context.Context, ready tool.Call) (call tool.Call, err error) {
	defer recoverPanic(&err)
	return ready.Rebase(ctx)
}

func inPlace(ctx context.Context, ready tool.Call) (call tool.Call, err error) {
	defer recoverPanic(&err)
	return ready.InPlace(ctx)
}

func run(ctx context.Context, ready tool.Call, progress func(string)) (r tool.Result, err error) {
	defer recoverPanic(&err)
	return ready.Run(ctx, progress)
}

func recoverPanic(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the tool panicked, which is a bug of the shell: %v\n%s", p, firstLines(debug.Stack(), 12))
	}
}

func firstLines(b []byte, n int) string {
	lines := strings.SplitN(string(b), "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
