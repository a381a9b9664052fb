package crew

import (
	"errors"
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
)

// Tell sends a message of the user to the agent with that id, or, for [team.Everybody], to all
// agents that run or are idle. An idle or parked agent starts a turn.
func (c *Crew) Tell(id, text string) []team.Receipt {
	return c.send(team.Message{From: team.Main, To: id, Text: text, Person: true})
}

// Stop ends the agent with that id and all agents below it, for good.
func (c *Crew) Stop(id string) error {
	a, found := c.team.Find(id)
	if !found || a.ID == team.Main {
		return c.unknown(id)
	}
	var err error
	for _, id := range append(c.team.Descendants(a.ID), a.ID) {
		err = errors.Join(err, c.mate(id).stop())
	}
	return err
}

// stop ends the agent for good, and cancels its turn.
func (m *mate) stop() error {
	m.mu.Lock()
	m.stopped = true
	cancel := m.cancel
	m.mu.Unlock()
	m.abort()
	if cancel != nil { // the end of the turn closes the conversation
		cancel(errStopped)
		return nil
	}
	err := m.keep(team.Aborted)
	m.life.Lock()
	defer m.life.Unlock()
	return errors.Join(err, m.shut())
}

// abort marks the agent as ended for good. Messages that it has not read are reported as failed.
func (m *mate) abort() { m.crew.failUnread(m.id, m.crew.team.Abort(m.id, time.Now())) }

// failUnread emits an event for each message that the ended agent with that id has not read.
func (c *Crew) failUnread(id string, unread []team.Message) {
	for _, m := range unread {
		failed := team.Receipt{To: id, Outcome: team.Failed, Err: fmt.Errorf("%s was ended before it read it", id)}
		c.emit(Event{Agent: m.From, Mail: &Mail{Message: m, Receipts: []team.Receipt{failed}}})
	}
}

// Park closes the conversation of an idle agent until somebody writes to the agent.
func (c *Crew) Park(id string) error {
	a, found := c.team.Find(id)
	switch {
	case !found || a.ID == team.Main:
		return c.unknown(id)
	case !c.team.ParkOne(a.ID):
		return fmt.Errorf("%s is %s; only an idle agent can be parked", a.ID, a.State)
	}
	return c.mate(a.ID).putAway()
}

// putAway closes the conversation of the agent if it is still parked.
func (m *mate) putAway() error {
	m.life.Lock()
	defer m.life.Unlock()
	if a, _ := m.crew.team.Find(m.id); a.State != team.Parked { // it was revived meanwhile
		return nil
	}
	return m.shut()
}

// Revive opens the conversation of a parked agent again.
func (c *Crew) Revive(id string) error {
	a, found := c.team.Find(id)
	switch {
	case !found || a.ID == team.Main:
		return c.unknown(id)
	case a.State != team.Parked:
		return fmt.Errorf("%s is %s; only a parked agent can be revived", a.ID, a.State)
	case a.Lost:
		return fmt.Errorf("%s worked in a copy that is gone; its transcript is history://%s", a.ID, a.ID)
	}
	m := c.mate(a.ID)
	m.life.Lock()
	defer m.life.Unlock()
	if err := m.open(c.ctx); err != nil {
		return err
	}
	c.team.Set(a.ID, team.Idle, time.Now())
	c.armParking()
	return nil
}

// armParking starts a timer that parks agents which have then been idle for Config.IdleTime.
func (c *Crew) armParking() {
	if c.cfg.IdleTime <= 0 {
		return
	}
	time.AfterFunc(c.cfg.IdleTime, func() {
		c.mu.Lock()
		closed := c.closed
		c.mu.Unlock()
		if closed {
			return
		}
		for _, id := range c.team.Park(c.cfg.IdleTime, time.Now()) {
			_ = c.mate(id).putAway() // what was said is saved; who revives it hears of an error
		}
	})
}

// send delivers a message between agents, and starts the turns of agents that it wakes.
func (c *Crew) send(m team.Message) []team.Receipt {
	m.Text = c.cfg.Secrets.Redact(m.Text)
	receipts := c.team.Send(m, time.Now())
	for i, r := range receipts {
		to := c.mate(r.To)
		if to == nil || r.Outcome != team.Woken && r.Outcome != team.Revived {
			continue
		}
		if err := to.reopen(); err != nil {
			c.team.Withdraw(r)
			receipts[i] = team.Receipt{To: r.To, Outcome: team.Failed,
				Err: fmt.Errorf("%s cannot be revived: %w", r.To, err)}
			continue
		}
		c.wake(to)
	}
	if len(receipts) == 1 {
		m.ID = receipts[0].Message
	}
	c.emit(Event{Agent: m.From, Mail: &Mail{Message: m, Receipts: receipts}})
	return receipts
}

// reopen opens the conversation unless it is open already.
func (m *mate) reopen() error {
	m.life.Lock()
	defer m.life.Unlock()
	return m.open(m.crew.ctx)
}

// wake starts a goroutine in which the agent answers the messages in its mailbox.
func (c *Crew) wake(m *mate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.turns.Go(m.answer)
}

// renew replaces the agent's result with the one that it has given in a later turn, if it has.
func (m *mate) renew() {
	text, fault, yielded := m.yield.Result()
	m.mu.Lock()
	defer m.mu.Unlock()
	if !yielded || fault != "" || m.result == nil {
		return
	}
	r := *m.result
	m.whole = m.crew.cfg.Secrets.Redact(text)
	r.Text, r.Cut = cut(m.whole)
	r.Err, r.Warning = nil, ""
	m.result = &r
}

// answer runs turns until the agent's mailbox is empty.
func (m *mate) answer() {
	ctx, end, err := m.begin(m.crew.ctx)
	if err != nil && ctx.Err() == nil { // the messages stay until its conversation can be opened
		end()
		m.crew.team.Set(m.id, team.Idle, time.Now())
		return
	}
	if err == nil {
		_ = m.keep(team.Running) // the log says itself that it cannot be written
	}
	for err == nil && ctx.Err() == nil {
		mail := m.crew.team.Read(m.id, false)
		if len(mail) == 0 {
			break
		}
		m.yield.Reset()
		err = m.turn(ctx, incoming(mail))
		m.renew()
	}
	stopped := ctx.Err() != nil
	end()
	_ = m.rest(stopped && m.crew.ctx.Err() == nil)
}

// History returns the transcript of an agent, which a model reads at history://ID.
func (c *Crew) History(id string) (string, error) {
	a, _ := c.team.Find(id)
	m := c.mate(a.ID)
	if m == nil {
		return "", c.unknown(id)
	}
	return window.Transcript(m.messages()), nil
}
