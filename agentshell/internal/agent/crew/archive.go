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

// Archive stores the state of a session's agents, so that it outlives the process. Its methods are
// safe for use by several goroutines.
type Archive interface {
	// Stores reports whether conversations are stored. A session without a log stores none.
	Stores() bool
	// Keep stores the current state of an agent, without its conversation, which Config.Open has to
	// take care of.
	Keep(a Agent) error
	// Messages returns the stored conversation of the agent with that id.
	Messages(id string) ([]provider.Message, error)
}

// Past is the stored state of an agent of an earlier process.
type Past struct {
	team.Agent
	Context       string // the context that the agent had got from its parent
	Steps, Tokens int
	Began         time.Time
	Result        *tool.AgentResult // the result of its work; nil: its work had not ended
}

// Isolated is a conversation of an agent that works in a copy of the workspace.
type Isolated interface {
	Conversation
	// BringBack proposes to make the changes of the copy in the workspace, and records in r what
	// happened to them. It is called once the agent has ended. If ctx has ended, BringBack leaves
	// the copy where it is.
	BringBack(ctx context.Context, r *tool.AgentResult)
}

// Isolates implements tool.Isolator.
func (m member) Isolates() bool { return m.cfg.Isolation && m.id == team.Main }

// bringBack proposes to make the changes of the agent's copy in the workspace, if it has a copy.
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

// lose parks an agent for good, because its copy of the workspace no longer exists.
func (m *mate) lose() error {
	err := m.keep(team.Parked)
	m.crew.failUnread(m.id, m.crew.team.Lose(m.id, time.Now()))
	m.life.Lock()
	defer m.life.Unlock()
	return errors.Join(err, m.shut())
}

// text returns the text of its result, "" if there is none.
func (p Past) text() string {
	if p.Result == nil {
		return ""
	}
	return p.Result.Text
}

// Restore adds agents of an earlier process. They are parked, and a message revives them, unless
// they were aborted or their kind no longer exists. The archive holds their conversations.
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

// Replace ends and removes all agents, and restores those of another session instead.
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

// keep stores the agent's current state, with the given State, in the archive.
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
