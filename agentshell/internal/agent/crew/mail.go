package crew

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// inbox delivers the messages of other agents to one agent, between two requests of its turn.
type inbox struct {
	agent.NopInbox
	crew *Crew
	id   string
	mate *mate // the agent to which the inbox belongs; nil: it belongs to Main
}

// Mail implements agent.Inbox.
func (i inbox) Mail() []agent.Message {
	var messages []agent.Message
	if mail := i.crew.team.Read(i.id, false); len(mail) > 0 {
		messages = append(messages, incoming(mail))
	}
	if i.mate != nil {
		if warning := i.mate.charge(); warning != "" {
			messages = append(messages, agent.Message{Text: warning})
		}
	}
	return messages
}

// Mail takes the waiting messages to Main out of its mailbox, and returns them as one message of
// the conversation.
func (c *Crew) Mail() []agent.Message { return inbox{crew: c, id: team.Main}.Mail() }

// MailFrom returns the ids of the agents whose messages to Main are waiting, each once. It ignores
// Main's own messages that came back unread.
func (c *Crew) MailFrom() (ids []string) {
	for _, m := range c.team.Read(team.Main, true) {
		if !m.Unread && !slices.Contains(ids, m.From) {
			ids = append(ids, m.From)
		}
	}
	return ids
}

// incoming joins messages of other agents into one message of a conversation.
func incoming(mail []team.Message) agent.Message {
	var texts []string
	for _, m := range mail {
		texts = append(texts, written(m))
	}
	return agent.Message{Text: strings.Join(texts, "\n\n"), Origin: provider.Peer}
}

// written returns the text in which an agent gets the message m: with id, sender and content.
func written(m team.Message) string {
	from, reply := m.From, ""
	if m.Person {
		from = "the user"
	}
	if m.ReplyTo != "" {
		reply = ", which answers " + m.ReplyTo
	}
	if m.Unread {
		return fmt.Sprintf("[%s] %s", m.ID, unreadText(m))
	}
	return fmt.Sprintf("[%s] Message from %s%s:\n%s", m.ID, from, reply, m.Text)
}

// unreadText returns the text that tells the sender of a message that nobody has read it.
func unreadText(m team.Message) string {
	return fmt.Sprintf("%s was ended before it read this message of yours:\n%s", m.From, m.Text)
}

// Peers returns access to the other agents for the agent with that id: a list, and ways to write to
// them.
func (c *Crew) Peers(id string) tool.Peers { return peers{c, id} }

// peers implements tool.Peers for one agent.
type peers struct {
	*Crew
	id string
}

// Self implements tool.Peers.
func (p peers) Self() string { return p.id }

// Others implements tool.Peers.
func (p peers) Others() (list []tool.Peer) {
	for _, a := range p.team.List() {
		if a.ID != p.id && a.State != team.Aborted && !a.Lost {
			list = append(list, tool.Peer{ID: a.ID, Kind: a.Definition, Description: a.Description,
				State: string(a.State), Parent: a.Parent, Unread: a.Unread, Active: a.Active})
		}
	}
	return list
}

// Send implements tool.Peers.
func (p peers) Send(l tool.Letter) (list []tool.Receipt) {
	for _, r := range p.send(team.Message{From: p.id, To: l.To, Text: l.Text, ReplyTo: l.ReplyTo}) {
		to := tool.Receipt{To: r.To, Outcome: string(r.Outcome)}
		if r.Err != nil {
			to.Error = r.Err.Error()
		}
		list = append(list, to)
	}
	return list
}

// Pending implements tool.Peers.
func (p peers) Pending(peek bool) (list []tool.Letter) {
	for _, m := range p.team.Read(p.id, peek) {
		list = append(list, letter(m))
	}
	return list
}

// Wait implements tool.Peers. Other agents may use the agent's slot meanwhile.
func (p peers) Wait(ctx context.Context, from string, limit time.Duration) (l tool.Letter, found bool, why string) {
	wait := func() {
		ctx := ctx
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		var m team.Message
		m, found, why = p.team.Wait(ctx, p.id, from)
		l = letter(m)
	}
	if a := p.mate(p.id); a != nil {
		a.lend(ctx, Doing{What: WaitsForMessage, Title: from}, wait)
	} else {
		wait()
	}
	return l, found, why
}

// letter returns a message in the form of the tool irc.
func letter(m team.Message) tool.Letter {
	from := m.From
	if m.Person {
		from = "the user"
	}
	if m.Unread {
		m.Text = unreadText(m)
	}
	return tool.Letter{ID: m.ID, From: from, To: m.To, Text: m.Text, ReplyTo: m.ReplyTo}
}
