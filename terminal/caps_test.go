package terminal

import (
	"strings"
	"testing"
)

func TestCapabilitiesAndTheirSources(t *testing.T) {
	said := func(modes ...int) replies {
		r := replies{modes: map[int]int{}}
		for i := 0; i+1 < len(modes); i += 2 {
			r.modes[modes[i]] = modes[i+1]
		}
		return r
	}
	version := func(v string, modes ...int) replies {
		r := said(modes...)
		r.version = v
		return r
	}
	white, black := [3]uint16{0xffff, 0xffff, 0xffff}, [3]uint16{}
	for _, c := range []struct {
		name string
		env  []string
		r    replies
		fact string
		want string // value (source: why)
	}{
		// synchronised output: user off > user on > reply > advertised > known > off
		{"unknown", nil, replies{}, "synchronised output", "false (default: )"},
		{"known", []string{"TERM", "xterm-kitty"}, replies{}, "synchronised output", "true (env: kitty)"},
		{"advertised", []string{"TERM_FEATURES", "T3CwLrMSc7UUw9Ts3BFGsSyHNoSxF"}, replies{}, "synchronised output",
			"true (env: TERM_FEATURES)"},
		{"reply on", nil, said(2026, 2), "synchronised output", "true (probe: mode 2026)"},
		{"reply off beats known", []string{"TERM", "xterm-kitty"}, said(2026, 0), "synchronised output",
			"false (probe: mode 2026)"},
		{"known but never on (VTE)", []string{"VTE_VERSION", "7006"}, said(2026, 4), "synchronised output",
			"false (probe: mode 2026)"},
		{"user on beats the reply", []string{"SCROLLKEEP_FORCE_SYNC", "1"}, said(2026, 0), "synchronised output",
			"true (user: SCROLLKEEP_FORCE_SYNC)"},
		{"user off beats user on", []string{"SCROLLKEEP_FORCE_SYNC", "1", "SCROLLKEEP_NO_SYNC", "1"}, said(2026, 2),
			"synchronised output", "false (user: SCROLLKEEP_NO_SYNC)"},
		{"NO_SYNC=0 is no", []string{"SCROLLKEEP_NO_SYNC", "0"}, said(2026, 2), "synchronised output",
			"true (probe: mode 2026)"},
		{"multiplexer in a known terminal", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"}, replies{},
			"synchronised output", "false (default: )"},
		{"advertised to the shell around a multiplexer", []string{"TMUX", "x", "TERM_FEATURES", "Sy"}, replies{},
			"synchronised output", "false (default: )"},
		{"tmux 3.7 replies", []string{"TMUX", "x"}, said(2026, 2), "synchronised output", "true (probe: mode 2026)"},
		// who it is
		{"tmux", []string{"TMUX", "/tmp/x", "TERM_PROGRAM", "tmux"}, replies{}, "multiplexer", "tmux (env: TMUX)"},
		{"tmux behind ssh", []string{"TERM", "tmux-256color"}, replies{}, "multiplexer", "tmux (env: TERM)"},
		{"screen or tmux behind ssh", []string{"TERM", "screen-256color"}, replies{}, "multiplexer",
			"screen (env: TERM)"},
		{"it was tmux", []string{"TERM", "screen-256color"}, version("tmux 3.3a"), "multiplexer",
			"tmux (probe: XTVERSION)"},
		{"a socket alone is no multiplexer",
			[]string{"CMUX_SOCKET_PATH", "x", "HERDR_SOCKET_PATH", "x", "WMUX_CLI", "x"}, replies{}, "multiplexer",
			"none (default: )"},
		{"the multiplexer hides the terminal", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"}, replies{}, "terminal",
			"tmux (env: multiplexer)"},
		{"XTVERSION", []string{"TERM_PROGRAM", "WezTerm"}, version("kitty(0.26.5)"), "terminal",
			"kitty 0.26.5 (probe: XTVERSION)"},
		{"TERM_PROGRAM", []string{"TERM_PROGRAM", "iTerm.app", "TERM_PROGRAM_VERSION", "3.5"}, replies{}, "terminal",
			"iterm2 3.5 (env: TERM_PROGRAM)"},
		{"inherited variables come after TERM_PROGRAM", []string{"TERM_PROGRAM", "ghostty", "KITTY_WINDOW_ID", "1"},
			replies{}, "terminal", "ghostty (env: TERM_PROGRAM)"},
		{"TERM", []string{"TERM", "xterm-ghostty"}, replies{}, "terminal", "ghostty (env: TERM)"},
		{"foot", []string{"TERM", "foot"}, replies{}, "terminal", "foot (env: TERM)"},
		{"emacs' term in tmux in kitty", []string{"TERM", "eterm-color", "INSIDE_EMACS", "28.2,term:0.96", "TMUX", "x",
			"TERM_PROGRAM", "tmux", "KITTY_WINDOW_ID", "1"}, replies{}, "terminal", "emacs (env: TERM)"},
		{"and it is in no multiplexer", []string{"TERM", "eterm-color", "TMUX", "x"}, replies{}, "multiplexer",
			"none (default: )"},
		{"vterm in tmux", []string{"INSIDE_EMACS", "vterm", "TMUX", "x"}, replies{}, "terminal",
			"vterm (env: INSIDE_EMACS)"},
		{"eat", []string{"TERM", "eat-truecolor", "INSIDE_EMACS", "30.2,eat"}, replies{}, "terminal",
			"eat (env: TERM)"},
		{"tmux in vterm", []string{"TERM", "tmux-256color", "INSIDE_EMACS", "vterm", "TMUX", "x"}, replies{},
			"terminal", "tmux (env: multiplexer)"},
		{"and vterm is around it", []string{"TERM", "tmux-256color", "INSIDE_EMACS", "vterm", "TMUX", "x",
			"KITTY_WINDOW_ID", "1"}, replies{}, "terminal around tmux", "vterm (env: INSIDE_EMACS)"},
		{"neovim around tmux", []string{"TERM", "screen-256color", "NVIM", "/tmp/nvim/0", "TMUX", "x"}, replies{},
			"terminal around tmux", "neovim (env: NVIM)"},
		{"tmux knows better what is around it", []string{"TERM", "tmux-256color", "INSIDE_EMACS", "vterm", "TMUX", "x"},
			replies{tmux: Tmux{Outer: "kitty(0.48.2)"}}, "terminal around tmux",
			"kitty (probe: client_termtype kitty(0.48.2))"},
		{"tmux reports the TERM of Emacs' term", []string{"TERM", "tmux-256color", "TMUX", "x"},
			replies{tmux: Tmux{Outer: "eterm-color"}}, "terminal around tmux",
			"emacs (probe: client_termtype eterm-color)"},
		{"vterm, with the tmux around Emacs", []string{"TERM", "xterm-256color", "INSIDE_EMACS", "vterm", "TMUX", "x"},
			replies{}, "multiplexer", "none (default: )"},
		{"neovim, with the tmux around it", []string{"TERM", "xterm-256color", "NVIM", "/tmp/nvim/0", "TMUX", "x"},
			replies{}, "multiplexer", "none (default: )"},
		{"mosh", nil, replies{secondary: "1;10;0"}, "terminal", "mosh (probe: DA2)"},
		{"mosh from kitty", []string{"KITTY_WINDOW_ID", "1"}, replies{secondary: "1;10;0"}, "terminal",
			"mosh (probe: DA2)"},
		{"tmux in mosh", []string{"TMUX", "x"}, replies{secondary: "1;10;0"}, "terminal", "tmux (env: multiplexer)"},
		{"Escape in vterm", []string{"INSIDE_EMACS", "vterm"}, replies{}, "Escape is taken by Emacs",
			"true (env: vterm)"},
		{"Escape in tmux in Emacs", []string{"TERM", "tmux-256color", "INSIDE_EMACS", "vterm", "TMUX", "x"}, replies{},
			"Escape is taken by Emacs", "true (env: vterm)"},
		{"Escape in neovim", []string{"NVIM", "/tmp/nvim/0"}, replies{}, "Escape is taken by Emacs",
			"false (default: )"},
		{"neovim in ghostty", []string{"NVIM", "x", "TERM_PROGRAM", "ghostty"}, replies{}, "terminal",
			"neovim (env: NVIM)"},
		{"vim in screen", []string{"VIM_TERMINAL", "900", "STY", "x"}, replies{}, "terminal",
			"vim (env: VIM_TERMINAL)"},
		{"kitty started in vim", []string{"VIM_TERMINAL", "900", "TERM", "xterm-kitty"}, replies{}, "terminal",
			"kitty (env: TERM)"},
		{"xterm", nil, version("XTerm(379)"), "terminal", "xterm 379 (probe: XTVERSION)"},
		{"nobody", nil, replies{}, "terminal", "none (default: )"},
		{"JetBrains", []string{"TERMINAL_EMULATOR", "JetBrains-JediTerm"}, replies{}, "terminal",
			"jetbrains (env: TERMINAL_EMULATOR)"},
		{"ssh", []string{"SSH_CONNECTION", "1 2 3 4"}, replies{}, "ssh", "true (env: SSH_CONNECTION)"},
		// colours
		{"NO_COLOR", []string{"NO_COLOR", "1", "COLORTERM", "truecolor"}, replies{}, "colours", "0 (user: NO_COLOR)"},
		{"COLORTERM", []string{"COLORTERM", "24bit"}, replies{}, "colours", "16777216 (env: COLORTERM)"},
		{"known", []string{"TERM", "xterm-kitty"}, replies{}, "colours", "16777216 (env: kitty)"},
		{"direct", []string{"TERM", "xterm-direct"}, replies{}, "colours", "16777216 (env: TERM)"},
		{"256", nil, replies{}, "colours", "256 (env: TERM)"},
		{"xterm", []string{"TERM", "xterm"}, version("XTerm(379)"), "colours", "16777216 (probe: xterm)"},
		{"16", []string{"TERM", "xterm"}, replies{}, "colours", "16 (default: )"},
		{"screen knows no direct colours", []string{"STY", "x", "COLORTERM", "truecolor"}, replies{}, "colours",
			"256 (env: screen)"},
		// background
		{"not known", nil, replies{}, "dark background", "true (default: )"},
		{"COLORFGBG light", []string{"COLORFGBG", "0;15"}, replies{}, "dark background", "false (env: COLORFGBG)"},
		{"COLORFGBG dark", []string{"COLORFGBG", "15;default;0"}, replies{}, "dark background",
			"true (env: COLORFGBG)"},
		{"OSC 11", []string{"COLORFGBG", "15;0"}, replies{background: &white}, "dark background",
			"false (probe: OSC 11)"},
		{"a report beats OSC 11", nil, replies{background: &black, scheme: 2}, "dark background",
			"false (probe: mode 2031)"},
		// text
		{"UTF-8", []string{"LC_ALL", "de_DE.UTF-8"}, replies{}, "unicode", "true (env: LC_ALL)"},
		{"C", []string{"LC_ALL", "C", "LANG", "de_DE.UTF-8"}, replies{}, "unicode", "false (env: LC_ALL)"},
		{"Latin-1", []string{"LANG", "de_DE.ISO-8859-1"}, replies{}, "unicode", "false (env: LANG)"},
		{"no locale", []string{"LANG", ""}, replies{}, "unicode", "true (default: )"},
		{"console", []string{"TERM", "linux"}, replies{}, "unicode", "false (env: TERM)"},
		{"grapheme", nil, said(2027, 1), "grapheme widths", "true (probe: mode 2027)"},
		{"not yet grapheme", nil, said(2027, 2), "grapheme widths", "false (probe: mode 2027)"},
		{"grapheme in kitty", nil, version("kitty(0.42.0)"), "grapheme widths", "true (probe: kitty 0.42.0)"},
		{"not in older ones", nil, version("kitty(0.41.1)"), "grapheme widths", "false (default: mode 2027)"},
		{"nor in tmux in kitty", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"}, version("tmux 3.5a"), "grapheme widths",
			"false (default: mode 2027)"},
		{"paste", nil, said(2004, 2), "bracketed paste", "true (probe: mode 2004)"},
		{"no paste", nil, said(2004, 0), "bracketed paste", "false (probe: mode 2004)"},
		{"links in tmux 3.3", []string{"TMUX", "x"}, version("tmux 3.3a"), "links", "false (probe: tmux from 3.4 on)"},
		{"links in tmux 3.4", []string{"TMUX", "x"}, version("tmux 3.4"), "links", "true (probe: tmux from 3.4 on)"},
		{"links in a coming tmux", []string{"TMUX", "x"}, version("tmux next-3.8"), "links",
			"true (probe: tmux from 3.4 on)"},
		{"links where nobody knows", nil, replies{}, "links", "false (default: )"},
		{"links in emacs, which prints them", []string{"TERM", "eterm-color", "SCROLLKEEP_LINKS", "1"}, replies{},
			"links", "false (default: no strings)"},
		{"links off", []string{"TERM", "xterm-kitty", "SCROLLKEEP_LINKS", "0"}, replies{}, "links",
			"false (user: SCROLLKEEP_LINKS)"},
		{"marks", []string{"TERM", "xterm-kitty"}, replies{}, "prompt marks", "true (env: kitty)"},
		{"marks in tmux 3.3", []string{"TMUX", "x"}, version("tmux 3.3a"), "prompt marks",
			"false (probe: tmux from 3.4 on)"},
		{"marks in tmux 3.4", []string{"TMUX", "x"}, version("tmux 3.4"), "prompt marks",
			"true (probe: tmux from 3.4 on)"},
		{"marks where they are taken for a shell's", []string{"TERM_PROGRAM", "vscode"}, replies{}, "prompt marks",
			"false (default: )"},
		{"marks off", []string{"TERM", "xterm-kitty", "SCROLLKEEP_MARKS", "0"}, replies{}, "prompt marks",
			"false (user: SCROLLKEEP_MARKS)"},
		// keys
		{"kitty keys", nil, replies{kittyKeys: answeredYes}, "modified keys", "true (probe: kitty keyboard protocol)"},
		{"xterm keys", nil, version("XTerm(379)"), "modified keys", "true (probe: modifyOtherKeys of xterm)"},
		{"tmux 3.5 keys, not seen", nil, version("tmux 3.5a"), "modified keys", "false (default: )"},
		{"tmux keys, seen", nil, replies{version: "tmux 3.5a", modifiedKeySeen: true}, "modified keys",
			"true (probe: one has come)"},
		{"tmux 3.3 keys", nil, version("tmux 3.3a"), "modified keys", "false (default: )"},
		// xterm.js
		{"xterm.js in VS Code", []string{"TERM_PROGRAM", "vscode", "TERM_PROGRAM_VERSION", "1.99"},
			replies{secondary: "0;276;0"}, "terminal", "vscode 1.99 (env: TERM_PROGRAM)"},
		{"and it is xterm.js", []string{"TERM_PROGRAM", "vscode"}, replies{secondary: "0;276;0"}, "xterm.js",
			"true (probe: DA2 0;276;0)"},
		{"VS Code keeps its name", []string{"TERM_PROGRAM", "vscode", "TERM_PROGRAM_VERSION", "1.110"},
			replies{secondary: "0;276;0", version: "xterm.js(6.1.0)"}, "terminal", "vscode 1.110 (env: TERM_PROGRAM)"},
		{"VS Code behind ConPTY", []string{"TERM_PROGRAM", "vscode"},
			replies{secondary: "0;10;1", version: "xterm.js(6.1.0)"}, "xterm.js", "false (probe: DA2 0;10;1)"},
		{"VS Code that has not answered", []string{"TERM_PROGRAM", "vscode"}, version("xterm.js(6.1.0)"), "xterm.js",
			"unknown (default: )"},
		{"xterm.js elsewhere", nil, replies{secondary: "0;276;0"}, "terminal", "xterm.js (probe: DA2)"},
		{"xterm.js that tells its version", []string{"KITTY_WINDOW_ID", "1"},
			replies{secondary: "0;276;0", version: "xterm.js(6.1.0)"}, "terminal", "xterm.js 6.1.0 (probe: XTVERSION)"},
		{"tmux in VS Code", []string{"TERM_PROGRAM", "tmux", "TMUX", "x"},
			replies{secondary: "84;0;0", version: "tmux 3.3a"}, "xterm.js", "false (probe: DA2 84;0;0)"},
		{"another one started in VS Code", []string{"TERM_PROGRAM", "vscode"},
			replies{secondary: "1;4000;26", version: "kitty(0.26.5)"}, "terminal", "kitty 0.26.5 (probe: XTVERSION)"},
		// the terminal around tmux
		{"tmux started in kitty", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"}, replies{}, "terminal around tmux",
			"kitty (env: KITTY_WINDOW_ID)"},
		{"tmux knows better", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"}, replies{tmux: Tmux{Outer: "foot(1.13.1)"}},
			"terminal around tmux", "foot (probe: client_termtype foot(1.13.1))"},
		{"tmux knows only TERM", []string{"TMUX", "x"}, replies{tmux: Tmux{Outer: "alacritty"}}, "terminal around tmux",
			"alacritty (probe: client_termtype alacritty)"},
		{"tmux in tmux", []string{"TMUX", "x"}, replies{tmux: Tmux{Outer: "tmux 3.3a"}}, "terminal around tmux",
			"tmux (probe: client_termtype tmux 3.3a)"},
		{"tmux does not know", []string{"TMUX", "x"}, replies{tmux: Tmux{Outer: "xterm-256color"}},
			"terminal around tmux", "none (default: )"},
		{"passthrough", []string{"TMUX", "x"}, replies{tmux: Tmux{Passthrough: "on"}}, "passthrough",
			"true (probe: allow-passthrough on)"},
		{"no passthrough", []string{"TMUX", "x"}, replies{tmux: Tmux{Passthrough: "off"}}, "passthrough",
			"false (probe: allow-passthrough off)"},
		{"passthrough is not known", []string{"TMUX", "x"}, replies{}, "passthrough", "unknown (default: )"},
		// sizes and colours that were asked for
		{"cell size", nil, replies{cellSize: [2]int{8, 17}}, "cell size", "8x17 pixels (probe: CSI 16 t)"},
		{"no cell size", nil, replies{}, "cell size", "unknown (default: )"},
		{"OSC 10", nil, replies{foreground: &black}, "dark background", "false (probe: OSC 10)"},
		{"OSC 11 beats OSC 10", nil, replies{foreground: &black, background: &black}, "dark background",
			"true (probe: OSC 11)"},
		// notifications and images
		{"notifications that foot knows", []string{"TERM", "foot"}, replies{notify: answeredYes}, "notifications",
			"OSC 99 (probe: OSC 99)"},
		{"graphics by reply", nil, replies{graphics: answeredYes}, "images", "kitty (probe: kitty graphics)"},
		{"graphics of another terminal", []string{"KITTY_WINDOW_ID", "1"}, replies{graphics: answeredNo}, "images",
			"off (probe: kitty graphics)"},
		{"graphics in a multiplexer", []string{"TMUX", "x"}, replies{graphics: answeredYes}, "images",
			"off (env: tmux)"},
		{"notify", []string{"TERM", "xterm-kitty"}, replies{}, "notifications", "OSC 99 (env: kitty)"},
		{"notify in tmux", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"}, replies{}, "notifications",
			"bell (env: tmux)"},
		{"notify off", []string{"SCROLLKEEP_NOTIFY", "off"}, replies{}, "notifications",
			"off (user: SCROLLKEEP_NOTIFY)"},
		{"notify false", []string{"SCROLLKEEP_NOTIFY", "false"}, replies{}, "notifications",
			"off (user: SCROLLKEEP_NOTIFY)"},
		{"images", []string{"TERM", "xterm-kitty"}, replies{}, "images", "kitty (env: kitty)"},
		{"sixel by DA1", nil, replies{attributes: []int{62, 4, 22}}, "images", "sixel (probe: DA1)"},
		{"sixel by DA1 in a multiplexer", []string{"TMUX", "x"}, replies{attributes: []int{62, 4}}, "images",
			"off (env: tmux)"},
		{"images in a multiplexer", []string{"TMUX", "x"}, replies{}, "images", "off (env: tmux)"},
		{"images through tmux", []string{"TMUX", "x"}, replies{tmux: Tmux{Outer: "kitty(0.35.2)", Passthrough: "on"}},
			"images", "kitty (probe: allow-passthrough)"},
		{"images through tmux to ghostty", []string{"TMUX", "x"},
			replies{tmux: Tmux{Outer: "ghostty 1.1.0", Passthrough: "all"}}, "images",
			"kitty (probe: allow-passthrough)"},
		{"images through tmux to an old kitty", []string{"TMUX", "x"},
			replies{tmux: Tmux{Outer: "kitty(0.26.5)", Passthrough: "on"}}, "images", "off (env: tmux)"},
		{"images through tmux that lets nothing pass", []string{"TMUX", "x"},
			replies{tmux: Tmux{Outer: "ghostty 1.1.0", Passthrough: "off"}}, "images", "off (env: tmux)"},
		{"images through tmux to foot", []string{"TMUX", "x"},
			replies{tmux: Tmux{Outer: "foot(1.13.1)", Passthrough: "on"}}, "images", "off (env: tmux)"},
		{"placeholders of ghostty", []string{"TERM", "xterm-ghostty"}, replies{}, "image placeholders",
			"true (env: ghostty)"},
		{"placeholders of kitty", nil, version("kitty(0.28.0)"), "image placeholders",
			"true (probe: kitty from 0.28 on)"},
		{"no placeholders of an old kitty", nil, version("kitty(0.26.5)"), "image placeholders",
			"false (probe: kitty from 0.28 on)"},
		{"a kitty that has not said its version", []string{"TERM", "xterm-kitty"}, replies{}, "image placeholders",
			"false (default: )"},
		{"placeholders of tmux started in ghostty", []string{"TMUX", "x", "GHOSTTY_RESOURCES_DIR", "x"}, replies{},
			"image placeholders", "true (env: ghostty)"},
		{"placeholders by hand", []string{"SCROLLKEEP_PLACEHOLDERS", "1"}, replies{}, "image placeholders",
			"true (user: SCROLLKEEP_PLACEHOLDERS)"},
		{"no placeholders by hand", []string{"TERM", "xterm-ghostty", "SCROLLKEEP_PLACEHOLDERS", "0"}, replies{},
			"image placeholders", "false (user: SCROLLKEEP_PLACEHOLDERS)"},
		{"images by hand", []string{"SCROLLKEEP_IMAGES", "sixel"}, replies{}, "images",
			"sixel (user: SCROLLKEEP_IMAGES)"},
		{"images of iTerm2 by hand", []string{"SCROLLKEEP_IMAGES", "iterm2"}, replies{}, "images",
			"iterm2 (user: SCROLLKEEP_IMAGES)"},
		{"kitty's images by hand", []string{"SCROLLKEEP_IMAGES", "kitty"}, replies{}, "images",
			"kitty (user: SCROLLKEEP_IMAGES)"},
		{"no images by hand", []string{"TERM", "xterm-kitty", "SCROLLKEEP_IMAGES", "false"}, replies{}, "images",
			"off (user: SCROLLKEEP_IMAGES)"},
	} {
		_, facts := resolve(env(c.env...), c.r)
		found := false
		for _, f := range facts {
			if f.Name == c.fact {
				found = true
				if got := f.Value + " (" + string(f.Source) + ": " + f.Why + ")"; got != c.want {
					t.Errorf("%s: %s is %s, want %s", c.name, c.fact, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no fact %q", c.name, c.fact)
		}
	}
}

func TestFactsTellWhatCapsSay(t *testing.T) {
	c, facts := resolve(env("TMUX", "x", "SSH_TTY", "y"),
		replies{version: "tmux 3.5a", modes: map[int]int{2026: 2, 2004: 2, 2048: 2, 2031: 2, 2027: 1},
			kittyKeys: answeredYes})
	if c.Mux != "tmux" || c.Name != "tmux" || c.Version != "3.5a" || !c.SSH || !c.Sync || !c.Grapheme ||
		!c.ModifiedKeys ||
		!c.Paste || !c.SizeReports || !c.SchemeReports || !c.Links || c.Color != 256 || !c.Unicode {
		t.Errorf("%+v", c)
	}
	names := map[string]bool{}
	for _, f := range facts {
		if names[f.Name] || f.Value == "" || f.Source == "" || strings.ContainsAny(f.Value, "\x1b\n") {
			t.Errorf("%+v", f)
		}
		names[f.Name] = true
	}
}

func TestColoursAreExactUnlessTmuxReducesThem(t *testing.T) {
	for _, c := range []struct {
		env  []string
		r    replies
		want bool
	}{
		{[]string{"COLORTERM", "truecolor"}, replies{}, true},
		{nil, replies{}, false},
		{[]string{"TMUX", "x", "COLORTERM", "truecolor"}, replies{}, false},
		{[]string{"TMUX", "x", "COLORTERM", "truecolor"}, replies{tmux: Tmux{Features: "256,focus"}}, false},
		{[]string{"TMUX", "x"}, replies{tmux: Tmux{Features: "256,RGB"}}, true},
		{[]string{"TMUX", "x", "NO_COLOR", "1"}, replies{tmux: Tmux{Features: "256,RGB"}}, false},
	} {
		if got, _ := resolve(env(c.env...), c.r); got.ExactColors != c.want {
			t.Errorf("%q, %+v: %v", c.env, c.r.tmux, got.ExactColors)
		}
	}
}
