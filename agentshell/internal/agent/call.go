package agent

import (
	"cmp"
	"context"
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

// Values for the kind of a failed call, in addition to the error kinds of FS-46.
const (
	KindDenied      = "denied"
	KindInterrupted = "interrupted"
)

// StoppedText is the first line of the result that the model gets for a call that the user has
// stopped while it ran. The output of the call until then follows.
const StoppedText = "interrupted: the user stopped this tool call while it ran; it may have had effects"

// runCall prepares one call, gets a decision on it, and runs it. It emits the call's events, from
// ToolStart to ToolEnd, and always returns a result.
func (b *batch) runCall(c provider.ToolCall) provider.ToolResult {
	ready, result := b.prepareAndStart(c)
	if result != nil {
		return *result
	}
	return b.runDecided(c, b.decide(c, ready))
}

// prepareAndStart prepares a call and emits its ToolStart. If the call cannot be prepared or is
// prevented, it has ended, and result is not nil.
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

// preventedResult returns the result of a call that is denied before anybody decides on it, or nil.
// That is a call for a file with an earlier denied change, or a call that a hook forbids.
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

// runDecided runs a call if it was approved, and otherwise ends it with the reason. It asks again
// if the call turns out to need a new decision, for instance because the file has changed.
func (b *batch) runDecided(c provider.ToolCall, decided decidedCall) provider.ToolResult {
	for {
		result, next := b.runDecidedOnce(c, decided)
		if next == nil {
			return result
		}
		decided = b.decide(c, *next)
	}
}

// runDecidedOnce runs a decided call without asking again. If next is not nil, the call has written
// nothing, result is empty, and a decision on next is needed.
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
		// What the user wrote is not lost because the file changed after the yes: nothing was
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

// appendLine returns text with the line added appended.
func appendLine(text, added string) string {
	if text == "" {
		return added
	}
	return strings.TrimSuffix(text, "\n") + "\n" + added
}

// endUnprepared emits the start and the end of a call that could not be prepared, and returns its
// result.
func (b *batch) endUnprepared(c provider.ToolCall, kind, text string) provider.ToolResult {
	title := plainTitle(c)
	b.emit(ToolStart{ID: c.ID, Name: c.Name, Title: title})
	return b.endFailed(c, tool.Call{Title: title}, approval.Decision{}, kind, text)
}

// endDenied ends a denied call. Its result is the denial text, with the reason on a second line
// (HARN-8).
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

// endFailedWith ends a call that failed while it ran. result holds the output and the changes of
// the call until then.
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

// plainTitle returns a title for a call that was not prepared: the tool's name, and the path in the
// input, or else the whole input on one line.
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

// prepare has the tool prepare a call. If the tool panics, prepare returns an error, as do propose,
// revise, rebase, inPlace and run: a broken tool must not leave the terminal in raw mode.
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
