package acp

import (
	"encoding/base64"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// replay sends the messages of a stored conversation to the client, so that it can show them.
func (s *session) replay(messages []provider.Message) {
	for i, m := range messages {
		_, from := m.MainText()
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Text:
				switch {
				case p.Origin.IsAside() || p.Text == "":
				case m.Role == provider.Assistant:
					s.send(wire.UpdateAgentMessageText(visibleText(p.Text)))
				case from.IsFromPerson():
					s.send(wire.UpdateUserMessageText(visibleText(p.Text)))
				}
			case provider.Thinking:
				if p.Text != "" {
					s.send(wire.UpdateAgentThoughtText(visibleText(p.Text)))
				}
			case provider.Image:
				s.send(wire.UpdateUserMessage(wire.ImageBlock(base64.StdEncoding.EncodeToString(p.Data), p.Media)))
			case provider.ToolCall:
				end := agent.StoredCallEnd(p, messages[i+1:])
				c := s.callFor(p.ID)
				c.setPath(p.Input)
				s.startCall(agent.ToolStart{ID: p.ID, Name: p.Name, Title: end.Title})
				s.endCall(end)
			}
		}
	}
	if s.parts.Todo != nil {
		if list := planEntries(s.parts.Todo.List()); len(list) > 0 {
			s.send(wire.UpdatePlan(list...))
		}
	}
}
