package crew

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Event is one thing that happened to an agent. One of its other fields is set.
type Event struct {
	Agent string // the id of the agent, Main for a message of the person or of Main

	Began bool              // its work begins, or waits for a slot
	Turn  agent.Event       // of a turn of it
	Ended *tool.AgentResult // its work has ended
	Mail  *Mail             // it has written a message
}

// Mail is a message between agents, and what has become of it.
type Mail struct {
	team.Message
	Receipts []team.Receipt
}

// Follow calls on with the events of all agents, one at a time, until the returned function is
// called. on must not wait, nor call the crew.
func (c *Crew) Follow(on func(Event)) (stop func()) {
	c.followMu.Lock()
	defer c.followMu.Unlock()
	if c.followers == nil {
		c.followers = map[int]func(Event){}
	}
	n := c.follow
	c.follow++
	c.followers[n] = on
	return func() {
		c.followMu.Lock()
		defer c.followMu.Unlock()
		delete(c.followers, n)
	}
}

// emit passes an event to all who follow.
func (c *Crew) emit(e Event) {
	c.followMu.Lock()
	defer c.followMu.Unlock()
	for _, on := range c.followers {
		on(e)
	}
}
