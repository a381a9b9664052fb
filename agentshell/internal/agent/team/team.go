// Package team keeps track of the agents of one session: which ones there are, what each is doing,
// which messages they have sent to each other, and how many of them may work at the same time.
//
// The package starts nothing. The caller passes the time in, and gets decisions: which agent has to
// be woken, revived or parked. The caller carries them out.
package team

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Main is the id of the agent that the user talks to. It always exists, is never parked, and is
// idle at first.
const Main = "Main"

// State says whether an agent runs, waits for work, or has ended.
type State string

// The states of an agent. Only Aborted is final.
const (
	Running State = "running" // a turn of the agent runs, or waits for a slot or an answer
	Idle    State = "idle"    // the agent's last turn is over, and its conversation is still open
	// the agent's conversation is closed, and its messages are on disk; a message revives it
	Parked  State = "parked"
	Aborted State = "aborted" // the agent was ended for good; its transcript can still be read
)

// Agent is the state of an agent at one moment.
type Agent struct {
	ID          string
	Parent      string // the id of the agent that started it, "" for Main
	Definition  string // the name of the agent's kind
	Description string // the agent's task in one line, for the user
	State       State
	Lost        bool      // it cannot be revived, because its copy of the workspace is gone
	Active      time.Time // when the agent's state or mailbox last changed
	Unread      int       // the number of messages in the agent's mailbox
}

// Team holds the states and mailboxes of the agents of a session. Make one with New. It is safe for
// use by several goroutines.
type Team struct {
	mu        sync.Mutex
	agents    []*member // all agents, in the order in which they joined
	count     int       // the number of messages sent so far
	changed   chan struct{}
	wakesMain bool // a message to Main starts a turn of Main
}

type member struct {
	Agent
	mailbox  []Message
	returned []Message // messages that this agent had sent, and that came back because nobody read them
	awaits   []string  // the ids of the agents that this agent waits for
}

// Errors in the receipts of Send.
var (
	ErrSelf    = errors.New("an agent cannot write to itself")
	ErrUnknown = errors.New("there is no agent of that id")
)

// New returns a team that consists of Main alone.
func New(now time.Time) *Team {
	return &Team{changed: make(chan struct{}), agents: []*member{{Agent: Agent{ID: Main, State: Idle, Active: now}}}}
}

// Changed returns a channel that is closed when the team changes next.
func (t *Team) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// Announce closes the channel of Changed because of a change that the team does not record itself.
func (t *Team) Announce() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.announce()
}

// announce closes the channel of Changed. The caller holds the lock.
func (t *Team) announce() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// find returns the agent with that id, ignoring case, or nil. The caller holds the lock.
func (t *Team) find(id string) *member {
	for _, m := range t.agents {
		if strings.EqualFold(m.ID, id) {
			return m
		}
	}
	return nil
}

// Join adds a running agent and returns its id. The id is the wanted name without invalid
// characters; if the parent is not Main, its id and a dot come before it; if the id is taken, a
// number follows.
func (t *Team) Join(parent, wanted, definition, description string, now time.Time) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := cleanName(wanted)
	if parent != Main {
		name = parent + "." + name
	}
	id := name
	for n := 2; t.find(id) != nil; n++ {
		id = fmt.Sprintf("%s-%d", name, n)
	}
	t.agents = append(t.agents, &member{Agent: Agent{ID: id, Parent: parent, Definition: definition,
		Description: description, State: Running, Active: now}})
	t.announce()
	return id
}

// maxName is the largest number of bytes in the name of an agent.
const maxName = 48

// cleanName returns the letters, digits, - and _ of wanted, at most maxName bytes. Reserved and
// empty names get the suffix "Agent".
func cleanName(wanted string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, wanted)
	if name == "" || strings.EqualFold(name, Main) || strings.EqualFold(name, Everybody) {
		name += "Agent"
	}
	return name[:min(len(name), maxName)]
}

// Set changes the state of an agent. It does nothing if the agent is Aborted, or if Main would be
// parked or aborted.
func (t *Team) Set(id string, state State, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(id)
	if m == nil || m.State == Aborted || m.ID == Main && (state == Parked || state == Aborted) {
		return
	}
	m.State, m.Active = state, now
	if state == Aborted {
		t.abort(m)
	}
	t.announce()
}

// Abort ends an agent for good, and returns the messages that it has not read. Their senders get
// them back as unread.
func (t *Team) Abort(id string, now time.Time) (unread []Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(id)
	if m == nil || m.ID == Main || m.State == Aborted {
		return nil
	}
	m.State, m.Active = Aborted, now
	defer t.announce()
	return t.abort(m)
}

// Rest makes an agent idle after its turn. It returns false if the agent has messages in its
// mailbox: it stays Running then, and needs another turn.
func (t *Team) Rest(id string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(id)
	if m == nil || m.State != Running || len(m.mailbox) > 0 {
		return m == nil || m.State != Running
	}
	m.State, m.Active = Idle, now
	t.announce()
	return true
}

// Lose parks an agent and records that it can never be revived. It returns the messages that the
// agent has not read.
func (t *Team) Lose(id string, now time.Time) (unread []Message) {
	t.Set(id, Parked, now)
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.find(id); m != nil && m.State == Parked {
		m.Lost = true
		return t.abort(m)
	}
	return nil
}

// Park parks all agents that have been idle for at least ttl, and returns their ids. The caller can
// then close their conversations. If ttl is not positive, it parks none.
func (t *Team) Park(ttl time.Duration, now time.Time) (ids []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.agents {
		if ttl > 0 && now.Sub(m.Active) >= ttl && t.park(m) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// ParkOne parks an agent if it is idle. It reports whether the agent is parked afterwards.
func (t *Team) ParkOne(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(id)
	return m != nil && (m.State == Parked || t.park(m))
}

// park parks m if it is idle and its mailbox is empty, and reports whether it did. The caller holds
// the lock.
func (t *Team) park(m *member) bool {
	if m.ID == Main || m.State != Idle || len(m.mailbox) > 0 {
		return false
	}
	m.State = Parked
	t.announce()
	return true
}

// List returns all agents in the order in which they joined.
func (t *Team) List() []Agent {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]Agent, 0, len(t.agents))
	for _, m := range t.agents {
		list = append(list, m.now())
	}
	return list
}

// Find returns the agent with that id, ignoring case, and whether there is one.
func (t *Team) Find(id string) (Agent, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.find(id); m != nil {
		return m.now(), true
	}
	return Agent{}, false
}

// Descendants returns the ids of all agents below the agent id: its children, their children, and
// so on.
func (t *Team) Descendants(id string) (ids []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	above := []string{id}
	for _, m := range t.agents { // a parent joins before its children
		if slices.Contains(above, m.Parent) {
			above, ids = append(above, m.ID), append(ids, m.ID)
		}
	}
	return ids
}

func (m *member) now() Agent {
	a := m.Agent
	a.Unread = len(m.mailbox)
	return a
}
