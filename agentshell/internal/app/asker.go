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

// serverAsker passes questions of MCP servers to the person, and to the model after they agreed.
// The zero value refuses all questions.
type serverAsker struct {
	mu         sync.Mutex
	approver   approval.Approver // nil: nobody can be asked
	agent      *agent.Agent
	secrets    secret.Set
	newModel   func(name string) (provider.Model, error) // nil: there is one model only
	openPage   func(address string)                      // nil: pages cannot be opened
	stopServer func(server string) error
	servers    map[string]*questionState
}

// questionState is the state of a server's questions.
type questionState struct {
	lock       chan struct{} // holds a value while a question is open
	unanswered bool          // the last question was not answered
}

func (a *serverAsker) connect(approver approval.Approver, ag *agent.Agent, r *project) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.approver, a.agent, a.secrets, a.newModel, a.stopServer = approver, ag, r.secrets, r.newModel, r.servers.Stop
}

// stateOf returns the state of a server's questions.
func (a *serverAsker) stateOf(server string) *questionState {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.servers[server]
	if s == nil {
		if a.servers == nil {
			a.servers = map[string]*questionState{}
		}
		s = &questionState{lock: make(chan struct{}, 1)}
		a.servers[server] = s
	}
	return s
}

// askInTurn calls ask after earlier questions of the server are answered. repeated tells ask that
// the last question was left unanswered. ask reports whether the person has answered.
func (a *serverAsker) askInTurn(ctx context.Context, server string,
	ask func(who approval.Approver, repeated bool) (answered bool, err error)) error {
	state := a.stateOf(server)
	select {
	case state.lock <- struct{}{}:
		defer func() { <-state.lock }()
	case <-ctx.Done():
		return ctx.Err()
	}
	a.mu.Lock()
	who := stoppingApprover{a.approver, a.stopServer, server}
	a.mu.Unlock()
	answered, err := ask(who, state.unanswered)
	state.unanswered = !answered
	return err
}

// stoppingApprover is an approver whose answer may stop the server that asks.
type stoppingApprover struct {
	approval.Approver
	stop   func(server string) error
	server string
}

// Ask asks, and stops the server if that is the answer.
func (s stoppingApprover) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	answer, err := s.Approver.Ask(ctx, p)
	if stop, ok := answer.(approval.StopServer); ok && err == nil && stop.ID == p.ID {
		err = s.stop(s.server)
	}
	return answer, err
}

// setOpenPage sets the function that opens a page.
func (a *serverAsker) setOpenPage(browse func(address string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.openPage = browse
}

func (a *serverAsker) parts() (approval.Approver, *agent.Agent, secret.Set, func(string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.approver, a.agent, a.secrets, a.openPage
}

// askQuestion asks a question of a server: a form that the person edits and sends, or whether they
// open a page.
func (a *serverAsker) askQuestion(ctx context.Context, q mcp.Question) (reply mcp.Reply, err error) {
	approver, _, _, openPage := a.parts()
	if approver == nil {
		return mcp.Reply{}, nil // put aside
	}
	err = a.askInTurn(ctx, q.Server, func(who approval.Approver, repeated bool) (answered bool, err error) {
		if q.URL != "" {
			reply, err = askPage(ctx, who, q, repeated, openPage)
		} else {
			reply, err = askForm(ctx, who, q, repeated)
		}
		return reply.Accept, err
	})
	return reply, err
}

// askForm asks for the answers of a form.
func askForm(ctx context.Context, approver approval.Approver, q mcp.Question, repeated bool) (mcp.Reply, error) {
	text, notes := []byte(form.Write(q.Fields)), []string(nil)
	for {
		p := &approval.Proposal{ID: rand.Text(), Tool: "mcp", After: text, Notes: notes, Payload: approval.Form{
			Base:   approval.Base{Kind: "form", Description: "Answer the MCP server " + q.Server},
			Server: q.Server, Message: q.Message, Text: string(text), Again: repeated}}
		answer, err := approver.Ask(ctx, p)
		switch reply := answer.(type) {
		case approval.Revise:
			if err == nil && reply.ID == p.ID {
				text, notes = reply.After, nil
				continue
			}
		case approval.Yes:
			if err != nil || reply.ID != p.ID {
				break
			}
			values, formErr := form.Read(text, q.Fields)
			if formErr != nil {
				notes = []string{"Not sent: " + formErr.Error() + ". Key e edits the answers."}
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

// askPage asks whether the person opens a page that a server names.
func askPage(ctx context.Context, approver approval.Approver, q mcp.Question, repeated bool,
	openPage func(string)) (mcp.Reply, error) {
	u, err := url.Parse(q.URL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return mcp.Reply{}, errors.New("it names no page of the form https://")
	}
	p := &approval.Proposal{ID: rand.Text(), Tool: "mcp", Payload: approval.Form{
		Base: approval.Base{Kind: "page", Description: "Open a page at " + u.Host + " for the MCP server " +
			q.Server},
		Server: q.Server, Message: q.Message, Text: q.URL, Again: repeated}}
	answer, err := approver.Ask(ctx, p)
	switch reply := answer.(type) {
	case approval.Yes:
		if err == nil && reply.ID == p.ID {
			if openPage != nil {
				openPage(q.URL)
			}
			return mcp.Reply{Accept: true}, nil
		}
	case approval.No:
		return mcp.Reply{Decline: err == nil}, err
	}
	return mcp.Reply{}, err
}

// sample lets the model answer what a server wants, after the person has seen that and agreed.
func (a *serverAsker) sample(ctx context.Context, s mcp.Sample) (text, model string, err error) {
	approver, ag, secrets, _ := a.parts()
	if approver == nil || ag == nil {
		return "", "", errors.New("nobody is there who could be asked")
	}
	var preview strings.Builder
	if s.System != "" {
		fmt.Fprintf(&preview, "system: %s\n\n", s.System)
	}
	req := provider.Request{System: s.System}
	for _, m := range s.Messages {
		role := provider.User
		if m.Model {
			role = provider.Assistant
		}
		fmt.Fprintf(&preview, "%s: %s\n\n", role, m.Text)
		req.Messages = append(req.Messages, provider.Message{Role: role, Parts: []provider.Part{
			provider.Text{Text: secrets.Redact(m.Text)}}})
	}
	if last := req.Messages[len(req.Messages)-1]; last.Role != provider.User {
		return "", "", errors.New("the last message has to be the user's")
	}
	err = a.askInTurn(ctx, s.Server, func(who approval.Approver, repeated bool) (bool, error) {
		p := &approval.Proposal{ID: rand.Text(), Tool: "mcp", Payload: approval.Form{
			Base: approval.Base{Kind: "sampling", Description: "Let the MCP server " + s.Server +
				" ask the model this, at your cost"},
			Server: s.Server, Message: "The model answers it without your conversation, at your cost.",
			Text: strings.TrimSpace(preview.String()), Again: repeated}}
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
	if a.newModel != nil { // the agent's own may be answering
		if m, err = a.newModel(m.Name()); err != nil {
			return "", "", err
		}
	}
	var answerText strings.Builder
	complete := false
	for ev, err := range m.Stream(ctx, req) {
		if err != nil {
			return "", "", provider.Redact(err, secrets)
		}
		switch ev := ev.(type) {
		case provider.TextDelta:
			answerText.WriteString(ev.Text)
		case provider.End:
			complete = true
		}
	}
	if !complete {
		return "", "", errors.New("the answer ended before it was complete")
	}
	return secrets.Redact(answerText.String()), m.Name(), nil
}
