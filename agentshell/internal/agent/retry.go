package agent

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// retries is how often a change is made again because others have changed its file.
const retries = 3

// perform runs a decided call. A change that comes too late is made again for the file as it is by
// then, where nobody was shown what it would do: d is what was made at last. A call in again has to
// be decided by the person; nothing was written.
func (b *batch) perform(c provider.ToolCall, d *decided) (done tool.Result, again *tool.Call, err error) {
	done, err = b.execute(b.turn.ctx, c, d.call)
	for n := 0; n < retries && tool.Kind(err) == "conflict" && b.unseen(*d); n++ {
		now, settled := b.redo(c, d, func(ctx context.Context) { done, err = b.execute(ctx, c, d.call) })
		switch {
		case now == nil:
			return done, nil, err // the conflict stands
		case !settled:
			return tool.Result{}, now, nil
		}
	}
	return done, nil, err
}

func (b *batch) execute(ctx context.Context, c provider.ToolCall, ready tool.Call) (tool.Result, error) {
	return run(b.shares.context(ctx), ready, func(text string) { b.emit(ToolProgress{ID: c.ID, Text: text}) })
}

// unseen reports whether a change was decided without the person, and can be made again.
func (b *batch) unseen(d decided) bool {
	return d.call.Hold != nil && d.is.By != "person" && b.own == nil && b.turn.ctx.Err() == nil
}

// redo makes a change again while no other session writes, and has it executed. Rules and modes
// decide on it anew: the file may have become one of another kind. A nil call cannot be made again;
// one that is not settled has to be asked.
func (b *batch) redo(c provider.ToolCall, d *decided, execute func(context.Context)) (now *tool.Call, settled bool) {
	ctx, release := d.call.Hold(b.turn.ctx)
	defer release()
	ready, err := b.prepare(ctx, c)
	if err == nil {
		ready, err = ready.Following(d.call)
	}
	if err != nil {
		return nil, false
	}
	ready, _, is := b.settle(c, ready)
	if is == nil || is.err != nil || !is.is.Allow {
		return &ready, false
	}
	*d = *is
	if d.say {
		b.emit(Approval{Call: c.ID, Proposal: d.call.Proposal, Decision: d.is})
	}
	execute(ctx)
	return &d.call, true
}
