package crew

import (
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Activity says what a running agent does at the moment.
type Activity string

// The activities of an agent.
const (
	WaitsForSlot    Activity = "waits for a slot"
	Thinks          Activity = "thinks" // the agent's model answers a request
	Calls           Activity = "calls"  // a tool runs; Doing.Title is the title of the call
	Asks            Activity = "asks"   // it asks the user; Doing.Title is the proposed call
	WaitsForAgents  Activity = "waits for agents"
	WaitsForMessage Activity = "waits for a message"
)

// Doing is the current activity of an agent. The zero value means that the agent does not run.
type Doing struct {
	What  Activity
	Title string // details of the activity in one line; untrusted
}

// Agent is the state of a sub-agent at one moment. Its texts are untrusted.
type Agent struct {
	team.Agent // with ID, Parent, Definition (the kind), Description, State and Unread

	Doing    Doing
	Steps    int     // the number of requests to the model
	Tokens   int     // the input and output tokens of all its requests
	Cost     float64 // in dollars; requests without a known price count as free
	Began    time.Time
	LastLine string // the last line of its last message
	// Result is the result of its assignment; nil: it still works. Result.Err says why there is no
	// text.
	Result *tool.AgentResult
}

// Agents returns all agents but Main, in the order in which they were started.
func (c *Crew) Agents() []Agent {
	var list []Agent
	for _, a := range c.team.List() {
		if m := c.mate(a.ID); m != nil {
			list = append(list, m.snapshot(a))
		}
	}
	return list
}

// Changed returns a channel that is closed when the result of Agents changes next.
func (c *Crew) Changed() <-chan struct{} { return c.team.Changed() }

// snapshot returns the agent's current state. a is its part that the team knows.
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
