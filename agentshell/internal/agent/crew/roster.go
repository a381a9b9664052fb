package crew

import (
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Activity says what an agent does while it runs.
type Activity string

// The activities.
const (
	WaitsForSlot    Activity = "waits for a slot"
	Thinks          Activity = "thinks" // its model answers
	Calls           Activity = "calls"  // a tool; Title is its title
	Asks            Activity = "asks"   // the person; Title is what
	WaitsForAgents  Activity = "waits for agents"
	WaitsForMessage Activity = "waits for a message"
)

// Doing is what an agent does now. The zero value is nothing: it does not run.
type Doing struct {
	What  Activity
	Title string // one line, untrusted
}

// Agent is an agent of a crew as it was at one moment. Its texts are untrusted.
type Agent struct {
	team.Agent // with ID, Parent, Definition (the kind), Description, State and Unread

	Doing    Doing
	Steps    int     // requests to the model
	Tokens   int     // sent and answered
	Cost     float64 // in dollars, as far as prices are known
	Began    time.Time
	LastLine string // of what it wrote
	// Result is what its work gave; nil: it has not ended. Result.Err says why there is none.
	Result *tool.AgentResult
}

// Agents returns the agents that were started, in that order, without Main.
func (c *Crew) Agents() []Agent {
	var list []Agent
	for _, a := range c.team.List() {
		if m := c.mate(a.ID); m != nil {
			list = append(list, m.snapshot(a))
		}
	}
	return list
}

// Changed returns a channel that is closed at the next change of Agents after this call.
func (c *Crew) Changed() <-chan struct{} { return c.team.Changed() }

// snapshot returns the agent as it is now.
func (m *mate) snapshot(a team.Agent) Agent {
	m.mu.Lock()
	defer m.mu.Unlock()
	doing := m.doing
	if n := len(m.waits); n > 0 {
		doing = *m.waits[n-1]
	}
	return Agent{Agent: a, Doing: doing, Steps: m.steps, Tokens: m.tokens, Cost: m.cost, Began: m.began,
		LastLine: lastLine(m.words), Result: m.result}
}
