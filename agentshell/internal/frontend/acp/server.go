// Package acp lets an editor be the screen of the agent: the Agent Client Protocol, version 1, as
// JSON lines on the standard input and output.
//
// The client shows what happens, asks the person, and may hold the files' texts. What is asked is
// the same proposal as in the shell, and what is not exactly an approval denies it.
package acp

import (
	"context"
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

	conn *wire.AgentSideConnection
	out  outbox

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
// more.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if s.Now == nil {
		s.Now = time.Now
	}
	s.sessions = map[wire.SessionId]*session{}
	log := s.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	gate := &gate{r: in, open: make(chan struct{})}
	s.out.w = out
	s.conn = wire.NewAgentSideConnection(s, &s.out, gate)
	s.conn.SetLogger(log)
	close(gate.open)
	select {
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	return s.close()
}

// gate reads nothing before the connection is set up.
type gate struct {
	r    io.Reader
	open chan struct{}
}

func (g *gate) Read(p []byte) (int, error) {
	<-g.open
	return g.r.Read(p)
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
	var errs []error
	for _, one := range list {
		errs = append(errs, one.close())
	}
	return errors.Join(errs...)
}

// Initialize says what we are. We speak version 1 whatever the client asks for; it leaves if that
// is not its own.
func (s *Server) Initialize(_ context.Context, p wire.InitializeRequest) (wire.InitializeResponse, error) {
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

// Authenticate is not offered: keys come from the environment and the config file.
func (s *Server) Authenticate(context.Context, wire.AuthenticateRequest) (wire.AuthenticateResponse, error) {
	return wire.AuthenticateResponse{}, wire.NewMethodNotFound(wire.AgentMethodAuthenticate)
}

// NewSession begins a session.
func (s *Server) NewSession(ctx context.Context, p wire.NewSessionRequest) (wire.NewSessionResponse, error) {
	one, err := s.begin(ctx, "", p.Cwd, p.AdditionalDirectories, p.McpServers)
	if err != nil {
		return wire.NewSessionResponse{}, err
	}
	s.out.once(one.id, one.commands)
	return wire.NewSessionResponse{SessionId: one.id, Modes: one.modes(), Models: one.models(),
		ConfigOptions: one.options()}, nil
}

// LoadSession goes on with a session, after the client was told all that was said in it.
func (s *Server) LoadSession(ctx context.Context, p wire.LoadSessionRequest) (wire.LoadSessionResponse, error) {
	one, err := s.resume(ctx, p.SessionId, p.Cwd, p.AdditionalDirectories, p.McpServers)
	if err != nil {
		return wire.LoadSessionResponse{}, err
	}
	one.tell(one.parts.Said)
	one.commands()
	return wire.LoadSessionResponse{Modes: one.modes(), Models: one.models(),
		ConfigOptions: one.options()}, nil
}

// ResumeSession goes on with a session of which the client knows what was said.
func (s *Server) ResumeSession(ctx context.Context, p wire.ResumeSessionRequest) (wire.ResumeSessionResponse, error) {
	one, err := s.resume(ctx, p.SessionId, p.Cwd, p.AdditionalDirectories, p.McpServers)
	if err != nil {
		return wire.ResumeSessionResponse{}, err
	}
	one.commands()
	return wire.ResumeSessionResponse{Modes: one.modes(), Models: one.models(),
		ConfigOptions: one.options()}, nil
}

// resume opens a session that is kept. One that this client has open is closed first: it is written
// by one at a time.
func (s *Server) resume(ctx context.Context, id wire.SessionId, dir string, more []string,
	servers []wire.McpServer) (*session, error) {
	if id == "" {
		return nil, invalid("sessionId is missing")
	}
	s.mu.Lock()
	old := s.sessions[id]
	delete(s.sessions, id)
	s.mu.Unlock()
	if old != nil {
		if err := old.close(); err != nil {
			return nil, failure(err)
		}
	}
	return s.begin(ctx, id, dir, more, servers)
}

func (s *Server) begin(ctx context.Context, id wire.SessionId, dir string, more []string,
	servers []wire.McpServer) (*session, error) {
	for _, d := range append([]string{dir}, more...) {
		if !filepath.IsAbs(d) {
			return nil, invalid(fmt.Sprintf("the directory %q is no absolute path", d))
		}
	}
	o := Opening{Dir: filepath.Clean(dir), More: more, ID: string(id)}
	for _, server := range servers {
		m, err := brought(server)
		if err != nil {
			return nil, err
		}
		o.Servers = append(o.Servers, m)
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
	one := newSession(s, parts)
	held.session.Store(&one.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.sessions[one.id] != nil {
		return nil, failure(errors.Join(errors.New("the connection was closed"), parts.Close()))
	}
	s.sessions[one.id] = one
	return one, nil
}

// brought is a server that the client names.
func brought(m wire.McpServer) (MCP, error) {
	switch {
	case m.Stdio != nil:
		out := MCP{Name: m.Stdio.Name, Command: append([]string{m.Stdio.Command}, m.Stdio.Args...)}
		for _, e := range m.Stdio.Env {
			out.Env = append(out.Env, e.Name+"="+e.Value)
		}
		return out, nil
	case m.Http != nil:
		return MCP{Name: m.Http.Name, URL: m.Http.Url, Headers: headers(m.Http.Headers)}, nil
	case m.Sse != nil:
		return MCP{Name: m.Sse.Name, URL: m.Sse.Url, Headers: headers(m.Sse.Headers)}, nil
	}
	return MCP{}, invalid("an MCP server has to be one of stdio, http and sse")
}

func headers(list []wire.HttpHeader) map[string]string {
	out := map[string]string{}
	for _, h := range list {
		out[h.Name] = h.Value
	}
	return out
}

// ListSessions names the sessions of a directory; without one there is none to look in.
func (s *Server) ListSessions(_ context.Context, p wire.ListSessionsRequest) (wire.ListSessionsResponse, error) {
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

// CloseSession ends a session.
func (s *Server) CloseSession(_ context.Context, p wire.CloseSessionRequest) (wire.CloseSessionResponse, error) {
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

// Cancel stops the turn of a session.
func (s *Server) Cancel(_ context.Context, p wire.CancelNotification) error {
	one, err := s.session(p.SessionId)
	if err != nil {
		return err
	}
	one.stop()
	return nil
}

// Prompt is a turn.
func (s *Server) Prompt(ctx context.Context, p wire.PromptRequest) (wire.PromptResponse, error) {
	one, err := s.session(p.SessionId)
	if err != nil {
		return wire.PromptResponse{}, err
	}
	return one.prompt(ctx, p)
}

// SetSessionMode changes the mode.
func (s *Server) SetSessionMode(_ context.Context, p wire.SetSessionModeRequest) (wire.SetSessionModeResponse, error) {
	one, err := s.session(p.SessionId)
	if err == nil {
		err = one.setMode(string(p.ModeId))
	}
	return wire.SetSessionModeResponse{}, err
}

// SetSessionConfigOption sets an option.
func (s *Server) SetSessionConfigOption(_ context.Context,
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

// UnstableSetSessionModel changes the model, for clients that do not know options.
func (s *Server) UnstableSetSessionModel(_ context.Context,
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
	return &wire.RequestError{Code: codeInternal, Message: plain(err.Error())}
}

const (
	codeParams   = -32602
	codeInternal = -32603
)
