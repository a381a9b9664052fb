package agent_test

import (
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// A model that is chosen while a turn runs answers from the next step of that turn on.
func TestAModelChosenDuringATurnAnswersTheNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := model(t, `{"say":"from the other","delay_ms":0}`, `{"say":"and the next turn","delay_ms":0}`)
		a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes),
			Model: model(t, `{"delay_ms":0,"tool_calls":[`+call("t1", "look", "a")+`]}`,
				`{"say":"from the first","delay_ms":0}`)})
		var events []agent.Event
		err := a.RunText(t.Context(), "x", func(e agent.Event) {
			events = append(events, e)
			if _, ended := e.(agent.ToolEnd); ended {
				a.SetModel(renamed{other})
			}
		})
		if got := answerOf(events); err != nil || got != "from the other" {
			t.Errorf("the step after the change says %q, %v", got, err)
		}
		if got := answerOf(turn(t, a, t.Context(), "y")); got != "and the next turn" {
			t.Errorf("the next turn says %q", got)
		}
	})
}
