package shell

import (
	"strings"
	"testing"
	"time"
)

const slowLook = `{"say":"I look around, which takes a while.","delay_ms":300,"tool_calls":[` +
	`{"id":"a","name":"list_dir","input":{"path":"."}}]}`

// order reports where the texts stand on the tape, one behind the other.
func (s *session) order(texts ...string) {
	s.t.Helper()
	tape := s.tape()
	at := 0
	for _, text := range texts {
		i := strings.Index(tape[at:], text)
		if i < 0 {
			s.t.Fatalf("%q does not stand behind the others:\n%s", text, tape)
		}
		at += i + len(text)
	}
}

func TestAMessageSentWhileItWorksGoesInBeforeTheNextStep(t *testing.T) {
	play(t, []string{slowLook, `{"expect":["and the herons","and the weir"],"expect_not":"later","say":"Both."}`,
		`{"expect":"later","say":"Now that."}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		for _, text := range []string{"and the herons", "and the weir", "!echo mine", "later"} {
			s.Type(text)
			s.Press("enter")
		}
		s.holds("next: and the herons", "next: and the weir")
		s.pass(30 * time.Second)
		s.order("› go", "I look around", "list_dir", "› and the herons", "› and the weir", "Both.", "› !echo mine",
			"› later", "Now that.")
		s.lacks("next:")
	})
}

func TestUpTakesAQueuedMessageBack(t *testing.T) {
	play(t, []string{slowLook, `{"expect":"and the herons","expect_not":"and the weir","say":"Herons."}`},
		func(s *session) {
			s.Type("go")
			s.Press("enter")
			s.pass(time.Second)
			for _, text := range []string{"and the herons", "and the weir"} {
				s.Type(text)
				s.Press("enter")
			}
			s.Press("up")
			if got := s.sh.editor.Text(); got != "and the weir" {
				t.Errorf("the prompt holds %q", got)
			}
			s.Press("up") // a draft stays
			s.holds("next: and the herons")
			s.pass(30 * time.Second)
			s.order("list_dir", "› and the herons", "Herons.")
		})
}

func TestAStopGivesBackWhatHasNotGoneIn(t *testing.T) {
	play(t, []string{slowLook, `{"expect":"first","say":"I hang now.","hang":true}`}, func(s *session) {
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.Type("first")
		s.Press("enter")
		s.pass(30 * time.Second)
		s.holds("› first", "I hang now.")
		s.Type("second")
		s.Press("enter")
		s.Press("esc")
		s.pass(time.Second)
		if got := s.sh.editor.Text(); got != "second" {
			t.Errorf("the prompt holds %q", got)
		}
		s.order("› first", "I hang now.", "stopped")
	})
}

// Where no key arrives that stops a turn, a command does.
func TestACommandStopsTheTurn(t *testing.T) {
	play(t, []string{`{"say":"I hang now.","hang":true}`, `{"say":"Here again."}`}, func(s *session) {
		s.line("/stop")
		s.holds("No turn is running.")
		s.line("go")
		s.holds("I hang now.")
		s.line("second")
		s.line("/stop")
		if got := s.sh.editor.Text(); got != "second" {
			t.Errorf("the prompt holds %q", got)
		}
		s.order("› go", "I hang now.", "stopped")
		s.Press("enter")
		s.pass(time.Second)
		s.order("stopped", "› second", "Here again.")
	})
}
