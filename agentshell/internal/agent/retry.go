package agent

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// maxRedos limits the repetitions of a change whose file another session has changed.
const maxRedos = 3

// runWithRedo runs a decided call. If the file has changed meanwhile, and the user was not asked
// about the change, the change is prepared again for the new content and repeated; decided then
// holds the last version. If next is not nil, nothing was written, and the user has to decide on
// next.
func (b *batch) runWithRedo(c provider.ToolCall, decided *decidedCall) (result tool.Result, next *tool.Call,
	err error) {
	result, err = b.execute(b.turn.ctx, c, decided.call)
	for n := 0; n < maxRedos && tool.Kind(err) == "conflict" && b.canRedo(*decided); n++ {
		redone, settled := b.redo(c, decided,
			func(ctx context.Context) { result, err = b.execute(ctx, c, decided.call) })
		switch {
		case redone == nil:
			return result, nil, err // the conflict stands
		case !settled:
			return tool.Result{}, redone, nil
		}
	}
	return result, nil, err
}

func (b *batch) execute(ctx context.Context, c provider.ToolCall, ready tool.Call) (tool.Result, error) {
	if b.preparePersonal == nil && b.turn.outer == nil && !b.readOnly(c) {
		if err := b.turn.agent.cfg.Observer.CallBegins(c.ID); err != nil {
			return tool.Result{}, err
		}
	}
	ctx = tool.WithCaller(b.shares.context(ctx), &nestedCaller{batch: b, id: c.ID})
	return run(ctx, ready, func(text string) { b.emit(ToolProgress{ID: c.ID, Text: text}) })
}

// canRedo reports whether a change may be prepared again and repeated: a rule or a mode allowed it,
// not the user, and its tool supports it.
func (b *batch) canRedo(d decidedCall) bool {
	return d.call.Hold != nil && d.decision.By != "person" && b.preparePersonal == nil && b.turn.ctx.Err() == nil
}

// redo prepares a change again and runs it with execute, while no other session can write. Rules
// and modes decide anew, because the file may be another one now. redone is nil if the change could
// not be prepared. If done is false, the user has to decide on redone.
func (b *batch) redo(c provider.ToolCall, d *decidedCall, execute func(context.Context)) (redone *tool.Call,
	done bool) {
	ctx, release := d.call.Hold(b.turn.ctx)
	defer release()
	ready, err := b.prepare(ctx, c)
	if err == nil {
		ready, err = ready.InPlaceOf(d.call)
	}
	if err != nil {
		return nil, false
	}
	ready, _, redecided := b.decideWithoutPerson(c, ready)
	if redecided == nil || redecided.err != nil || !redecided.decision.Allow {
		return &ready, false
	}
	*d = *redecided
	if d.report {
		b.emit(Approval{Call: c.ID, Proposal: d.call.Proposal, Decision: d.decision})
	}
	execute(ctx)
	return &d.call, true
}
