package acp

import (
	"encoding/base64"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// tell tells the client all that was said in a conversation, as it was said.
func (s *session) tell(messages []provider.Message) {
	for i, m := range messages {
		_, from := m.Said()
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Text:
				switch {
				case p.Origin.Beside() || p.Text == "":
				case m.Role == provider.Assistant:
					s.send(wire.UpdateAgentMessageText(plain(p.Text)))
				case from.Person():
					s.send(wire.UpdateUserMessageText(plain(p.Text)))
				}
			case provider.Thinking:
				if p.Text != "" {
					s.send(wire.UpdateAgentThoughtText(plain(p.Text)))
				}
			case provider.Image:
				s.send(wire.UpdateUserMessage(wire.ImageBlock(base64.StdEncoding.EncodeToString(p.Data), p.Media)))
			case provider.ToolCall:
				end := agent.PastCall(p, messages[i+1:])
				c := s.begun(p.ID)
				c.input(p.Input)
				s.start(agent.ToolStart{ID: p.ID, Name: p.Name, Title: end.Title})
				s.finish(end)
			}
		}
	}
	if s.parts.Todo != nil {
		if list := entries(s.parts.Todo.List()); len(list) > 0 {
			s.send(wire.UpdatePlan(list...))
		}
	}
}
