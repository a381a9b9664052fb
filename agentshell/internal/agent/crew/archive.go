package crew

import (
	"cmp"
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Archive keeps what the agents of a session do, so that it outlives the process. Its methods are
// safe for use by several goroutines.
type Archive interface {
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

// Restore adds agents of an earlier process. They are parked, and a message revives them, unless
// they were aborted or nobody knows their kind any more. Their conversations are in the archive.
func (c *Crew) Restore(list []Past) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range list {
		kind, known := find(c.cfg.Kinds, p.Definition)
		p.Lost = p.Lost || !known
		if !c.team.Restore(p.Agent) {
			continue
		}
		depth := 1
		if up := c.mates[p.Parent]; up != nil {
			depth = up.depth + 1
		}
		c.mates[p.ID] = &mate{crew: c, id: p.ID, parent: cmp.Or(p.Parent, team.Main), kind: kind, depth: depth,
			task: tool.Assignment{Kind: p.Definition, Description: p.Description, Context: p.Context},
			seat: c.slots.Seat(), yield: new(tool.Yield), began: p.Began, steps: p.Steps, tokens: p.Tokens,
			result: p.Result, stopped: p.State == team.Aborted}
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
	return m.crew.cfg.Archive.Keep(m.snapshot(a))
}
