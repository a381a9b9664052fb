// Package team knows the agents of one session: who there is, in which state, what they have
// written to each other, and how many of them may work at once.
//
// It starts nothing. Time and randomness come in, and decisions come out: who is to be woken,
// revived or parked. What a decision means for a conversation is the business of who asked.
package team

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Main is the id of the conversation that the person talks to. It is always there, is never parked,
// and begins idle.
const Main = "Main"

// State says what an agent is doing.
type State string

// The states. Only Aborted is final.
const (
	Running State = "running" // a turn of it runs, or waits for a slot or an answer
	Idle    State = "idle"    // its last turn is over, and its conversation is at hand
	Parked  State = "parked"  // its conversation is on disk
	Aborted State = "aborted" // it was ended; its transcript can be read
)

// Agent is an agent as it was at one moment.
type Agent struct {
	ID          string
	Parent      string // the id of who started it, "" for Main
	Definition  string // the name of what kind of agent it is
	Description string // for the person
	State       State
	Lost        bool      // it cannot be revived: its workspace is gone
	Active      time.Time // when its state or its mailbox changed last
	Unread      int       // messages in its mailbox
}

// Team holds the agents of a session. Make one with New. It is safe for use by several goroutines.
type Team struct {
	mu        sync.Mutex
	agents    []*member // in the order in which they joined
	count     int       // of messages
	changed   chan struct{}
	wakesMain bool // a message begins a turn of Main
}

type member struct {
	Agent
	mailbox  []Message
	returned []Message // its own, that nobody has read
	awaits   []string  // ids of those without whom it does not go on
}

// The errors of Send.
var (
	ErrSelf    = errors.New("an agent cannot write to itself")
	ErrUnknown = errors.New("there is no agent of that id")
)

// New returns a team that consists of Main.
func New(now time.Time) *Team {
	return &Team{changed: make(chan struct{}), agents: []*member{{Agent: Agent{ID: Main, State: Idle, Active: now}}}}
}

// Changed returns a channel that is closed at the next change of the team after this call.
func (t *Team) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

// Announce wakes who waits for a change of the team, for one that happened elsewhere.
func (t *Team) Announce() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.announce()
}

// announce wakes who waits for a change. The lock is held.
func (t *Team) announce() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// find returns the agent of that id, in any case of letters. The lock is held.
func (t *Team) find(id string) *member {
	for _, m := range t.agents {
		if strings.EqualFold(m.ID, id) {
			return m
		}
	}
	return nil
}

// Join adds an agent that runs, and returns its id: wanted as far as it is one, behind the id of
// its parent unless that is Main, with a number where another agent has it.
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

// maxName is the most bytes that the name of an agent has.
const maxName = 48

// cleanName returns wanted with letters, digits, - and _ alone, at most maxName of them.
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

// Set gives an agent a state. Nothing follows Aborted, and Main is never parked nor aborted.
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

// Abort ends an agent for good, and returns the messages that it has not read. Who has written them
// is told.
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

// Rest makes an agent idle whose turn is over, and reports whether it is: one with messages in its
// mailbox runs on.
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

// Lose says that an agent cannot be revived any more, and returns the messages that it has not
// read. It is parked.
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

// Park parks the agents that have been idle for at least ttl, and returns their ids: their
// conversations can be put on disk. A ttl of 0 or less parks none.
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

// ParkOne parks an agent that is idle, and reports whether it is parked now.
func (t *Team) ParkOne(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(id)
	return m != nil && (m.State == Parked || t.park(m))
}

// park parks m if it is idle and has read all its messages. The lock is held.
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

// Find returns the agent of that id, in any case of letters.
func (t *Team) Find(id string) (Agent, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := t.find(id); m != nil {
		return m.now(), true
	}
	return Agent{}, false
}

// Descendants returns the ids of the agents that id has started, and of those that they have.
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
