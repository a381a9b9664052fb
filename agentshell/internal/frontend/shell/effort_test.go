package shell

import (
	"errors"
	"testing"
	"time"
)

// /effort and /thinking show and set how the model answers. A mistyped level offers the nearest.
func TestEffortAndThinkingAreSet(t *testing.T) {
	play(t, []string{`{"thinking":"I ponder.","say":"One.","delay_ms":0}`,
		`{"thinking":"I muse.","say":"Two.","delay_ms":0}`}, func(s *session) {
		s.line("/effort high")
		s.holds("The effort of this session's model is fixed.")
		var set []string
		refuses := false
		m := &s.sh.cfg.Models
		m.Efforts = []string{"low", "high"}
		m.SetEffort = func(level string) error {
			if refuses {
				return errors.New("no key")
			}
			set = append(set, level)
			return nil
		}
		m.SetThinking = func(on bool) error { return nil }
		s.line("/effort")
		s.holds("effort: the provider's default. /effort LEVEL sets it: low, high.")
		s.line("/effort hihg")
		s.holds("There is no effort hihg.", "Did you mean /effort high?")
		s.line("/effort high")
		s.line("/effort")
		s.holds("effort: high. The levels are low, high.")
		refuses = true
		s.line("/effort low")
		s.holds("The effort was not changed: no key")
		if len(set) != 1 || set[0] != "high" || m.Effort != "high" {
			t.Errorf("set %q, now %q", set, m.Effort)
		}
		s.line("one")
		s.lacks("I ponder.")
		s.line("/thinking perhaps")
		s.holds("There is no /thinking perhaps.")
		s.line("/thinking on")
		s.line("two")
		s.pass(time.Second)
		s.holds("thinking: on", "I muse.")
	})
}
