package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Config is what the servers of a workspace need.
type Config struct {
	Table   Table
	Dir     string   // of the workspace
	Env     []string // of the servers
	Family  *child.Family
	Secrets secret.Set
	// Cell makes the sandbox of a server; nil: they are not confined.
	Cell func(cmd *exec.Cmd, shared string) (*sandbox.Cell, error)
	// Log opens the log of a server; nil: there are none.
	Log     func(name string) io.Writer
	Version string // of this program
	// Report has the service look for errors that changes of files bring, at servers that run.
	Report bool
	// Format has servers that run put texts in order before they are proposed. FormatTime is how
	// long one may take for a text; 0: 2 s.
	Format     bool
	FormatTime time.Duration
	Options    helper.Options
}

// Service has the servers of one workspace. None runs before it is used. It is safe for use by
// several goroutines.
type Service struct {
	config Config // without the table

	mu      sync.Mutex
	table   Table
	helpers map[string]started // by the names of their servers
	closed  bool
	pending []fileChange  // that servers were not asked about yet
	judging chan struct{} // closed when none is pending; nil: none is
	news    []News
	watches []*watch  // of changes that were judged lately
	waited  time.Time // when News has waited last
}

// started is the helper of a server that was used.
type started struct {
	server Server
	*helper.Helper[*Client]
}

// NewService returns a service without a running server.
func NewService(c Config) *Service {
	return &Service{config: c, table: c.Table, helpers: map[string]started{}}
}

// SetTable replaces the table of servers. Servers whose entry has changed are ended.
func (s *Service) SetTable(t Table) {
	s.mu.Lock()
	var ended []started
	for name, h := range s.helpers {
		if !reflect.DeepEqual(h.server, t[name]) {
			ended = append(ended, h)
			delete(s.helpers, name)
		}
	}
	s.table = t
	s.mu.Unlock()
	for _, h := range ended {
		h.Close()
	}
}

// servers returns the table of servers.
func (s *Service) servers() Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table
}

// Dir returns the path of the workspace.
func (s *Service) Dir() string { return s.config.Dir }

// Servers returns the servers for a file, linters last. The path is absolute.
func (s *Service) Servers(path string) (list []Server) {
	for _, server := range s.servers().Enabled() {
		if server.Handles(path) && server.rootedAt(filepath.Dir(path), s.config.Dir, exists) {
			list = append(list, server)
		}
	}
	return list
}

// Workspace returns the servers for this workspace: those that run, and those that are installed
// and whose root markers lie at its top.
func (s *Service) Workspace() (list []Server) {
	for _, server := range s.servers().Enabled() {
		if s.Running(server.Name) ||
			len(server.Roots) > 0 && server.rootedAt(s.config.Dir, s.config.Dir, exists) && s.installed(server) {
			list = append(list, server)
		}
	}
	return list
}

// Fitting returns the servers whose root markers lie at the top of the workspace, installed or not.
func (s *Service) Fitting() (list []Server) {
	for _, server := range s.servers().Enabled() {
		if len(server.Roots) > 0 && server.rootedAt(s.config.Dir, s.config.Dir, exists) {
			list = append(list, server)
		}
	}
	return list
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (s *Service) program(server Server) helper.Program {
	p := helper.Program{Name: server.Name, Command: server.Command, Env: s.config.Env, Dir: s.config.Dir,
		Install: server.Install, Secrets: s.config.Secrets, Family: s.config.Family, Cell: s.config.Cell}
	return p
}

func (s *Service) installed(server Server) bool {
	_, err := s.program(server).Find()
	return err == nil
}

// Start says how a server is started, for a question: its command line and what it can reach. The
// error is a [*helper.Missing] if it is not installed.
func (s *Service) Start(server Server) (line, reach string, confined bool, err error) {
	p := s.program(server)
	if _, err := p.Find(); err != nil {
		return "", "", false, err
	}
	return strings.Join(server.Command, " "), p.Reach(), s.config.Cell != nil, nil
}

// Running reports whether a server runs, or starts.
func (s *Service) Running(name string) bool {
	s.mu.Lock()
	h, used := s.helpers[name]
	s.mu.Unlock()
	if !used {
		return false
	}
	switch h.Status().State {
	case helper.Ready, helper.Starting, helper.Waiting:
		return true
	}
	return false
}

// errMany is the error of one server too many.
var errMany = errors.New("12 language servers run already; `/lsp stop NAME` ends one")

// maxServers is how many servers run at a time.
const maxServers = 12

// Use returns the connection to a server, which it starts if need be. Until release is called the
// server has no text of a file but those that the caller gives it.
func (s *Service) Use(ctx context.Context, server Server) (c *Client, release func(), err error) {
	h, err := s.helper(server)
	if err != nil {
		return nil, nil, err
	}
	c, leave, err := h.Use(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !c.hold(ctx) {
		leave()
		return nil, nil, cmp.Or(ctx.Err(), helper.ErrEnded)
	}
	return c, sync.OnceFunc(func() {
		c.letGo()
		leave()
	}), nil
}

// helper returns the helper of a server, which may not run yet.
func (s *Service) helper(server Server) (started, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, used := s.helpers[server.Name]
	switch {
	case s.closed:
		return h, helper.ErrClosed
	case !reflect.DeepEqual(s.table[server.Name], server):
		return h, fmt.Errorf("the command or the settings of %s have changed: call again", server.Name)
	case used:
		return h, nil
	case len(s.helpers) >= maxServers:
		return h, errMany
	}
	p := s.program(server)
	if s.config.Log != nil {
		p.Log = s.config.Log(server.Name)
	}
	greet := func(ctx context.Context, process *helper.Process) (*Client, error) {
		return connect(ctx, process, server, s.config.Dir, s.config.Version)
	}
	h = started{server, helper.New(p, s.config.Options, greet, (*Client).goodbye)}
	s.helpers[server.Name] = h
	return h, nil
}

// RunningClients calls do with the connection of each server that is ready.
func (s *Service) RunningClients(ctx context.Context, do func(server Server, c *Client)) {
	s.mu.Lock()
	var ready []started
	for _, h := range s.helpers {
		if h.Ready() {
			ready = append(ready, h)
		}
	}
	s.mu.Unlock()
	slices.SortFunc(ready, func(a, b started) int { return strings.Compare(a.server.Name, b.server.Name) })
	for _, h := range ready {
		c, release, err := h.Use(ctx)
		if err != nil {
			continue
		}
		do(h.server, c)
		release()
	}
}

// Status returns the state of each server that was used, by name.
func (s *Service) Status() (list []helper.Status) {
	s.mu.Lock()
	helpers := []started{}
	for _, h := range s.helpers {
		helpers = append(helpers, h)
	}
	s.mu.Unlock()
	for _, h := range helpers {
		list = append(list, h.Status())
	}
	slices.SortFunc(list, func(a, b helper.Status) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Stop ends a server. Its next use starts it again.
func (s *Service) Stop(name string) error {
	s.mu.Lock()
	h, used := s.helpers[name]
	s.mu.Unlock()
	if !used {
		return fmt.Errorf("no language server named %q was started", name)
	}
	h.Stop()
	return nil
}

// Close ends all servers, side by side.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	var all []started
	for _, h := range s.helpers {
		all = append(all, h)
	}
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, h := range all {
		wg.Go(h.Close)
	}
	wg.Wait()
}

// Reload makes a server read its project anew, and says how: "Reloaded", or "Restarted" where the
// server has to be started again by its next use.
func (s *Service) Reload(ctx context.Context, server Server) (how string, err error) {
	if !s.Running(server.Name) {
		return "Not running:", nil
	}
	c, release, err := s.Use(ctx, server)
	if err != nil {
		return "", err
	}
	if server.Name == "rust-analyzer" {
		if _, err := c.Request(ctx, "rust-analyzer/reloadWorkspace", nil); err == nil {
			release()
			return "Reloaded", nil
		}
	}
	release()
	return "Restarted", s.Stop(server.Name)
}

// LoadTime is how long a server may load its project before it is asked all the same.
const LoadTime = 15 * time.Second
