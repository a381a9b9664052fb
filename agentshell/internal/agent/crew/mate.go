package crew

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// mate is one agent of a crew.
type mate struct {
	crew       *Crew
	id, parent string
	kind       Kind
	above      []Kind // of those above it, but Main
	depth      int    // how many agents stand above, with Main
	task       tool.Assignment
	seat       *team.Seat
	yield      *tool.Yield
	fault      error // of its kind: why it cannot work

	// life is held while the conversation is opened, closed or counted on to be either.
	life sync.Mutex

	mu      sync.Mutex              // guards all below
	talk    Conversation            // nil: not open
	saved   []provider.Message      // the conversation of one that is not open
	cancel  context.CancelCauseFunc // ends the turn that runs; nil: none does
	stopped bool                    // no turn begins any more
	doing   Doing                   // according to its events
	waits   []*Doing                // what its calls wait for: that counts more
	steps   int
	tokens  int
	cost    float64
	changed []string // files, as shown
	words   string   // the last message that has text
	began   time.Time
	spent   spent
	whole   string            // the result as the agent gave it, without a bound
	result  *tool.AgentResult // nil: none yet

	reason agent.Reason // how the last turn ended
	limit  agent.Bound

	watch watch
}

// open opens the conversation unless it is open. life is held.
func (m *mate) open(ctx context.Context) error {
	m.mu.Lock()
	saved, open, stopped := m.saved, m.talk != nil, m.stopped
	m.mu.Unlock()
	switch {
	case open:
		return nil
	case stopped:
		return errStopped
	}
	o := Opening{ID: m.id, Kind: m.kind, Above: m.above, Yield: m.yield, System: m.told(), Messages: saved,
		Told: m.task.Context, Description: m.task.Description, Isolated: m.task.Isolated,
		Inbox: inbox{crew: m.crew, id: m.id, mate: m}}
	if len(m.kind.Spawns) > 0 && m.depth < m.crew.cfg.Depth {
		o.Crew = m.crew.For(m.id, m.depth)
	}
	if o.Isolated { // what those change that it starts would be in no copy
		o.Crew = nil
	}
	o.Approve = func(person approval.Approver) approval.Approver { return asker{m, person} }
	talk, err := m.crew.cfg.Open(ctx, o)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.talk, m.saved = talk, nil
	return nil
}

// shut closes the conversation, if it is open, and keeps what was said. life is held.
func (m *mate) shut() error {
	m.mu.Lock()
	talk := m.talk
	m.mu.Unlock()
	if talk == nil {
		return nil
	}
	saved := talk.Messages()
	err := talk.Close()
	if archive := m.crew.cfg.Archive; err == nil && archive != nil && archive.Stores() {
		saved = nil
	}
	m.mu.Lock()
	m.talk, m.saved = nil, saved
	m.mu.Unlock()
	return err
}

// begin takes what a turn needs: a slot, and an open conversation. The context ends with the turn,
// and when somebody stops the agent. end gives the slot back.
func (m *mate) begin(ctx context.Context) (_ context.Context, end func(), err error) {
	stopTimer := func() {}
	if limit := m.crew.cfg.Budget.Time; limit > 0 {
		ctx, stopTimer = context.WithTimeoutCause(ctx, limit, errBudget{limit.String()})
	}
	ctx, cancel := context.WithCancelCause(ctx)
	m.mu.Lock()
	m.spent = spent{since: time.Now()}
	if m.stopped {
		cancel(errStopped)
	}
	m.cancel = cancel
	m.mu.Unlock()
	end = func() {
		m.mu.Lock()
		m.cancel, m.doing = nil, Doing{}
		m.mu.Unlock()
		m.seat.Leave()
		cancel(nil)
		stopTimer()
	}
	m.set(Doing{What: WaitsForSlot})
	if err := m.seat.Take(ctx); err != nil {
		return ctx, end, err
	}
	m.set(Doing{What: Thinks})
	m.life.Lock()
	defer m.life.Unlock()
	return ctx, end, m.open(ctx)
}

// turn plays one turn. It ends early when the agent yields.
func (m *mate) turn(ctx context.Context, message agent.Message) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m.mu.Lock()
	talk := m.talk
	m.mu.Unlock()
	m.watch.begin(talk.Messages(), message)
	return talk.RunTurn(ctx, message, func(e agent.Event) {
		m.note(e)
		if end, is := e.(agent.ToolEnd); is && end.Name == tool.YieldName && end.OK {
			cancel(errYielded)
		}
	})
}

// set says what the agent does now.
func (m *mate) set(d Doing) {
	m.mu.Lock()
	m.doing = d
	m.mu.Unlock()
	m.crew.team.Announce()
}

// lend lends the slot while the agent waits, and says what for.
func (m *mate) lend(ctx context.Context, d Doing, wait func()) {
	m.mu.Lock()
	m.waits = append(m.waits, &d)
	m.mu.Unlock()
	m.crew.team.Announce()
	m.seat.Lend(ctx, wait)
	m.mu.Lock()
	m.waits = slices.DeleteFunc(m.waits, func(w *Doing) bool { return w == &d })
	m.mu.Unlock()
	m.crew.team.Announce()
}

// wholeResult returns the result of the agent, or its last words, without a bound. ended is false
// if its work has not ended.
func (m *mate) wholeResult() (text string, ended bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.whole, m.result != nil
}
