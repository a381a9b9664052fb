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
		s.holds("No model sonet is known here. Which one?", "sonnet", "as you have typed it")
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

// The server is asked about a name that is not known. What it says decides, and a server that says
// nothing prevents no choice.
func TestAnUnknownModelIsAskedFor(t *testing.T) {
	play(t, []string{`{"say":"` + strings.Repeat("words ", 200) + `","delay_ms":30}`}, func(s *session) {
		var chosen []string
		listed, failure := []string{"first:8b", "second:70b"}, error(nil)
		s.sh.cfg.Models.Set = func(name string) error { chosen = append(chosen, name); return nil }
		s.sh.cfg.Models.FetchNames = func(ctx context.Context) ([]string, error) {
			select {
			case <-time.After(time.Second):
				return listed, failure
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		name := func(name string) {
			t.Helper()
			s.Type("/model " + name)
			s.Press("enter")
			s.pass(500 * time.Millisecond)
			s.holds("asking the server for its models")
			s.pass(time.Second)
		}
		name("second:70b")
		s.holds("model: second:70b")
		s.sh.cfg.Models.Names = nil
		name("second") // a part of a name
		s.holds("The server does not list second. Which one?", "› second:70b", "as you have typed it")
		s.Press("enter")
		s.pass(time.Second)
		s.line("/model zzz") // nothing is like it: Esc keeps the model
		s.pass(2 * time.Second)
		s.holds("The server does not list zzz. Which one?", "› zzz")
		s.Press("esc")
		s.pass(time.Second)
		listed, failure = nil, errors.New("connection refused\nat length")
		name("other")
		s.holds("model: other", "! It is not known whether the server has this model: connection refused.")
		s.Type("/model slow")
		s.Press("enter")
		s.pass(300 * time.Millisecond)
		s.Type("a draft")
		s.Press("esc")
		s.pass(time.Second)
		s.holds("Stopped: the model stays other.", "› a draft")
		s.sh.app.Do(func() { s.sh.editor.SetText("") })
		s.Type("go")
		s.Press("enter")
		s.pass(100 * time.Millisecond)
		listed, failure = []string{"third", "fourth"}, nil
		for _, n := range []string{"third", "fourth"} { // beside the turn; the last word counts
			s.Type("/model " + n)
			s.Press("enter")
			s.pass(100 * time.Millisecond)
		}
		s.pass(2 * time.Second)
		s.holds("model: fourth, from the next step on")
		if got := strings.Join(chosen, " "); got != "second:70b second:70b other fourth" {
			t.Errorf("chosen: %s", got)
		}
	})
}
