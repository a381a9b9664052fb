package agent_test

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// The model is told before its next request what language servers have found late: with the next
// message of the person, or between two steps. Alone that is no reason for a request.
func TestTheModelIsToldOfLateFindingsBeforeItsNextRequest(t *testing.T) {
	for name, c := range map[string]struct {
		at    int // the call that has them, from 1
		told  int
		lines []string
	}{
		"with a message":    {1, 1, []string{`{"expect":"a.go:1: error","say":"I know.","delay_ms":0}`}},
		"between two steps": {2, 1, []string{calls(look), `{"expect":"a.go:1: error","say":"I know.","delay_ms":0}`}},
		"at the end":        {2, 0, []string{`{"expect_not":"a.go:1","say":"Done.","delay_ms":0}`}},
	} {
		n := 0
		findings := func() []string {
			if n++; n == c.at {
				return []string{"a.go:1: error: x", "b.go:2: error: y"}
			}
			return nil
		}
		a := agent.New(agent.Config{Model: model(t, c.lines...), Tools: kit(t), Inbox: inbox{findings: findings}})
		events := turn(t, a, t.Context(), "go")
		if r := end(events).Reason; r != agent.Done {
			t.Errorf("%s: it ended by %s, %v", name, r, end(events).Err)
		}
		told := 0
		for _, m := range a.Messages() {
			if text, from := m.MainText(); from == provider.Findings {
				if told++; text != "a.go:1: error: x\nb.go:2: error: y" {
					t.Errorf("%s: it is told %q", name, text)
				}
			}
		}
		if told != c.told {
			t.Errorf("%s: it is told %d times, want %d", name, told, c.told)
		}
	}
}
