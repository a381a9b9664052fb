package dap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Config holds the settings of a Service.
type Config struct {
	Table   Table
	Dir     string   // Dir is the directory of the workspace.
	Env     []string // Env is the environment of adapters.
	Family  *child.Family
	Secrets secret.Set
	// Cell creates the sandbox for an adapter and the program that it debugs; nil: they run without
	// one. trace allows processes in it to trace each other. shared is a folder that they can
	// write, or "".
	Cell func(cmd *exec.Cmd, trace bool, shared string) (*sandbox.Cell, error)
	// Log opens the log file of an adapter; nil: nothing is logged.
	Log      func(name string) io.Writer
	Options  helper.Options
	StopTime time.Duration // StopTime is how long a program may take to stop at its entry; 0: 5 s.
}

// Service manages the debug session of a workspace; there is at most one at a time. It is safe for
// use by several goroutines.
type Service struct {
	config     Config
	actionSlot chan struct{} // actionSlot holds a value while an action is carried out.

	mu           sync.Mutex
	session      *Session // session is the last one; nil: there was none.
	sessionCount int
	closed       bool
	versions     map[string]string // versions holds the versions of programs that were run to find them out, by path.
}

// NewService returns a service without a session.
func NewService(c Config) *Service {
	if c.StopTime == 0 {
		c.StopTime = stopTimeout
	}
	return &Service{config: c, actionSlot: make(chan struct{}, 1)}
}

// Table returns the configured adapters.
func (s *Service) Table() Table { return s.config.Table }

// Dir returns the path of the workspace.
func (s *Service) Dir() string { return s.config.Dir }

// Confines reports whether launched programs run in a sandbox.
func (s *Service) Confines() bool { return s.config.Cell != nil }

// program describes the process of an adapter that runs in dir. If outside is set, it runs without
// a sandbox.
func (s *Service) program(a Adapter, dir string, outside bool) helper.Program {
	p := helper.Program{Name: a.Name, Command: a.Command, Env: s.config.Env, Dir: dir, Install: a.Install,
		Secrets: s.config.Secrets, Family: s.config.Family, Shared: a.hasSharedFolder()}
	if cell := s.config.Cell; cell != nil && !outside {
		p.Cell = func(cmd *exec.Cmd, shared string) (*sandbox.Cell, error) { return cell(cmd, a.Traces, shared) }
	}
	return p
}

// Reach describes the files and hosts that an adapter and its program can reach, for the question
// to the user.
func (s *Service) Reach(a Adapter, outside bool) string { return s.program(a, "", outside).Reach() }

// Start describes a debug session that is to begin.
type Start struct {
	Adapter Adapter
	Attach  bool
	Outside bool // Outside says that the adapter runs without a sandbox.
	Program string
	Dir     string   // Dir is the working directory of the program.
	RunIn   string   // RunIn is the working directory of the adapter.
	Connect []string // Connect is the command line that connects to a running adapter; nil: the adapter is started.
	// Arguments returns the arguments of the launch or attach request. temp is a temporary
	// directory that they may name.
	Arguments func(temp string) map[string]any
}

// ErrActive is the error for a new session while another one, ID, is active.
type ErrActive struct{ ID string }

func (e *ErrActive) Error() string {
	return "Debug session " + e.ID + " is still active. Terminate it before launching another."
}

// Begin starts an adapter and begins a session. The error is an [*ErrActive] if there is an active
// one.
func (s *Service) Begin(ctx context.Context, start Start) (*Session, error) {
	done, err := s.beginAction(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	s.mu.Lock()
	last, closed := s.session, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return nil, helper.ErrClosed
	case last != nil && !last.isOver():
		return nil, &ErrActive{last.ID}
	case last != nil:
		last.end()
	}
	p := s.program(start.Adapter, start.RunIn, start.Outside)
	if _, err := p.Find(); err != nil && start.Connect == nil {
		return nil, err
	}
	p.Command = start.Adapter.startCommand()
	if start.Connect != nil {
		p.Command = start.Connect
	}
	if s.config.Log != nil {
		p.Log = s.config.Log(start.Adapter.Name)
	}
	temp, discard, err := s.tempDir(p.Cell != nil)
	if err != nil {
		return nil, err
	}
	session := &Session{Adapter: start.Adapter, Program: start.Program, Dir: start.Dir, Confined: p.Cell != nil,
		elementCounts: map[int]int{}, breakpoints: breakpointSet{byFile: map[string][]Breakpoint{}},
		removeTemp: discard}
	greet := func(ctx context.Context, process *helper.Process) (*Client, error) {
		if start.Connect != nil { // to one that listens already
			start.Adapter.Command = start.Connect
		}
		return openConnection(ctx, process, start.Adapter)
	}
	session.helper = helper.New(p, s.config.Options, greet, (*Client).disconnect)
	var release func() // of the adapter
	if session.client, release, err = session.helper.Use(ctx); err != nil {
		session.helper.Close()
		discard()
		return nil, withInstallHint(err, start.Adapter)
	}
	s.mu.Lock()
	s.sessionCount++
	session.ID, s.session = fmt.Sprintf("debug-%d", s.sessionCount), session
	closed = s.closed
	s.mu.Unlock()
	defer release()
	if closed {
		session.end()
		return nil, helper.ErrClosed
	}
	request := "launch"
	if start.Attach {
		request = "attach"
	}
	arguments := start.Arguments(temp)
	err = session.begin(ctx, request, arguments, stopsAtEntry(start.Adapter, arguments), s.config.StopTime)
	if err != nil {
		session.end()
		return nil, session.withOutput(err)
	}
	if session.isOver() {
		session.end()
	}
	return session, nil
}

// stopsAtEntry reports whether the program will stop when its session begins.
func stopsAtEntry(a Adapter, arguments map[string]any) bool {
	for name, value := range arguments {
		if strings.HasPrefix(name, "stop") && value == true {
			return true
		}
	}
	return a.Traces
}

// withInstallHint adds the command line that installs an adapter to an error of its start. The
// adapter's program may exist without the adapter, such as a Python without its debugger.
func withInstallHint(err error, a Adapter) error {
	var missing *helper.Missing
	if errors.As(err, &missing) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		a.Install == "" {
		return err
	}
	return fmt.Errorf("%w. If it is not installed: %s", err, a.Install)
}

// tempDir returns a directory for files that an adapter builds, and the function that removes it.
// A sandbox has its own /tmp.
func (s *Service) tempDir(confined bool) (dir string, discard func(), err error) {
	if confined { // the cell has one of its own
		return "/tmp", func() {}, nil
	}
	folder, err := scratch.New("", "debug")
	if err != nil {
		return "", nil, err
	}
	return folder.Path, folder.Remove, nil
}

// beginAction waits until no other action runs, and begins one. The caller calls release at its
// end.
func (s *Service) beginAction(ctx context.Context) (release func(), err error) {
	select {
	case s.actionSlot <- struct{}{}:
		return sync.OnceFunc(func() { <-s.actionSlot }), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// plainError is an error whose text is shown to the user without any addition.
type plainError string

func (s plainError) Error() string { return string(s) }

// ErrNoSession is the error of an action that needs an active session.
var ErrNoSession = error(plainError("No active debug session. Launch or attach first."))

// With calls do with the active session, while no other action runs. The error is ErrNoSession if
// there is none.
func (s *Service) With(ctx context.Context, do func(*Session) error) error {
	release, err := s.beginAction(ctx)
	if err != nil {
		return err
	}
	defer release()
	session := s.Last()
	switch {
	case session == nil:
		return ErrNoSession
	case session.isAdapterGone() && !session.client.endedBeforeAdapter():
		err := session.client.endedError()
		session.end()
		return err
	case session.isOver():
		session.end()
		return ErrNoSession
	}
	c, done, err := session.helper.Use(ctx)
	if err == nil && c != session.client { // it was idle for so long that it was ended
		done()
		err = ErrNoSession
	}
	if err != nil {
		session.end()
		return err
	}
	defer done()
	err = do(session)
	if session.isOver() {
		session.end()
	}
	return err
}

// endedBeforeAdapter reports whether the program ended before its adapter.
func (c *Client) endedBeforeAdapter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.hasEnded || c.state.status == Terminated
}

// Last returns the last session, which may have ended, or nil if there was none.
func (s *Service) Last() *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.session
}

// Terminate ends the active session and returns it. It returns nil if there is none.
func (s *Service) Terminate(ctx context.Context) (*Session, error) {
	release, err := s.beginAction(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	session := s.Last()
	if session == nil || session.isOver() {
		if session != nil {
			session.end()
		}
		return nil, nil
	}
	session.Terminate(ctx)
	return session, nil
}

// Status returns the state of the last session's adapter. The list is empty if there was no
// session.
func (s *Service) Status() (list []helper.Status) {
	if session := s.Last(); session != nil {
		list = append(list, session.helper.Status())
	}
	return list
}

// Summaries returns a summary of the last session. The list is empty if there was none.
func (s *Service) Summaries() (list []Summary) {
	if session := s.Last(); session != nil {
		list = append(list, session.Summary())
	}
	return list
}

// Stop ends the active session, even while an action runs.
func (s *Service) Stop() error {
	session := s.Last()
	if session == nil || session.isOver() {
		return errors.New("there is no debug session")
	}
	session.helper.Stop()
	return nil
}

// Close ends the session. The service starts no more sessions.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	session := s.session
	s.mu.Unlock()
	if session != nil {
		session.end()
	}
}
