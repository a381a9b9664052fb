package terminal

import "strings"

// Advice is one thing that the user could change, for a report.
type Advice struct {
	Problem string // what does not work, in one line
	Do      string // what to set, in one line that can be copied where possible
}

// Advise says what in the settings of the terminal and the multiplexer stands in the way. It is pure; what cannot be known from outside (whether tmux has
// an option on) is advised where its default is the wrong one.
func Advise(c Caps, env func(string) string) []Advice {
	var out []Advice
	add := func(problem, do string) { out = append(out, Advice{problem, do}) }
	switch c.Mux {
	case "tmux":
		old := c.Version != "" && !versionAtLeast(c.Version, 3, 2)
		switch {
		case old:
			add("tmux "+c.Version+" cannot tell Shift+Enter from Enter", "tmux 3.2 or later; until then Ctrl+J makes a new line")
		case !c.Keys:
			add("tmux tells modified keys (Shift+Enter) only when it is asked to", "set -s extended-keys on; set -as terminal-features 'xterm*:extkeys'")
		}
		if c.Version != "" && !versionAtLeast(c.Version, 3, 7) {
			add("tmux "+c.Version+" may show a frame half drawn", "tmux 3.7 or later knows synchronised updates")
		}
		if c.Version == "" || !versionAtLeast(c.Version, 3, 6) {
			add("tmux waits half a second after Esc before it passes it on", "set -s escape-time 10")
		}
		add("tmux keeps 2000 lines of history and forgets the rest", "set -g history-limit 100000")
		add("notifications come although you are looking, unless tmux tells who has the focus", "set -g focus-events on")
		add("copying to the system's clipboard is refused by default", "set -s set-clipboard on")
		if c.Notify != NotifyOff {
			add("notifications and images do not get through tmux by default", "set -g allow-passthrough on")
		}
		if c.Color > 0 && c.Color < 1<<24 {
			add("tmux reduces colours to 256", "set -as terminal-features ',*:RGB' and export COLORTERM=truecolor")
		}
	case "screen":
		add("GNU screen loses history rows when the window shrinks, does not rewrap, and keeps 100 lines", "use tmux, or: defscrollback 100000")
		add("programs on the alternate screen end up in GNU screen's history", "altscreen on")
	}
	if c.Mux == "" {
		switch c.Name {
		case "xterm":
			add("xterm keeps 1024 lines of history", "XTerm*saveLines: 100000")
			add("xterm cuts rows for good when the window becomes narrower", "no setting helps")
		case "kitty":
			add("kitty keeps 2000 lines of history", "scrollback_lines 100000")
		case "vscode":
			add("the terminal of VS Code keeps 1000 lines of history", `"terminal.integrated.scrollback": 100000`)
		case "iterm2":
			add("iTerm2 keeps 1000 lines of history and refuses the clipboard by default", "Settings, Profiles, Terminal: unlimited scrollback; General, Selection: applications may access the clipboard")
		case "apple":
			add("Terminal.app knows neither direct colours nor modified keys", "another terminal; Ctrl+J makes a new line")
		case "urxvt":
			add("urxvt keeps 1000 lines of history", "URxvt*saveLines: 100000")
		}
		if !c.Keys && c.Name != "apple" {
			add("this terminal does not tell Shift+Enter from Enter", "Ctrl+J, or a backslash before Enter, makes a new line")
		}
	}
	if c.SSH && c.Color > 0 && c.Color < 1<<24 && env("COLORTERM") == "" {
		add("COLORTERM does not come through ssh, so that colours are reduced", "SendEnv COLORTERM in ~/.ssh/config and AcceptEnv COLORTERM on the server, or export COLORTERM=truecolor")
	}
	if !c.Unicode && !strings.HasPrefix(env("TERM"), "linux") {
		add("the locale is not UTF-8: only ASCII is drawn", "export LC_ALL=C.UTF-8")
	}
	return out
}
