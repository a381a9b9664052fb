package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// listener keeps the requests that a model gets.
type listener struct {
	provider.Model
	heard []provider.Request
}

func (l *listener) Stream(ctx context.Context, r provider.Request) iter.Seq2[provider.Event, error] {
	l.heard = append(l.heard, r)
	return l.Model.Stream(ctx, r)
}

// The model is told of plan mode with the person's messages: what was sent once is sent again to
// the byte, whatever the mode becomes, and so are the tools and the system prompt.
func TestAChangeOfModeKeepsWhatWasSent(t *testing.T) {
	lines := make([]string, 60)
	for i := range lines {
		lines[i] = `{"say":"Yes.","delay_ms":0}`
	}
	l := &listener{Model: model(t, lines...)}
	now := approval.ModeAsk
	a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes), System: "be kind", Model: l,
		Modes: mode(func() string { return now })})
	modes := []string{approval.ModeAsk, approval.ModePlan, approval.ModePlan, approval.ModeEdits, approval.ModeAsk}
	for i := range 50 {
		now = modes[i%len(modes)]
		turn(t, a, t.Context(), "go on")
	}
	var before []byte
	for i, r := range l.heard {
		fixed, err := json.Marshal([]any{r.System, r.Tools})
		if err != nil {
			t.Fatal(err)
		}
		now, err := json.Marshal(r.Messages)
		if err != nil {
			t.Fatal(err)
		}
		first, _ := json.Marshal([]any{l.heard[0].System, l.heard[0].Tools})
		if !bytes.Equal(fixed, first) || !bytes.HasPrefix(now, bytes.TrimSuffix(before, []byte("]"))) {
			t.Fatalf("request %d is not what was sent before, and more", i)
		}
		before = now
		last := r.Messages[len(r.Messages)-1]
		text := heard(last)
		on, off := strings.Contains(text, "Plan mode is on."), strings.Contains(text, "Plan mode is off.")
		switch m := modes[i%len(modes)]; {
		case on != (m == approval.ModePlan):
			t.Errorf("request %d in mode %s: %s", i, m, text)
		case off != (m == approval.ModeEdits): // the one behind plan mode, and no other
			t.Errorf("request %d in mode %s: %s", i, m, text)
		}
		if said, from := last.MainText(); said != "go on" || from != provider.Typed {
			t.Errorf("typed was %q, %q", said, from)
		}
	}
}

// heard returns all text of m as a model gets it.
func heard(m provider.Message) (text string) {
	for _, p := range m.Parts {
		if p, ok := p.(provider.Text); ok {
			text += p.Text + "\n"
		}
	}
	return text
}

// Where nobody can be asked, the plan is the answer.
func TestWithoutAPersonThePlanIsTheAnswer(t *testing.T) {
	l := &listener{Model: model(t, `{"say":"Yes.","delay_ms":0}`)}
	a := agent.New(agent.Config{Model: l, Modes: mode(func() string { return approval.ModePlan })})
	turn(t, a, t.Context(), "go on")
	if text := heard(l.heard[0].Messages[0]); !strings.Contains(text, "as your answer") ||
		strings.Contains(text, "propose_plan") {
		t.Error(text)
	}
}
