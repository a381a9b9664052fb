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

// mate is one sub-agent of a crew: its assignment, its conversation and its result.
type mate struct {
	crew       *Crew
	id, parent string
	kind       Kind
	above      []Kind // the kinds of its parent agents, without Main
	depth      int    // the number of its parent agents, with Main
	task       tool.Assignment
	seat       *team.Seat
	yield      *tool.Yield
	fault      error // why agents of its kind cannot work: the schema for the result is invalid

	// life is locked while the conversation is opened or closed, and while it must not be opened or
	// closed.
	life sync.Mutex

	mu      sync.Mutex              // guards all fields below
	talk    Conversation            // the conversation; nil: it is not open
	saved   []provider.Message      // the messages of a conversation that was closed
	cancel  context.CancelCauseFunc // cancels the running turn; nil: none runs
	stopped bool                    // no further turn may begin
	doing   Doing                   // the agent's activity according to the events of its turn
	waits   []*Doing                // what its tool calls wait for; the last one overrides doing
	steps   int
	tokens  int
	cost    float64
	changed []string // the paths of changed files, as they are shown
	words   string   // the agent's last message that has text
	began   time.Time
	spent   spent
	whole   string            // the agent's full result, not cut
	result  *tool.AgentResult // the agent's result; nil: there is none yet

	reason agent.Reason // why the last turn ended
	limit  agent.Bound

	watch watch
}

// open opens the conversation if it is not open. The caller holds life.
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

// shut closes the conversation if it is open, and stores its messages in saved unless the archive
// has them. The caller holds life.
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

// begin waits for a slot and opens the conversation. The returned context ends with the turn, and
// when somebody stops the agent. The caller must call end, which frees the slot, even after an
// error.
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

// turn runs one turn. It ends early when the agent gives its result with the tool yield.
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

// set records and announces the agent's current activity.
func (m *mate) set(d Doing) {
	m.mu.Lock()
	m.doing = d
	m.mu.Unlock()
	m.crew.team.Announce()
}

// lend calls wait, and frees the agent's slot meanwhile. d describes what the agent waits for.
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

// wholeResult returns the full result of the agent, or its last message if it gave none. ended is
// false if the agent still works on its assignment.
func (m *mate) wholeResult() (text string, ended bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.whole, m.result != nil
}
