package agent

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// smallestResult is what a result may take however full the window is, in tokens: enough for an
// error and for how to go on.
const smallestResult = 120

// resultRoom returns how many tokens the results of a message may take together; !bounded: nobody
// knows what the model holds. They get half of what is left, so that a few steps fit before the
// conversation is compacted, or what a compaction leaves as it is: a model that reads something
// gets it before it is cut.
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

// shares divides the room of a message's results among its calls. It is safe for use by several
// goroutines.
type shares struct {
	mu      sync.Mutex
	left    int // tokens
	calls   int // that have no result yet
	bounded bool
}

func (t *turn) share(calls int) *shares {
	left, bounded := t.resultRoom()
	return &shares{left: left, calls: calls, bounded: bounded}
}

// context returns a context for the next call: what is left is for it and those behind it.
func (s *shares) context(ctx context.Context) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.bounded {
		return ctx
	}
	return tool.WithRoom(ctx, max(s.left/max(s.calls, 1), smallestResult))
}

// used takes the room of a result.
func (s *shares) used(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left -= provider.Tokens(text)
	s.calls--
}

// fit returns the text of a result within its share of the room, and takes that.
func (b *batch) fit(text string) string {
	text = tool.Fit(b.shares.context(b.turn.ctx), text, b.turn.agent.cfg.Budget.keepOverflow)
	b.shares.used(text)
	return text
}

// keepOverflow keeps a text that a result is cut from, and gives its address, "" if it cannot.
func (b Budget) keepOverflow(text string) (address string) {
	if b.Overflow == nil {
		return ""
	}
	return b.Overflow(text)
}
