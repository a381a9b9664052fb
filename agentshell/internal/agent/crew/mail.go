package crew

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// inbox brings what others write to an agent into its turn.
type inbox struct {
	agent.NopInbox
	crew *Crew
	id   string
}

// Steering implements agent.Inbox.
func (i inbox) Steering(context.Context) []agent.Message {
	mail := i.crew.team.Read(i.id, false)
	if len(mail) == 0 {
		return nil
	}
	return []agent.Message{incoming(mail)}
}

// Mail returns the messages to Main that wait, as one for its next request.
func (c *Crew) Mail() []agent.Message { return inbox{crew: c, id: team.Main}.Steering(c.ctx) }

// incoming returns messages of others as one message of a conversation.
func incoming(mail []team.Message) agent.Message {
	var texts []string
	for _, m := range mail {
		texts = append(texts, written(m))
	}
	return agent.Message{Text: strings.Join(texts, "\n\n"), Origin: provider.Peer}
}

// written returns a message as who gets it reads it.
func written(m team.Message) string {
	from, reply := m.From, ""
	if m.Person {
		from = "the user"
	}
	if m.ReplyTo != "" {
		reply = ", which answers " + m.ReplyTo
	}
	return fmt.Sprintf("[%s] Message from %s%s:\n%s", m.ID, from, reply, m.Text)
}
