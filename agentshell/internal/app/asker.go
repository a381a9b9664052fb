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

// serverAsker asks the user the questions of MCP servers. If a server wants to ask the model, it
// does that after the user has agreed. The zero value refuses all questions.
type serverAsker struct {
	mu       sync.Mutex
	approver approval.Approver // Asks the user; nil if nobody can be asked.
	agent    *agent.Agent
	secrets  secret.Set
	// Returns the model of that name; nil if there is only one model.
	newModel func(name string) (provider.Model, error)
	// Opens a web page in the user's browser; nil if that is not possible.
	openPage func(address string)
	// Stops an MCP server if the user wants that.
	stopServer func(server string) error
	// The state of questions by the name of the server.
	servers map[string]*questionState
}

// questionState holds the state of one MCP server's questions.
type questionState struct {
	lock       chan struct{} // A lock: it contains a value while a question is open.
	unanswered bool          // The user has not answered the last question.
}

// connect sets who asks the user, and which agent's model answers servers. Until then all questions
// are refused.
func (a *serverAsker) connect(approver approval.Approver, ag *agent.Agent, r *project) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.approver, a.agent, a.secrets, a.newModel, a.stopServer = approver, ag, r.secrets, r.newModel, r.servers.Stop
}

// stateOf returns the state of the questions of an MCP server. It adds one for a new server.
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

// askInTurn calls ask after the server's earlier questions are answered. The argument repeated says
// that the user has not answered the last question. ask reports whether the user has answered this
// one.
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

// stoppingApprover is an approver that stops the MCP server that asks, if the user answers so.
type stoppingApprover struct {
	approval.Approver
	stop   func(server string) error
	server string
}

// Ask asks the user about p, and stops the server if that is the answer.
func (s stoppingApprover) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	answer, err := s.Approver.Ask(ctx, p)
	if stop, ok := answer.(approval.StopServer); ok && err == nil && stop.ID == p.ID {
		err = s.stop(s.server)
	}
	return answer, err
}

// setOpenPage sets the function that opens a web page in the browser.
func (a *serverAsker) setOpenPage(browse func(address string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.openPage = browse
}

// parts returns the approver, the agent, the secrets and the function that opens a page, read under
// the lock.
func (a *serverAsker) parts() (approval.Approver, *agent.Agent, secret.Set, func(string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.approver, a.agent, a.secrets, a.openPage
}

// askQuestion asks the user a question of an MCP server: a form to fill in, or whether to open a
// web page. If nobody can be asked, the reply is empty.
func (a *serverAsker) askQuestion(ctx context.Context, q mcp.Question) (reply mcp.Reply, err error) {
	approver, _, _, openPage := a.parts()
	if approver == nil {
		return mcp.Reply{}, nil // neither accepted nor declined
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

// askForm asks the user to fill in a form of an MCP server.
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

// askPage asks the user whether to open a web page that an MCP server names.
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

// sample lets the model answer a request of an MCP server, after the user has seen the request and
// agreed. It returns the answer and the name of the model.
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
	if a.newModel != nil { // the agent's own model may be busy with an answer
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
