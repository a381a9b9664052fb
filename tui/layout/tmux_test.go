//go:build linux || darwin || freebsd

package layout

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// mux is one real tmux.
type mux struct {
	t    *testing.T
	sock string
}

func (m mux) run(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", m.sock, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// until waits until f says so.
func (m mux) until(what string, f func() bool) {
	m.t.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); <-time.After(20 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Fatalf("%s: it does not come; the screen is\n%s", what, m.run("capture-pane", "-p"))
		}
	}
}

// row is the row of the screen that holds text, from 1; 0 if none does.
func (m mux) row(text string) int {
	for i, l := range strings.Split(m.run("capture-pane", "-p"), "\n") {
		if strings.Contains(l, text) {
			return i + 1
		}
	}
	return 0
}

// send writes what a terminal sends to the program in the pane.
func (m mux) send(text string) {
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(text) {
		args = append(args, fmt.Sprintf("%x", b))
	}
	m.run(args...)
}

// The program runs in the tmux that a person has, whose own terminal is a pane of another one.
func TestClicksReachTheirPaneInRealTerminals(t *testing.T) {
	need.Time(t)
	need.Program(t, "tmux")
	dir := t.TempDir()
	binary := filepath.Join(dir, "panes")
	if out, err := exec.Command("go", "build", "-o", binary, "../examples/panes").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, through := range map[string]bool{"terminal": false, "tmux": true} {
		t.Run(name, func(t *testing.T) {
			outer := mux{t, filepath.Join(dir, name)}
			inner := mux{t, filepath.Join(dir, name+"in")}
			command := binary
			if through {
				command = "env -u TMUX tmux -S " + inner.sock + " -f /dev/null new-session " + binary +
					" \\; set -g mouse on \\; set -g status off"
			}
			outer.run("new-session", "-d", "-x", "80", "-y", "20", "env", "PS1=$ ", "TERM=tmux-256color", "sh")
			t.Cleanup(func() {
				_ = exec.Command("tmux", "-S", inner.sock, "kill-server").Run()
				_ = exec.Command("tmux", "-S", outer.sock, "kill-server").Run()
			})
			outer.run("send-keys", "-l", "seq -f 'shell %g' 3; "+command)
			outer.run("send-keys", "Enter")
			program := outer
			if through {
				outer.until("the inner tmux", func() bool {
					return exec.Command("tmux", "-S", inner.sock, "has-session").Run() == nil
				})
				program = inner
			}
			program.until("the mouse", func() bool {
				modes := program.run("display-message", "-p", "#{mouse_standard_flag}#{mouse_sgr_flag}")
				return program.row("KILL") > 0 && strings.TrimSpace(modes) == "11"
			})
			for _, choice := range []string{"KILL", "INT", "TERM"} {
				var at int
				program.until("the place of "+choice, func() bool {
					if at = outer.row(choice + "  "); at > 0 {
						outer.send(fmt.Sprintf("\x1b[<0;6;%dM\x1b[<0;6;%dm", at, at))
					}
					return program.row("│"+choice+" ") > 0 // its meaning, in the other pane
				})
			}
			// In the other pane, the end of the text is not reached by a key of the list.
			outer.send(fmt.Sprintf("\x1b[<0;40;%dM\x1b[<0;40;%dm", outer.row("│TERM "), outer.row("│TERM ")))
			program.run("send-keys", "Down")
			program.run("send-keys", "s")
			program.until("the line that was kept", func() bool {
				return strings.Contains(program.run("capture-pane", "-p", "-J", "-S", "-"), "\nTERM Somebody") ||
					strings.HasPrefix(program.run("capture-pane", "-p", "-J", "-S", "-"), "TERM Somebody")
			})
			program.run("send-keys", "q")
			if !through {
				outer.until("the shell", func() bool {
					return strings.TrimSpace(outer.run("display-message", "-p", "#{mouse_any_flag}")) == "0"
				})
			}
		})
	}
}
