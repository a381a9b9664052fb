// Package crew lets a conversation give work to further agents, each with a conversation of its
// own.
package crew

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Config configures a Crew. Open is required.
type Config struct {
	Kinds    []Kind   // the first one of a name counts
	Disabled []string // names of kinds that are not started
	// Depth limits nesting: an agent this many levels below Main starts no others.
	Depth int
	// Open opens the conversation of an agent.
	Open   func(ctx context.Context, o Opening) (Conversation, error)
	Slots  int // how many agents work at the same time; 0: 1
	Budget Budget
	// IdleTime parks an agent that was idle for so long; 0: none is parked.
	IdleTime time.Duration
	// StopMain stops the turn of Main, for a person who wants that while an agent asks; nil: none
	// can be stopped.
	StopMain func()
	// WakesMain tells that Main begins a turn when a message comes for it while none runs.
	WakesMain bool
	// Secrets are removed from messages and results.
	Secrets secret.Set
	// Isolation lets agents of Main work in copies of the workspace: Open gives an Isolated then.
	Isolation bool
	// Archive keeps what agents do; nil: it is kept in memory alone.
	Archive Archive
}

// Crew is the agents of a session. Make one with New. It is safe for use by several goroutines.
type Crew struct {
	cfg   Config
	team  *team.Team
	slots *team.Slots

	ctx   context.Context // of the turns that messages begin
	end   context.CancelFunc
	turns sync.WaitGroup // those turns

	mu     sync.Mutex
	mates  map[string]*mate // by id
	kinds  []Kind
	closed bool

	followMu  sync.Mutex
	followers map[int]func(Event)
	follow    int // the number of the next follower
}

// Opening says which conversation to open.
type Opening struct {
	ID       string
	Kind     Kind
	Above    []Kind             // the kinds of those above it, but Main: it has no tool that they have not
	System   string             // what the agent is told besides
	Messages []provider.Message // what was said before, of an agent that is revived; nil: an Archive has it
	Told     string             // what it is told besides its work, which is in System
	// Description is for the person.
	Description string
	Isolated    bool // it works in a copy of the workspace
	Yield       *tool.Yield
	Crew        tool.Crew                                 // nil: it cannot start agents
	Approve     func(approval.Approver) approval.Approver // who answers for it, made of who answers for the session
	Inbox       agent.Inbox                               // what others write to it
}

// Conversation is the conversation of an agent; an *agent.Agent is one with a Close.
type Conversation interface {
	RunText(ctx context.Context, text string, on func(agent.Event)) error
	RunTurn(ctx context.Context, m agent.Message, on func(agent.Event)) error
	Messages() []provider.Message
	Close() error
}

// New returns a crew of nobody but Main. Close ends it.
func New(cfg Config) *Crew {
	c := &Crew{cfg: cfg, team: team.New(time.Now()), slots: team.NewSlots(cfg.Slots), mates: map[string]*mate{},
		kinds: cfg.Kinds}
	c.ctx, c.end = context.WithCancel(context.Background())
	if cfg.WakesMain {
		c.team.WakeMain()
	}
	return c
}

// Close ends all agents and waits until none of them works.
func (c *Crew) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.end()
	c.turns.Wait()
	var err error
	for _, a := range c.team.List() {
		if m := c.mate(a.ID); m != nil {
			m.life.Lock()
			err = errors.Join(err, m.shut())
			m.life.Unlock()
		}
	}
	return err
}

// mate returns the agent of that id, nil for Main and an unknown one.
func (c *Crew) mate(id string) *mate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mates[id]
}

// MainBegins says that a turn of Main runs.
func (c *Crew) MainBegins() { c.team.Set(team.Main, team.Running, time.Now()) }

// MainEnds says that no turn of Main runs.
func (c *Crew) MainEnds() { c.team.Set(team.Main, team.Idle, time.Now()) }

// For returns the crew as the agent of that id has it: what it starts stands below it. depth is how
// many agents stand above.
func (c *Crew) For(id string, depth int) tool.Crew { return member{c, id, depth} }

// member is the crew of one agent.
type member struct {
	*Crew
	id    string
	depth int
}

// SetKinds changes which kinds of agents can be started from now on. The first one of a name
// counts.
func (c *Crew) SetKinds(kinds []Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds = kinds
}

// allKinds returns the kinds that are not disabled, each name once.
func (c *Crew) allKinds() (kinds []Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.kinds {
		if _, twice := find(kinds, k.Name); !twice && !slices.Contains(c.cfg.Disabled, k.Name) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Kinds returns the kinds of agents that can be started.
func (m member) Kinds() (kinds []tool.AgentKind) {
	for _, k := range m.allKinds() {
		if m.Refusal(k.Name) == "" {
			kinds = append(kinds, tool.AgentKind{Name: k.Name, About: k.About, Blocking: k.Blocking})
		}
	}
	return kinds
}

// Refusal says why no agent of that kind can be started, "" if one can.
func (m member) Refusal(kind string) string {
	all := m.allKinds()
	_, known := find(all, kind)
	switch a := m.mate(m.id); {
	case slices.Contains(m.cfg.Disabled, kind):
		return fmt.Sprintf("the kind of agent %s is disabled in the config file", kind)
	case !known:
		return fmt.Sprintf("there is no kind of agent %q", kind)
	case a != nil:
		return a.kind.refusal(kind)
	}
	return ""
}

// Join gives an agent its id.
func (m member) Join(a tool.Assignment) string {
	name := a.Name
	if name == "" {
		name = generatedName(rand.IntN)
	}
	kind, _ := find(m.allKinds(), a.Kind)
	a.Isolated = a.Isolated || kind.Isolated && m.Isolates()
	kind.Model = cmp.Or(a.Model, kind.Model)
	if a.Output != nil {
		kind.Output = a.Output
	}
	var above []Kind
	if parent := m.mate(m.id); parent != nil {
		above = append(slices.Clone(parent.above), parent.kind)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	id := m.team.Join(m.id, name, a.Kind, a.Description, time.Now())
	yield, err := tool.NewYield(kind.Output)
	m.mates[id] = &mate{yield: yield, fault: err, crew: m.Crew, id: id, parent: m.id, kind: kind, above: above,
		depth: m.depth + 1, task: a,
		seat: m.slots.Seat(), began: time.Now(), doing: Doing{What: WaitsForSlot}}
	return id
}

// Drop ends an agent whose work was not begun.
func (m member) Drop(id string) { _ = m.Stop(id) }

// Wait lends the slot of an agent that waits for the agents of those ids.
func (m member) Wait(ctx context.Context, ids []string, wait func()) {
	defer m.team.Await(m.id, ids...)()
	a := m.mate(m.id)
	if a == nil { // Main has no slot
		wait()
		return
	}
	a.lend(ctx, Doing{What: WaitsForAgents, Title: strings.Join(ids, ", ")}, wait)
}

// Work lets an agent work until it has a result.
func (m member) Work(ctx context.Context, id string, _ tool.Assignment, progress func(string)) tool.AgentResult {
	a := m.mate(id)
	m.emit(Event{Agent: id, Began: true})
	r := a.work(ctx, progress)
	m.emit(Event{Agent: id, Ended: &r})
	return r
}

// told returns what an agent is told besides what every conversation is.
func (m *mate) told() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nYou are %s, one of several agents of a session; %s has started you. %s\n", m.id, m.parent,
		m.kind.Prompt)
	fmt.Fprintf(&b, "Nobody reads what you write but in your result. End with the tool %s. You cannot ask the user "+
		"questions: decide, and say in the result what you assumed.\n", tool.YieldName)
	fmt.Fprintf(&b, "With irc you can write to the other agents; %s is the one that the user talks to. They are now:\n",
		team.Main)
	for _, p := range m.crew.Peers(m.id).Others() {
		fmt.Fprintf(&b, "- %s%s\n", p.ID, roleOf(p))
	}
	if m.task.Context != "" {
		fmt.Fprintf(&b, "\n# Context\n\n%s\n", m.task.Context)
	}
	return b.String()
}

// roleOf returns what a peer is there for, as the end of a line.
func roleOf(p tool.Peer) string {
	switch {
	case p.Kind == "":
		return ""
	case p.Description == "":
		return ": " + p.Kind
	}
	return ": " + p.Kind + ", " + p.Description
}

// Text returns the whole result of an agent: what agent://ID reads.
func (c *Crew) Text(id string) (string, error) {
	a, found := c.team.Find(id)
	m := c.mate(a.ID)
	if !found || m == nil {
		return "", c.unknown(id)
	}
	if text, ended := m.wholeResult(); ended {
		return text, nil
	}
	return "", fmt.Errorf("%s has no result yet: it is %s", a.ID, a.State)
}

// unknown returns the error of an id that no agent has.
func (c *Crew) unknown(id string) error {
	var ids []string
	for _, a := range c.team.List() {
		if a.ID != team.Main {
			ids = append(ids, a.ID)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("there is no agent %q: none was started", id)
	}
	return fmt.Errorf("there is no agent %q; there are %s", id, strings.Join(ids, ", "))
}
