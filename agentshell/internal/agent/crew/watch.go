package crew

import (
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Look holds what an agent said and did before Watch was called.
type Look struct {
	// Messages is the conversation before the running turn, or all of it if no turn runs.
	Messages []provider.Message
	// Turn is the message that the running turn began with; "" if no turn runs.
	Turn string
}

// Watch returns the conversation of the agent with that id, and calls on with the events of its
// turns, in order, until stop is called. It first repeats the events of the running turn. on must
// not block, nor call the crew.
func (c *Crew) Watch(id string, on func(agent.Event)) (look Look, stop func(), err error) {
	a, _ := c.team.Find(id)
	m := c.mate(a.ID)
	if m == nil {
		return Look{}, nil, c.unknown(id)
	}
	m.watch.mu.Lock()
	defer m.watch.mu.Unlock()
	if m.watch.running {
		look = Look{Messages: m.watch.before, Turn: m.watch.text}
	} else {
		look = Look{Messages: m.messages()}
	}
	for _, e := range m.watch.events {
		on(e)
	}
	return look, m.watch.put(on), nil
}

// messages returns the conversation of the agent, whether it is open, closed or archived.
func (m *mate) messages() []provider.Message {
	m.mu.Lock()
	talk, saved := m.talk, m.saved
	m.mu.Unlock()
	if talk != nil {
		return talk.Messages()
	}
	if archive := m.crew.cfg.Archive; saved == nil && archive != nil {
		saved, _ = archive.Messages(m.id) // without them there is nothing to show
	}
	return saved
}

// watch passes the events of an agent to the callbacks that watch it, and stores those of the
// running turn for callbacks that are added later.
type watch struct {
	mu      sync.Mutex
	running bool
	before  []provider.Message // the conversation before the running turn
	text    string             // the message that the turn began with
	events  []agent.Event      // the events of the running turn
	open    int                // the index of the first event of a message that is not complete yet
	on      map[int]func(agent.Event)
	next    int
}

// begin records that a turn begins. before is the conversation until then, m the message that
// begins the turn.
func (w *watch) begin(before []provider.Message, m agent.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running, w.before, w.text, w.events, w.open = true, before, m.Text, nil, 0
}

// join adds a callback that gets the events from now on, until stop is called.
func (w *watch) join(on func(agent.Event)) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.put(on)
}

// put adds a callback as join does. The caller holds the lock.
func (w *watch) put(on func(agent.Event)) (stop func()) {
	if w.on == nil {
		w.on = map[int]func(agent.Event){}
	}
	n := w.next
	w.next++
	w.on[n] = on
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.on, n)
	}
}

// add passes an event to the callbacks, and stores it until the turn ends. To save memory, it
// replaces the streamed pieces of a complete message with the whole text, and drops the progress of
// a call that has ended.
func (w *watch) add(e agent.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, on := range w.on {
		on(e)
	}
	switch e := e.(type) {
	case agent.TurnEnd:
		w.running, w.before, w.text, w.events, w.open = false, nil, "", nil, 0
		return
	case agent.Retry, agent.Retracted: // what was streamed is void
		w.events = w.events[:w.open]
	case agent.MessageEnd:
		w.events = append(w.events[:w.open], whole(w.events[w.open:], e.Text)...)
	case agent.ToolEnd:
		w.dropProgress(e.ID)
	}
	w.events = append(w.events, e)
	if _, end := e.(agent.MessageEnd); end {
		w.open = len(w.events)
	}
}

// dropProgress removes the progress of a call from the stored events. The caller holds the lock.
func (w *watch) dropProgress(id string) {
	kept := w.events[:w.open]
	for _, e := range w.events[w.open:] {
		if p, is := e.(agent.ToolProgress); !is || p.ID != id {
			kept = append(kept, e)
		}
	}
	w.events = kept
}

// whole returns the stored events of a message that is complete: its thinking and its text as one
// event each, and the other events.
func whole(pieces []agent.Event, text string) (events []agent.Event) {
	var thinking strings.Builder
	for _, e := range pieces {
		switch e := e.(type) {
		case agent.Text, agent.ToolStream:
		case agent.Thinking:
			thinking.WriteString(e.Delta)
		case agent.TextWasThinking:
			thinking.WriteString(e.Text)
		default:
			events = append(events, e)
		}
	}
	var first []agent.Event
	if thinking.Len() > 0 {
		first = append(first, agent.Thinking{Delta: thinking.String()})
	}
	if text != "" {
		first = append(first, agent.Text{Delta: text})
	}
	return append(first, events...)
}
