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

// Install is the line that installs the gh program.
const Install = "apt-get install gh"

// DefaultHost is the host if none is set.
const DefaultHost = "github.com"

// Config is what a Service needs. Host, Dir and Environ must be set.
type Config struct {
	Host string // "" means [DefaultHost]; may have a port
	Dir  string // the person's workspace
	// Environ is the person's environment. A program gets of its keys only those that gh has for
	// the host.
	Environ   []string
	Family    *child.Family
	Secrets   secret.Set
	Worktrees string // the folder of the work trees of pull requests
	Cache     Cache
	Now       func() time.Time // nil: the system's clock
	// Wait waits between two looks at a run; nil: by the system's clock.
	Wait func(ctx context.Context, d time.Duration) error
	// Resolve returns the addresses of a name, and Protocols are those that git may use, with
	// colons between; zero: the system's resolver, https and ssh.
	Resolve   func(ctx context.Context, name string) ([]netip.Addr, error)
	Protocols string
}

// Service asks one host. Nothing runs before it is first asked. It is safe for use by several
// goroutines.
type Service struct {
	config Config
	tokens secret.Set // the keys that gh has, so that none comes back

	life context.Context // ends with Close
	end  context.CancelFunc

	mu         sync.Mutex
	listener   net.Listener    // of the proxy; nil: it was not needed yet
	folder     *scratch.Folder // an empty one, in which gh runs; nil: none was made
	unknown    map[string]bool // fields that this gh does not know
	closed     bool
	repos      map[string]*sync.Mutex // by the common folder of the repository
	refreshes  map[string]bool        // keys of the cache that are being read anew
	refreshing sync.WaitGroup
	running    sync.WaitGroup
}

// NewService returns a service that has started nothing.
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
		c.Wait = wait
	}
	s := &Service{config: c, unknown: map[string]bool{}, repos: map[string]*sync.Mutex{}, refreshes: map[string]bool{}}
	s.life, s.end = context.WithCancel(context.Background())
	s.tokens = c.Secrets.With(s.keys()...)
	return s
}

// wait waits for d or the end of ctx.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Host returns the host, with its port if it is not the usual one.
func (s *Service) Host() string { return s.config.Host }

// CheckHost returns an error if a text cannot be the host of a Service.
func CheckHost(text string) error {
	h, err := proxy.ParseHost(text)
	if err == nil && strings.HasPrefix(h.Name, "*") {
		err = errors.New("it stands for many hosts")
	}
	return err
}

// Find returns an error, a [*helper.Missing], if the gh program is not installed outside of the
// workspace.
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

// hosts returns the hosts that gh may reach. Redirects of github.com to the logs of runs lead to a
// storage that no key is sent to; another host gets the key of gh wherever it redirects to, so its
// redirects must stay within it.
func (s *Service) hosts() *proxy.Hosts {
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

// open starts what gh needs: a proxy that leads to the host and nowhere else, and an empty folder.
// It returns the address of the proxy and the folder.
func (s *Service) open() (way, dir string, err error) {
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
	p, l := &proxy.Proxy{Hosts: s.hosts(), Resolve: s.config.Resolve}, s.listener
	s.running.Go(func() { p.Serve(s.life, l) })
	return l.Addr().String(), s.folder.Path, nil
}

// Close ends the proxy and what is being read for the cache.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	folder := s.folder
	s.mu.Unlock()
	s.end()
	s.refreshing.Wait()
	s.running.Wait()
	if folder != nil {
		folder.Remove()
	}
}

// lock locks a repository for changes and returns what unlocks it: the work trees of a repository
// share its settings and refs.
func (s *Service) lock(common string) (unlock func()) {
	s.mu.Lock()
	m := s.repos[common]
	if m == nil {
		m = new(sync.Mutex)
		s.repos[common] = m
	}
	s.mu.Unlock()
	m.Lock()
	return m.Unlock
}

// keyNames returns the names of the variables that hold keys of gh for a host.
func keyNames(host string) []string {
	dotcom, other := []string{"GH_TOKEN", "GITHUB_TOKEN"}, []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
	switch {
	case host == DefaultHost:
		return dotcom
	case strings.HasSuffix(host, ".ghe.com"):
		return slices.Concat(dotcom, other)
	}
	return other
}
