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

// Install is the command line that installs the ssh program.
const Install = "apt-get install openssh-client"

// Config holds the settings of a Service.
type Config struct {
	Hosts   Hosts
	Env     []string // Env is the environment of the ssh program.
	Dir     string   // Dir is its working directory.
	File    string   // File is a configuration file for ssh; "": those of the user and the system.
	Family  *child.Family
	Secrets secret.Set
	Options helper.Options
}

// Service runs commands on hosts. It keeps one connection for each host. The connection is opened
// at the first use, and closed after ten minutes without use or by Close. A Service is safe for use
// by several goroutines.
type Service struct {
	config Config

	mu sync.Mutex
	// socketDir is the folder of the connections' control sockets; nil: no connection was opened.
	socketDir   *scratch.Folder
	connections map[string]*helper.Helper[string]
	closed      bool
}

// NewService returns a service without connections.
func NewService(c Config) *Service {
	if c.Family == nil {
		c.Family = new(child.Family)
	}
	return &Service{config: c, connections: map[string]*helper.Helper[string]{}}
}

// Hosts returns the configured hosts.
func (s *Service) Hosts() Hosts { return s.config.Hosts }

// Host returns the host with a name. The error is an [*UnknownError] if there is none.
func (s *Service) Host(name string) (Host, error) {
	if h, ok := s.config.Hosts[name]; ok {
		return h, nil
	}
	return Host{}, &UnknownError{name, s.config.Hosts}
}

// fixedOptions returns the options of each call of ssh. ssh asks no questions, forwards nothing and
// runs no local command. It accepts the key of a new host, but no changed key of a known one.
func (s *Service) fixedOptions() (list []string) {
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

// socketPath returns the path of the control socket for a host. ssh connects to whatever host a
// socket leads to, so the path depends on all settings of h. It is short, because ssh adds 17 bytes
// to it and the system allows 108.
func socketPath(dir string, h Host) string {
	sum := sha256.Sum256([]byte(strings.Join(h.arguments(), "\x00")))
	return filepath.Join(dir, hex.EncodeToString(sum[:6]))
}

// connectionOf returns the process of the connection to a host. The connection need not be open.
func (s *Service) connectionOf(h Host) (*helper.Helper[string], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, helper.ErrClosed
	case s.connections[h.Name] != nil:
		return s.connections[h.Name], nil
	case s.socketDir == nil:
		dir, err := scratch.New("", "ssh")
		if err != nil {
			return nil, err
		}
		s.socketDir = dir
	}
	path := socketPath(s.socketDir.Path, h)
	command := slices.Concat([]string{"ssh", "-M", "-N", "-S", path}, s.fixedOptions(), h.arguments())
	m := helper.New(helper.Program{Name: "the connection to " + h.Name, Command: command, Env: s.config.Env,
		Dir: s.config.Dir, Install: Install, Secrets: s.config.Secrets, Family: s.config.Family}, s.config.Options,
		func(ctx context.Context, p *helper.Process) (string, error) { return path, awaitSocket(ctx, p, path) }, nil)
	s.connections[h.Name] = m
	return m, nil
}

// awaitSocket waits until ssh has logged in: then it creates its control socket.
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
		if m := s.connections[name]; m != nil {
			list = append(list, m.Status())
		}
	}
	return list
}

// Find returns nil if the ssh program is installed, and otherwise an error such as
// [*helper.Missing].
func (s *Service) Find() error {
	if _, err := s.config.Family.Programs.Path("ssh"); errors.Is(err, exec.ErrNotFound) {
		return &helper.Missing{Name: "ssh", Install: Install}
	} else if err != nil {
		return err
	}
	return nil
}

// Close closes all connections, in parallel.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	masters, dir := s.connections, s.socketDir
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
