// Package acp lets an editor show sessions of the agent. It is a server for the Agent Client
// Protocol, version 1, with JSON lines on the standard input and output.
//
// The client shows what happens, asks the user, and may provide the unsaved texts of open files.
// The user is asked about the same proposals as in the shell. Anything but a clear approval denies
// them.
package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Server serves one ACP client, such as an editor. Version, Open and List are required.
type Server struct {
	// The version of agentshell, for the client.
	Version string
	// Open opens a new or an existing session. Its error is shown to the user.
	Open func(ctx context.Context, o Opening) (*Parts, error)
	// List returns the sessions of the directory cwd, the last one first.
	List func(cwd string) ([]Summary, error)
	// Log gets warnings about the client's messages. If it is nil, they are dropped.
	Log *slog.Logger
	// Now returns the present time; nil means [time.Now].
	Now func() time.Time

	// Ended, if it is not nil, is called when the client has closed the connection, before the
	// sessions are closed.
	Ended func()

	conn *conn

	mu sync.Mutex
	// What the client can do.
	client   wire.ClientCapabilities
	sessions map[wire.SessionId]*session
	closed   bool
}

// Opening describes the session that the client wants to open.
type Opening struct {
	Dir  string   // The absolute path of the workspace.
	More []string // The absolute paths of further directories that the session may use.
	ID   string   // The id of an existing session; "" for a new one.
	// The MCP servers that the client wants to be used.
	Servers []MCP
	// Reads and writes the texts of files that are open in the editor; nil if only the disk is
	// used.
	Editor workspace.Editor
}

// MCP describes an MCP server that the client wants to be used. It has either a Command or a URL.
type MCP struct {
	Name    string
	Command []string
	Env     []string // The environment variables, as NAME=value.
	URL     string
	Headers map[string]string
}

// Summary describes a stored session for a list from which the user chooses.
type Summary struct {
	ID, Dir, Title string
	At             time.Time // The time of the last write.
}

// Parts holds everything that one session is made of.
type Parts struct {
	// The id of the session.
	ID string
	// NewAgent returns the agent of the session. It asks approver about proposals.
	NewAgent  func(approver approval.Approver) *agent.Agent
	Workspace *workspace.Workspace
	// The approval rules and the mode.
	Policy *approval.Policy
	// The todo list of the model, which the client shows as a plan.
	Todo *todo.Board
	Crew *crew.Crew // Manages the agents that the model starts; nil if it cannot start any.
	// Modes lists the approval modes that can be chosen, including the current one.
	Modes []string
	// Models lists the models that can be chosen, and SetModel changes the model of a. Both are nil
	// if the session has a single model.
	Models   []string
	SetModel func(a *agent.Agent, name string) error
	// The stored prompts that can be called as slash commands.
	Commands []Command
	// Offers lists what the workspace offers, such as extensions. The user is asked about each
	// before the first message.
	Offers []Offer
	// Extensions runs the extensions; nil if there are none.
	Extensions *extension.Service
	// Running returns lines about the sessions that run in this workspace now, for /sessions.
	Running func() []string
	// Memory carries out /memory with the argument arg, and returns what to show or to propose. If
	// it is nil, there are no notes.
	Memory func(ctx context.Context, arg string) (tool.MemoryReply, error)
	// Attachments returns the text and the pictures of the files that a message names with an @.
	// problems holds lines about files that cannot be sent.
	Attachments func(ctx context.Context, text string) (attached string, found []picture.Picture, problems []string)
	// AddDir returns an action that adds a directory to the session after a question, for /add-dir.
	// If AddDir is nil, no directory can be added.
	AddDir func(ctx context.Context, dir string) (approval.Deed, error)
	// Sandbox confines commands. The user switches it with /sandbox or an option of the session,
	// and is asked about it before the first command. It is nil if there is no sandbox.
	Sandbox approval.Sandbox
	// Messages holds the conversation so far.
	Messages []provider.Message
	Notices  []string // Lines for the user, shown with the first message.
	// Closes everything that belongs to the session.
	Close func() error
}

// Offer describes something that the workspace contains and that is used only if the user says yes,
// such as its extensions.
type Offer struct {
	What     string // What is offered, as in "the extensions of this workspace".
	Question string
	Text     string // The full content of what is offered.
	// The number of things that are offered, see Unit.
	Files int
	Unit  string // The noun for what Files counts, such as "extension"; "" means "file".
	// Decide stores the user's answer. After a yes it also begins to use what is offered, and
	// returns a description of it.
	Decide func(use bool) (used string, err error)
}

// Command is a slash command that sends a stored prompt as a message.
type Command struct {
	Name, About string // The name without a slash, and a description.
	Args        string // A hint at the arguments; "" if they are any text.
	// Returns the message for these arguments.
	Text func(args string) string
	// Lines returns the command lines that have to run first, and Filled the message in which their
	// outputs are filled in. Both are nil if the prompt has no command lines.
	Lines  func(args string) []string
	Filled func(args string, outputs []string) string
}

// Serve serves the client until in or ctx ends. When it returns, all its goroutines have ended.
// Output that out does not accept within half a second after the end is dropped.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if s.Now == nil {
		s.Now = time.Now
	}
	s.sessions = map[wire.SessionId]*session{}
	log := s.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s.conn = newConn(in, out, log)
	s.conn.handle = s.handle
	s.conn.run(ctx)
	if s.Ended != nil {
		s.Ended()
	}
	err := s.close()
	s.conn.finish()
	return err
}

// close closes all sessions, at the same time, and returns their errors.
func (s *Server) close() error {
	s.mu.Lock()
	s.closed = true
	var list []*session
	for _, sess := range s.sessions {
		list = append(list, sess)
	}
	s.sessions = map[wire.SessionId]*session{}
	s.mu.Unlock()
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	for i, sess := range list {
		wg.Go(func() { errs[i] = sess.close() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// initialize handles the request initialize: it tells the client what the server can do. The server
// speaks version 1 of the protocol, whatever the client asks for. A client that needs another
// version disconnects.
func (s *Server) initialize(_ context.Context, p wire.InitializeRequest) (wire.InitializeResponse, error) {
	s.mu.Lock()
	s.client = p.ClientCapabilities
	s.mu.Unlock()
	return wire.InitializeResponse{
		ProtocolVersion: wire.ProtocolVersionNumber,
		AgentInfo:       &wire.Implementation{Name: "agentshell", Title: wire.Ptr("Scrollkeep"), Version: s.Version},
		AgentCapabilities: wire.AgentCapabilities{
			LoadSession:        true,
			McpCapabilities:    wire.McpCapabilities{Http: true, Sse: true},
			PromptCapabilities: wire.PromptCapabilities{Image: true, EmbeddedContext: true},
			SessionCapabilities: wire.SessionCapabilities{
				List: &wire.SessionListCapabilities{}, Resume: &wire.SessionResumeCapabilities{},
				Close:                 &wire.SessionCloseCapabilities{},
				AdditionalDirectories: &wire.SessionAdditionalDirectoriesCapabilities{},
			},
		},
		AuthMethods: []wire.AuthMethod{},
	}, nil
}

// opening holds the parameters of session/new, session/load and session/resume. Parameters that a
// request does not need may be missing.
type opening struct {
	SessionID  wire.SessionId
	Cwd        string
	More       []string `json:"additionalDirectories"`
	McpServers []clientServer
}

// newSession handles session/new. The session's commands are sent after the answer, because the
// client learns the session's id from the answer.
func (s *Server) newSession(ctx context.Context, params json.RawMessage) (any, func(), error) {
	var p opening
	if err := decode(params, &p); err != nil {
		return nil, nil, err
	}
	p.SessionID = ""
	sess, err := s.open(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return wire.NewSessionResponse{SessionId: sess.id, Modes: sess.modes(), Models: sess.models(),
		ConfigOptions: sess.options()}, sess.sendCommands, nil
}

// loadSession handles session/load: it opens an existing session, and sends its conversation to the
// client before the answer.
func (s *Server) loadSession(ctx context.Context, p opening) (r wire.LoadSessionResponse, err error) {
	sess, err := s.reopen(ctx, p)
	if err != nil {
		return r, err
	}
	sess.replay(sess.parts.Messages)
	sess.sendCommands()
	return wire.LoadSessionResponse{Modes: sess.modes(), Models: sess.models(), ConfigOptions: sess.options()}, nil
}

// resumeSession handles session/resume: it opens an existing session whose conversation the client
// already shows.
func (s *Server) resumeSession(ctx context.Context, p opening) (r wire.ResumeSessionResponse, err error) {
	sess, err := s.reopen(ctx, p)
	if err != nil {
		return r, err
	}
	sess.sendCommands()
	return wire.ResumeSessionResponse{Modes: sess.modes(), Models: sess.models(), ConfigOptions: sess.options()}, nil
}

// reopen opens an existing session. If this client has the session open, it is closed first,
// because a session can be open only once.
func (s *Server) reopen(ctx context.Context, p opening) (*session, error) {
	if p.SessionID == "" {
		return nil, invalid("sessionId is missing")
	}
	s.mu.Lock()
	old := s.sessions[p.SessionID]
	delete(s.sessions, p.SessionID)
	s.mu.Unlock()
	if old != nil {
		if err := old.close(); err != nil {
			return nil, failure(err)
		}
	}
	return s.open(ctx, p)
}

// open opens the session that p describes, a new or an existing one.
func (s *Server) open(ctx context.Context, p opening) (*session, error) {
	if p.Cwd == "" {
		return nil, invalid("cwd is missing: the directory of the session")
	}
	for _, d := range append([]string{p.Cwd}, p.More...) {
		if !filepath.IsAbs(d) {
			return nil, invalid(fmt.Sprintf("the directory %q is no absolute path", d))
		}
	}
	o := Opening{Dir: filepath.Clean(p.Cwd), More: p.More, ID: string(p.SessionID)}
	var skipped []string
	for _, b := range p.McpServers {
		m, why, err := b.toMCP()
		switch {
		case err != nil:
			return nil, err
		case why != "":
			skipped = append(skipped, why)
		default:
			o.Servers = append(o.Servers, m)
		}
	}
	s.mu.Lock()
	capabilities := s.client
	s.mu.Unlock()
	files := &clientFiles{conn: s.conn}
	if capabilities.Fs.ReadTextFile && capabilities.Fs.WriteTextFile {
		o.Editor = files
	}
	parts, err := s.Open(ctx, o)
	if err != nil {
		return nil, failure(err)
	}
	parts.Notices = append(parts.Notices, skipped...)
	sess := newSession(s, parts)
	files.session.Store(sess)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.sessions[sess.id] != nil {
		return nil, failure(errors.Join(errors.New("the connection was closed"), parts.Close()))
	}
	s.sessions[sess.id] = sess
	return sess, nil
}

// listSessions handles session/list: it returns the stored sessions of a directory.
func (s *Server) listSessions(_ context.Context, p wire.ListSessionsRequest) (wire.ListSessionsResponse, error) {
	out := wire.ListSessionsResponse{Sessions: []wire.SessionInfo{}}
	dir := ""
	if p.Cwd != nil {
		dir = *p.Cwd
	}
	if dir != "" && !filepath.IsAbs(dir) {
		return out, invalid(fmt.Sprintf("the directory %q is no absolute path", dir))
	}
	list, err := s.List(dir)
	if err != nil {
		return out, failure(err)
	}
	for _, summary := range list {
		out.Sessions = append(out.Sessions, wire.SessionInfo{SessionId: wire.SessionId(summary.ID), Cwd: summary.Dir,
			Title: wire.Ptr(visibleText(summary.Title)), UpdatedAt: wire.Ptr(summary.At.UTC().Format(time.RFC3339))})
	}
	return out, nil
}

// closeSession handles session/close.
func (s *Server) closeSession(_ context.Context, p wire.CloseSessionRequest) (wire.CloseSessionResponse, error) {
	sess, err := s.session(p.SessionId)
	if err != nil {
		return wire.CloseSessionResponse{}, err
	}
	s.mu.Lock()
	delete(s.sessions, p.SessionId)
	s.mu.Unlock()
	if err := sess.close(); err != nil {
		return wire.CloseSessionResponse{}, failure(err)
	}
	return wire.CloseSessionResponse{}, nil
}

// cancel handles session/cancel: it stops the running turn of a session, and the turns that wait
// for its end.
func (s *Server) cancel(_ context.Context, p wire.CancelNotification) (struct{}, error) {
	sess, err := s.session(p.SessionId)
	if err == nil {
		sess.stopTurns()
	}
	return struct{}{}, err
}

// setSessionMode handles session/set_mode: it changes the approval mode of a session.
func (s *Server) setSessionMode(_ context.Context, p wire.SetSessionModeRequest) (wire.SetSessionModeResponse, error) {
	sess, err := s.session(p.SessionId)
	if err == nil {
		err = sess.setMode(string(p.ModeId))
	}
	return wire.SetSessionModeResponse{}, err
}

// setSessionConfigOption handles session/set_config_option.
func (s *Server) setSessionConfigOption(_ context.Context,
	p wire.SetSessionConfigOptionRequest) (wire.SetSessionConfigOptionResponse, error) {
	if p.ValueId == nil {
		return wire.SetSessionConfigOptionResponse{}, invalid("the options here are chosen from lists")
	}
	sess, err := s.session(p.ValueId.SessionId)
	if err == nil {
		err = sess.setOption(string(p.ValueId.ConfigId), string(p.ValueId.Value))
	}
	if err != nil {
		return wire.SetSessionConfigOptionResponse{}, err
	}
	return wire.SetSessionConfigOptionResponse{ConfigOptions: sess.options()}, nil
}

// setSessionModel handles session/set_model, for clients that do not know options.
func (s *Server) setSessionModel(_ context.Context,
	p wire.UnstableSetSessionModelRequest) (wire.UnstableSetSessionModelResponse, error) {
	sess, err := s.session(p.SessionId)
	if err == nil {
		err = sess.setModel(string(p.ModelId))
	}
	return wire.UnstableSetSessionModelResponse{}, err
}

// session returns the open session with that id, or an error for the client.
func (s *Server) session(id wire.SessionId) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sess := s.sessions[id]; sess != nil {
		return sess, nil
	}
	return nil, invalid(fmt.Sprintf("there is no session %q", visibleText(string(id))))
}

// invalid returns the protocol's error for wrong parameters of the client. The client shows text to
// the user.
func invalid(text string) error { return &wire.RequestError{Code: codeParams, Message: text} }

// failure returns err as an error of the protocol, with the advice of a provider's error.
func failure(err error) error {
	text := err.Error()
	var e *provider.Error
	if errors.As(err, &e) && e.Advice != "" {
		text += ". " + e.Advice
	}
	return &wire.RequestError{Code: codeInternal, Message: visibleText(text)}
}

const (
	codeParams   = -32602
	codeInternal = -32603
)
