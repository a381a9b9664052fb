package terminal

import (
	"strings"
	"testing"
)

func TestAdviceFitsTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name      string
		caps      Caps
		env       []string
		has, hasn []string // parts of what to do
		tmux      Tmux
	}{
		{"nothing to complain about", Caps{Name: "ghostty", ModifiedKeys: true, Color: 1 << 24, Unicode: true}, nil,
			nil,
			[]string{""}, Tmux{}},
		{"tmux 3.3a", Caps{Mux: "tmux", Name: "tmux", Version: "3.3a", Color: 256, Unicode: true}, nil,
			[]string{"extended-keys on", "tmux 3.7", "escape-time", "history-limit", "focus-events", "set-clipboard",
				"allow-passthrough", "RGB"}, []string{"Ctrl+J", "LC_ALL"}, Tmux{}},
		{"tmux 3.7",
			Caps{Mux: "tmux", Name: "tmux", Version: "3.7", ModifiedKeys: true, Color: 1 << 24, Unicode: true,
				Notify: NotifyOff}, []string{"SCROLLKEEP_IMAGES", "off"},
			[]string{"history-limit"}, []string{"extended-keys", "tmux 3.7", "escape-time", "allow-passthrough", "RGB"},
			Tmux{}},
		{"tmux 2.9", Caps{Mux: "tmux", Version: "2.9", Unicode: true}, nil, []string{"3.2"},
			[]string{"extended-keys"}, Tmux{}},
		{"tmux 3.3a, set up",
			Caps{Mux: "tmux", Name: "tmux", Version: "3.3a", Color: 1 << 24, Unicode: true, Passthrough: true}, nil,
			[]string{"tmux 3.7"},
			[]string{"extended-keys", "escape-time", "history-limit", "focus-events", "set-clipboard",
				"allow-passthrough", "RGB", "extkeys"},
			Tmux{"3.3a", "XTerm(379)", "256,RGB,extkeys", "all", "on", "on", "on", "50000", "10"}},
		{"tmux that does not know its terminal", Caps{Mux: "tmux", Version: "3.5", Color: 256, Unicode: true}, nil,
			[]string{"'foot*:extkeys'", "escape-time", "history-limit", "RGB"}, []string{"extended-keys"},
			Tmux{"3.5", "foot(1.13.1)", "256", "off", "on", "off", "external", "2000", "500"}},
		{"pictures in tmux", Caps{Mux: "tmux", Version: "3.3a", Color: 256, Unicode: true, Notify: NotifyOff}, nil,
			[]string{"set -g allow-passthrough on"}, []string{"SCROLLKEEP_IMAGES"}, Tmux{}},
		{"pictures in tmux, through to a terminal without",
			Caps{Mux: "tmux", Version: "3.3a", Color: 256, Unicode: true, Passthrough: true}, nil,
			[]string{"kitty 0.28"}, []string{"allow-passthrough"}, Tmux{}},
		{"pictures in tmux, as they should be",
			Caps{Mux: "tmux", Version: "3.3a", Color: 256, Unicode: true, Passthrough: true, Images: ImagesKitty,
				Placeholders: true}, nil, nil, []string{"kitty 0.28", "allow-passthrough"}, Tmux{}},
		{"kitty 0.26", Caps{Name: "kitty", ModifiedKeys: true, Color: 1 << 24, Unicode: true, Images: ImagesKitty}, nil,
			[]string{"kitty 0.28"}, nil, Tmux{}},
		{"kitty 0.30",
			Caps{Name: "kitty", ModifiedKeys: true, Color: 1 << 24, Unicode: true, Images: ImagesKitty,
				Placeholders: true},
			nil, []string{"scrollback_lines"}, []string{"kitty 0.28"}, Tmux{}},
		{"screen", Caps{Mux: "screen", Unicode: true}, nil, []string{"defscrollback", "altscreen"},
			[]string{"extended-keys"}, Tmux{}},
		{"xterm", Caps{Name: "xterm", ModifiedKeys: true, Color: 256, Unicode: true}, nil, []string{"saveLines"},
			[]string{"Ctrl+J"}, Tmux{}},
		{"emacs", Caps{Name: "emacs", Unicode: true}, nil, []string{"vterm or eat"}, nil, Tmux{}},
		{"vterm", Caps{Name: "vterm", Unicode: true, NoEscape: true}, nil,
			[]string{"Ctrl+C twice", "vterm-max-scrollback", "Ctrl+J"}, []string{"vterm or eat"}, Tmux{}},
		{"eat", Caps{Name: "eat", Unicode: true, NoEscape: true}, nil,
			[]string{"Ctrl+C twice", "eat-term-scrollback-size"}, nil, Tmux{}},
		{"vim", Caps{Name: "vim", Unicode: true}, nil, []string{"termwinscroll", "Ctrl+J"}, []string{"twice"}, Tmux{}},
		{"neovim 0.7", Caps{Name: "neovim", Unicode: true}, nil, []string{"0.12", "scrollback"}, nil, Tmux{}},
		{"neovim 0.12", Caps{Name: "libvterm", Version: "0.3", Unicode: true, ModifiedKeys: true}, nil,
			[]string{"scrollback"}, []string{"0.12"}, Tmux{}},
		{"mosh", Caps{Name: "mosh", Unicode: true}, nil, []string{"tmux on the other"}, nil, Tmux{}},
		{"tmux in tmux", Caps{Mux: "tmux", Name: "tmux", Version: "3.3a", Outer: "tmux", Unicode: true}, nil,
			[]string{"outer one"}, nil, Tmux{}},
		{"tmux in vterm", Caps{Mux: "tmux", Name: "tmux", Outer: "vterm", NoEscape: true, Unicode: true}, nil,
			[]string{"Ctrl+C twice"}, []string{"vterm-max"}, Tmux{}},
		{"no keys", Caps{Name: "vte", Color: 1 << 24, Unicode: true}, nil, []string{"Ctrl+J"}, nil, Tmux{}},
		{"ssh", Caps{SSH: true, ModifiedKeys: true, Color: 256, Unicode: true}, nil, []string{"SendEnv"}, nil, Tmux{}},
		{"ssh with COLORTERM", Caps{SSH: true, ModifiedKeys: true, Color: 256, Unicode: true},
			[]string{"COLORTERM", "yes"},
			nil, []string{"SendEnv"}, Tmux{}},
		{"NO_COLOR", Caps{SSH: true, ModifiedKeys: true, Unicode: true}, nil, nil, []string{""}, Tmux{}},
		{"locale", Caps{ModifiedKeys: true}, nil, []string{"LC_ALL"}, nil, Tmux{}},
	} {
		var do []string
		for _, a := range Advise(c.caps, c.tmux, env(c.env...)) {
			if a.Problem == "" || a.Do == "" || strings.Contains(a.Problem+a.Do, "\n") {
				t.Errorf("%s: %+v", c.name, a)
			}
			do = append(do, a.Do)
		}
		all := strings.Join(do, "\n")
		for _, want := range c.has {
			if !strings.Contains(all, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, all)
			}
		}
		for _, not := range c.hasn {
			if not == "" && all != "" || not != "" && strings.Contains(all, not) {
				t.Errorf("%s: %q in\n%s", c.name, not, all)
			}
		}
	}
}
