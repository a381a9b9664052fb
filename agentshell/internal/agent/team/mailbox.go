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

// maxMailbox is the most messages that wait for an agent. The oldest goes when one more comes.
const maxMailbox = 100

// Message is what one agent has written to another.
type Message struct {
	ID       string // unique in the session
	From, To string
	Text     string
	ReplyTo  string // the id of the message that it answers, "" for none
	Sent     time.Time
	Person   bool // the person has written it, from Main
	// Unread says that To is told of a message of its own that From never read: From was ended.
	Unread bool
}

// Outcome says what a message does to who gets it.
type Outcome string

// The outcomes.
const (
	Injected Outcome = "injected" // it goes in before the next step of a turn that runs
	Woken    Outcome = "woken"    // it begins a turn
	Revived  Outcome = "revived"  // its conversation is opened again, and it begins a turn
	Failed   Outcome = "failed"   // it does not arrive
)

// Receipt says what has become of a message for one agent.
type Receipt struct {
	To      string
	Outcome Outcome
	Err     error  // why it has failed
	Message string // its id; "" for one that has failed
}

// Send puts a message into the mailbox of each agent that it is addressed to, and returns a receipt
// for each. Who is woken or revived runs from then on: the caller starts the turn. A message to
// Everybody reaches no agent that is parked.
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

// deliver puts a message into one mailbox. The lock is held.
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

// Withdraw takes a message back that has revived an agent whose conversation could not be opened:
// the agent is parked again.
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

// abort empties the mailbox of an agent that reads no message any more. Who has written the
// messages gets them back, which neither wakes nor revives anybody. The lock is held.
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

// gone reports whether the agent reads no message any more.
func (m *member) gone() bool { return m.State == Aborted || m.Lost }

// Read returns the messages that wait for an agent, in the order in which they came, those of its
// own first that nobody has read. It takes them out of its mailbox unless it only peeks.
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

// Wait takes the oldest message from the agent from, "" for any, out of the mailbox of id. It waits
// for one until ctx ends; then found is false. It does not wait for an agent that cannot write: why
// says so.
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

// takeOrAwait takes a message as Wait does. If there is none, id waits for from, unless that cannot
// write. Both happen in one step. So an agent that would close a circle is told, and not one that
// waited before.
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

// Await says that an agent waits for others, and writes to nobody until done is called.
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

// setAwaits sets for whom an agent waits. The lock is held.
func (t *Team) setAwaits(id string, others ...string) {
	if m := t.find(id); m != nil {
		m.awaits = others
	}
}

// silence says why from, "" for any agent, cannot write to id. The lock is held.
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

// waitsFor reports whether m waits for id, be it by way of others. The lock is held.
func (t *Team) waitsFor(m *member, id string, seen []string) bool {
	if m == nil || slices.Contains(seen, m.ID) {
		return false
	}
	seen = append(seen, m.ID)
	return slices.ContainsFunc(m.awaits, func(other string) bool {
		return strings.EqualFold(other, id) || t.waitsFor(t.find(other), id, seen)
	})
}

// WakeMain says that Main begins a turn by itself when a message comes for it. Otherwise the person
// does.
func (t *Team) WakeMain() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wakesMain = true
}

// takeFrom takes the oldest message from the agent from, "" for any, out of the mailbox of id. The
// lock is held.
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
