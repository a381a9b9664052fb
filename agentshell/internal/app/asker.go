package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// asker puts what MCP servers ask to the person, and to the model after that. The zero value
// refuses all of it: nobody is there yet.
type asker struct {
	mu       sync.Mutex
	approver approval.Approver // nil: nobody can be asked
	agent    *agent.Agent
	secrets  secret.Set
	another  func(name string) (provider.Model, error) // nil: there is one model
	browse   func(address string)                      // nil: nothing opens a page
	stop     func(server string) error
	servers  map[string]*asking
}

// asking is how a server is doing with its questions.
type asking struct {
	turn  chan struct{} // holds one while a question of it is asked
	again bool          // the last one was not answered
}

func (a *asker) set(approver approval.Approver, ag *agent.Agent, r *project) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.approver, a.agent, a.secrets, a.another, a.stop = approver, ag, r.secrets, r.another, r.servers.Stop
}

// of returns how a server is doing with its questions.
func (a *asker) of(server string) *asking {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.servers[server]
	if s == nil {
		if a.servers == nil {
			a.servers = map[string]*asking{}
		}
		s = &asking{turn: make(chan struct{}, 1)}
		a.servers[server] = s
	}
	return s
}

// put puts a question of a server to the person, once the one before it is answered. ask gets who
// is asked, and whether that one was not answered; it reports whether this one is.
func (a *asker) put(ctx context.Context, server string,
	ask func(who approval.Approver, again bool) (answered bool, err error)) error {
	s := a.of(server)
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	a.mu.Lock()
	who := stopper{a.approver, a.stop, server}
	a.mu.Unlock()
	answered, err := ask(who, s.again)
	s.again = !answered
	return err
}

// stopper is an approver whose answers may stop the server that asks.
type stopper struct {
	approval.Approver
	stop   func(server string) error
	server string
}

// Ask stops the server where that is the answer.
func (s stopper) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	answer, err := s.Approver.Ask(ctx, p)
	if x, is := answer.(approval.StopServer); is && err == nil && x.ID == p.ID {
		err = s.stop(s.server)
	}
	return answer, err
}

// opens says what opens a page.
func (a *asker) opens(browse func(address string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.browse = browse
}

func (a *asker) parts() (approval.Approver, *agent.Agent, secret.Set, func(string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.approver, a.agent, a.secrets, a.browse
}

// question asks what a server asks: a form, which the person edits and sends, or whether they open
// a page.
func (a *asker) question(ctx context.Context, q mcp.Question) (reply mcp.Reply, err error) {
	approver, _, _, browse := a.parts()
	if approver == nil {
		return mcp.Reply{}, nil // put aside
	}
	err = a.put(ctx, q.Server, func(who approval.Approver, again bool) (answered bool, err error) {
		if q.URL != "" {
			reply, err = page(ctx, who, q, again, browse)
		} else {
			reply, err = fill(ctx, who, q, again)
		}
		return reply.Accept, err
	})
	return reply, err
}

// fill asks for the answers of a form.
func fill(ctx context.Context, approver approval.Approver, q mcp.Question, again bool) (mcp.Reply, error) {
	text, notes := []byte(form.Write(q.Fields)), []string(nil)
	for {
		p := &approval.Proposal{ID: rand.Text(), Tool: "mcp", After: text, Notes: notes, Payload: approval.Form{
			Base:   approval.Base{Kind: "form", Description: "Answer the MCP server " + q.Server},
			Server: q.Server, Message: q.Message, Text: string(text), Again: again}}
		answer, err := approver.Ask(ctx, p)
		switch said := answer.(type) {
		case approval.Revise:
			if err == nil && said.ID == p.ID {
				text, notes = said.After, nil
				continue
			}
		case approval.Yes:
			if err != nil || said.ID != p.ID {
				break
			}
			values, wrong := form.Read(text, q.Fields)
			if wrong != nil {
				notes = []string{"Not sent: " + wrong.Error() + ". Key e edits the answers."}
				continue
			}
			return mcp.Reply{Accept: true, Values: values}, nil
		case approval.No:
			if err == nil {
				return mcp.Reply{Decline: true}, nil
			}
		}
		return mcp.Reply{}, err
	}
}

// page asks whether the person opens a page that a server names.
func page(ctx context.Context, approver approval.Approver, q mcp.Question, again bool,
	browse func(string)) (mcp.Reply, error) {
	u, err := url.Parse(q.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return mcp.Reply{}, errors.New("it names no page of the form https://")
	}
	p := &approval.Proposal{ID: rand.Text(), Tool: "mcp", Payload: approval.Form{
		Base: approval.Base{Kind: "page", Description: "Open a page at " + u.Host + " for the MCP server " +
			q.Server},
		Server: q.Server, Message: q.Message, Text: q.URL, Again: again}}
	answer, err := approver.Ask(ctx, p)
	switch said := answer.(type) {
	case approval.Yes:
		if err == nil && said.ID == p.ID {
			if browse != nil {
				browse(q.URL)
			}
			return mcp.Reply{Accept: true}, nil
		}
	case approval.No:
		return mcp.Reply{Decline: err == nil}, err
	}
	return mcp.Reply{}, err
}

// sample asks the model what a server wants it to answer, after the person has seen it and said
// yes.
func (a *asker) sample(ctx context.Context, s mcp.Sample) (text, model string, err error) {
	approver, ag, secrets, _ := a.parts()
	if approver == nil || ag == nil {
		return "", "", errors.New("nobody is there who could be asked")
	}
	var shown strings.Builder
	if s.System != "" {
		fmt.Fprintf(&shown, "system: %s\n\n", s.System)
	}
	req := provider.Request{System: s.System}
	for _, m := range s.Messages {
		role := provider.User
		if m.Model {
			role = provider.Assistant
		}
		fmt.Fprintf(&shown, "%s: %s\n\n", role, m.Text)
		req.Messages = append(req.Messages, provider.Message{Role: role, Parts: []provider.Part{
			provider.Text{Text: secrets.Redact(m.Text)}}})
	}
	if last := req.Messages[len(req.Messages)-1]; last.Role != provider.User {
		return "", "", errors.New("the last message has to be the user's")
	}
	err = a.put(ctx, s.Server, func(who approval.Approver, again bool) (bool, error) {
		p := &approval.Proposal{ID: rand.Text(), Tool: "mcp", Payload: approval.Form{
			Base: approval.Base{Kind: "sampling", Description: "Let the MCP server " + s.Server +
				" ask the model this, at your cost"},
			Server: s.Server, Message: "The model answers it without your conversation, at your cost.",
			Text: strings.TrimSpace(shown.String()), Again: again}}
		answer, err := who.Ask(ctx, p)
		if yes, ok := answer.(approval.Yes); err != nil || !ok || yes.ID != p.ID {
			return false, errors.New("the user refused")
		}
		return true, nil
	})
	if err != nil {
		return "", "", err
	}
	m := ag.Model()
	if a.another != nil { // the agent's own may be answering
		if m, err = a.another(m.Name()); err != nil {
			return "", "", err
		}
	}
	var said strings.Builder
	whole := false
	for ev, err := range m.Stream(ctx, req) {
		if err != nil {
			return "", "", provider.Redact(err, secrets)
		}
		switch ev := ev.(type) {
		case provider.TextDelta:
			said.WriteString(ev.Text)
		case provider.End:
			whole = true
		}
	}
	if !whole {
		return "", "", errors.New("the answer ended before it was complete")
	}
	return secrets.Redact(said.String()), m.Name(), nil
}
