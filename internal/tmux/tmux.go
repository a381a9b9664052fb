// Package tmux is a real tmux for tests, with a shell in its one pane.
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

// Tmux is a server of its own. Its methods end the test when tmux does not do what it is told.
type Tmux struct {
	Socket string // a path, for -S

	tb testing.TB
}

// New returns a server that does not run yet, and is gone when the test is over. The test ends here
// where there is no tmux, or only short tests are wanted.
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

func (m *Tmux) command(args ...string) *exec.Cmd {
	return exec.Command("tmux", append([]string{"-S", m.Socket, "-f", "/dev/null"}, args...)...)
}

// Start opens the pane, of cols by rows cells with the row of tmux, and the shell in it, whose
// prompt is "$ ".
func (m *Tmux) Start(cols, rows int) {
	m.tb.Helper()
	m.Run("new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows),
		"env", "PS1=$ ", "TERM=tmux-256color", "sh")
}

// Run plays a command of tmux and returns what it prints.
func (m *Tmux) Run(args ...string) string {
	m.tb.Helper()
	out, err := m.command(args...).CombinedOutput()
	if err != nil {
		m.tb.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// Up reports whether the server runs and has its pane.
func (m *Tmux) Up() bool { return m.command("has-session").Run() == nil }

// Says returns the value that a format of tmux, such as "#{alternate_on}", has in the pane.
func (m *Tmux) Says(format string) string {
	m.tb.Helper()
	return strings.TrimSpace(m.Run("display-message", "-p", format))
}

// Screen returns the rows of the pane, each with its line end.
func (m *Tmux) Screen() string {
	m.tb.Helper()
	return m.Run("capture-pane", "-p")
}

// Tape returns history and screen with wrapped rows joined, to the last row that is not empty.
func (m *Tmux) Tape() string {
	m.tb.Helper()
	return strings.TrimRight(m.Run("capture-pane", "-p", "-J", "-S", "-"), "\n")
}

// Line types text and Enter.
func (m *Tmux) Line(text string) {
	m.tb.Helper()
	m.Run("send-keys", "-l", text)
	m.Run("send-keys", "Enter")
}

// Until waits for f; what says for what. After 20 seconds it is in vain.
func (m *Tmux) Until(what string, f func() bool) {
	m.tb.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.tb.Fatalf("%s: it does not come; the tape is\n%s", what, m.Tape())
		}
	}
}

// Example returns the path of a program of tui/examples, built.
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
