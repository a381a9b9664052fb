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

// Config holds the settings of a Service.
type Config struct {
	Table   Table
	Dir     string   // Dir is the directory of the workspace.
	Env     []string // Env is the environment of the servers.
	Family  *child.Family
	Secrets secret.Set
	// Cell creates the sandbox for a server's command; nil: servers run without one.
	Cell func(cmd *exec.Cmd, shared string) (*sandbox.Cell, error)
	// Log opens the log file of a server; nil: nothing is logged.
	Log     func(name string) io.Writer
	Version string // Version is the version of this program.
	// Report makes running servers report the new diagnostics after changes of files: see
	// [Service.News].
	Report bool
	// Format makes running servers format texts before they are proposed to the user. FormatTime is
	// how long one may take for that; 0: 2 s.
	Format     bool
	FormatTime time.Duration
	Options    helper.Options
}

// Service manages the language servers of one workspace. A server starts when it is first used. A
// Service is safe for use by several goroutines.
type Service struct {
	config Config // config is used without its Table.

	mu            sync.Mutex
	table         Table
	helpers       map[string]usedServer // helpers holds the servers that were used, by name.
	closed        bool
	pending       []fileChange  // pending holds the changes that the servers have not analysed yet.
	analysisDone  chan struct{} // analysisDone is closed when pending becomes empty; nil: it is empty.
	news          []News
	activeWatches []*diagnosticsWatch // activeWatches holds the recent changes for which further diagnostics may come.
	lastNewsWait  time.Time           // lastNewsWait is when News has waited last.
}

// usedServer is the process of a server that was used. It may have ended.
type usedServer struct {
	server Server
	*helper.Helper[*Client]
}

// NewService returns a service. It starts no server.
func NewService(c Config) *Service {
	return &Service{config: c, table: c.Table, helpers: map[string]usedServer{}}
}

// SetTable replaces the table of servers. Running servers whose entry has changed are ended.
func (s *Service) SetTable(t Table) {
	s.mu.Lock()
	var ended []usedServer
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

// Servers returns the servers that handle a file, linters last. path is absolute.
func (s *Service) Servers(path string) (list []Server) {
	for _, server := range s.servers().Enabled() {
		if server.Handles(path) && server.hasRootMarker(filepath.Dir(path), s.config.Dir, exists) {
			list = append(list, server)
		}
	}
	return list
}

// Workspace returns the servers for this workspace: those that run, and the installed ones whose
// root markers are at the top of the workspace.
func (s *Service) Workspace() (list []Server) {
	for _, server := range s.servers().Enabled() {
		if s.Running(server.Name) ||
			len(server.Roots) > 0 && server.hasRootMarker(s.config.Dir, s.config.Dir, exists) && s.installed(server) {
			list = append(list, server)
		}
	}
	return list
}

// Fitting returns the servers whose root markers are at the top of the workspace, even if they are
// not installed.
func (s *Service) Fitting() (list []Server) {
	for _, server := range s.servers().Enabled() {
		if len(server.Roots) > 0 && server.hasRootMarker(s.config.Dir, s.config.Dir, exists) {
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

// Start describes how a server would be started, for the question to the user. It returns its
// command line, the files and hosts that it can reach, and whether it runs in a sandbox. The error
// is a [*helper.Missing] if the server is not installed.
func (s *Service) Start(server Server) (line, reach string, confined bool, err error) {
	p := s.program(server)
	if _, err := p.Find(); err != nil {
		return "", "", false, err
	}
	return strings.Join(server.Command, " "), p.Reach(), s.config.Cell != nil, nil
}

// Running reports whether a server runs or is starting.
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

// errTooManyServers is the error for one server more than maxServers.
var errTooManyServers = errors.New("12 language servers run already; `/lsp stop NAME` ends one")

// maxServers is the number of servers that run at the same time.
const maxServers = 12

// Use returns the connection to a server, which it starts if it does not run. Until release is
// called, nobody else gives the server another text of a file.
func (s *Service) Use(ctx context.Context, server Server) (c *Client, release func(), err error) {
	h, err := s.helper(server)
	if err != nil {
		return nil, nil, err
	}
	c, leave, err := h.Use(ctx)
	if err != nil {
		return nil, nil, err
	}
	if !c.holdTexts(ctx) {
		leave()
		return nil, nil, cmp.Or(ctx.Err(), helper.ErrEnded)
	}
	return c, sync.OnceFunc(func() {
		c.releaseTexts()
		leave()
	}), nil
}

// helper returns the process of a server; the server may not run yet.
func (s *Service) helper(server Server) (usedServer, error) {
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
		return h, errTooManyServers
	}
	p := s.program(server)
	if s.config.Log != nil {
		p.Log = s.config.Log(server.Name)
	}
	greet := func(ctx context.Context, process *helper.Process) (*Client, error) {
		return openConnection(ctx, process, server, s.config.Dir, s.config.Version)
	}
	h = usedServer{server, helper.New(p, s.config.Options, greet, (*Client).shutdown)}
	s.helpers[server.Name] = h
	return h, nil
}

// RunningClients calls do with each server that is ready, in the order of their names.
func (s *Service) RunningClients(ctx context.Context, do func(server Server, c *Client)) {
	s.mu.Lock()
	var ready []usedServer
	for _, h := range s.helpers {
		if h.Ready() {
			ready = append(ready, h)
		}
	}
	s.mu.Unlock()
	slices.SortFunc(ready, func(a, b usedServer) int { return strings.Compare(a.server.Name, b.server.Name) })
	for _, h := range ready {
		c, release, err := h.Use(ctx)
		if err != nil {
			continue
		}
		do(h.server, c)
		release()
	}
}

// Status returns the states of all servers that were used, sorted by name.
func (s *Service) Status() (list []helper.Status) {
	s.mu.Lock()
	helpers := []usedServer{}
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

// Stop ends a server. The next use starts it again.
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

// Close ends all servers, in parallel.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	var all []usedServer
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

// Reload makes a running server read its project again. how tells the user what happened:
// "Reloaded", "Restarted" if the server had to be ended, or "Not running:".
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

// LoadTime is how long to wait for a server to load its project. After that it gets requests
// nevertheless.
const LoadTime = 15 * time.Second
