package terminal

import (
	"strconv"
	"strings"
)

// Advice is one setting that the user could change so that more works, for a report.
type Advice struct {
	Problem string // The effect of the present setting, in one line.
	Do      string // The setting to make, in one line that can be copied where possible.
}

// Advise returns what the user could change in the settings of the terminal and the multiplexer. It
// only looks at its arguments. tmux is the answer to [AskTmux]. An option that is not in it is
// assumed to have its default value.
func Advise(c Caps, tmux Tmux, env func(string) string) []Advice {
	var out []Advice
	add := func(problem, do string) { out = append(out, Advice{problem, do}) }
	version := c.Version
	if tmux.Version != "" {
		version = tmux.Version
	}
	before := func(major, minor int) bool { return version == "" || !versionAtLeast(version, major, minor) }
	switch c.Mux {
	case "tmux":
		switch old := version != "" && before(3, 2); {
		case old:
			add("tmux "+version+" cannot tell Shift+Enter from Enter",
				"tmux 3.2 or later; until then Ctrl+J makes a new line")
		case !c.ModifiedKeys && tmux.ExtendedKeys != "on" && tmux.ExtendedKeys != "always":
			add("tmux tells modified keys (Shift+Enter) only when it is asked to",
				"set -s extended-keys on; set -as terminal-features 'xterm*:extkeys'")
		case !c.ModifiedKeys && !tmux.has("extkeys"):
			add("tmux asks this terminal for modified keys (Shift+Enter) only where it knows that it has them",
				"set -as terminal-features '"+orTerm(tmux.Outer)+"*:extkeys'")
		}
		if version != "" && before(3, 7) {
			add("tmux "+version+" may show a frame half drawn", "tmux 3.7 or later knows synchronised updates")
		}
		if ms, err := strconv.Atoi(tmux.EscapeTime); err == nil && ms > 100 || err != nil && before(3, 6) {
			add("tmux waits half a second after Esc before it passes it on", "set -s escape-time 10")
		}
		if rows, err := strconv.Atoi(tmux.History); err != nil || rows < 10_000 {
			add("tmux keeps 2000 lines of history and forgets the rest", "set -g history-limit 100000")
		}
		if tmux.FocusEvents != "on" {
			add("notifications come although you are looking, unless tmux tells who has the focus",
				"set -g focus-events on")
		}
		if tmux.Clipboard != "on" {
			add("copying to the system's clipboard is refused by default", "set -s set-clipboard on")
		}
		pictures := env("SCROLLKEEP_IMAGES") != "off"
		switch through := c.Passthrough || tmux.Passthrough == "on" || tmux.Passthrough == "all"; {
		case c.Notify == NotifyOff && !pictures:
		case version != "" && before(3, 3) && !through:
			add("pictures do not get through tmux "+version, "tmux 3.3 or later, with set -g allow-passthrough on")
		case !through:
			add("notifications and pictures do not get through tmux by default", "set -g allow-passthrough on")
		case c.Images == ImagesOff && pictures:
			add("the terminal around tmux is not known to show pictures in text, a picture is a line here",
				"kitty 0.28 or later, or ghostty; SCROLLKEEP_IMAGES=kitty SCROLLKEEP_PLACEHOLDERS=1 if yours does")
		}
		if c.Color > 0 && c.Color < 1<<24 && !tmux.has("RGB") {
			add("tmux reduces colours to 256", "set -as terminal-features ',*:RGB' and export COLORTERM=truecolor")
		}
	case "screen":
		add("GNU screen does not show all of its history after the window has shrunk, and keeps 100 lines",
			"use tmux, or: defscrollback 100000")
		add("programs on the alternate screen end up in GNU screen's history", "altscreen on")
	}
	if printsStrings[c.Name] {
		add("this terminal prints the sequences of titles, links, pictures and the clipboard: none is sent",
			"another terminal; in Emacs, vterm or eat")
	}
	if c.NoEscape {
		add("Emacs does not pass the Escape key on alone", "Ctrl+C twice stops a turn")
	}
	if c.Mux == "tmux" && c.Outer == "tmux" {
		add("this tmux runs in another one: keys, colours and pictures pass both",
			"what is set here, in the outer one, too; it waits with Esc as well")
	}
	if c.Mux == "" {
		switch c.Name {
		case "emacs":
			add("Emacs' term has no alternate screen and keeps 8192 lines", "(setq term-buffer-maximum-size 100000)")
		case "vterm":
			add("vterm keeps 1000 lines of history", "(setq vterm-max-scrollback 100000)")
		case "eat":
			add("eat keeps 131072 characters of history", "(setq eat-term-scrollback-size nil)")
		case "vim":
			add("vim draws a zero width joiner as <200d>, and keeps 10000 lines", "set termwinscroll=100000")
		case "neovim": // one that does not report its version
			add("neovim 0.7 may crash while text streams", "neovim 0.12 or later")
			add("neovim keeps 10000 lines of history", "set scrollback=100000")
		case "libvterm":
			add("neovim keeps 10000 lines of history", "set scrollback=100000")
		case "mosh":
			add("mosh shows the last screen, and keeps no history", "run it in tmux on the other machine, or use ssh")
		case "xterm":
			add("xterm keeps 1024 lines of history", "XTerm*saveLines: 100000")
			add("xterm cuts rows for good when the window becomes narrower", "no setting helps")
		case "kitty":
			add("kitty keeps 2000 lines of history", "scrollback_lines 100000")
			if c.Images == ImagesKitty && !c.Placeholders {
				add("pictures are drawn over this kitty's rows, and are gone after a resize",
					"kitty 0.28 or later makes them of cells")
			}
		case "vscode":
			add("the terminal of VS Code keeps 1000 lines of history", `"terminal.integrated.scrollback": 100000`)
		case "iterm2":
			add("iTerm2 keeps 1000 lines of history and refuses the clipboard by default",
				"Settings, Profiles, Terminal: unlimited scrollback; General, Selection: applications may access the "+
					"clipboard")
		case "apple":
			add("Terminal.app knows neither direct colours nor modified keys",
				"another terminal; Ctrl+J makes a new line")
		case "urxvt":
			add("urxvt keeps 1000 lines of history", "URxvt*saveLines: 100000")
		}
		if !c.ModifiedKeys && c.Name != "apple" {
			add("this terminal does not tell Shift+Enter from Enter",
				"Ctrl+J, or a backslash before Enter, makes a new line")
		}
	}
	if c.SSH && c.Color > 0 && c.Color < 1<<24 && env("COLORTERM") == "" {
		add("COLORTERM does not come through ssh, so that colours are reduced",
			"SendEnv COLORTERM in ~/.ssh/config and AcceptEnv COLORTERM on the server, or export COLORTERM=truecolor")
	}
	if !c.Unicode && !strings.HasPrefix(env("TERM"), "linux") {
		add("the locale is not UTF-8: only ASCII is drawn", "export LC_ALL=C.UTF-8")
	}
	return out
}

// orTerm returns the value of TERM of tmux's client, as far as it follows from the client's name.
func orTerm(outer string) string {
	name, _ := splitVersion(outer)
	if _, ok := knownTerminals[name]; ok && name != "xterm" {
		return name
	}
	return "xterm"
}
