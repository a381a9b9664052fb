// Package tmux runs a real tmux for tests, with a shell in its only pane.
package tmux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// Tmux is a real tmux server with one pane. Its methods end the test if tmux fails.
type Tmux struct {
	Socket string // The path of the server's socket, for the flag -S.

	tb testing.TB
}

// New returns a server that is not started yet. It stops at the end of the test. New skips the test
// if tmux is missing, or in short mode (go test -short).
func New(tb testing.TB) *Tmux {
	tb.Helper()
	need.Time(tb)
	need.Program(tb, "tmux")
	dir, err := os.MkdirTemp("", "tmux") // short, since systems know sockets of a hundred bytes only
	if err != nil {
		tb.Fatal(err)
	}
	m := &Tmux{Socket: filepath.Join(dir, "s"), tb: tb}
	tb.Cleanup(func() {
		_ = m.command("kill-server").Run() // it may have ended
		_ = os.RemoveAll(dir)
	})
	return m
}

// command returns a tmux command for this server, with an empty configuration.
func (m *Tmux) command(args ...string) *exec.Cmd {
	return exec.Command("tmux", append([]string{"-S", m.Socket, "-f", "/dev/null"}, args...)...)
}

// Start starts the server and a shell with the prompt "$ " in its pane. The window has cols columns
// and rows rows, including tmux's status row.
func (m *Tmux) Start(cols, rows int) {
	m.tb.Helper()
	m.Run("new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows),
		"env", "PS1=$ ", "TERM=tmux-256color", "sh")
}

// Run runs a tmux command and returns its output.
func (m *Tmux) Run(args ...string) string {
	m.tb.Helper()
	out, err := m.command(args...).CombinedOutput()
	if err != nil {
		m.tb.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// Up reports whether the server is running and still has its pane.
func (m *Tmux) Up() bool { return m.command("has-session").Run() == nil }

// Says returns the value of a tmux format for the pane, such as "#{alternate_on}".
func (m *Tmux) Says(format string) string {
	m.tb.Helper()
	return strings.TrimSpace(m.Run("display-message", "-p", format))
}

// Screen returns the text of the rows on the pane's screen, each with a line feed.
func (m *Tmux) Screen() string {
	m.tb.Helper()
	return m.Run("capture-pane", "-p")
}

// Tape returns the text of the pane's scrollback and screen. Wrapped rows are joined, and empty
// rows at the end are left out.
func (m *Tmux) Tape() string {
	m.tb.Helper()
	return strings.TrimRight(m.Run("capture-pane", "-p", "-J", "-S", "-"), "\n")
}

// Line types text and presses Enter.
func (m *Tmux) Line(text string) {
	m.tb.Helper()
	m.Run("send-keys", "-l", text)
	m.Run("send-keys", "Enter")
}

// Until waits until f returns true. After 20 seconds it fails the test; what describes the
// condition for the message.
func (m *Tmux) Until(what string, f func() bool) {
	m.tb.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.tb.Fatalf("%s: it does not come; the tape is\n%s", what, m.Tape())
		}
	}
}

// Example builds a program in tui/examples and returns the path of the executable.
func Example(tb testing.TB, name string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	out, err := exec.Command("go", "build", "-o", path,
		"github.com/scrollkeep/scrollkeep/tui/examples/"+name).CombinedOutput()
	if err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return path
}
