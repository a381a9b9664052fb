package team

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Everybody is the address of all agents that run or are idle.
const Everybody = "all"

// maxMailbox is the highest number of messages in the mailbox of an agent. When another one comes,
// the oldest is dropped.
const maxMailbox = 100

// Message is a message from one agent to another.
type Message struct {
	ID       string // the id of the message, unique in the session
	From, To string
	Text     string
	ReplyTo  string // the id of the message that this one answers, "" for none
	Sent     time.Time
	Person   bool // the user wrote it; From is Main then
	// Unread says that this is a message that came back: To had sent the text to From, which was
	// ended before it read the message.
	Unread bool
}

// Outcome says what the arrival of a message means for its recipient.
type Outcome string

// The outcomes of a message.
const (
	Injected Outcome = "injected" // the recipient gets the message before the next request of its running turn
	Woken    Outcome = "woken"    // the recipient was idle, and starts a turn because of the message
	// the recipient was parked: its conversation has to be opened again, and it starts a turn
	Revived Outcome = "revived"
	Failed  Outcome = "failed" // the message does not arrive
)

// Receipt says what happened to a message for one recipient.
type Receipt struct {
	To      string
	Outcome Outcome
	Err     error  // why the message did not arrive; nil: it did
	Message string // the id of the message; "" if it failed
}

// Send puts a message into the mailbox of each recipient, and returns a receipt for each.
// Recipients that are woken or revived have the state Running from then on, and the caller must
// start their turns. A message to Everybody does not reach parked agents.
func (t *Team) Send(m Message, now time.Time) []Receipt {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.announce()
	m.Sent = now
	if m.To != Everybody {
		return []Receipt{t.deliver(m, m.To)}
	}
	var receipts []Receipt
	for _, to := range t.agents {
		if to.ID != m.From && (to.State == Running || to.State == Idle) {
			receipts = append(receipts, t.deliver(m, to.ID))
		}
	}
	return receipts
}

// deliver puts a message into the mailbox of one agent. The caller holds the lock.
func (t *Team) deliver(m Message, id string) Receipt {
	to := t.find(id)
	switch {
	case to == nil:
		return Receipt{To: id, Outcome: Failed, Err: ErrUnknown}
	case to.ID == m.From:
		return Receipt{To: to.ID, Outcome: Failed, Err: ErrSelf}
	case to.State == Aborted:
		return Receipt{To: to.ID, Outcome: Failed,
			Err: fmt.Errorf("%s was ended; its transcript is history://%s", to.ID, to.ID)}
	case to.Lost:
		return Receipt{To: to.ID, Outcome: Failed,
			Err: fmt.Errorf("%s worked in a copy that is gone; its transcript is history://%s", to.ID, to.ID)}
	}
	t.count++
	m.ID, m.To = fmt.Sprintf("m-%d", t.count), to.ID
	to.mailbox = append(to.mailbox, m)
	to.mailbox = to.mailbox[max(len(to.mailbox)-maxMailbox, 0):]
	r := Receipt{To: to.ID, Outcome: Injected, Message: m.ID}
	switch {
	case to.State == Parked:
		r.Outcome = Revived
	case to.State == Idle && (to.ID != Main || t.wakesMain):
		r.Outcome = Woken
	}
	if r.Outcome != Injected && to.ID != Main { // when the turn of Main begins is for the screen to say
		to.State = Running
	}
	to.Active = m.Sent
	return r
}

// Withdraw removes a message that should have revived an agent, after its conversation could not be
// opened. The agent is parked again.
func (t *Team) Withdraw(r Receipt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(r.To)
	if m == nil || m.State == Aborted {
		return
	}
	m.mailbox = slices.DeleteFunc(m.mailbox, func(m Message) bool { return m.ID == r.Message })
	m.State = Parked
	t.announce()
}

// abort empties the mailbox of an agent that will never read it, and returns the messages. Their
// senders get them back as unread, which starts no turn. The caller holds the lock.
func (t *Team) abort(m *member) (unread []Message) {
	unread, m.mailbox, m.returned = m.mailbox, nil, nil
	for _, message := range unread {
		if from := t.find(message.From); from != nil && !message.Person && !from.gone() {
			from.returned = append(from.returned, Message{ID: message.ID, From: m.ID, To: from.ID, Text: message.Text,
				Sent: message.Sent, Unread: true})
			from.returned = from.returned[max(len(from.returned)-maxMailbox, 0):]
		}
	}
	return unread
}

// gone reports whether the agent will never read a message again.
func (m *member) gone() bool { return m.State == Aborted || m.Lost }

// Read returns the messages that wait for an agent: first its own ones that came back unread, then
// the others, oldest first. Unless peek is true, it removes them from the mailbox.
func (t *Team) Read(id string, peek bool) []Message {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(id)
	if m == nil || len(m.mailbox)+len(m.returned) == 0 {
		return nil
	}
	messages := slices.Concat(m.returned, m.mailbox)
	if !peek {
		m.mailbox, m.returned = nil, nil
		t.announce()
	}
	return messages
}

// Wait waits for a message to the agent id, takes the oldest one out of the mailbox, and returns
// it. If from is not "", only messages from that agent count. found is false if ctx ended before,
// or if waiting is useless because that agent cannot write; why then says why.
func (t *Team) Wait(ctx context.Context, id, from string) (m Message, found bool, why string) {
	if from != "" {
		defer t.stopAwaiting(id)
	}
	for {
		changed := t.Changed()
		if m, found, why := t.takeOrAwait(id, from); found || why != "" {
			return m, found, why
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Message{}, false, ""
		}
	}
}

// takeOrAwait returns a message as Wait does. If there is none, it records that id waits for from,
// unless from cannot write. Both happen under one lock. So if two agents are about to wait for each
// other, it is the second one that is told so.
func (t *Team) takeOrAwait(id, from string) (m Message, found bool, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m, found = t.takeFrom(id, from); found {
		return m, true, ""
	}
	if why = t.silence(id, from); why == "" && from != "" {
		t.setAwaits(id, from)
	}
	return Message{}, false, why
}

// Await records that an agent waits for others, and cannot write to anybody until done is called.
func (t *Team) Await(id string, others ...string) (done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setAwaits(id, others...)
	return func() { t.stopAwaiting(id) }
}

func (t *Team) stopAwaiting(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setAwaits(id)
}

// setAwaits sets the ids of the agents that the agent id waits for. The caller holds the lock.
func (t *Team) setAwaits(id string, others ...string) {
	if m := t.find(id); m != nil {
		m.awaits = others
	}
}

// silence returns why the agent from cannot write to id, "" if it can. A from of "" means any
// agent, which always can. The caller holds the lock.
func (t *Team) silence(id, from string) string {
	m := t.find(from)
	switch {
	case from == "":
		return ""
	case m == nil:
		return fmt.Sprintf("there is no agent %q", from)
	case m.State == Aborted:
		return m.ID + " was ended"
	case t.waitsFor(m, id, nil):
		return m.ID + " waits for you: write to it, or give your result"
	}
	return ""
}

// waitsFor reports whether m waits for the agent id, directly or through other waiting agents. The
// caller holds the lock.
func (t *Team) waitsFor(m *member, id string, seen []string) bool {
	if m == nil || slices.Contains(seen, m.ID) {
		return false
	}
	seen = append(seen, m.ID)
	return slices.ContainsFunc(m.awaits, func(other string) bool {
		return strings.EqualFold(other, id) || t.waitsFor(t.find(other), id, seen)
	})
}

// WakeMain makes messages to Main start a turn of Main. Without it, only the user starts turns of
// Main.
func (t *Team) WakeMain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wakesMain = true
}

// takeFrom removes the oldest message from the mailbox of id and returns it. If from is not "",
// only messages from that agent count. The caller holds the lock.
func (t *Team) takeFrom(id, from string) (Message, bool) {
	to, sender := t.find(id), t.find(from)
	if to == nil || from != "" && sender == nil {
		return Message{}, false
	}
	for i, m := range to.mailbox {
		if from == "" || m.From == sender.ID {
			to.mailbox = append(to.mailbox[:i:i], to.mailbox[i+1:]...)
			t.announce()
			return m, true
		}
	}
	return Message{}, false
}
