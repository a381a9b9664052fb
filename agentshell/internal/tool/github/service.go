// Package github asks a GitHub host by the gh program, and changes repositories by git. The login
// is the affair of gh: nothing here reads a token to use it, and none is in what comes back.
package github

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Install is the command line that installs the gh program.
const Install = "apt-get install gh"

// DefaultHost is the GitHub host if the user sets none.
const DefaultHost = "github.com"

// Config holds the settings of a Service. Host, Dir and Environ must be set.
type Config struct {
	Host string // Host is the GitHub host, with a port if it is not 443; "": [DefaultHost].
	Dir  string // Dir is the workspace of the user.
	// Environ is the user's environment. Programs get only those API keys from it that gh uses for
	// the host.
	Environ   []string
	Family    *child.Family
	Secrets   secret.Set
	Worktrees string // Worktrees is the directory for the work trees of pull requests.
	Cache     Cache
	Now       func() time.Time // nil: the system's clock
	// Wait waits between two requests for the state of a workflow run; nil: by the system's clock.
	Wait func(ctx context.Context, d time.Duration) error
	// Resolve looks up the addresses of a host name; nil: the system's resolver. Protocols lists
	// the protocols that git may use, separated by colons; "": https and ssh.
	Resolve   func(ctx context.Context, name string) ([]netip.Addr, error)
	Protocols string
}

// Service makes requests to one GitHub host with the gh program. It starts nothing before the first
// request. It is safe for use by several goroutines.
type Service struct {
	config Config
	tokens secret.Set // tokens holds the API tokens that gh knows; they are removed from all output.

	lifeContext context.Context // lifeContext is cancelled by Close.
	endLife     context.CancelFunc

	mu            sync.Mutex
	listener      net.Listener    // listener is that of the proxy; nil: it was not started yet.
	folder        *scratch.Folder // folder is the empty directory in which gh runs; nil: it was not created yet.
	unknownFields map[string]bool // unknownFields holds the JSON fields that the installed gh does not know.
	closed        bool
	// repositoryLocks holds the locks of repositories by their common .git directory.
	repositoryLocks map[string]*sync.Mutex
	refreshes       map[string]bool // refreshes holds the cache keys that are being refreshed.
	refreshing      sync.WaitGroup
	running         sync.WaitGroup
}

// NewService returns a service. It starts no program.
func NewService(c Config) *Service {
	c.Host = strings.ToLower(cmp.Or(c.Host, DefaultHost))
	c.Protocols = cmp.Or(c.Protocols, "https:ssh")
	if c.Family == nil {
		c.Family = new(child.Family)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Wait == nil {
		c.Wait = waitFor
	}
	s := &Service{config: c, unknownFields: map[string]bool{}, repositoryLocks: map[string]*sync.Mutex{},
		refreshes: map[string]bool{}}
	s.lifeContext, s.endLife = context.WithCancel(context.Background())
	s.tokens = c.Secrets.With(s.apiTokens()...)
	return s
}

// waitFor waits for d, or returns an error if ctx ends before.
func waitFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Host returns the GitHub host, with its port if that is not 443.
func (s *Service) Host() string { return s.config.Host }

// CheckHost returns an error if text is not valid as Config.Host.
func CheckHost(text string) error {
	h, err := proxy.ParseHost(text)
	if err == nil && strings.HasPrefix(h.Name, "*") {
		err = errors.New("it stands for many hosts")
	}
	return err
}

// Find returns nil if the gh program is installed outside of the workspace, and otherwise an error
// such as [*helper.Missing].
func (s *Service) Find() error {
	_, err := s.program("gh")
	return err
}

func (s *Service) program(name string) (string, error) {
	path, err := s.config.Family.Programs.Path(name)
	if errors.Is(err, exec.ErrNotFound) {
		return "", &helper.Missing{Name: name, Install: "apt-get install " + name}
	}
	return path, err
}

// reachableHosts returns the hosts that the proxy lets gh reach. github.com redirects requests for
// logs to a storage host, and gh sends no token there. On another host gh sends its token wherever
// a redirect leads, so redirects must stay within that host.
func (s *Service) reachableHosts() *proxy.Hosts {
	hosts := new(proxy.Hosts)
	add := func(private bool, names ...string) {
		for _, name := range names {
			if h, err := proxy.ParseHost(name); err == nil {
				hosts.Add(private, h)
			}
		}
	}
	if s.config.Host == DefaultHost {
		add(false, DefaultHost, "api.github.com", "*.githubusercontent.com", "*.blob.core.windows.net")
		return hosts
	}
	add(true, s.config.Host, "*."+s.config.Host)
	return hosts
}

// startProxy starts the proxy, which leads to the hosts of the service and nowhere else, and
// creates an empty directory. It returns the address of the proxy and the directory. Later calls
// return the same.
func (s *Service) startProxy() (way, dir string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return "", "", helper.ErrClosed
	case s.listener != nil:
		return s.listener.Addr().String(), s.folder.Path, nil
	}
	if s.folder == nil {
		if s.folder, err = scratch.New("", "github"); err != nil {
			return "", "", err
		}
	}
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return "", "", err
	}
	p, l := &proxy.Proxy{Hosts: s.reachableHosts(), Resolve: s.config.Resolve}, s.listener
	s.running.Go(func() { p.Serve(s.lifeContext, l) })
	return l.Addr().String(), s.folder.Path, nil
}

// Close ends the proxy and the requests in the background.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	folder := s.folder
	s.mu.Unlock()
	s.endLife()
	s.refreshing.Wait()
	s.running.Wait()
	if folder != nil {
		folder.Remove()
	}
}

// lockRepository locks a repository against other changes of this service, and returns the function
// that unlocks it. All work trees of a repository share the lock, because they share its settings
// and refs.
func (s *Service) lockRepository(common string) (unlock func()) {
	s.mu.Lock()
	m := s.repositoryLocks[common]
	if m == nil {
		m = new(sync.Mutex)
		s.repositoryLocks[common] = m
	}
	s.mu.Unlock()
	m.Lock()
	return m.Unlock
}

// tokenVariables returns the environment variables from which gh takes its API token for a host.
func tokenVariables(host string) []string {
	dotcom, other := []string{"GH_TOKEN", "GITHUB_TOKEN"}, []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
	switch {
	case host == DefaultHost:
		return dotcom
	case strings.HasSuffix(host, ".ghe.com"):
		return slices.Concat(dotcom, other)
	}
	return other
}
