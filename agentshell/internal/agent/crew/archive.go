package crew

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Archive keeps what the agents of a session do, so that it outlives the process. Its methods are
// safe for use by several goroutines.
type Archive interface {
	// Stores reports whether conversations are stored: those of a session without a log are not.
	Stores() bool
	// Keep keeps how an agent is from now on. Its conversation is kept by who opens it.
	Keep(a Agent) error
	// Messages returns the conversation of an agent.
	Messages(id string) ([]provider.Message, error)
}

// Past is an agent of an earlier process.
type Past struct {
	team.Agent
	Context       string // what it was told besides its work
	Steps, Tokens int
	Began         time.Time
	Result        *tool.AgentResult // nil: it had none
}

// Isolated is a conversation in a copy of the workspace.
type Isolated interface {
	Conversation
	// BringBack proposes for the workspace what was changed in the copy, once the agent has ended,
	// and says in the result what became of it. If ctx has ended, it leaves the copy where it is.
	BringBack(ctx context.Context, r *tool.AgentResult)
}

// Isolates implements tool.Isolator.
func (m member) Isolates() bool { return m.cfg.Isolation && m.id == team.Main }

// bringBack proposes for the workspace what the agent has changed in a copy.
func (m *mate) bringBack(ctx context.Context, r *tool.AgentResult) {
	m.mu.Lock()
	talk, is := m.talk.(Isolated)
	m.mu.Unlock()
	if !is {
		return
	}
	talk.BringBack(ctx, r)
	m.mu.Lock()
	m.changed = r.Changed
	m.mu.Unlock()
}

// lose ends an agent whose copy of the workspace is gone.
func (m *mate) lose() error {
	err := m.keep(team.Parked)
	m.crew.failUnread(m.id, m.crew.team.Lose(m.id, time.Now()))
	m.life.Lock()
	defer m.life.Unlock()
	return errors.Join(err, m.shut())
}

// text returns its result, "" for none.
func (p Past) text() string {
	if p.Result == nil {
		return ""
	}
	return p.Result.Text
}

// Restore adds agents of an earlier process. They are parked, and a message revives them, unless
// they were aborted or nobody knows their kind any more. Their conversations are in the archive.
func (c *Crew) Restore(list []Past) {
	kinds := c.allKinds()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range list {
		kind, known := find(kinds, p.Definition)
		p.Lost = p.Lost || !known
		if !c.team.Restore(p.Agent) {
			continue
		}
		depth := 1
		var above []Kind
		if up := c.mates[p.Parent]; up != nil {
			depth, above = up.depth+1, append(slices.Clone(up.above), up.kind)
		}
		yield, err := tool.NewYield(kind.Output)
		c.mates[p.ID] = &mate{crew: c, id: p.ID, parent: cmp.Or(p.Parent, team.Main), kind: kind, above: above,
			depth: depth, task: tool.Assignment{Kind: p.Definition, Description: p.Description, Context: p.Context},
			seat: c.slots.Seat(), yield: yield, fault: err, began: p.Began, steps: p.Steps, tokens: p.Tokens,
			result: p.Result, whole: p.text(), stopped: p.State == team.Aborted}
	}
}

// Replace ends all agents, forgets them, and restores others in their place: those of another
// session.
func (c *Crew) Replace(list []Past) error {
	err := c.Close()
	c.mu.Lock()
	c.ctx, c.end = context.WithCancel(context.Background())
	c.closed, c.mates = false, map[string]*mate{}
	c.mu.Unlock()
	c.team.Forget()
	c.Restore(list)
	return err
}

// keep tells the archive how the agent is. An error is a warning of its result.
func (m *mate) keep(state team.State) error {
	if m.crew.cfg.Archive == nil {
		return nil
	}
	a, _ := m.crew.team.Find(m.id)
	a.State = state
	now := m.snapshot(a)
	if text, ended := m.wholeResult(); ended {
		r := *now.Result
		r.Text, now.Result = text, &r
	}
	return m.crew.cfg.Archive.Keep(now)
}
