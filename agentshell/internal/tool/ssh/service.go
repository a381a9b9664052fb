package ssh

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Install is the line that installs the ssh program.
const Install = "apt-get install openssh-client"

// Config is what a Service needs.
type Config struct {
	Hosts   Hosts
	Env     []string // of the ssh program
	Dir     string   // in which it runs
	File    string   // configuration of ssh; "": the person's and the system's
	Family  *child.Family
	Secrets secret.Set
	Options helper.Options
}

// Service runs commands on hosts. Each host has one connection, which is opened when it is first
// used and ends with the Service or when nobody has used it for ten minutes. It is safe for use by
// several goroutines.
type Service struct {
	config Config

	mu      sync.Mutex
	sockets *scratch.Folder // of the connections, nil: none was opened
	masters map[string]*helper.Helper[string]
	closed  bool
}

// NewService returns a service without a connection.
func NewService(c Config) *Service {
	if c.Family == nil {
		c.Family = new(child.Family)
	}
	return &Service{config: c, masters: map[string]*helper.Helper[string]{}}
}

// Hosts returns the hosts.
func (s *Service) Hosts() Hosts { return s.config.Hosts }

// Host returns a host by its name. The error is an [*UnknownError] if there is none.
func (s *Service) Host(name string) (Host, error) {
	if h, ok := s.config.Hosts[name]; ok {
		return h, nil
	}
	return Host{}, &UnknownError{name, s.config.Hosts}
}

// fixed returns the options of each call of ssh: it asks nothing, forwards nothing, runs nothing
// here, and learns the key of a new host but takes no other key for a known one.
func (s *Service) fixed() (list []string) {
	if s.config.File != "" {
		list = append(list, "-F", s.config.File)
	}
	for _, o := range []string{"BatchMode=yes", "StrictHostKeyChecking=accept-new", "LogLevel=ERROR",
		"ForwardAgent=no", "ForwardX11=no", "ClearAllForwardings=yes", "PermitLocalCommand=no",
		"ConnectTimeout=20", "ServerAliveInterval=15"} {
		list = append(list, "-o", o)
	}
	return append(list, "-T")
}

// socket returns the path of the connection to a host. ssh goes where the path leads, whatever host
// it is given, so the path is made from all that says where a host is. It is short: ssh adds 17
// bytes to it, and the system allows 108.
func socket(dir string, h Host) string {
	sum := sha256.Sum256([]byte(strings.Join(h.arguments(), "\x00")))
	return filepath.Join(dir, hex.EncodeToString(sum[:6]))
}

// master returns the connection to a host, which need not be open.
func (s *Service) master(h Host) (*helper.Helper[string], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, helper.ErrClosed
	case s.masters[h.Name] != nil:
		return s.masters[h.Name], nil
	case s.sockets == nil:
		dir, err := scratch.New("", "ssh")
		if err != nil {
			return nil, err
		}
		s.sockets = dir
	}
	path := socket(s.sockets.Path, h)
	command := slices.Concat([]string{"ssh", "-M", "-N", "-S", path}, s.fixed(), h.arguments())
	m := helper.New(helper.Program{Name: "the connection to " + h.Name, Command: command, Env: s.config.Env,
		Dir: s.config.Dir, Install: Install, Secrets: s.config.Secrets, Family: s.config.Family}, s.config.Options,
		func(ctx context.Context, p *helper.Process) (string, error) { return path, awaitSocket(ctx, p, path) }, nil)
	s.masters[h.Name] = m
	return m, nil
}

// awaitSocket waits until ssh takes commands: it makes the socket when it is logged in.
func awaitSocket(ctx context.Context, p *helper.Process, path string) error {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		if _, err := os.Lstat(path); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.Done():
			p.Fail(io.EOF)
			return io.EOF
		case <-look.C:
		}
	}
}

// Status returns the state of each connection that was used.
func (s *Service) Status() (list []helper.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.config.Hosts.Names() {
		if m := s.masters[name]; m != nil {
			list = append(list, m.Status())
		}
	}
	return list
}

// Find returns an error, a [*helper.Missing], if the ssh program is not installed.
func (s *Service) Find() error {
	if _, err := s.config.Family.Programs.Path("ssh"); errors.Is(err, exec.ErrNotFound) {
		return &helper.Missing{Name: "ssh", Install: Install}
	} else if err != nil {
		return err
	}
	return nil
}

// Close ends all connections, side by side.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	masters, dir := s.masters, s.sockets
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, m := range masters {
		wg.Go(m.Close)
	}
	wg.Wait()
	if dir != nil {
		dir.Remove()
	}
}
