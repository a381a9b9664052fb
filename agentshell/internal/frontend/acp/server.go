// Package acp lets an editor be the screen of the agent: the Agent Client Protocol, version 1, as
// JSON lines on the standard input and output.
//
// The client shows what happens, asks the person, and may hold the files' texts. What is asked is
// the same proposal as in the shell, and what is not exactly an approval denies it.
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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Server serves one client. Version, Open and List are needed.
type Server struct {
	Version string
	// Open begins a session, or goes on with one. Its error is for the person.
	Open func(ctx context.Context, o Opening) (*Parts, error)
	// List names the sessions of a directory, the last one first.
	List func(cwd string) ([]Summary, error)
	// Log takes what is wrong with the client's messages; nil: nobody does.
	Log *slog.Logger
	// Now is the time; nil: the system's.
	Now func() time.Time

	// Ended is called when the client has ended the connection, before the sessions are; nil:
	// nothing is.
	Ended func()

	conn *conn

	mu       sync.Mutex
	client   wire.ClientCapabilities
	sessions map[wire.SessionId]*session
	closed   bool
}

// Opening is what a client wants of a session.
type Opening struct {
	Dir     string   // absolute
	More    []string // further directories, absolute
	ID      string   // of the session to go on with; "": a new one
	Servers []MCP
	Editor  workspace.Editor // holds the texts; nil: the disk does
}

// MCP is an MCP server that the client brings. It has a Command or a URL.
type MCP struct {
	Name    string
	Command []string
	Env     []string // NAME=value
	URL     string
	Headers map[string]string
}

// Summary is a session that can be loaded.
type Summary struct {
	ID, Dir, Title string
	At             time.Time // of the last write
}

// Parts is what a session is made of.
type Parts struct {
	ID string
	// Agent makes the agent, which asks approver.
	Agent     func(approver approval.Approver) *agent.Agent
	Workspace *workspace.Workspace
	Policy    *approval.Policy
	Todo      *todo.Board
	// Modes are the modes that can be chosen, the present one among them.
	Modes []string
	// Models are those that can be chosen, and SetModel chooses; nil: there is one.
	Models   []string
	SetModel func(a *agent.Agent, name string) error
	Commands []Command
	// With is what goes with a message because it names files; problems are lines.
	With func(ctx context.Context, text string) (attached string, found []picture.Picture, problems []string)
	// Said is the conversation so far, as it was said.
	Said    []provider.Message
	Notices []string // for the person
	Close   func() error
}

// Command is a prompt with a name, which is sent as a message.
type Command struct {
	Name, About string // without a slash
	Text        func(args string) string
}

// Serve serves the client behind in and out until in ends or ctx does; then nothing of it runs any
// more. What out does not take in half a second behind that is not said.
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
	s.conn.begin = s.begin
	s.conn.run(ctx)
	if s.Ended != nil {
		s.Ended()
	}
	err := s.close()
	s.conn.finish()
	return err
}

// close ends all sessions.
func (s *Server) close() error {
	s.mu.Lock()
	s.closed = true
	var list []*session
	for _, one := range s.sessions {
		list = append(list, one)
	}
	s.sessions = map[wire.SessionId]*session{}
	s.mu.Unlock()
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i, one := range list {
		all.Go(func() { errs[i] = one.close() })
	}
	all.Wait()
	return errors.Join(errs...)
}

// initialize says what we are. We speak version 1 whatever the client asks for; it leaves if that
// is not its own.
func (s *Server) initialize(_ context.Context, p wire.InitializeRequest) (wire.InitializeResponse, error) {
	s.mu.Lock()
	s.client = p.ClientCapabilities
	s.mu.Unlock()
	return wire.InitializeResponse{
		ProtocolVersion: wire.ProtocolVersionNumber,
		AgentInfo:       &wire.Implementation{Name: "scrollkeep", Title: wire.Ptr("Scrollkeep"), Version: s.Version},
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

// opening is what a client wants of a session. The protocol wants more of it than we need.
type opening struct {
	SessionID  wire.SessionId
	Cwd        string
	More       []string `json:"additionalDirectories"`
	McpServers []bringing
}

// newSession begins a session. What there is to say of it comes behind its name.
func (s *Server) newSession(ctx context.Context, params json.RawMessage) (any, func(), error) {
	var p opening
	if err := decode(params, &p); err != nil {
		return nil, nil, err
	}
	p.SessionID = ""
	one, err := s.open(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return wire.NewSessionResponse{SessionId: one.id, Modes: one.modes(), Models: one.models(),
		ConfigOptions: one.options()}, one.commands, nil
}

// loadSession goes on with a session, after the client was told all that was said in it.
func (s *Server) loadSession(ctx context.Context, p opening) (r wire.LoadSessionResponse, err error) {
	one, err := s.resume(ctx, p)
	if err != nil {
		return r, err
	}
	one.tell(one.parts.Said)
	one.commands()
	return wire.LoadSessionResponse{Modes: one.modes(), Models: one.models(), ConfigOptions: one.options()}, nil
}

// resumeSession resumes a session; the client knows what was said in it.
func (s *Server) resumeSession(ctx context.Context, p opening) (r wire.ResumeSessionResponse, err error) {
	one, err := s.resume(ctx, p)
	if err != nil {
		return r, err
	}
	one.commands()
	return wire.ResumeSessionResponse{Modes: one.modes(), Models: one.models(), ConfigOptions: one.options()}, nil
}

// resume opens a session that is kept. One that this client has open is closed first: it is written
// by one at a time.
func (s *Server) resume(ctx context.Context, p opening) (*session, error) {
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
		m, why, err := b.server()
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
	can := s.client
	s.mu.Unlock()
	held := &files{conn: s.conn}
	if can.Fs.ReadTextFile && can.Fs.WriteTextFile {
		o.Editor = held
	}
	parts, err := s.Open(ctx, o)
	if err != nil {
		return nil, failure(err)
	}
	parts.Notices = append(parts.Notices, skipped...)
	one := newSession(s, parts)
	held.session.Store(one)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.sessions[one.id] != nil {
		return nil, failure(errors.Join(errors.New("the connection was closed"), parts.Close()))
	}
	s.sessions[one.id] = one
	return one, nil
}

// listSessions names the sessions of a directory; without one there is none to look in.
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
	for _, one := range list {
		out.Sessions = append(out.Sessions, wire.SessionInfo{SessionId: wire.SessionId(one.ID), Cwd: one.Dir,
			Title: wire.Ptr(plain(one.Title)), UpdatedAt: wire.Ptr(one.At.UTC().Format(time.RFC3339))})
	}
	return out, nil
}

// closeSession ends a session.
func (s *Server) closeSession(_ context.Context, p wire.CloseSessionRequest) (wire.CloseSessionResponse, error) {
	one, err := s.session(p.SessionId)
	if err != nil {
		return wire.CloseSessionResponse{}, err
	}
	s.mu.Lock()
	delete(s.sessions, p.SessionId)
	s.mu.Unlock()
	if err := one.close(); err != nil {
		return wire.CloseSessionResponse{}, failure(err)
	}
	return wire.CloseSessionResponse{}, nil
}

// cancel stops the turn of a session, and those that wait for its end.
func (s *Server) cancel(_ context.Context, p wire.CancelNotification) (struct{}, error) {
	one, err := s.session(p.SessionId)
	if err == nil {
		one.stop()
	}
	return struct{}{}, err
}

// setSessionMode changes the mode.
func (s *Server) setSessionMode(_ context.Context, p wire.SetSessionModeRequest) (wire.SetSessionModeResponse, error) {
	one, err := s.session(p.SessionId)
	if err == nil {
		err = one.setMode(string(p.ModeId))
	}
	return wire.SetSessionModeResponse{}, err
}

// setSessionConfigOption sets an option.
func (s *Server) setSessionConfigOption(_ context.Context,
	p wire.SetSessionConfigOptionRequest) (wire.SetSessionConfigOptionResponse, error) {
	if p.ValueId == nil {
		return wire.SetSessionConfigOptionResponse{}, invalid("the options here are chosen from lists")
	}
	one, err := s.session(p.ValueId.SessionId)
	if err == nil {
		err = one.set(string(p.ValueId.ConfigId), string(p.ValueId.Value))
	}
	if err != nil {
		return wire.SetSessionConfigOptionResponse{}, err
	}
	return wire.SetSessionConfigOptionResponse{ConfigOptions: one.options()}, nil
}

// setSessionModel changes the model, for clients that do not know options.
func (s *Server) setSessionModel(_ context.Context,
	p wire.UnstableSetSessionModelRequest) (wire.UnstableSetSessionModelResponse, error) {
	one, err := s.session(p.SessionId)
	if err == nil {
		err = one.setModel(string(p.ModelId))
	}
	return wire.UnstableSetSessionModelResponse{}, err
}

func (s *Server) session(id wire.SessionId) (*session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.sessions[id]; one != nil {
		return one, nil
	}
	return nil, invalid(fmt.Sprintf("there is no session %q", plain(string(id))))
}

// invalid is an error about what the client sent, failure one of what it asked for. Clients show
// the message.
func invalid(text string) error { return &wire.RequestError{Code: codeParams, Message: text} }

func failure(err error) error {
	text := err.Error()
	var e *provider.Error
	if errors.As(err, &e) && e.Advice != "" {
		text += ". " + e.Advice
	}
	return &wire.RequestError{Code: codeInternal, Message: plain(text)}
}

const (
	codeParams   = -32602
	codeInternal = -32603
)
