package shell

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// /model lists what the shell knows at once, and what the provider names as soon as it has
// answered.
func TestModelsAreChosenFromAList(t *testing.T) {
	play(t, nil, func(s *session) {
		var chosen []string
		failed := false
		s.sh.cfg.Models.Set = func(name string) error { chosen = append(chosen, name); return nil }
		s.sh.cfg.Models.Names = []string{"sonnet", "haiku"}
		s.sh.cfg.Models.About = func(name string) string { return map[string]string{"haiku": "200 k tokens"}[name] }
		s.sh.cfg.Models.FetchNames = func(ctx context.Context) ([]string, error) {
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if failed {
				return nil, errors.New("a refusal\nof two lines")
			}
			return []string{"haiku", "opus"}, nil
		}
		open := func() {
			t.Helper()
			s.Type("/model")
			s.Press("enter")
			s.pass(100 * time.Millisecond)
		}
		open()
		s.holds("Model: test script", "sonnet", "haiku", "200 k tokens")
		s.lacks("opus")
		s.pass(2 * time.Second)
		s.holds("opus")
		s.Type("op")
		s.pass(100 * time.Millisecond)
		s.lacks("sonnet")
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		s.holds("model: opus")
		// left before the provider has answered: nothing comes of it
		open()
		s.Press("esc")
		s.pass(3 * time.Second)
		s.lacks("Model: opus")
		failed = true
		open()
		s.pass(2 * time.Second)
		s.holds("its provider gave no list: a refusal")
		s.Press("esc")
		s.pass(100 * time.Millisecond)
		if len(chosen) != 1 || chosen[0] != "opus" {
			t.Errorf("chosen: %q", chosen)
		}
	})
}

// A mistyped name offers the nearest one and the name as it was typed. While a turn runs a choice
// holds from its next step on.
func TestAMistypedModelOffersTheNearestName(t *testing.T) {
	play(t, []string{`{"say":"` + strings.Repeat("words ", 200) + `","delay_ms":30}`}, func(s *session) {
		var chosen []string
		s.sh.cfg.Models.Set = func(name string) error { chosen = append(chosen, name); return nil }
		s.sh.cfg.Models.Names = []string{"sonnet", "haiku"}
		s.line("/model sonet")
		s.holds("No model sonet is known here. Which one?", "sonnet", "the nearest name", "as you have typed it")
		s.Press("enter")
		s.pass(time.Second)
		s.holds("model: sonnet")
		s.line("/model haiko")
		s.Press("down")
		s.Press("enter")
		s.pass(time.Second)
		s.line("/model another-name") // like none: it may be known to the provider
		s.Type("go")
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		s.Type("/model haiku")
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		s.holds("model: haiku, from the next step on")
		if got := strings.Join(chosen, " "); got != "sonnet haiko another-name haiku" {
			t.Errorf("chosen: %s", got)
		}
	})
}
