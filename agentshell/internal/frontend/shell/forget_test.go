package shell

import (
	"errors"
	"testing"
	"time"
)

func TestClearMakesTheModelForgetAndModelChangesIt(t *testing.T) {
	play(t, nil, func(s *session) {
		line := func(text string) {
			t.Helper()
			s.Type(text)
			s.Press("enter")
			s.pass(100 * time.Millisecond)
		}
		line("/clear")
		s.holds("cannot be cleared")
		line("/model other")
		s.holds("This session has a single model: test script")

		cleared, models := 0, []string{}
		s.sh.cfg.Session.Clear = func() error {
			if cleared++; cleared > 1 {
				return errors.New("disk full")
			}
			return nil
		}
		s.sh.cfg.Models.Set = func(name string) error {
			if name == "bad" {
				return errors.New("unknown")
			}
			models = append(models, name)
			return nil
		}
		line("/clear")
		s.holds("Conversation cleared;")
		line("/clear")
		s.holds("was not cleared: disk full")
		line("/model other")
		s.holds("model: other")
		line("/model bad")
		s.holds("The model was not changed: unknown")
		if cleared != 2 || len(models) != 1 {
			t.Errorf("cleared %d times, models %q", cleared, models)
		}
	})
	play(t, []string{`{"say":"working on it","hang":true}`}, func(s *session) {
		s.sh.cfg.Session.Clear = func() error { t.Error("cleared while a turn runs"); return nil }
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Type("/clear")
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		s.holds("A turn is running.")
		s.Press("esc")
		s.pass(time.Second)
	})
}

func TestEscClosesTheSearchBeforeItStopsTheTurn(t *testing.T) {
	play(t, []string{`{"say":"working on it","hang":true}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Press("ctrl+r")
		s.Type("g")
		s.holds("search: g")
		s.Press("esc")
		s.pass(time.Second)
		s.lacks("search: g", "stopped")
		s.Press("esc")
		s.pass(time.Second)
		s.holds("stopped")
	})
}
