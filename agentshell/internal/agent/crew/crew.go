// Package crew lets a conversation give work to further agents, each with a conversation of its
// own.
package crew

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// maxDepth limits nesting: an agent this many levels below Main starts no others.
const maxDepth = 2

// Crew is the agents of a session. Kinds, Open and Slots are required.
type Crew struct {
	Kinds []Kind
	// Open opens the conversation of an agent.
	Open  func(ctx context.Context, o Opening) (Conversation, error)
	Slots *team.Slots
	Team  *team.Team
	// MaxTime ends an agent that works longer; 0: no limit.
	MaxTime time.Duration

	mu      sync.Mutex
	texts   map[string]string             // results by id
	history map[string][]provider.Message // conversations of agents that have ended
	live    map[string]Conversation
}

// Opening says which conversation to open.
type Opening struct {
	ID      string
	Kind    Kind
	System  string // what the agent is told besides
	Yield   *tool.Yield
	Crew    tool.Crew                                 // nil: it cannot start agents
	Approve func(approval.Approver) approval.Approver // who answers for it, made of who answers for the session
}

// Conversation is the conversation of an agent; an *agent.Agent is one with a Close.
type Conversation interface {
	RunText(ctx context.Context, text string, on func(agent.Event)) error
	Messages() []provider.Message
	Close() error
}

// For returns the crew as the agent of that id has it: what it starts stands below it. depth is how
// many agents stand above.
func (c *Crew) For(id string, depth int) tool.Crew { return member{c, id, depth} }

// member is the crew of one agent.
type member struct {
	*Crew
	id    string
	depth int
}

// Kinds returns the kinds of agents that can be started.
func (m member) Kinds() []tool.AgentKind {
	var kinds []tool.AgentKind
	for _, k := range m.Crew.Kinds {
		kinds = append(kinds, tool.AgentKind{Name: k.Name, About: k.About})
	}
	return kinds
}

// Join gives an agent its id.
func (m member) Join(a tool.Assignment) string {
	name := a.Name
	if name == "" {
		name = generatedName(rand.IntN)
	}
	return m.Team.Join(m.id, name, a.Kind, a.Description, time.Now())
}

// Wait lends the slot of an agent that waits for others.
func (m member) Wait(wait func()) {
	if m.id == team.Main {
		wait()
		return
	}
	_ = m.Slots.Lend(func() error { wait(); return nil })
}

// errYielded is the cause of a context that ends because the agent has given its result.
var errYielded = errors.New("the agent has given its result")

// Work lets an agent work until it has a result.
func (m member) Work(ctx context.Context, id string, a tool.Assignment, progress func(string)) tool.AgentResult {
	r := tool.AgentResult{ID: id, Resource: "agent://" + id}
	if err := m.Slots.Acquire(ctx); err != nil {
		r.Err, r.Aborted = errors.New("it was stopped before it began"), true
		m.Team.Set(id, team.Aborted, time.Now())
		return r
	}
	defer m.Slots.Release()
	if m.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, m.MaxTime, agent.ErrTime)
		defer cancel()
	}
	kind, _ := find(m.Crew.Kinds, a.Kind)
	w := &worker{id: id, progress: progress, yield: new(tool.Yield), result: &r}
	begin := time.Now()
	if err := m.open(ctx, w, kind, a); err != nil {
		r.Err = err
		m.Team.Set(id, team.Aborted, time.Now())
		return r
	}
	w.work(ctx, a.Text)
	r.Took = time.Since(begin)
	m.end(w, ctx.Err() != nil)
	return r
}

// open opens the conversation of w.
func (m member) open(ctx context.Context, w *worker, kind Kind, a tool.Assignment) error {
	o := Opening{ID: w.id, Kind: kind, Yield: w.yield, System: m.told(w.id, kind, a)}
	if kind.Spawns && m.depth+1 < maxDepth {
		o.Crew = m.For(w.id, m.depth+1)
	}
	o.Approve = func(person approval.Approver) approval.Approver { return asker{m.Slots, w.id, person} }
	var err error
	if w.talk, err = m.Open(ctx, o); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.live == nil {
		m.live = map[string]Conversation{}
	}
	m.live[w.id] = w.talk
	return nil
}

// told returns what an agent is told besides what every conversation is.
func (m member) told(id string, kind Kind, a tool.Assignment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nYou are %s, one of several agents of a session; %s has started you. "+
		"%s\n", id, m.id, kind.Prompt)
	fmt.Fprintf(&b, "Nobody reads what you write but in your result. End with the tool %s. You cannot ask "+
		"questions: "+
		"decide, and say in the result what you assumed.\n", tool.YieldName)
	if a.Context != "" {
		fmt.Fprintf(&b, "\n# Context\n\n%s\n", a.Context)
	}
	return b.String()
}

// end keeps what is left of an agent.
func (m member) end(w *worker, stopped bool) {
	state := team.Idle
	if stopped {
		state = team.Aborted
	}
	messages := w.talk.Messages()
	err := w.talk.Close()
	m.mu.Lock()
	delete(m.live, w.id)
	if m.texts == nil {
		m.texts, m.history = map[string]string{}, map[string][]provider.Message{}
	}
	m.texts[w.id], m.history[w.id] = w.result.Text, messages
	m.mu.Unlock()
	m.Team.Set(w.id, state, time.Now())
	if err != nil && w.result.Err == nil {
		w.result.Warning = strings.TrimSpace(w.result.Warning + " " + err.Error())
	}
}

// Text returns the whole result of an agent: what agent://ID reads.
func (c *Crew) Text(id string) (string, error) {
	a, found := c.Team.Find(id)
	c.mu.Lock()
	defer c.mu.Unlock()
	text, ended := c.texts[a.ID]
	switch {
	case !found:
		return "", c.unknown(id)
	case !ended:
		return "", fmt.Errorf("%s has no result yet: it is %s", a.ID, a.State)
	}
	return text, nil
}

// History returns the transcript of an agent: what history://ID reads.
func (c *Crew) History(id string) (string, error) {
	a, found := c.Team.Find(id)
	if !found || a.ID == team.Main {
		return "", c.unknown(id)
	}
	c.mu.Lock()
	talk, messages := c.live[a.ID], c.history[a.ID]
	c.mu.Unlock()
	if talk != nil {
		messages = talk.Messages()
	}
	return window.Transcript(messages), nil
}

// unknown returns the error of an id that no agent has.
func (c *Crew) unknown(id string) error {
	var ids []string
	for _, a := range c.Team.List() {
		if a.ID != team.Main {
			ids = append(ids, a.ID)
		}
	}
	if len(ids) == 0 {
		return fmt.Errorf("there is no agent %q: none was started", id)
	}
	return fmt.Errorf("there is no agent %q; there are %s", id, strings.Join(ids, ", "))
}
