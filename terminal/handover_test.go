package terminal

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestSuspendGivesTheTerminalAndTakesItBack(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?0u\x1b[?62c\x1b[?2026;2$y")
		s.Write([]byte("frame"))
		failed := errors.New("editor")
		err := s.Suspend(t.Context(), func() error {
			if got, want := s.f.written(),
				"frame\x1b[?2026l\x1b[<u\x1b[?1004l\x1b[?2004l"+
					"\x1b[?1l\x1b>\x1b[?7h\x1b[?25h\x1b[m"+sentinel; got != want {
				t.Errorf("given\n got %q\nwant %q", got, want)
			}
			if s.f.raw {
				t.Error("still raw")
			}
			s.Write([]byte("later"))
			s.f.send("typed for the editor") // must stay in the device
			<-time.After(time.Second)
			if got := s.f.written(); got != "" {
				t.Errorf("written meanwhile: %q", got)
			}
			<-s.f.in
			s.f.mu.Lock()
			s.f.cols = 99
			s.f.mu.Unlock()
			return failed
		})
		if err != failed {
			t.Errorf("%v", err)
		}
		if got, want := s.f.written(), "\x1b[?7h\x1b[?1l\x1b>\x1b[?2004h\x1b[?1004h\x1b[>5ulater"; got != want {
			t.Errorf("taken\n got %q\nwant %q", got, want)
		}
		s.f.send("x")
		if got := names(s.all(time.Second)); got != "Resize{99 24} Resumed{} x" {
			t.Errorf("%s", got)
		}
	})
}

func TestSuspendTakesTheTerminalBackAfterAPanic(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		func() {
			defer func() { recover() }()
			s.Suspend(t.Context(), func() error { panic("x") })
		}()
		if !s.f.raw {
			t.Error("not taken back")
		}
		s.f.send("x")
		if got := names(s.all(time.Second)); got != "Resumed{} x" {
			t.Errorf("%s", got)
		}
	})
}

func TestCloseWhileTheTerminalIsGivenAwayTouchesNothing(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		err := s.Suspend(t.Context(), func() error {
			s.f.written()
			return s.Close()
		})
		if err != nil || s.f.written() != "" || s.f.raw || s.f.starts != 1 {
			t.Errorf("%v, %d starts", err, s.f.starts)
		}
	})
}

// A key that was typed before, such as Ctrl+Z, may still ask for a hand-over.
func TestATerminalThatIsNotTakenBackCannotBeGivenAgain(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		asked := errors.New("asked to end")
		err := s.Suspend(t.Context(), func() error {
			s.endReading(asked)
			s.f.written()
			return nil
		})
		if !errors.Is(err, asked) || s.f.raw {
			t.Errorf("it ended meanwhile: %v", err)
		}
		err = s.Suspend(t.Context(), func() error {
			t.Error("it was given away")
			return nil
		})
		if !errors.Is(err, asked) || s.f.written() != "" {
			t.Errorf("given again: %v", err)
		}
		if err := s.Close(); err != nil || s.f.written() != "" {
			t.Errorf("closed: %v", err)
		}
	})
}

func TestStopIsASuspendAroundTheSignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tty := newFake()
		stopped := 0
		term, err := Open(t.Context(), Config{TTY: tty, Env: env(), Stop: func(os.Signal) {
			stopped++
			if tty.raw {
				t.Error("stopped in raw mode")
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := term.Stop(); err != nil || stopped != 1 || !tty.raw {
			t.Errorf("%v, stopped %d times", err, stopped)
		}
		term.Close()
	})
}

func TestTheAlternateScreenIsLeftOnlyIfItWasEntered(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled("\x1b[?0u\x1b[?62c")
		s.SetAltScreen(false)
		if got := s.f.written(); got != "" {
			t.Errorf("leaving what was not entered: %q", got)
		}
		s.SetAltScreen(true)
		s.SetAltScreen(true)
		if got := s.f.written(); got != "\x1b[<u\x1b[?1049h\x1b[>5u" {
			t.Errorf("entering: %q", got)
		}
		s.SetAltScreen(false)
		if got := s.f.written(); got != "\x1b[<u\x1b[?1049l\x1b[>5u" {
			t.Errorf("leaving: %q", got)
		}
		s.SetAltScreen(true)
		s.f.written()
		s.Suspend(t.Context(), func() error {
			if got := s.f.written(); !strings.HasPrefix(got, "\x1b[<u\x1b[?1049l") {
				t.Errorf("given: %q", got)
			}
			s.SetAltScreen(false)
			return nil
		})
		if got := s.f.written(); strings.Contains(got, "1049") || !strings.Contains(got, "\x1b[>5u") {
			t.Errorf("taken: %q", got)
		}
		s.SetAltScreen(true)
		s.f.written()
		s.Close()
		if got := s.f.written(); !strings.Contains(got, "\x1b[<u\x1b[?1049l") || strings.Count(got, "\x1b[<u") != 1 {
			t.Errorf("closed: %q", got)
		}
	})
}

func TestRecoverRestoresAndPanicsOn(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled()
		func() {
			defer func() {
				if p := recover(); p != "boom" {
					t.Errorf("%v", p)
				}
				if s.f.raw {
					t.Error("raw while the panic goes on")
				}
			}()
			defer s.Recover()
			panic("boom")
		}()
	})
}

func TestCloseWaitsForRepliesThatAreUnderWay(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.f.answersTheEnd("\x1b[O\x1b[?62c")
		start := time.Now()
		go func() {
			<-time.After(100 * time.Millisecond)
			s.f.send(strings.Repeat("\x1b[?62c", 13))
		}()
		s.Close()
		if d := time.Since(start); d != 100*time.Millisecond {
			t.Errorf("waited %v", d)
		}
		if len(s.f.in) != 0 {
			t.Error("a reply is left for the shell")
		}
	})
	bubble(t, env(), func(t *testing.T, s session) {
		start := time.Now()
		s.Close()
		if d := time.Since(start); d != drainTime {
			t.Errorf("without replies: waited %v", d)
		}
	})
	bubble(t, env(), func(t *testing.T, s session) {
		<-time.After(time.Minute)
		start := time.Now()
		s.Close()
		if d := time.Since(start); d != 0 {
			t.Errorf("a terminal that never answers: waited %v", d)
		}
	})
	// A request for the cursor or the status; also before a suspension, and with a loop that goes
	// on reading.
	for i := range 4 {
		looping, request, answer := i%2 == 1, "\x1b[6n", "\x1b[5;20R"
		if i >= 2 {
			request, answer = "\x1b[5n", "\x1b[0n"
		}
		bubble(t, env(), func(t *testing.T, s session) {
			s.settled(strings.Repeat("\x1b[?62c", 13))
			s.f.answersTheEnd("\x1b[O\x1b[?62c")
			ended := make(chan struct{})
			if looping {
				go func() {
					defer close(ended)
					for {
						if _, err := s.Next(context.Background()); err != nil {
							return
						}
					}
				}()
			}
			s.Write([]byte("frame" + request))
			start := time.Now()
			go func() {
				<-time.After(50 * time.Millisecond)
				s.f.send(answer)
			}()
			s.Suspend(t.Context(), func() error {
				if d := time.Since(start); d != 50*time.Millisecond || len(s.f.in) != 0 {
					t.Errorf("looping %v: given after %v with %d reads left", looping, d, len(s.f.in))
				}
				return nil
			})
			start = time.Now()
			s.Close()
			if d := time.Since(start); d != 0 {
				t.Errorf("looping %v: then Close waits %v", looping, d)
			}
			if looping {
				<-ended
			}
		})
	}
	// A request that was never answered does not hold up the end much later.
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled(strings.Repeat("\x1b[?62c", 10))
		s.Write([]byte("\x1b[6n"))
		<-time.After(time.Minute)
		start := time.Now()
		s.Close()
		if d := time.Since(start); d != 0 {
			t.Errorf("an old request: Close waits %v", d)
		}
	})
}

// A report that was on its way when its mode was switched off is not left for the next reader, who
// would take it for keys.
func TestCloseWaitsForTheModesToBeOff(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled(strings.Repeat("\x1b[?62c", 13))
		s.f.answersTheEnd("\x1b[O\x1b[?62c")
		start := time.Now()
		s.Close()
		if d := time.Since(start); d != 0 || len(s.f.in) != 0 {
			t.Errorf("after %v there are %d reads left", d, len(s.f.in))
		}
		if got := s.f.written(); !strings.HasSuffix(got, sentinel) {
			t.Errorf("%q", got)
		}
	})
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled(strings.Repeat("\x1b[?62c", 13))
		start := time.Now()
		s.Close()
		if d := time.Since(start); d != endReplyTime {
			t.Errorf("a terminal that answers no more: waited %v", d)
		}
	})
}

func TestWhatABorrowerHasNotUsedIsInput(t *testing.T) {
	bubble(t, env(), func(t *testing.T, s session) {
		s.settled(strings.Repeat("\x1b[?62c", 13))
		sizes := 0
		err := s.Lend(t.Context(), func(l *Lent) error {
			l.NotifyResize(func() { sizes++ })
			s.f.resize(90, 30)
			l.NotifyResize(nil)
			s.f.resize(91, 30)
			if err := l.Start(); err != nil {
				return err
			}
			l.Unread([]byte("a\x1b["))
			l.Unread([]byte("A"))
			return nil // and the device still started
		})
		if err != nil || sizes != 1 {
			t.Errorf("%v, %d sizes", err, sizes)
		}
		if got := typed(s.all(time.Second)); got != "a up Resumed{}" {
			t.Errorf("%q", got)
		}
		s.f.resize(92, 30)
		if got := names(s.all(time.Second)); got != "Resize{92 30}" || sizes != 1 {
			t.Errorf("%q, %d", got, sizes)
		}
	})
}
