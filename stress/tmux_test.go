package stress

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/harness"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// tmux is a server of our own.
type tmux struct {
	t      *testing.T
	binary string
	socket string
	files  int
}

func newTmux(t *testing.T) *tmux {
	m := &tmux{t: t, binary: need.Program(t, "tmux"), socket: filepath.Join(t.TempDir(), "s")}
	m.run("new-session", "-d", "-s", "keep", "-x", "80", "-y", "24", "sleep 1000")
	t.Cleanup(func() { m.run("kill-server") })
	m.run("set-option", "-g", "history-limit", "100000")
	m.run("set-option", "-g", "status", "off")
	return m
}

func (m *tmux) run(args ...string) string {
	m.t.Helper()
	cmd := exec.Command(m.binary, append([]string{"-u", "-S", m.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

var tmuxSessions = flag.Int("tmux", 24, "sessions in a real tmux")

// The same bytes leave the same lines in a real tmux: history and screen, soft-wrapped rows joined.
func TestARealTmuxHasTheSameLines(t *testing.T) {
	m := newTmux(t)
	m.run("set-option", "-g", "remain-on-exit", "on")
	ran := 0
	for seed := uint64(1); ran < *tmuxSessions; seed++ {
		p := program.Generate(seed, "tmux", 60)
		if p.Nature() != program.Still || p.Terminal.Scrollback < 1000 || p.Terminal.Cols < 10 || p.Terminal.Rows < 2 {
			continue // a pane has at least one more row, and the dead pane's own line needs room
		}
		ran++
		p.Terminal.Partial = false // tmux parts a shell's line and ours where ghostty joins them
		for i := range p.Ops {
			switch p.Ops[i].Kind {
			case program.Suspend, program.Session:
				p.Ops[i].At = 0
			case program.Pager, program.Pane:
				// tmux forgets the wraps of the screen that it comes back to, those of final rows
				// for good
				p.Ops[i].Kind = program.Idle
			}
		}
		if where := m.differs(p); where != "" {
			t.Errorf("seed %d: %s", seed, where)
		}
	}
	t.Logf("%d programs", ran)
}

// differs plays p and says where tmux's lines are others than the emulator's.
func (m *tmux) differs(p program.Program) string {
	m.t.Helper()
	events, term, err := Record(p)
	if err != nil {
		return err.Error()
	}
	file := filepath.Join(filepath.Dir(m.socket), fmt.Sprint("bytes", m.files))
	m.files++
	var all []byte
	for _, e := range events {
		all = append(all, e.Bytes...)
	}
	if err := os.WriteFile(file, all, 0o600); err != nil {
		m.t.Fatal(err)
	}
	return difference(squeezed(m.play(file, p.Terminal.Cols, p.Terminal.Rows)), squeezed(term.Lines()))
}

// difference says where lines g are others than w.
func difference(g, w []string) string {
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("%d lines, want %d; line %d differs\n got  %.300q\n want %.300q", len(g), len(w), i,
				g[min(i, len(g)):min(i+2, len(g))], w[min(i, len(w)):min(i+2, len(w))])
		}
	}
	return ""
}

func squeezed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = harness.Squeeze(l)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// play shows the bytes of file in a window of that size and returns its lines.
func (m *tmux) play(file string, cols, rows int) []string {
	m.t.Helper()
	wait := filepath.Base(file)
	// The size comes first, then the bytes; the window stays until they were read.
	w := strings.TrimSpace(m.run("new-window", "-d", "-P", "-F", "#{window_id}",
		fmt.Sprintf("stty raw -echo; %s -S %s wait-for %s; cat %s; %s -S %s wait-for -S %s-done; sleep 1000",
			m.binary, m.socket, wait, file, m.binary, m.socket, wait)))
	m.run("resize-window", "-t", w, "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows))
	m.run("wait-for", "-S", wait)
	m.run("wait-for", wait+"-done")
	var out string
	for range 100 { // cat has written all; tmux reads it a little later
		next := m.run("capture-pane", "-p", "-J", "-S", "-", "-t", w)
		if next == out && out != "" {
			break
		}
		out = next
		<-time.After(30 * time.Millisecond)
	}
	m.run("kill-window", "-t", w)
	return strings.Split(strings.TrimRight(out, "\n"), "\n")
}
