package acp

import (
	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
)

// agentKey is the key in _meta that names the agent an update is about. Updates about the main
// agent do not have it.
const agentKey = "scrollkeep/agent"

// followAgents begins to tell the client what the agents do that the model starts. It returns nil
// if there are no agents.
func (s *session) followAgents() *crew.Feed {
	if s.parts.Crew == nil {
		return nil
	}
	return s.parts.Crew.Feed(func(e crew.Event) bool {
		switch e.Turn.(type) {
		case agent.ToolCall, agent.ToolStart, agent.ToolEnd:
			return true
		}
		return e.Ended != nil || e.Mail != nil
	}, s.handleAgentEvent)
}

// agentCall returns an id for a tool call that is unique in the session. The id that the model
// gives a call is unique only within a message of one agent.
func agentCall(agent, call string) string { return agent + "\x00" + call }

// handleAgentEvent tells the client about an event of an agent that the model has started: a tool
// call, the agent's end, or a message between agents.
func (s *session) handleAgentEvent(e crew.Event) {
	switch turn := e.Turn.(type) {
	case agent.ToolCall:
		s.agentCallFor(e.Agent, turn.ID).setPath(turn.Input)
	case agent.ToolStart:
		s.agentCallFor(e.Agent, turn.ID)
		turn.ID, turn.Title = agentCall(e.Agent, turn.ID), e.Agent+": "+turn.Title
		s.startCall(turn)
	case agent.ToolEnd:
		s.agentCallFor(e.Agent, turn.ID)
		turn.ID = agentCall(e.Agent, turn.ID)
		s.endCall(turn)
	}
	switch {
	case e.Ended != nil:
		s.sendThought(e.Agent, e.Agent+" "+crew.EndLine(*e.Ended))
	case e.Mail != nil:
		s.sendThought(e.Agent, e.Mail.Line("→"))
	}
}

// agentCallFor returns the running tool call of an agent with the model's id. If there is none, it
// adds one.
func (s *session) agentCallFor(agent, id string) *call {
	c := s.callFor(agentCall(agent, id))
	s.mu.Lock()
	defer s.mu.Unlock()
	c.agent = agent
	return c
}

// meta returns the _meta value of an update about the call. It is nil for calls of the main agent.
func (c *call) meta() map[string]any { return agentMeta(c.agent) }

// agentMeta returns the _meta value that names an agent, or nil for "", the main agent.
func agentMeta(agent string) map[string]any {
	if agent == "" {
		return nil
	}
	return map[string]any{agentKey: agent}
}

// sendThought sends text about an agent to the client, as one line that is shown like a thought of
// the model.
func (s *session) sendThought(agent, text string) {
	u := wire.UpdateAgentThoughtText(visibleText(text) + "\n")
	u.AgentThoughtChunk.Meta = agentMeta(agent)
	s.send(u)
}

// update returns an update about the call, which names the agent that made the call.
func (c *call) update(opts ...wire.ToolCallUpdateOpt) wire.SessionUpdate {
	u := wire.UpdateToolCall(c.id, opts...)
	u.ToolCallUpdate.Meta = c.meta()
	return u
}
