//go:build unix

package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/ssh"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// sshServer is an OpenSSH server of a test, on the loopback, and the tool ssh for it.
type sshServer struct {
	*bench
	service *ssh.Service
	tool    Tool
	home    string // where its files lie
	log     *lockedBuffer
}

// lockedBuffer is a buffer that a program writes to while a test reads it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newSSHServer(t *testing.T) *sshServer {
	t.Helper()
	sshd := "/usr/sbin/sshd" // it wants its full path, and is not on everybody's PATH
	if _, err := os.Stat(sshd); err != nil {
		need.Missing(t, "sshd", err)
	}
	need.Program(t, "ssh")
	s := &sshServer{bench: newBench(t, nil), home: t.TempDir(), log: new(lockedBuffer)}
	for _, name := range []string{"host", "user", "other"} {
		out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", s.path(name)).CombinedOutput()
		if err != nil {
			t.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	s.put("sshd_config", fmt.Sprintf("ListenAddress 127.0.0.1\nPort %d\nHostKey %s\nAuthorizedKeysFile %s\n"+
		"PidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nLogLevel VERBOSE\n", port, s.path("host"),
		s.path("user.pub")))
	s.put("ssh_config", "UserKnownHostsFile "+s.path("known")+"\nGlobalKnownHostsFile none\nIdentityAgent none\n")
	if os.Getuid() == 0 { // else it needs none
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(sshd, "-D", "-e", "-f", s.path("sshd_config"))
	cmd.Stderr = s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s.eventually("the server listens", func() bool { return strings.Contains(s.log.String(), "Server listening") })
	hosts := ssh.Hosts{}
	for name, key := range map[string]string{"build": "user", "closed": "other"} {
		hosts[name] = ssh.Host{Name: name, Address: "127.0.0.1", Port: port, Key: s.path(key), About: "a test"}
	}
	hosts["alias"] = ssh.Host{Name: "alias", Address: "127.0.0.1", Port: port, Key: s.path("user"), Alias: true}
	s.service = ssh.NewService(ssh.Config{Hosts: hosts, Env: os.Environ(), Dir: s.ws.Dir(), File: s.path("ssh_config"),
		Family: new(child.Family)})
	t.Cleanup(s.service.Close)
	s.env.Outputs = new(Outputs)
	s.tool = SSH(s.env, s.service)[0]
	return s
}

func (s *sshServer) path(name string) string { return filepath.Join(s.home, name) }

func (s *sshServer) put(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// eventually waits for something that another process does.
func (s *sshServer) eventually(what string, is func() bool) {
	s.t.Helper()
	for range 3000 {
		if is() {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	s.t.Fatalf("half a minute, and not %s\n%s", what, s.log.String())
}

// run makes a call.
func (s *sshServer) run(ctx context.Context, a args) (Result, error) {
	s.t.Helper()
	c, err := s.tool.Prepare(ctx, "t1", mustJSON(s.t, a))
	if err != nil {
		return Result{}, err
	}
	if c.Proposal == nil {
		s.t.Fatalf("%v asks nothing", a)
	}
	return c.Run(ctx, func(string) {})
}

func TestCommandsOnAnotherMachine(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	for _, c := range []struct{ command, cwd, want, problem string }{
		{command: "echo a; echo b >&2; echo c", want: "a\nb\nc\n"},
		{command: `printf '%s\n' "it's" 'a\b' "$((1+1))"` + "\n" + `echo "$HOME" | wc -l`, want: "it's\na\\b\n2\n1\n"},
		{command: "cat; echo end", want: "end\n"},
		{command: "true", want: "(no output)"},
		{command: "pwd", cwd: s.home, want: s.home + "\n"},
		{command: "pwd", cwd: s.path("it's not there"), problem: "Command exited with code 2"},
		{command: "echo bad; exit 3", problem: "bad\nCommand exited with code 3"},
		{command: "kill -9 $$", problem: "code 255: a signal ended it, or the connection to build broke"},
		{command: `printf 'x\033]0;title\007\033[31my\n'`, want: "xy\n"},
		{command: "seq 100000 | tail -n 1", want: "100000\n"},
	} {
		r, err := s.run(t.Context(), args{"host": "build", "command": c.command, "cwd": c.cwd})
		switch {
		case c.problem == "" && (err != nil || r.Text != c.want):
			t.Errorf("%s: %q, %v, want %q", c.command, r.Text, err, c.want)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %q, %v, want %q", c.command, r.Text, err, c.problem)
		}
	}
	r, err := s.run(t.Context(), args{"host": "build", "command": "seq 20000"})
	if err != nil || !strings.HasPrefix(r.Text, "1\n2\n") || !strings.HasSuffix(r.Text, "\n19999\n20000\n") ||
		!strings.Contains(r.Text, " bytes left out") || !strings.Contains(r.Text, "artifact://output-1") {
		t.Errorf("long output: %.40q ... , %v", r.Text, err)
	}
	if whole, err := s.env.Outputs.Text("output-1"); err != nil || !strings.Contains(whole, "\n10000\n") {
		t.Errorf("the middle cannot be read: %d bytes, %v", len(whole), err)
	}
	s.seenWhileItComes(t)
	if n := strings.Count(s.log.String(), "Accepted publickey"); n != 1 {
		t.Errorf("%d logins", n)
	}
}

// seenWhileItComes runs a command that goes on when its first line was seen.
func (s *sshServer) seenWhileItComes(t *testing.T) {
	t.Helper()
	gate := s.path("gate")
	c, err := s.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"host": "build", "timeout": 60,
		"command": "echo first; while [ ! -e " + gate + " ]; do sleep 0.05; done; echo last"}))
	if err != nil {
		t.Fatal(err)
	}
	opened := sync.OnceFunc(func() { s.put("gate", "") })
	r, err := c.Run(t.Context(), func(text string) {
		if strings.Contains(text, "first") {
			opened()
		}
	})
	if err != nil || r.Text != "first\nlast\n" {
		t.Errorf("output that nobody saw while it came: %q, %v", r.Text, err)
	}
}

func TestAnUnknownOrClosedHostIsNamed(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	_, err := s.run(t.Context(), args{"host": "127.0.0.1", "command": "true"})
	if want := "Unknown SSH host: 127.0.0.1. Available hosts: alias, build, closed"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = s.run(t.Context(), args{"host": "closed", "command": "true"})
	if err == nil || !strings.Contains(err.Error(), "Permission denied (publickey") {
		t.Errorf("%v", err)
	}
}

// A call that ends early ends its command on the host, and what that has started.
func TestACommandThatIsStoppedEndsOnItsHost(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	alive := func(name string) bool {
		b, _ := os.ReadFile(s.path(name))
		pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
		return err == nil && syscall.Kill(pid, 0) == nil
	}
	long := func(name string) string {
		return "sleep 1000 & echo $! >" + s.path(name) + "; trap '' TERM; wait; wait"
	}
	if _, err := s.run(t.Context(), args{"host": "build", "command": long("late"), "timeout": 1}); err == nil ||
		!strings.Contains(err.Error(), "[SSH: timed out after 1s; it was ended on the host, too]") {
		t.Errorf("%v", err)
	}
	s.eventually("the late command ends", func() bool { return !alive("late") })

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, err := s.tool.Prepare(ctx, "t1", mustJSON(t, args{"host": "build", "timeout": 600,
		"command": "echo begun; " + long("stopped")}))
	if err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	_, err = c.Run(ctx, func(text string) { // output is shown while it comes
		if seen.WriteString(text); strings.Contains(seen.String(), "begun") {
			cancel()
		}
	})
	var own *Error
	if !errors.As(err, &own) || own.Code != "cancelled" ||
		!strings.Contains(own.Text, "[Command aborted; it was ended") {
		t.Errorf("%v", err)
	}
	s.eventually("the stopped command ends", func() bool { return !alive("stopped") })
}

// The connection ends with the service, comes again after it broke, and leaves nothing.
func TestAConnectionEndsWithTheSession(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	r, err := s.run(t.Context(), args{"host": "build", "command": "echo $PPID"})
	if err != nil {
		t.Fatal(err)
	}
	session, err := strconv.Atoi(strings.TrimSpace(r.Text))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(session, syscall.SIGKILL); err != nil { // the server's side of it
		t.Fatal(err)
	}
	s.eventually("the connection is lost", func() bool { return s.service.Status()[0].State != "ready" })
	if r, err := s.run(t.Context(), args{"host": "build", "command": "echo again"}); err != nil || r.Text != "again\n" {
		t.Errorf("after it broke: %q, %v", r.Text, err)
	}
	s.service.Close()
	if list := s.service.Status(); len(list) != 1 || list[0].State != "not started" {
		t.Errorf("after the end: %v", list)
	}
	if _, err := s.run(t.Context(), args{"host": "build", "command": "true"}); err == nil {
		t.Error("a command runs after the end")
	}
}

func TestTheTimeOfARemoteCommand(t *testing.T) {
	b := newBench(t, nil)
	need.Program(t, "ssh")
	tool := SSH(b.env, ssh.NewService(ssh.Config{Hosts: ssh.Hosts{"b": {Name: "b"}}}))[0]
	for given, want := range map[int]int{0: 60, -5: 1, 7: 7, 9999: 3600} {
		c, err := tool.Prepare(t.Context(), "t1", mustJSON(t, args{"host": "b", "command": "true", "timeout": given}))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Proposal.Payload.(approval.Command).TimeoutS; got != want || !c.Mutates {
			t.Errorf("%d gives %d s, alone: %v", given, got, c.Mutates)
		}
	}
	for _, name := range []string{"env", "pty", "upload"} {
		if _, err := tool.Prepare(t.Context(), "t1", mustJSON(t, args{"host": "b", "command": "true",
			name: "x"})); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// The first use of a host of ~/.ssh/config is asked for whatever the rules say.
func TestAnAliasIsAskedForOnce(t *testing.T) {
	t.Parallel()
	s := newSSHServer(t)
	for n, want := range []int{1, 0} {
		c, err := s.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"host": "alias", "command": "true"}))
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Proposal.Flags) != want {
			t.Errorf("use %d has the flags %v", n, c.Proposal.Flags)
		}
		if _, err := c.Run(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
}
