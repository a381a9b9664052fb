package terminal

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

func TestTheTitleIsPushedOnceAndComesBack(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.SetTitle("one")
		s.SetTitle("two \x1b]0;evil\a\u202e")
		if got, want := s.f.written(), "\x1b[22;2t\x1b]2;one\x1b\\\x1b]2;two ␛]0;evil␇<U+202E>\x1b\\"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		s.Suspend(t.Context(), func() error {
			if got := s.f.written(); !strings.Contains(got, "\x1b[23;2t") {
				t.Errorf("given: %q", got)
			}
			s.SetTitle("three")
			return nil
		})
		if got := s.f.written(); !strings.HasSuffix(got, "\x1b[22;2t\x1b]2;three\x1b\\") {
			t.Errorf("taken: %q", got)
		}
		s.Close()
		if got := s.f.written(); !strings.Contains(got, "\x1b[23;2t") {
			t.Errorf("closed: %q", got)
		}
	})
}

func TestNotificationsGoTheTerminalsWay(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"unknown", nil, "\a"},
		{"off", []string{"SCROLLKEEP_NOTIFY", "off"}, ""},
		{"ghostty", []string{"TERM_PROGRAM", "ghostty"}, "\x1b]9;done: all of it\x1b\\"},
		{"kitty", []string{"TERM", "xterm-kitty"},
			"\x1b]99;i=scrollkeep:d=0:o=unfocused;done\x1b\\\x1b]99;i=scrollkeep:p=body;all of it\x1b\\"},
		{"foot", []string{"TERM", "foot"}, "\x1b]777;notify;done;all of it\x1b\\"},
		{"tmux", []string{"TMUX", "x"}, "\a\x1bPtmux;\x1b\x1b]9;done: all of it\x1b\x1b\\\x1b\\"},
		{"tmux started in kitty", []string{"TMUX", "x", "KITTY_WINDOW_ID", "1"},
			"\a\x1bPtmux;\x1b\x1b]99;i=scrollkeep:d=0:o=unfocused;done\x1b\x1b\\\x1b\x1b]99;i=scrollkeep:p=body;all " +
				"of it\x1b\x1b\\\x1b\\"},
		{"screen", []string{"STY", "x"}, "\a"},
	} {
		bubble(t, env(c.env...), func(t *testing.T, s session) {
			s.settled()
			s.Notify("done", "all of it")
			if got := s.f.written(); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
	if got := notification(NotifyOSC9, "", "4;3"); got != "\x1b]9; 4;3\x1b\\" {
		t.Errorf("a text that looks like progress: %q", got)
	}
}

func TestNothingIsNotifiedWhileTheWindowHasTheFocus(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[I")
		s.Notify("a", "b")
		if got := s.f.written(); got != "" {
			t.Errorf("%q", got)
		}
		s.settled("\x1b[O")
		s.Notify("a", "b")
		if got := s.f.written(); got != "\a" {
			t.Errorf("%q", got)
		}
	})
}

func TestProgressIsForTerminalsThatKnowIt(t *testing.T) {
	bubble(t, env("TERM_PROGRAM", "ghostty", "TERM_PROGRAM_VERSION", "1.2.0"), func(t *testing.T, s session) {
		s.settled()
		s.SetProgress(-2)
		s.SetProgress(-1)
		s.SetProgress(40)
		s.SetProgress(400)
		s.SetProgress(-2)
		if got, want := s.f.written(),
			"\x1b]9;4;3\x1b\\\x1b]9;4;1;40\x1b\\\x1b]9;4;1;100\x1b\\\x1b]9;4;0\x1b\\"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		s.SetProgress(1)
		s.f.written()
		s.Close()
		if got := s.f.written(); !strings.Contains(got, "\x1b]9;4;0\x1b\\") {
			t.Errorf("closed: %q", got)
		}
	})
	bubble(t, env("TERM_PROGRAM", "iTerm.app"), func(t *testing.T, s session) {
		s.settled()
		if s.SetProgress(40); s.f.written() != "" {
			t.Error("iTerm2 would show it as a notification")
		}
	})
}

func TestCopyReachesTheClipboardThroughMultiplexers(t *testing.T) {
	text := strings.Repeat("größe\n", 300)
	enc := base64.StdEncoding.EncodeToString([]byte(text))
	for _, c := range []struct {
		env  []string
		want string
	}{
		{nil, "\x1b]52;c;" + enc + "\x1b\\"},
		{[]string{"TMUX", "x"}, "\x1b]52;c;" + enc + "\x1b\\\x1bPtmux;\x1b\x1b]52;c;" + enc + "\x1b\x1b\\\x1b\\"},
	} {
		bubble(t, env(c.env...), func(t *testing.T, s session) {
			s.settled()
			if err := s.Copy(text); err != nil {
				t.Error(err)
			}
			if got := s.f.written(); got != c.want {
				t.Errorf("%q: %q", c.env, got)
			}
			if err := s.Copy(strings.Repeat("x", maxCopy+1)); !errors.Is(err, ErrTooLong) || s.f.written() != "" {
				t.Errorf("too long: %v", err)
			}
		})
	}
	bubble(t, env("STY", "x"), func(t *testing.T, s session) {
		s.settled()
		s.Copy(text)
		got, inner := s.f.written(), ""
		for _, part := range strings.SplitAfter(got, "\x1b\\") {
			if part == "" {
				continue
			}
			if len(part) > 768 || !strings.HasPrefix(part, "\x1bP") {
				t.Errorf("a part of %d bytes: %q", len(part), part)
			}
			inner += strings.TrimSuffix(strings.TrimPrefix(part, "\x1bP"), "\x1b\\")
		}
		if inner != "\x1b]52;c;"+enc+"\a" {
			t.Errorf("screen passes on %q", inner)
		}
	})
}

func TestMouseReportsAreSwitchedAndRestored(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.SetMouse(true)
		s.SetMouse(true)
		s.SetMouse(false)
		if got, want := s.f.written(), "\x1b[?1000h\x1b[?1006h\x1b[?1006l\x1b[?1000l"; got != want {
			t.Errorf("%q", got)
		}
		s.SetMouse(true)
		s.f.written()
		s.Close()
		if got := s.f.written(); !strings.HasPrefix(got, "\x1b[?1006l\x1b[?1000l") {
			t.Errorf("closed: %q", got)
		}
	})
}

func TestNoTitleHoldsACharacterThatIsNotSeen(t *testing.T) {
	all := unseen.Text()
	if r := unseen.In(harmless(all, 1<<20)); r != 0 {
		t.Errorf("it holds U+%04X", r)
	}
}

func TestReleasesComeOnlyWhileTheyAreAskedFor(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.f.send("\x1b[?0u\x1b[?62c")
		s.settled()
		s.f.written()
		s.f.send("\x1b[97;1:3u", "\x1b[1;1:2A", "\x1b[121;1:2u", "\x1b[121;1:1u")
		for _, want := range []Key{{Code: KeyUp, Alone: true, Repeat: true}, {Code: 'y', Alone: true, Repeat: true},
			{Code: 'y', Alone: true}} { // a repeat is told also where nobody has asked for it
			if got := s.next(); got != want {
				t.Errorf("unasked: %+v, want %+v", got, want)
			}
		}
		s.SetKeyReleases(true)
		if got := s.f.written(); got != "\x1b[=2;2u" {
			t.Errorf("on: %q", got)
		}
		s.f.send("\x1b[97;1:3u", "\x1b[1;1:2A")
		if got, want := s.next(), (KeyRelease{Key{Code: 'a'}}); got != want {
			t.Errorf("asked: %+v", got)
		}
		if got, want := s.next(), (Key{Code: KeyUp, Alone: true, Repeat: true}); got != want {
			t.Errorf("held: %+v", got)
		}
		s.SetAltScreen(true)
		if got, want := s.f.written(), "\x1b[=2;3u\x1b[<u\x1b[?1049h\x1b[>5u\x1b[=2;2u"; got != want {
			t.Errorf("the other screen: %q", got)
		}
		s.SetAltScreen(false)
		s.SetKeyReleases(false)
		s.SetKeyReleases(true)
		s.f.written()
		s.Close()
		if got := s.f.written(); !strings.Contains(got, "\x1b[=2;3u\x1b[<u") {
			t.Errorf("closed: %q", got)
		}
	})
}
