package crew

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Event is one thing that happened to an agent. One of the fields after Agent is set.
type Event struct {
	Agent string // the id of the agent; Main for a message of the user or of Main

	Began bool              // the agent has begun its assignment, or waits for a slot to do so
	Turn  agent.Event       // an event of one of the agent's turns
	Ended *tool.AgentResult // the agent has ended its assignment with this result
	Mail  *Mail             // the agent has sent a message
}

// Mail is a message between agents, with the outcome for each recipient.
type Mail struct {
	team.Message
	Receipts []team.Receipt
}

// Follow calls on with the events of all agents, one at a time, until stop is called. on must not
// block, nor call the crew.
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

// emit passes an event to all callbacks of Follow.
func (c *Crew) emit(e Event) {
	c.followMu.Lock()
	defer c.followMu.Unlock()
	for _, on := range c.followers {
		on(e)
	}
}
