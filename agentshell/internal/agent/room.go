package agent

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// smallestResult is the number of tokens that a result may always take, however full the context
// window is. It is enough for an error and for how to go on.
const smallestResult = 120

// resultRoom returns how many tokens the results of one message may take together. bounded is false
// if the size of the model's context window is not known.
//
// The results get half of the free tokens, so that a few steps fit before the next compaction, but
// at least as many as a compaction leaves uncut: the model should get what it has read in full.
func (t *turn) resultRoom() (tokens int, bounded bool) {
	limit := t.tokenLimit()
	if limit == 0 {
		return 0, false
	}
	t.agent.mu.Lock()
	meter := t.agent.meter
	t.agent.mu.Unlock()
	left := meter.EstimateFor(limit) - meter.EstimateFor(t.nextTokens())
	return max(left/2, window.Intact(compactedRoom(meter, limit)), smallestResult), true
}

// shares divides the tokens that the results of one message may take among its calls. It is safe
// for use by several goroutines.
type shares struct {
	mu    sync.Mutex
	left  int // the tokens that remain for further results
	calls int // the number of calls that have no result yet
	// there is a limit, because the size of the context window is known
	bounded bool
}

func (t *turn) share(calls int) *shares {
	left, bounded := t.resultRoom()
	return &shares{left: left, calls: calls, bounded: bounded}
}

// context returns a context that carries the token limit for the result of the next call: an equal
// share of the rest.
func (s *shares) context(ctx context.Context) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.bounded {
		return ctx
	}
	return tool.WithRoom(ctx, max(s.left/max(s.calls, 1), smallestResult))
}

// used subtracts the tokens of a result from the rest.
func (s *shares) used(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left -= provider.Tokens(text)
	s.calls--
}

// fit cuts the text of a result to the tokens that its call may use, and subtracts them from the
// rest.
func (b *batch) fit(text string) string {
	text = tool.Fit(b.shares.context(b.turn.ctx), text, b.turn.agent.cfg.Budget.keepOverflow)
	b.shares.used(text)
	return text
}

// keepOverflow stores the full text of a result that has to be cut, and returns the address for
// reading it, or "" if it cannot be stored.
func (b Budget) keepOverflow(text string) (address string) {
	if b.Overflow == nil {
		return ""
	}
	return b.Overflow(text)
}
