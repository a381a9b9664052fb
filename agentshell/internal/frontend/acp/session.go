package acp

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// session is one conversation of the client's.
type session struct {
	server *Server
	id     wire.SessionId
	parts  *Parts
	agent  *agent.Agent

	ctx context.Context // ends with the session
	end context.CancelFunc

	turn sync.Mutex // held by the turn that runs

	mu     sync.Mutex
	turns  map[context.Context]context.CancelFunc // stop those that run or wait
	now    context.Context                        // of the turn that runs; nil: none does
	calls  map[string]*call                       // that have begun, by the model's id
	count  int                                    // of calls, for ids that are distinct in the session
	mode   string                                 // that the client was told of
	titled bool                                   // the client was told a title
	warned bool                                   // and the notices
	spent  float64                                // dollars
}

// call is a call that has begun. started is closed when the client knows of it.
type call struct {
	id      wire.ToolCallId
	started chan struct{}
	told    bool
	path    string // that its input names
	output  string
	shown   time.Time // when its output was last sent
}

func newSession(server *Server, parts *Parts) *session {
	s := &session{server: server, id: wire.SessionId(parts.ID), parts: parts, calls: map[string]*call{},
		turns: map[context.Context]context.CancelFunc{}, mode: parts.Policy.Mode()}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.agent = parts.Agent(s)
	return s
}

// close stops the turn that runs, waits for its end, and ends the session.
func (s *session) close() error {
	s.end()
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.parts.Close()
}

// stop stops the turn that runs, and those that wait for its end.
func (s *session) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.turns {
		cancel()
	}
}

// stoppable returns ctx for a turn, which stop ends; done says that the turn is over.
func (s *session) stoppable(ctx context.Context) (turn context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	follow := context.AfterFunc(s.ctx, cancel)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns[ctx] = cancel
	return ctx, func() {
		follow()
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.turns, ctx)
	}
}

// stopped is closed when the turn that runs was stopped; nil: none runs.
func (s *session) stopped() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return nil
	}
	return s.now.Done()
}

// prompt returns a turn. One that came while another ran waits for its end.
func (s *session) prompt(ctx context.Context, p prompt) (wire.PromptResponse, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	run := func(ctx context.Context) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.now = ctx
	}
	run(ctx)
	defer run(nil)
	if ctx.Err() != nil {
		return wire.PromptResponse{StopReason: wire.StopReasonCancelled}, nil
	}
	said, problems := s.message(ctx, p.Prompt)
	if strings.TrimSpace(said.Text) == "" && len(said.Pictures) == 0 && said.Attached == "" {
		return wire.PromptResponse{}, invalid("the prompt is empty")
	}
	s.warn(problems)
	s.title(said.Text)
	var last agent.TurnEnd
	err := s.run(ctx, said, func(e agent.Event) {
		if end, ok := e.(agent.TurnEnd); ok {
			last = end
			return
		}
		s.event(e)
	})
	return s.ended(last, err)
}

// run does what the person said: a command of ours, or a turn of the agent.
func (s *session) run(ctx context.Context, said agent.Message, on func(agent.Event)) error {
	name, rest, _ := strings.Cut(strings.TrimSpace(said.Text), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case name == "/compact":
		return s.agent.Compact(ctx, rest, on)
	case name == "/undo":
		n, err := number(rest)
		if err != nil {
			return err
		}
		return s.agent.Undo(ctx, n, on)
	case strings.HasPrefix(name, "/"):
		for _, c := range s.parts.Commands {
			if "/"+c.Name == name {
				said.Text = c.Text(rest)
			}
		}
	}
	return s.agent.RunTurn(ctx, said, on)
}

// ended returns what the client is told of the end of a turn.
func (s *session) ended(end agent.TurnEnd, err error) (wire.PromptResponse, error) {
	stop := wire.StopReasonEndTurn
	switch {
	case end.Reason == agent.Interrupted:
		stop = wire.StopReasonCancelled
	case err != nil:
		return wire.PromptResponse{}, failure(err)
	case end.Err != nil:
		return wire.PromptResponse{}, failure(end.Err)
	case end.Reason == agent.Limit:
		switch end.Limit {
		case agent.Length, agent.Window:
			stop = wire.StopReasonMaxTokens
		case agent.Refusal, agent.Filter:
			stop = wire.StopReasonRefusal
		default: // the person's own bounds
			stop = wire.StopReasonMaxTurnRequests
			s.say("Stopped: " + bounds[end.Limit] + ".")
		}
	}
	return wire.PromptResponse{StopReason: stop}, nil
}

// bounds are the limits of which the protocol knows no name.
var bounds = map[agent.Bound]string{
	agent.Steps:  "the model was asked as often as max_steps or --max-turns allows",
	agent.Cost:   "the session has cost what max_cost or --max-cost allows",
	agent.Tokens: "the session has taken as many tokens as --max-tokens allows",
	agent.Time:   "the time is up",
}

// send tells the client something. What it does not take it will not be told later: the connection
// is gone then.
func (s *session) send(u wire.SessionUpdate) {
	_ = s.server.conn.notify(s.ctx, wire.ClientMethodSessionUpdate, wire.SessionNotification{SessionId: s.id,
		Update: u})
}

// say tells the person something of ours, as a paragraph of its own.
func (s *session) say(text string) {
	s.send(wire.UpdateAgentMessageText("\n\n" + plain(text) + "\n\n"))
}

// warn tells problems of a message, and once what there is to know of the session.
func (s *session) warn(problems []string) {
	s.mu.Lock()
	first := !s.warned
	s.warned = true
	s.mu.Unlock()
	if first {
		problems = append(s.parts.Notices, problems...)
	}
	for _, text := range problems {
		s.say(text)
	}
}

// title names a session by the first line of what was said first.
func (s *session) title(text string) {
	s.mu.Lock()
	known := s.titled || len(s.parts.Said) > 0
	s.titled = true
	s.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line = strings.TrimSpace(line); known || line == "" {
		return
	}
	const most = 80 // runes
	if r := []rune(line); len(r) > most {
		line = string(r[:most-1]) + "…"
	}
	s.send(wire.SessionUpdate{SessionInfoUpdate: &wire.SessionSessionInfoUpdate{Title: wire.Ptr(plain(line))}})
}

// commands tells the client which commands there are. It has to know the session by then.
func (s *session) commands() {
	list := []wire.AvailableCommand{
		{Name: "compact", Description: "Shorten the conversation for the model",
			Input: hint("what the summary must keep")},
		{Name: "undo", Description: "Undo the last file change, or change N; you are asked first",
			Input: hint("N")},
	}
	for _, c := range s.parts.Commands {
		list = append(list, wire.AvailableCommand{Name: plain(c.Name), Description: plain(c.About),
			Input: hint("text")})
	}
	s.send(wire.SessionUpdate{AvailableCommandsUpdate: &wire.SessionAvailableCommandsUpdate{AvailableCommands: list}})
}

func hint(text string) *wire.AvailableCommandInput {
	return &wire.AvailableCommandInput{Unstructured: &wire.UnstructuredCommandInput{Hint: text}}
}

// number returns the change that /undo names, 0 for the last one.
func number(text string) (n int, err error) {
	for _, r := range text {
		if r < '0' || r > '9' || n > 1e6 {
			return 0, errors.New("/undo takes the number of a change, or nothing for the last one")
		}
		n = 10*n + int(r-'0')
	}
	return n, nil
}

// plain returns text that a client can show: whatever a terminal would obey or a person not see is
// visible.
func plain(text string) string {
	text, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(text)
	return text
}
