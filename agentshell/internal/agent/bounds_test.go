package agent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

// bounded returns a script under bounds.
func bounded(t *testing.T, b provider.Bounds, lines ...string) *script.Model {
	t.Helper()
	m, err := script.Parse("test", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	m.Bounds = b
	return m
}

func TestAnAnswerThatIsCutOffEndsTheTurnAndLeavesAConversationThatGoesOn(t *testing.T) {
	long := strings.Repeat("x", 200)
	for what, line := range map[string]string{
		"its text is longer than 100 bytes": `{"say":"I begin. ` + long +
			`","chunk_runes":9,"delay_ms":0}`,
		"the arguments of a call are longer than 100 bytes": `{"say":"I begin. ` +
			`","chunk_runes":9,"delay_ms":0,"tool_calls":[` + call("t1", "look", long) + `]}`,
		"it makes more than 1 calls": `{"say":"I begin. ","chunk_runes":9,"delay_ms":0,"tool_calls":[` +
			call("t1", "look", "a") + `,` + call("t2", "look", "b") + `]}`,
	} {
		b := &bench{}
		a := agent.New(agent.Config{Tools: b,
			Model: bounded(t, provider.Bounds{Text: 100, Arguments: 100, Calls: 1}, line, `{"say":"Well."}`)})
		e := end(turn(t, a, t.Context(), "go"))
		var excess *provider.Excess
		if e.Reason != agent.Failed || !errors.As(e.Err, &excess) || excess.What != what {
			t.Errorf("%s: %+v", what, e)
		}
		if e := end(turn(t, a, t.Context(), "go on")); e.Reason != agent.Done { // without a further attempt before
			t.Errorf("%s, then: %+v", what, e)
		}
		messages := a.Messages()
		if len(messages) != 4 || messages[1].Role != provider.Assistant || len(messages[1].Parts) != 1 {
			t.Fatalf("%s: %+v", what, messages)
		}
		if said, _ := messages[1].Parts[0].(provider.Text); !strings.HasPrefix(said.Text, "I begin. ") ||
			len(said.Text) > 100 {
			t.Errorf("%s: the conversation says %q", what, said.Text)
		}
	}
}

func TestAConversationThatIsTooLongIsNotSent(t *testing.T) {
	a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes),
		Budget: agent.Budget{Bounds: provider.Bounds{Conversation: 100}},
		Model:  model(t, calls(call("t1", "look", strings.Repeat("x", 100))), `{"say":"never"}`)})
	e := end(turn(t, a, t.Context(), "go"))
	if e.Reason != agent.Failed || e.Err == nil ||
		e.Err.Error() != "the conversation is longer than 100 bytes; /clear starts over" {
		t.Errorf("%+v", e)
	}
	if err := a.Clear(); err != nil {
		t.Fatal(err)
	}
	if e := end(turn(t, a, t.Context(), "go")); e.Reason != agent.Done {
		t.Errorf("%+v", e)
	}
}
