package terminal

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// stringsIn lists the strings of p, in order: "OSC 2", "DCS tmux;", "APC G", "ESC k" for GNU
// screen's title.
func stringsIn(p string) (list []string) {
	var (
		parser ansi.Parser
		h      = stringList{list: &list}
	)
	parser.Parse([]byte(p), &h)
	return list
}

type stringList struct {
	ansi.NopHandler
	list *[]string
}

func (l *stringList) add(s string) { *l.list = append(*l.list, s) }

func (l *stringList) OSC(data []byte, _ bool) {
	code, _, _ := strings.Cut(string(data), ";")
	l.add("OSC " + code)
}
func (l *stringList) Hook(*ansi.Sequence) { l.add("DCS") }
func (l *stringList) StringStart(kind byte) {
	l.add(map[byte]string{'_': "APC", '^': "PM", 'X': "SOS"}[kind])
}
func (l *stringList) Escape(s *ansi.Sequence) {
	if s.Final == 'k' && len(s.Intermediates) == 0 {
		l.add("ESC k")
	}
}

// everything does all that a program may want of its terminal but by frames, and ends.
func everything(t *testing.T, s session) (copied error) {
	s.all(time.Second)
	s.SetTitle("title")
	s.Bell()
	s.Notify("done", "all of it")
	s.SetProgress(50)
	copied = s.Copy("text")
	_ = s.Suspend(t.Context(), func() error { return nil })
	s.SetTitle("another")
	s.SetProgress(-2)
	_, _ = s.Write([]byte("row " + ansi.PromptMark + "\x1b]8;;https://h/\x1b\\link" + ansi.LinkClose + "\r\n"))
	s.all(time.Second)
	_ = s.Close()
	return copied
}

// What goes out as a string, by the environment and by what the terminal answers.
func TestNoStringGoesWhereStringsArePrinted(t *testing.T) {
	const (
		da1  = "\x1b[?62c"
		name = "\x1bP>|kitty(0.48.2)\x1b\\"
	)
	for _, c := range []struct {
		name    string
		env     []string
		replies string
		open    bool
	}{
		{"linux", []string{"TERM", "linux"}, "", false},
		{"linux that answers", []string{"TERM", "linux"}, "\x1b[?6c", false},
		{"linux started in kitty", []string{"TERM", "linux", "KITTY_WINDOW_ID", "1"}, "", false},
		{"vt100", []string{"TERM", "vt100"}, "", false},
		{"a vt100 that answers", []string{"TERM", "vt100"}, "\x1b[?1;2c", false},
		{"vt220", []string{"TERM", "vt220"}, da1, false},
		{"ansi", []string{"TERM", "ansi"}, "", false},
		{"pcansi", []string{"TERM", "pcansi-mono"}, "", false},
		{"cons25", []string{"TERM", "cons25"}, "", false},
		{"cons25, the user wants links", []string{"TERM", "cons25", "SCROLLKEEP_LINKS", "1", "SCROLLKEEP_MARKS", "1",
			"SCROLLKEEP_NOTIFY", "osc9", "SCROLLKEEP_IMAGES", "kitty"}, "", false},
		{"none", []string{"TERM", ""}, "", false},
		{"emacs' term", []string{"TERM", "eterm-color", "INSIDE_EMACS", "28.2,term:0.96"}, "", false},
		{"emacs' term over ssh", []string{"TERM", "eterm-color"}, "", false},
		{"emacs' term in tmux in kitty", []string{"TERM", "eterm-color", "INSIDE_EMACS", "28.2,term:0.96", "TMUX", "x",
			"TERM_PROGRAM", "tmux", "KITTY_WINDOW_ID", "1"}, "", false},
		{"emacs' term in screen", []string{"TERM", "eterm-color", "INSIDE_EMACS", "28.2,term:0.96", "STY", "x"}, "",
			false},
		{"emacs' term by another TERM", []string{"INSIDE_EMACS", "30.2,term:0.96", "TERM_PROGRAM", "ghostty"}, "",
			false},

		{"xterm that does not answer", nil, "", true},
		{"xterm that answers", nil, "\x1bP>|XTerm(379)\x1b\\" + da1, true},
		{"kitty", []string{"TERM", "xterm-kitty"}, name, true},
		{"kitty with the TERM of a vt100", []string{"TERM", "vt100"}, name, true},
		{"tmux", []string{"TERM", "tmux-256color", "TMUX", "x"}, "\x1bP>|tmux 3.5a\x1b\\", true},
		{"tmux in emacs' term", []string{"TERM", "screen-256color", "TMUX", "x", "INSIDE_EMACS", "28.2,term:0.96"}, "",
			true},
		{"screen", []string{"TERM", "screen", "STY", "x"}, "", true},
		{"emacs' vterm", []string{"INSIDE_EMACS", "vterm"}, "\x1b[?1;2c", true},
		{"emacs' eat", []string{"TERM", "eat-truecolor", "INSIDE_EMACS", "30.2,eat"}, "", true},
		{"vim", []string{"VIM_TERMINAL", "900"}, "", true},
		{"neovim", []string{"NVIM", "/tmp/nvim/0"}, "", true},
		{"kitty started in neovim", []string{"TERM", "xterm-kitty", "NVIM", "/tmp/nvim/0"}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, env(c.env...), func(t *testing.T, s session) {
				start := s.f.written()
				if c.replies != "" {
					s.f.send(c.replies)
				}
				err := everything(t, s)
				all := s.f.written()
				got, caps := stringsIn(start+all), s.Caps()
				if caps.Strings != c.open {
					t.Errorf("Strings is %v", caps.Strings)
				}
				if !c.open {
					if len(got) > 0 {
						t.Errorf("%q goes out: %q", got, start+all)
					}
					if caps.Links || caps.Marks || caps.Images != ImagesOff || caps.Notify != NotifyBell {
						t.Errorf("%+v", caps)
					}
					if !errors.Is(err, ErrNoStrings) {
						t.Errorf("Copy: %v", err)
					}
					if !strings.Contains(all, "row link\r\n") || !strings.Contains(all, "\a") {
						t.Errorf("what is no string does not go out: %q", all)
					}
					return
				}
				title := "OSC 2"
				if caps.Mux == "screen" {
					title = "ESC k"
				}
				for _, want := range []string{title, "OSC 8"} {
					if !slices.Contains(got, want) {
						t.Errorf("%s does not go out: %q", want, got)
					}
				}
				if copies := strings.Contains(all, "52;c;dGV4dA=="); !copies || err != nil {
					t.Errorf("the clipboard: %v, %q", err, got)
				}
			})
		})
	}
}

// In such a terminal not even a question goes out that is one.
func TestQuestionsThatAreStringsWaitForATerminalThatReadsThem(t *testing.T) {
	bubble(t, env("TERM", "vt220"), func(t *testing.T, s session) {
		if got := stringsIn(s.f.written()); len(got) > 0 {
			t.Errorf("at the start: %q", got)
		}
		s.SetTitle("title")
		s.f.send("\x1b[?62c")
		s.all(time.Second)
		if got := stringsIn(s.f.written()); len(got) > 0 {
			t.Errorf("when it has said its class: %q", got)
		}
		s.f.send("\x1bP>|kitty(0.48.2)\x1b\\")
		for range 6 {
			s.f.send("\x1b[?62c")
		}
		s.all(time.Second)
		got := stringsIn(s.f.written())
		for _, want := range []string{"OSC 11", "APC", "OSC 99", "OSC 2"} {
			if !slices.Contains(got, want) {
				t.Errorf("%s is not sent to a terminal that has said its name by a string: %q", want, got)
			}
		}
	})
}

func TestAWriterThatIsShutLeavesStringsOut(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\x1b[1m\r\n\x1bD\x1b7", "plain\x1b[1m\r\n\x1bD\x1b7"},
		{"a\x1b]2;t\x1b\\b\x1b]0;t\ac", "abc"},
		{"a\x1bPq\x1b\\b\x1b_G\x1b\\c\x1b^p\x1b\\d\x1bXs\x1b\\e\x1bkt\x1b\\f", "abcdef"},
		{"a\x1bPtmux;\x1b\x1b]52;c;eA==\x1b\x1b\\\x1b\\b", "a\x1b\\b"}, // its inner end is an end
		{"a\x1b]2;never ends", "a"},
		{"a\x1b", "a\x1b"},
		{"", ""},
	} {
		if got := string(appendWithoutStrings(nil, []byte(c.in))); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if got := stringsIn(string(appendWithoutStrings(nil, []byte(c.in)))); len(got) > 0 {
			t.Errorf("%q: %q is left", c.in, got)
		}
	}
}

// What emacs draws besides strings is not sent either (28.2: ESC > and ESC =).
func TestTheKeypadIsLeftAloneInEmacs(t *testing.T) {
	for _, c := range []struct {
		term string
		want bool
	}{{"eterm-color", false}, {"xterm-256color", true}, {"linux", true}} {
		bubble(t, env("TERM", c.term), func(t *testing.T, s session) {
			_ = s.Close()
			if got := s.f.written(); strings.Contains(got, "\x1b>") != c.want {
				t.Errorf("%s: %q", c.term, got)
			}
		})
	}
}
