//go:build linux || darwin || freebsd

package layout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/tmux"
)

// row returns the row of m's screen that holds text, from 1; 0 if none does.
func row(m *tmux.Tmux, text string) int {
	for i, l := range strings.Split(m.Screen(), "\n") {
		if strings.Contains(l, text) {
			return i + 1
		}
	}
	return 0
}

// send writes what a terminal sends to the program in m's pane.
func send(m *tmux.Tmux, text string) {
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(text) {
		args = append(args, fmt.Sprintf("%x", b))
	}
	m.Run(args...)
}

// The program runs in the tmux that a person has, whose own terminal is a pane of another one.
func TestClicksReachTheirPaneInRealTerminals(t *testing.T) {
	for name, through := range map[string]bool{"terminal": false, "tmux": true} {
		t.Run(name, func(t *testing.T) {
			inner, outer := tmux.New(t), tmux.New(t)
			binary := tmux.Example(t, "panes")
			command, program := binary, outer
			if through {
				command = "env -u TMUX tmux -S " + inner.Socket + " -f /dev/null new-session " + binary +
					" \\; set -g mouse on \\; set -g status off"
				program = inner
			}
			outer.Start(80, 20)
			outer.Line("seq -f 'shell %g' 3; " + command)
			if through {
				outer.Until("the inner tmux", inner.Up)
			}
			program.Until("the mouse", func() bool {
				return row(program, "KILL") > 0 && program.Says("#{mouse_standard_flag}#{mouse_sgr_flag}") == "11"
			})
			for _, choice := range []string{"KILL", "INT", "TERM"} {
				var at int
				program.Until("the place of "+choice, func() bool {
					if at = row(outer, choice+"  "); at > 0 {
						send(outer, fmt.Sprintf("\x1b[<0;6;%dM\x1b[<0;6;%dm", at, at))
					}
					return row(program, "│"+choice+" ") > 0 // its meaning, in the other pane
				})
			}
			// In the other pane, the end of the text is not reached by a key of the list.
			send(outer, fmt.Sprintf("\x1b[<0;40;%dM\x1b[<0;40;%dm", row(outer, "│TERM "), row(outer, "│TERM ")))
			program.Run("send-keys", "Down")
			program.Run("send-keys", "s")
			program.Until("the line that was kept", func() bool {
				return strings.Contains("\n"+program.Tape(), "\nTERM Somebody")
			})
			program.Run("send-keys", "q")
			if !through {
				outer.Until("the shell", func() bool { return outer.Says("#{mouse_any_flag}") == "0" })
			}
		})
	}
}
