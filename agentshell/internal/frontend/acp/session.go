package acp

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// session is one conversation that the client has opened.
type session struct {
	server *Server
	id     wire.SessionId
	parts  *Parts
	agent  *agent.Agent

	ctx context.Context // Cancelled when the session is closed.
	end context.CancelFunc

	// Asks once whether to use the sandbox, before the first command.
	sandboxOffer approval.SandboxOffer

	turnLock  sync.Mutex // Locked while a turn runs, so that the next one waits.
	agentFeed *crew.Feed // Tells the client what the agents do that the model starts.

	mu sync.Mutex
	// The contexts of running and waiting turns, each with the function that cancels it.
	turns   map[context.Context]context.CancelFunc
	current context.Context  // The context of the running turn; nil if no turn runs.
	calls   map[string]*call // The tool calls that are running, by the id that the model gave them.
	// The number of tool calls so far, for ids that are unique in the session.
	callCount int
	mode      string  // The approval mode that the client was last told.
	titled    bool    // The client has been told a title of the session.
	warned    bool    // The client has been sent the notices of the session.
	cost      float64 // The cost of the session in dollars.
}

// call is a running tool call. The channel started is closed when the client has been told of the
// call.
type call struct {
	id      wire.ToolCallId
	agent   string // The agent that makes the call; "" for the main agent.
	started chan struct{}
	// The client has been told of the call.
	announced bool
	path      string // The file path in the call's input; "" if there is none.
	// The last part of the output.
	output console.Tail
	sentAt time.Time // The time when output was last sent to the client.
}

// newSession creates a session from its parts, and its agent.
func newSession(server *Server, parts *Parts) *session {
	s := &session{server: server, id: wire.SessionId(parts.ID), parts: parts, calls: map[string]*call{},
		turns: map[context.Context]context.CancelFunc{}, mode: parts.Policy.Mode()}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.agent = parts.NewAgent(s)
	if parts.Extensions != nil && server.hasForms() {
		parts.Extensions.AttachAsker(s)
	}
	s.agentFeed = s.followAgents()
	return s
}

// close stops the running turn, waits until it has ended, and closes the session.
func (s *session) close() error {
	s.end()
	s.turnLock.Lock()
	defer s.turnLock.Unlock()
	defer s.agentFeed.Stop()
	return s.parts.Close()
}

// stopTurns cancels the running turn and all turns that wait for its end.
func (s *session) stopTurns() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.turns {
		cancel()
	}
}

// beginTurn returns a context for a turn, which stopTurns cancels. The caller must call done at the
// end of the turn.
func (s *session) beginTurn(ctx context.Context) (turn context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	stopFollowing := context.AfterFunc(s.ctx, cancel)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns[ctx] = cancel
	return ctx, func() {
		stopFollowing()
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.turns, ctx)
	}
}

// turnStopped returns a channel that is closed when the running turn is cancelled. It returns nil
// if no turn runs.
func (s *session) turnStopped() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return s.current.Done()
}

// runPrompt answers a message of the user with a turn. It first waits for the end of the turn that
// runs.
func (s *session) runPrompt(ctx context.Context, p prompt) (wire.PromptResponse, error) {
	s.turnLock.Lock()
	defer s.turnLock.Unlock()
	setCurrent := func(ctx context.Context) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.current = ctx
	}
	setCurrent(ctx)
	defer setCurrent(nil)
	if ctx.Err() != nil {
		return wire.PromptResponse{StopReason: wire.StopReasonCancelled}, nil
	}
	msg, problems := s.message(ctx, p.Prompt)
	if strings.TrimSpace(msg.Text) == "" && len(msg.Pictures) == 0 && msg.Attached == "" {
		return wire.PromptResponse{}, invalid("the prompt is empty")
	}
	s.sendProblems(problems)
	s.sendTitle(msg.Text)
	s.askOffers(ctx)
	var last agent.TurnEnd
	err := s.runMessage(ctx, msg, func(e agent.Event) {
		if end, ok := e.(agent.TurnEnd); ok {
			last = end
			return
		}
		s.handleEvent(e)
	})
	s.agentFeed.Sync() // agents' events are sent before the turn ends
	return s.promptResponse(last, err)
}

// runMessage handles a message of the user: it runs a slash command, or a turn of the agent.
func (s *session) runMessage(ctx context.Context, msg agent.Message, on func(agent.Event)) error {
	name, args, _ := strings.Cut(strings.TrimSpace(msg.Text), " ")
	args = strings.TrimSpace(args)
	switch {
	case name == "/compact":
		return s.agent.Compact(ctx, args, on)
	case name == "/undo":
		n, err := undoNumber(args)
		if err != nil {
			return err
		}
		return s.agent.Undo(ctx, n, on)
	case name == "/add-dir" && s.parts.AddDir != nil:
		deed, err := s.parts.AddDir(ctx, args)
		var lines []string
		if err == nil {
			lines, err = deed.Carry(ctx, s)
		}
		if err != nil {
			lines = []string{"Not added: " + err.Error() + "."}
		}
		s.sendNotice(strings.Join(lines, "\n"))
		return nil
	case name == "/sandbox" && s.parts.Sandbox != nil:
		lines, err := s.parts.Sandbox.Command(ctx, args)
		if err != nil {
			lines = []string{err.Error() + "."}
		}
		s.sendNotice(strings.Join(lines, "\n"))
		s.reportOptions()
		return nil
	case name == "/sessions" && s.parts.Running != nil:
		s.sendNotice(strings.Join(s.parts.Running(), "\n"))
		return nil
	case name == "/extensions" && s.parts.Extensions != nil:
		lines, _ := s.parts.Extensions.Handle(ctx, args, s.takesName)
		s.sendNotice(fenced(strings.Join(lines, "\n")))
		return nil
	case name == "/memory" && s.parts.Memory != nil:
		reply, err := s.parts.Memory(ctx, args)
		if err != nil {
			return err
		}
		if reply.Propose != nil {
			return s.agent.Propose(ctx, "memory", reply.Propose, on)
		}
		s.sendNotice(strings.Join(reply.AllLines(), "\n"))
		return nil
	case strings.HasPrefix(name, "/"):
		for _, c := range s.parts.Commands {
			if "/"+c.Name == name {
				msg.Text = c.Text(args)
				if c.Lines != nil {
					msg.Lines = c.Lines(args)
					msg.Fill = func(outputs []string) string { return c.Filled(args, outputs) }
				}
				return s.agent.RunTurn(ctx, msg, on)
			}
		}
		send, found := s.runExtension(ctx, name, args, on)
		if found && send == "" {
			return nil
		} else if found {
			var problems []string
			msg, problems = s.message(ctx, []block{{Type: "text", Text: send}})
			s.sendProblems(problems)
		}
	}
	return s.agent.RunTurn(ctx, msg, on)
}

// promptResponse returns the answer to session/prompt for a turn that has ended with end or failed
// with err.
func (s *session) promptResponse(end agent.TurnEnd, err error) (wire.PromptResponse, error) {
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
		default: // the user's own limits
			stop = wire.StopReasonMaxTurnRequests
			s.sendNotice("Stopped: " + limitTexts[end.Limit] + ".")
		}
	}
	return wire.PromptResponse{StopReason: stop}, nil
}

// limitTexts says, for the limits that have no name in the protocol, why a turn was stopped.
var limitTexts = map[agent.Bound]string{
	agent.Steps:  "the model was asked as often as max_steps or --max-turns allows",
	agent.Cost:   "the session has cost what max_cost or --max-cost allows",
	agent.Tokens: "the session has taken as many tokens as --max-tokens allows",
	agent.Time:   "the time is up",
}

// send sends an update of the session to the client. It ignores an error, because then the
// connection is closed anyway.
func (s *session) send(u wire.SessionUpdate) {
	_ = s.server.conn.notify(s.ctx, wire.ClientMethodSessionUpdate, wire.SessionNotification{SessionId: s.id,
		Update: u})
}

// sendNotice sends the user a text of agentshell itself, as a paragraph of its own.
func (s *session) sendNotice(text string) {
	s.send(wire.UpdateAgentMessageText("\n\n" + visibleText(text) + "\n\n"))
}

// sendProblems sends the user lines about problems of a message. The first call also sends the
// notices of the session.
func (s *session) sendProblems(problems []string) {
	s.mu.Lock()
	first := !s.warned
	s.warned = true
	s.mu.Unlock()
	if first {
		problems = append(s.parts.Notices, problems...)
	}
	for _, text := range problems {
		s.sendNotice(text)
	}
}

// sendTitle tells the client a title for the session: the first line of its first message.
func (s *session) sendTitle(text string) {
	s.mu.Lock()
	known := s.titled || len(s.parts.Messages) > 0
	s.titled = true
	s.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line = strings.TrimSpace(line); known || line == "" {
		return
	}
	const maxRunes = 80
	if r := []rune(line); len(r) > maxRunes {
		line = width.Head(line, len(string(r[:maxRunes-1]))) + "…"
	}
	s.send(wire.SessionUpdate{SessionInfoUpdate: &wire.SessionSessionInfoUpdate{Title: wire.Ptr(visibleText(line))}})
}

// sendCommands tells the client the slash commands of the session. The client must already know the
// session's id.
func (s *session) sendCommands() {
	list := s.ownCommands()
	for _, c := range s.extensionCommands() {
		list = append(list, wire.AvailableCommand{Name: c.By, Description: visibleText(c.About),
			Input: inputHint(visibleText(cmp.Or(c.Args, "text")))})
	}
	s.send(wire.SessionUpdate{AvailableCommandsUpdate: &wire.SessionAvailableCommandsUpdate{AvailableCommands: list}})
}

// ownCommands returns the slash commands of the session without those of extensions.
func (s *session) ownCommands() []wire.AvailableCommand {
	list := []wire.AvailableCommand{
		{Name: "compact", Description: "Shorten the conversation for the model",
			Input: inputHint("what the summary must keep")},
		{Name: "undo", Description: "Undo the last file change, or change N; you are asked first",
			Input: inputHint("N")},
	}
	if s.parts.AddDir != nil {
		list = append(list, wire.AvailableCommand{Name: "add-dir", Input: inputHint("PATH, or PATH:ro to read only"),
			Description: "Add a directory to this session; you are asked first"})
	}
	if s.parts.Sandbox != nil {
		list = append(list, wire.AvailableCommand{Name: "sandbox", Input: inputHint("on, off, or nothing"),
			Description: "Show what the sandbox for commands holds, or switch it"})
	}
	if s.parts.Running != nil {
		list = append(list, wire.AvailableCommand{Name: "sessions",
			Description: "List the sessions of this workspace that run now, and what they changed"})
	}
	if s.parts.Memory != nil {
		list = append(list, wire.AvailableCommand{Name: "memory",
			Description: "List the notes of earlier sessions; open, forget or confirm one",
			Input:       inputHint("open NAME, forget NAME, confirm NAME")})
	}
	if s.parts.Extensions != nil {
		list = append(list, wire.AvailableCommand{Name: "extensions",
			Description: "Show the extensions and their state, or restart or stop one",
			Input:       inputHint("restart NAME, stop NAME, or nothing")})
	}
	for _, c := range s.parts.Commands {
		list = append(list, wire.AvailableCommand{Name: visibleText(c.Name), Description: visibleText(c.About),
			Input: inputHint(visibleText(cmp.Or(c.Args, "text")))})
	}
	return list
}

func inputHint(text string) *wire.AvailableCommandInput {
	return &wire.AvailableCommandInput{Unstructured: &wire.UnstructuredCommandInput{Hint: text}}
}

// undoNumber parses the argument of /undo: the number of a change. It returns 0 for "", which means
// the last change.
func undoNumber(text string) (n int, err error) {
	for _, r := range text {
		if r < '0' || r > '9' || n > 1e6 {
			return 0, errors.New("/undo takes the number of a change, or nothing for the last one")
		}
		n = 10*n + int(r-'0')
	}
	return n, nil
}

// visibleText returns text with its control and hidden characters made visible, so that a client
// can show it.
func visibleText(text string) string {
	text, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(text)
	return text
}
