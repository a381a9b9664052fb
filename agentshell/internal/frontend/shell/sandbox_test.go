package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// fakeSandbox is a sandbox that notes what the person answers.
type fakeSandbox struct {
	decided bool
	asked   int
	answers []approval.Answer
	on      bool
}

func (f *fakeSandbox) On() bool { return f.on }

func (f *fakeSandbox) Offer(context.Context) (question, text string) {
	f.asked++
	if f.decided {
		return "", ""
	}
	return "Confine commands?", "writes   this workspace\n"
}

func (f *fakeSandbox) Answer(_ context.Context, a approval.Answer) (bool, string) {
	f.answers = append(f.answers, a)
	switch a.(type) {
	case approval.Yes, approval.Here:
		f.on = true
		return true, "They are confined."
	}
	return false, "They are not."
}

func (f *fakeSandbox) Command(_ context.Context, argument string) ([]string, error) {
	if argument == "x" {
		return nil, errors.New("there is no /sandbox x")
	}
	return []string{"The sandbox is " + argument + "."}, nil
}

// Before the first command the person is asked once about the sandbox. After a yes the command is
// prepared again; after a no it is asked.
func TestTheSandboxIsOfferedBeforeTheFirstCommand(t *testing.T) {
	for _, c := range []struct {
		key     string
		decided bool
		by      string
		want    approval.Answer // of the sandbox; nil: it is not offered
		again   bool            // the command is prepared again
	}{
		{key: "Y", want: approval.Yes{}, again: true},
		{key: "h", want: approval.Here{}, again: true},
		{key: "n", want: approval.No{}},
		{key: "escape", want: approval.No{}},
		{decided: true},
		{by: "Reviewer"},
	} {
		synctest.Test(t, func(t *testing.T) {
			box := &fakeSandbox{decided: c.decided}
			s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24},
				func(cfg *Config) { cfg.Approval.Sandbox = box })
			command := &approval.Proposal{ID: "c", Call: "t", Tool: "bash", By: c.by,
				Payload: approval.Command{Command: "make"}}
			got := make(chan approval.Answer, 2)
			ask := func() {
				a, _ := s.sh.Ask(t.Context(), command)
				got <- a
			}
			go ask()
			s.pass(3 * time.Second)
			if c.want != nil {
				s.holds("use sandbox", "Confine commands?", "writes   this workspace", "[h]ere  [Y] everywhere")
				s.holds("[n]ot now")
				s.Press("y") // meant for a command
				s.holds("y: h uses it here, Y in all")
				s.lacks("They are confined.")
				s.pass(3 * time.Second)
				s.Press(c.key)
				s.pass(3 * time.Second)
			}
			if c.again {
				if a := <-got; a != (approval.Stale{ID: "c"}) {
					t.Errorf("%q: the command is answered by %T", c.key, a)
				}
				go ask()
				s.pass(3 * time.Second)
			}
			s.holds("run", "make", "[y]es  [n]o")
			s.Press("n")
			s.pass(time.Second)
			if a := <-got; a != (approval.No{ID: "c"}) {
				t.Errorf("%q: the command is answered by %T", c.key, a)
			}
			want := ""
			if c.want != nil {
				want = kindsOf([]approval.Answer{c.want})
			}
			if kinds := kindsOf(box.answers); kinds != want || box.asked > 1 {
				t.Errorf("%q: asked %d times, answered %s, want %s", c.key, box.asked, kinds, want)
			}
			s.Press("ctrl+d")
			s.Wait()
		})
	}
}

// A key before the question was seen answers nothing, and /sandbox shows and switches.
func TestTheQuestionAboutTheSandboxIsArmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := &fakeSandbox{}
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) { cfg.Approval.Sandbox = box })
		go s.sh.Ask(t.Context(), &approval.Proposal{ID: "c", Tool: "bash", Payload: approval.Command{Command: "make"}})
		s.pass(500 * time.Millisecond)
		s.Press("h")
		s.pass(100 * time.Millisecond)
		s.holds("not yet: in sight for 0.4 s")
		if len(box.answers) > 0 {
			t.Errorf("answered %s", kindsOf(box.answers))
		}
		s.Press("n")
		s.pass(3 * time.Second)
		s.Press("n")
		s.pass(3 * time.Second)
		s.line("/sandbox on")
		s.line("/sandbox x")
		s.pass(time.Second)
		s.holds("The sandbox is on.", "There is no /sandbox x.")
		s.Press("ctrl+d")
		s.Wait()
	})
}

// kindsOf returns the kinds of answers.
func kindsOf(answers []approval.Answer) string {
	var kinds []string
	for _, a := range answers {
		kinds = append(kinds, strings.TrimPrefix(fmt.Sprintf("%T", a), "approval."))
	}
	return strings.Join(kinds, " ")
}
