// Package acp lets an editor show the sessions of the agent. It speaks the Agent Client Protocol,
// version 1, as JSON lines on the standard input and output.
//
// The client shows what happens, asks the person, and may hold the texts of files. It asks about
// the same proposals as the shell. Everything but a clear approval denies.
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

// Server serves one client. Version, Open and List are required.
type Server struct {
	Version string
	// Open opens a new session, or an existing one. Its error is shown to the person.
	Open func(ctx context.Context, o Opening) (*Parts, error)
	// List returns the sessions of a directory, the last one first.
	List func(cwd string) ([]Summary, error)
	// Log gets warnings about the client's messages; nil: they are dropped.
	Log *slog.Logger
	// Now returns the time; nil: [time.Now] does.
	Now func() time.Time

	// Ended is called when the client has closed the connection, before the sessions are closed;
	// nil: nothing is called.
	Ended func()

	conn *conn

	mu       sync.Mutex
	client   wire.ClientCapabilities
	sessions map[wire.SessionId]*session
	closed   bool
}

// Opening tells which session the client wants.
type Opening struct {
	Dir     string   // absolute path
	More    []string // further directories, absolute
	ID      string   // id of an existing session; "": a new one
	Servers []MCP
	Editor  workspace.Editor // access to the texts of open files; nil: the disk is used
}

// MCP is an MCP server that the client names. It has a Command or a URL.
type MCP struct {
	Name    string
	Command []string
	Env     []string // NAME=value
	URL     string
	Headers map[string]string
}

// Summary describes a session that can be loaded.
type Summary struct {
	ID, Dir, Title string
	At             time.Time // time of the last write
}

// Parts holds what a session needs.
type Parts struct {
	ID string
	// NewAgent returns the agent, which asks approver.
	NewAgent  func(approver approval.Approver) *agent.Agent
	Workspace *workspace.Workspace
	Policy    *approval.Policy
	Todo      *todo.Board
	Crew      *crew.Crew // the agents that the model starts; nil: it starts none
	// Modes are the names of the modes that can be chosen, including the current one.
	Modes []string
	// Models are the names of the models that can be chosen, and SetModel chooses one; nil: there
	// is one model.
	Models   []string
	SetModel func(a *agent.Agent, name string) error
	Commands []Command
	// Offers are asked about before the first message.
	Offers []Offer
	// Extensions are the extensions that are used; nil: there are none.
	Extensions *extension.Service
	// Running returns lines about the sessions of the workspace that run now, for /sessions.
	Running func() []string
	// Memory returns what /memory with an argument does; nil: there are no notes.
	Memory func(ctx context.Context, arg string) (tool.MemoryReply, error)
	// Attachments returns the text and pictures of the files that a message names, and lines about
	// problems.
	Attachments func(ctx context.Context, text string) (attached string, found []picture.Picture, problems []string)
	// AddDir returns what adds a directory to the session, for /add-dir; nil: none can be added.
	AddDir func(ctx context.Context, dir string) (approval.Deed, error)
	// Sandbox is for /sandbox, an option, and a question before the first command; nil: there is
	// none.
	Sandbox approval.Sandbox
	// Messages is the conversation so far.
	Messages []provider.Message
	Notices  []string // for the person
	Close    func() error
}

// Offer is something that the workspace has and that is used after a question.
type Offer struct {
	What     string // "the extensions of this workspace"
	Question string
	Text     string // all that is offered
	Files    int
	Unit     string // what Files counts
	// Decide stores the answer, and uses what is offered after a yes. It returns what is used.
	Decide func(use bool) (used string, err error)
}

// Command is a prompt with a name, which is sent as a message.
type Command struct {
	Name, About string // without a slash
	Args        string // a hint at what follows the name; "": it is any text
	Text        func(args string) string
	// Lines returns command lines that run first, and Filled the message with their outputs. Nil:
	// there are none.
	Lines  func(args string) []string
	Filled func(args string, outputs []string) string
}

// Serve serves the client until in or ctx ends. When it returns, nothing of it runs any more.
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

// close closes all sessions.
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

// initialize describes the server. It speaks version 1 whatever the client asks for; a client that
// needs another one disconnects.
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

// opening is the request for a session. Parameters that are not needed may be missing.
type opening struct {
	SessionID  wire.SessionId
	Cwd        string
	More       []string `json:"additionalDirectories"`
	McpServers []clientServer
}

// newSession opens a new session. Its commands are sent after the answer, which has its id.
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

// loadSession opens an existing session, and sends its conversation to the client first.
func (s *Server) loadSession(ctx context.Context, p opening) (r wire.LoadSessionResponse, err error) {
	sess, err := s.reopen(ctx, p)
	if err != nil {
		return r, err
	}
	sess.replay(sess.parts.Messages)
	sess.sendCommands()
	return wire.LoadSessionResponse{Modes: sess.modes(), Models: sess.models(), ConfigOptions: sess.options()}, nil
}

// resumeSession opens an existing session whose conversation the client has already.
func (s *Server) resumeSession(ctx context.Context, p opening) (r wire.ResumeSessionResponse, err error) {
	sess, err := s.reopen(ctx, p)
	if err != nil {
		return r, err
	}
	sess.sendCommands()
	return wire.ResumeSessionResponse{Modes: sess.modes(), Models: sess.models(), ConfigOptions: sess.options()}, nil
}

// reopen opens an existing session. If this client has it open it is closed first, since only one
// log can be written.
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

// open opens a session.
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

// listSessions returns the sessions of a directory.
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

// closeSession closes a session.
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

// cancel stops the turn of a session, and the turns that wait for its end.
func (s *Server) cancel(_ context.Context, p wire.CancelNotification) (struct{}, error) {
	sess, err := s.session(p.SessionId)
	if err == nil {
		sess.stopTurns()
	}
	return struct{}{}, err
}

// setSessionMode changes the mode.
func (s *Server) setSessionMode(_ context.Context, p wire.SetSessionModeRequest) (wire.SetSessionModeResponse, error) {
	sess, err := s.session(p.SessionId)
	if err == nil {
		err = sess.setMode(string(p.ModeId))
	}
	return wire.SetSessionModeResponse{}, err
}

// setSessionConfigOption sets an option.
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

// setSessionModel changes the model, for clients without options.
func (s *Server) setSessionModel(_ context.Context,
	p wire.UnstableSetSessionModelRequest) (wire.UnstableSetSessionModelResponse, error) {
	sess, err := s.session(p.SessionId)
	if err == nil {
		err = sess.setModel(string(p.ModelId))
	}
	return wire.UnstableSetSessionModelResponse{}, err
}

func (s *Server) session(id wire.SessionId) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sess := s.sessions[id]; sess != nil {
		return sess, nil
	}
	return nil, invalid(fmt.Sprintf("there is no session %q", visibleText(string(id))))
}

// invalid returns an error about what the client sent. The client shows the text.
func invalid(text string) error { return &wire.RequestError{Code: codeParams, Message: text} }

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
