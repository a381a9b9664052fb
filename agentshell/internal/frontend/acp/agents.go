package acp

import (
	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
)

// agentKey is the key of _meta that names the agent which an update is about. The one that the
// person talks to is not named.
const agentKey = "scrollkeep/agent"

// followAgents tells the client what the agents do that the model starts.
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

// agentCall returns the id under which a call of an agent is known. Its own is distinct within a
// message of that agent only.
func agentCall(agent, call string) string { return agent + "\x00" + call }

// handleAgentEvent tells the client about one event of an agent.
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

// agentCallFor returns the running call of an agent, or a new one.
func (s *session) agentCallFor(agent, id string) *call {
	c := s.callFor(agentCall(agent, id))
	s.mu.Lock()
	defer s.mu.Unlock()
	c.agent = agent
	return c
}

// meta returns the metadata of an update about the call, nil for one of the agent that the person
// talks to.
func (c *call) meta() map[string]any { return agentMeta(c.agent) }

func agentMeta(agent string) map[string]any {
	if agent == "" {
		return nil
	}
	return map[string]any{agentKey: agent}
}

// sendThought sends a line about an agent.
func (s *session) sendThought(agent, text string) {
	u := wire.UpdateAgentThoughtText(visibleText(text) + "\n")
	u.AgentThoughtChunk.Meta = agentMeta(agent)
	s.send(u)
}

// update returns an update of the call that names its agent.
func (c *call) update(opts ...wire.ToolCallUpdateOpt) wire.SessionUpdate {
	u := wire.UpdateToolCall(c.id, opts...)
	u.ToolCallUpdate.Meta = c.meta()
	return u
}
