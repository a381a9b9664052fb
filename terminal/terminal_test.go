package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func names(evs []Event) string {
	var out []string
	for _, ev := range evs {
		switch ev := ev.(type) {
		case Key:
			out = append(out, ev.String())
		case Paste:
			out = append(out, fmt.Sprintf("paste(%s)", ev.Text))
		default:
			out = append(out, strings.TrimPrefix(fmt.Sprintf("%T%v", ev, ev), "terminal."))
		}
	}
	return strings.Join(out, " ")
}

func TestOpenAsksBeforeItSetsAndCloseRestoresInReverse(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		want := "\x1b[>0q\x1b[>c\x1b[c" + "\x1b[?7h\x1b[?1l\x1b>"
		if got := s.f.written(); got != want {
			t.Errorf("at the start\n got %q\nwant %q", got, want)
		}
		if s.f.writes != 1 {
			t.Errorf("%d writes", s.f.writes)
		}
		s.all(modesTime + time.Second)
		if got, want := s.f.written(), "\x1b[?2004h\x1b[?1004h"; got != want {
			t.Errorf("without an answer\n got %q\nwant %q", got, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got, want := s.f.written(), "\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[?7h\x1b[?25h\x1b[m"; got != want {
			t.Errorf("at the end\n got %q\nwant %q", got, want)
		}
		if err := s.Close(); err != nil || s.f.written() != "" {
			t.Error("a second Close does something")
		}
		if _, err := s.Write([]byte("x")); !errors.Is(err, ErrClosed) {
			t.Errorf("Write after Close: %v", err)
		}
		if _, err := s.Next(t.Context()); err != io.EOF {
			t.Errorf("Next after Close: %v", err)
		}
		if err := s.Suspend(t.Context(), func() error { t.Error("called"); return nil }); !errors.Is(err, ErrClosed) {
			t.Errorf("Suspend after Close: %v", err)
		}
	})
}

func TestNothingIsAskedOfTerminalsThatPrintQuestions(t *testing.T) {
	for _, e := range [][]string{{"TERM", "linux"}, {"TERM", "screen", "STY", "1.pts-0"}, {"SCROLLKEEP_NO_PROBE", "1"},
		{"TERM", "eterm-color"}} {
		bubble(t, env(e...), func(t *testing.T, s session) {
			want := "\x1b[?7h\x1b[?1l\x1b>\x1b[?2004h\x1b[?1004h"
			if e[1] == "eterm-color" { // it draws ESC >
				want = "\x1b[?7h\x1b[?2004h\x1b[?1004h"
			}
			if got := s.f.written(); got != want {
				t.Errorf("%q: %q", e, got)
			}
			start := time.Now()
			s.Close()
			if d := time.Since(start); d != 0 {
				t.Errorf("%q: Close waits %v for replies that nobody asked for", e, d)
			}
		})
	}
}

func TestADumbTerminalIsNone(t *testing.T) {
	if _, err := Open(t.Context(), Config{TTY: newFake(), Env: env("TERM", "dumb")}); !errors.Is(err, ErrNotTerminal) {
		t.Errorf("%v", err)
	}
	if _, err := Open(t.Context(), Config{Env: func(string) string { return "" }}); !errors.Is(err, ErrNotTerminal) {
		t.Errorf("%v", err)
	}
}

func TestKeysArriveInOrderAndKnowWhetherTheyCameAlone(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.send("a", "bc", "\x1b", "[A", "d\x1b", "[B", "é"[:1], "é"[1:])
		evs := s.all(time.Second)
		if got := names(evs); got != "a b c up d down é" {
			t.Errorf("%s", got)
		}
		var alone []bool
		for _, ev := range evs {
			alone = append(alone, ev.(Key).Alone)
		}
		if want := []bool{true, false, false, true, false, false, true}; !slices.Equal(alone, want) {
			t.Errorf("alone: %v, want %v", alone, want)
		}
	})
}

func TestALoneEscapeIsAKeyAfterItsTime(t *testing.T) {
	for _, c := range []struct {
		env  []string
		wait time.Duration
	}{{nil, 50 * time.Millisecond}, {[]string{"TMUX", "x"}, slowEscTime}, {[]string{"SSH_TTY", "x"}, slowEscTime}} {
		bubble(t, env(c.env...), func(t *testing.T, s session) {
			s.settled()
			start := time.Now()
			s.f.send("\x1b")
			if k, ok := s.next().(Key); !ok || k.Code != KeyEscape || !k.Alone {
				t.Errorf("%+v", k)
			}
			if d := time.Since(start); d != c.wait {
				t.Errorf("%q: after %v", c.env, d)
			}
			s.f.send("\x1b\x1b")
			if got := names(s.all(time.Second)); got != "escape escape" {
				t.Errorf("two: %s", got)
			}
			s.f.send("\x1b")
			<-time.After(c.wait - time.Millisecond)
			s.f.send("[C")
			if got := names(s.all(time.Second)); got != "right" {
				t.Errorf("split: %s", got)
			}
		})
	}
}

func TestASlowLoopDoesNotTearASequence(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.send("\x1b", "[A")
		s.Next(canceled()) // not even looked at
		<-time.After(time.Second)
		if got := names(s.all(time.Second)); got != "up" {
			t.Errorf("%s", got)
		}
	})
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestAPasteIsOneEvent(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.send("\x1b[200~one\r\ntwo\rthree\n\x1b[31m", "\x1b[27;5;106~four\x1b[73;5u\x1b[50;5u", "\x1b[201~\r")
		if got, want := names(s.all(time.Second)),
			"paste(one\ntwo\nthree\n\x1b[31m\nfour\t\x1b[50;5u) enter"; got != want {
			t.Errorf("got %q\nwant %q", got, want)
		}
		// A text that holds the end marker.
		s.f.send("\x1b[200~harmless\x1b[201~rm -rf /\r\x1b[201~", "y")
		if got, want := names(s.all(time.Second)), "paste(harmless\x1b[201~rm -rf /\n) y"; got != want {
			t.Errorf("got %q\nwant %q", got, want)
		}
		// A lost end: the paste comes after a while, and typing goes on.
		s.f.send("\x1b[200~lost")
		<-time.After(2 * time.Second)
		s.f.send("x")
		if got := names(s.all(3 * time.Second)); got != "paste(lost) x" && got != "paste(lostx)" {
			t.Errorf("%q", got)
		}
	})
}

func TestTheEndOfAReplyIsNoPaste(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.f.send("\x1b[?2031;2", "$y\r\ra", "b\rc\rd")
		if got := names(s.all(time.Second)); !strings.HasSuffix(got, "enter enter a paste(b\nc\nd)") ||
			strings.Contains(got, "$") {
			t.Errorf("%q", got)
		}
	})
}

func TestAPasteWithoutBracketsIsOneEventToo(t *testing.T) {
	for _, c := range []struct {
		name    string
		replies []string
		reads   []string
		want    string
	}{
		{"three lines", nil, []string{"one\rtwo\rthree"}, "paste(one\ntwo\nthree)"},
		{"CR LF, with an end", nil, []string{"a\r\nb\r\nc\r\n"}, "paste(a\nb\nc\n)"},
		{"in several reads", nil, []string{"a\rb\rc\r", "d", "é"[:1], "é"[1:] + "\r"}, "paste(a\nb\nc\ndé\n)"},
		{"then a key", nil, []string{"a\rb\rc", "\x1b[A"}, "paste(a\nb\nc) up"},
		{"two lines are typing", nil, []string{"a\rb\r"}, "a enter b enter"},
		{"a batched Enter", nil, []string{"hello\r"}, "h e l l o enter"},
		{"brackets are known by report", []string{"\x1b[?2004;2$y"}, []string{"a\rb\rc"}, "a enter b enter c"},
		{"brackets were seen", []string{"\x1b[200~x\x1b[201~"}, []string{"a\rb\rc"}, "a enter b enter c"},
	} {
		bubble(t, env(), func(t *testing.T, s session) {
			s.settled(c.replies...)
			s.f.send(c.reads...)
			if got := names(s.all(time.Second)); got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		})
	}
}

func TestReportsAreEventsOrEndHere(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		s.f.send("\x1b[I", "\x1b[O", "\x1b[<0;3;4M", "\x1b[<65;1;1M", "\x1b[<20;1;2m")
		if got, want := names(s.all(time.Second)),
			"Focus{true} Focus{false} Mouse{2 3 0 0 true} Mouse{0 0 65 0 true} Mouse{0 1 0 5 false}"; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		// A cursor report and F3 with modifiers look alike.
		s.f.send("\x1b[5;20R", "\x1b[1;17R", "\x1b[1;1R", "\x1b[2;2R", "\x1b[1;2R", "\x1b[1;5R", "\x1b[R")
		if got, want := names(s.all(time.Second)),
			"CursorReport{19 4} CursorReport{16 0} CursorReport{0 0} CursorReport{1 1} shift+f3 "+
				"ctrl+f3 f3"; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		s.f.send("\x1b[?0u\x1b[?62c") // kitty's protocol does not change that: 0.26 sends F3 so
		s.all(time.Second)
		s.f.send("\x1b[1;2R")
		if got := names(s.all(time.Second)); got != "shift+f3" {
			t.Errorf("with kitty's protocol: %s", got)
		}
		s.ExpectCursor()
		s.f.send("\x1b[1;2R", "\x1b[1;2R")
		if got := names(s.all(time.Second)); got != "CursorReport{1 0} shift+f3" {
			t.Errorf("expected: %s", got)
		}
		s.f.send("\x1b[?6", "x", "y") // a cut reply, then typing
		if got := names(s.all(time.Second)); got != "x y" {
			t.Errorf("after a cut reply: %s", got)
		}
	})
}

func TestASizeIsAnEventWhenItChangesOrIsSignalled(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?2048;2$y")
		if !strings.Contains(s.f.out.String(), "") || !s.Caps().SizeReports {
			t.Errorf("%+v", s.Caps())
		}
		s.f.resize(100, 30)
		s.f.resize(100, 30)
		s.f.resize(90, 30)
		evs := s.all(time.Second)
		if len(evs) == 0 || evs[len(evs)-1] != (Resize{90, 30}) {
			t.Errorf("%v", evs)
		}
		if c, r := s.Size(); c != 90 || r != 30 {
			t.Errorf("%d, %d", c, r)
		}
		s.f.resize(90, 30) // there was another size in between, too short for anybody to ask
		if got := names(s.all(time.Second)); got != "Resize{90 30}" {
			t.Errorf("the same size again: %s", got)
		}
		// The report of mode 2048 is believed only where the device knows nothing.
		s.f.mu.Lock()
		s.f.cols, s.f.rows = 70, 20
		s.f.mu.Unlock()
		s.f.send("\x1b[48;25;85;500;850t")
		if got := names(s.all(time.Second)); got != "Resize{70 20}" {
			t.Errorf("%s", got)
		}
		s.f.mu.Lock()
		s.f.cols, s.f.rows = 0, 0
		s.f.mu.Unlock()
		s.f.send("\x1b[48;25;85;500;850t")
		if got := names(s.all(time.Second)); got != "Resize{85 25}" {
			t.Errorf("%s", got)
		}
	})
}

// Which of the two is read first is chance where both tell each change: kitty sends the signal,
// then the report.
func TestASignalBehindItsReportIsNoNews(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?2048;2$y")
		at := func(cols, rows int) {
			s.f.mu.Lock()
			s.f.cols, s.f.rows = cols, rows
			s.f.mu.Unlock()
		}
		for _, c := range []struct{ reports, first, second string }{
			{"\x1b[48;20;70;400;700t", "Resize{70 20}", ""},
			// It was another one in between, too.
			{"\x1b[48;20;90;400;900t\x1b[48;20;70;400;700t", "Resize{70 20}", "Resize{70 20}"},
			{"\x1b[48;20;70;400;700t\x1b[48;20;90;400;900t", "Resize{70 20}", "Resize{70 20}"},
		} {
			s.f.resize(80, 24)
			s.all(time.Second)
			at(70, 20)
			s.f.send(c.reports)
			if got := names(s.all(time.Second)); got != c.first {
				t.Errorf("%q: %s, want %s", c.reports, got, c.first)
			}
			s.f.resize(70, 20)
			if got := names(s.all(time.Second)); got != c.second {
				t.Errorf("the signal behind %q: %q, want %q", c.reports, got, c.second)
			}
			s.f.resize(70, 20)
			if got := names(s.all(time.Second)); got != "Resize{70 20}" {
				t.Errorf("another signal behind %q: %q", c.reports, got)
			}
		}
	})
}

func TestModesFollowTheReplies(t *testing.T) {
	for _, c := range []struct {
		name    string
		env     []string
		replies []string
		set     string // what is written when they have come
		reset   string // and at the end, before the modes that are always set
		end     string // and behind them: a question, if all others were answered
	}{
		{"kitty", nil, []string{"\x1b[?0u", "\x1b[?62c"}, "\x1b[>5u", "\x1b[<u", sentinel},
		{"no kitty protocol", nil, []string{"\x1b[?62c"}, "\x1b[>4;2m\x1b[m", "\x1b[>4m\x1b[m", sentinel},
		{"kitty's reply is late", nil, []string{"\x1b[?62c", "\x1b[?0u"}, "\x1b[>4;2m\x1b[m\x1b[>4m\x1b[m\x1b[>5u",
			"\x1b[<u", sentinel},
		{"twice", nil, []string{"\x1b[?0u", "\x1b[?0u"}, "\x1b[>5u", "\x1b[<u", ""},
		{"unknown over ssh", []string{"SSH_TTY", "x"}, []string{"\x1b[?62c"}, "", "", sentinel},
		{"known over ssh", []string{"SSH_TTY", "x"}, []string{"\x1b[?62c", "\x1bP>|XTerm(379)\x1b\\"},
			"\x1b[>4;2m\x1b[m\x1b[?u\x1b[?2004$p\x1b[?1004$p\x1b]11;?\x1b\\\x1b[c", "\x1b[>4m\x1b[m", ""},
		{"tmux over ssh", []string{"SSH_TTY", "x", "TMUX", "x"}, []string{"\x1b[?1;2c"}, "\x1b[>4;2m\x1b[m",
			"\x1b[>4m\x1b[m", sentinel},
		{"Terminal.app", []string{"TERM_PROGRAM", "Apple_Terminal"}, []string{"\x1b[?1;2c"}, "", "", sentinel},
		{"scheme and size reports", nil, []string{"\x1b[?2031;2$y\x1b[?2048;2$y"}, "\x1b[?2031h\x1b[?2048h",
			"\x1b[?2048l\x1b[?2031l", ""},
		{"permanently off", nil, []string{"\x1b[?2031;4$y\x1b[?2048;0$y\x1b[?2027;4$y"}, "", "", ""},
		{"jumps to the end on output", nil, []string{"\x1b[?1010;1$y"}, "\x1b[?1010l", "\x1b[?1010h", ""},
		{"does not jump", nil, []string{"\x1b[?1010;2$y"}, "", "", ""},
		{"grapheme widths", []string{"SSH_TTY", "x"}, []string{"\x1b[?62c", "\x1b[?2027;2$y", "\x1b[?2027;1$y"},
			"\x1b[?2027h\x1b[?2027$p\x1b[c", "\x1b[?2027l", ""},
		{"grapheme widths are the terminal's own", nil, []string{"\x1b[?2027;3$y"}, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, env(c.env...), func(t *testing.T, s session) {
				s.all(2 * modesTime)
				s.f.written()
				s.f.send(c.replies...)
				s.all(time.Second)
				if got := s.f.written(); got != c.set {
					t.Errorf("set %q, want %q", got, c.set)
				}
				s.Close()
				if got, want := s.f.written(),
					c.reset+"\x1b[?1004l\x1b[?2004l\x1b[?1l\x1b>\x1b[?7h\x1b[?25h\x1b[m"+c.end; got != want {
					t.Errorf("reset %q, want %q", got, want)
				}
			})
		})
	}
}

func TestWhatWasSetBeforeUsStaysSet(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?2004;1$y\x1b[?1004;2$y\x1b[?2031;1$y")
		s.Close()
		got := s.f.written()
		if strings.Contains(got, "2004l") || strings.Contains(got, "2031l") || !strings.Contains(got, "1004l") {
			t.Errorf("%q", got)
		}
	})
}

func TestRepliesChangeCapsAndSayso(t *testing.T) {
	bubble(t, env("TERM_PROGRAM", "kitty-not"), func(t *testing.T, s session) {
		s.all(time.Second)
		if c := s.Caps(); c.Sync || c.Grapheme || !c.Dark || c.Mux != "" {
			t.Errorf("%+v", c)
		}
		s.f.send("\x1b[?2026;2$y")
		if got := names(s.all(time.Second)); got != "Changed{}" || !s.Caps().Sync {
			t.Errorf("%s, %+v", got, s.Caps())
		}
		s.f.send("\x1b]11;rgb:0000/0000/0000\x1b\\")
		if got := names(s.all(time.Second)); got != "Appearance{true}" {
			t.Errorf("%s", got)
		}
		s.f.send("\x1b]11;rgb:ffff/ffff/ffff\a", "\x1b]11;#ffffff\a")
		if got := names(s.all(time.Second)); got != "Changed{} Appearance{false}" || s.Caps().Dark {
			t.Errorf("%s", got)
		}
		start := time.Now()
		s.f.send("\x1b[?997;2n", "\x1b[?997;1n") // two in a row: the last counts, once
		if got := names(s.all(time.Second)); got != "Changed{} Appearance{true}" {
			t.Errorf("%s", got)
		}
		if d := time.Since(start); d < schemeDebounce {
			t.Errorf("after %v", d)
		}
		s.f.send("\x1b[?2027;2$y", "\x1b[?2027;1$y")
		if got := names(s.all(time.Second)); got != "Changed{}" || !s.Caps().Grapheme {
			t.Errorf("%s, %+v", got, s.Caps())
		}
		s.f.send("\x1bP>|ghostty 1.2.3\x1b\\")
		if s.all(time.Second); s.Caps().Name != "ghostty" || s.Caps().Version != "1.2.3" {
			t.Errorf("%+v", s.Caps())
		}
	})
}

func TestTheFirstModifiedKeyShowsThatTheyCome(t *testing.T) {
	bubble(t, env("TMUX", "x"), func(t *testing.T, s session) {
		s.settled("\x1b[?1;2c")
		s.f.send("\x1b[A", "\x1b[27;2;13~", "\x1b[27;2;13~")
		if got := names(s.all(time.Second)); got != "up shift+enter Changed{} shift+enter" || !s.Caps().ModifiedKeys {
			t.Errorf("%s", got)
		}
	})
}

func TestAnIdleTerminalSetsNoTimer(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?0u\x1b[?62c\x1b[?997;1n")
		s.f.send("a", "\x1b", "\x1b[200~x\x1b[201~", "\x1b[?6")
		s.all(5 * time.Second)
		if _, due, ok := s.popEvent(); ok || !due.IsZero() {
			t.Errorf("a timer is due at %v", due)
		}
	})
}
