// Package crew runs sub-agents: a conversation can give work to further agents, each with a
// conversation of its own.
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

// Config configures a Crew. Only Open is required.
type Config struct {
	Kinds    []Kind   // the kinds of agents that can be started; of two with the same name, the first one is used
	Disabled []string // names of kinds that may not be started
	// Depth limits nesting: an agent this many levels below Main, the user's conversation, cannot
	// start further agents.
	Depth int
	// Open opens a conversation for an agent: a new one, or the stored one of an agent that is
	// revived.
	Open   func(ctx context.Context, o Opening) (Conversation, error)
	Slots  int // the number of agents that may work at the same time; 0: 1
	Budget Budget
	// IdleTime is the time after which an idle agent is parked; 0: none is parked.
	IdleTime time.Duration
	// StopMain stops the turn of Main. It is called when the user stops everything while an agent
	// asks for approval; nil: the turn of Main cannot be stopped.
	StopMain func()
	// WakesMain says that a message to Main starts a turn of Main if none runs.
	WakesMain bool
	// Secrets are replaced in messages between agents and in results.
	Secrets secret.Set
	// Isolation says that agents started by Main may work in copies of the workspace. For such an
	// agent, Open must return an Isolated.
	Isolation bool
	// Archive stores the state of the agents; nil: their state is lost when the process ends.
	Archive Archive
}

// Crew holds the sub-agents of a session. Make one with New. It is safe for use by several
// goroutines.
type Crew struct {
	cfg   Config
	team  *team.Team
	slots *team.Slots

	ctx   context.Context // the context of turns that messages start
	end   context.CancelFunc
	turns sync.WaitGroup // counts the running turns that messages have started

	mu     sync.Mutex
	mates  map[string]*mate // the sub-agents by id
	kinds  []Kind
	closed bool

	followMu  sync.Mutex
	followers map[int]func(Event)
	follow    int // the key for the next follower in followers
}

// Opening describes the conversation that Config.Open has to open for an agent.
type Opening struct {
	ID   string
	Kind Kind
	// the kinds of its parent agents without Main; the agent gets no tool that one of them lacks
	Above  []Kind
	System string // text for the system prompt, after the text that all conversations have
	// the conversation so far, for an agent that is revived; nil: it is in the Archive, or new
	Messages []provider.Message
	Told     string // the context that the parent has given to the agent; System contains it, too
	// Description is one line about the agent's task, for the user.
	Description string
	Isolated    bool // the agent works in a copy of the workspace
	Yield       *tool.Yield
	Crew        tool.Crew // starts further agents; nil: the agent cannot
	// wraps the session's approver for the questions of this agent
	Approve func(approval.Approver) approval.Approver
	// delivers the messages that other agents send to this one
	Inbox agent.Inbox
}

// Conversation is the conversation of an agent: an *agent.Agent with a method Close.
type Conversation interface {
	RunText(ctx context.Context, text string, on func(agent.Event)) error
	RunTurn(ctx context.Context, m agent.Message, on func(agent.Event)) error
	Messages() []provider.Message
	Close() error
}

// New returns a crew without agents besides Main. The caller must call Close.
func New(cfg Config) *Crew {
	c := &Crew{cfg: cfg, team: team.New(time.Now()), slots: team.NewSlots(cfg.Slots), mates: map[string]*mate{},
		kinds: cfg.Kinds}
	c.ctx, c.end = context.WithCancel(context.Background())
	if cfg.WakesMain {
		c.team.WakeMain()
	}
	return c
}

// Close ends all agents and waits until no turn runs.
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

// mate returns the agent with that id; nil if it is Main or unknown.
func (c *Crew) mate(id string) *mate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.mates[id]
}

// MainBegins records that a turn of Main, the user's conversation, has begun.
func (c *Crew) MainBegins() { c.team.Set(team.Main, team.Running, time.Now()) }

// MainEnds records that the turn of Main has ended.
func (c *Crew) MainEnds() { c.team.Set(team.Main, team.Idle, time.Now()) }

// For returns the crew for the tools of the agent with that id: agents that it starts become its
// children. depth is the number of its parents, grandparents and so on.
func (c *Crew) For(id string, depth int) tool.Crew { return member{c, id, depth} }

// member is the crew as one agent uses it: agents that it starts are children of the agent id.
type member struct {
	*Crew
	id    string
	depth int
}

// SetKinds replaces the kinds of agents that can be started. Of two kinds with the same name, the
// first one is used.
func (c *Crew) SetKinds(kinds []Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds = kinds
}

// allKinds returns the kinds that are not disabled. It returns only the first one of each name.
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

// Kinds returns the kinds of agents that this agent can start.
func (m member) Kinds() (kinds []tool.AgentKind) {
	for _, k := range m.allKinds() {
		if m.Refusal(k.Name) == "" {
			kinds = append(kinds, tool.AgentKind{Name: k.Name, About: k.About, Blocking: k.Blocking})
		}
	}
	return kinds
}

// Refusal returns why this agent cannot start an agent of that kind, "" if it can.
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

// Join adds an agent for an assignment to the crew, and returns its new id. The agent begins with
// Work.
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

// Drop removes an agent for which Work was never called.
func (m member) Drop(id string) { _ = m.Stop(id) }

// Wait calls wait, which waits for the agents with those ids. Meanwhile other agents may use the
// slot of this agent.
func (m member) Wait(ctx context.Context, ids []string, wait func()) {
	defer m.team.Await(m.id, ids...)()
	a := m.mate(m.id)
	if a == nil { // Main has no slot
		wait()
		return
	}
	a.lend(ctx, Doing{What: WaitsForAgents, Title: strings.Join(ids, ", ")}, wait)
}

// Work runs an agent until it has a result. It calls progress with a line for each of the agent's
// tool calls.
func (m member) Work(ctx context.Context, id string, _ tool.Assignment, progress func(string)) tool.AgentResult {
	a := m.mate(id)
	m.emit(Event{Agent: id, Began: true})
	r := a.work(ctx, progress)
	m.emit(Event{Agent: id, Ended: &r})
	return r
}

// told returns the part of an agent's system prompt that describes its role: who started it, how to
// end, and which other agents there are.
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

// roleOf returns a colon with the kind and the task of an agent, which completes a line about the
// agent.
func roleOf(p tool.Peer) string {
	switch {
	case p.Kind == "":
		return ""
	case p.Description == "":
		return ": " + p.Kind
	}
	return ": " + p.Kind + ", " + p.Description
}

// Text returns the full result of an agent, which a model reads at agent://ID.
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

// unknown returns the error for an id that no agent has. It lists the ids that exist.
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
