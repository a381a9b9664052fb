package agent_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Where a model cannot be reached after all attempts, the fallback answers for the rest of the
// turn, once, and the person is told; the next turn asks the chosen one again.
func TestTheFallbackAnswersForTheRestOfATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := `{"error":{"status":529,"message":"Overloaded"}}`
		other := model(t, `{"delay_ms":0,"tool_calls":[`+call("t1", "look", "a")+`]}`,
			`{"say":"from the other","delay_ms":0}`)
		asked := 0
		a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes),
			Model: model(t, down, down, `{"say":"back again","delay_ms":0}`),
			Retries: agent.Retries{Attempts: 2, Fallback: func() (provider.Model, error) {
				asked++
				return renamed{other}, nil
			}}})
		events := turn(t, a, t.Context(), "x")
		if end := events[len(events)-1].(agent.TurnEnd); end.Reason != agent.Done {
			t.Errorf("%+v", end)
		}
		if got := notices(events); asked != 1 || len(got) != 1 || !strings.Contains(got[0], "cannot be reached") ||
			!strings.Contains(got[0], "the other one answers for the rest of this turn") {
			t.Errorf("asked %d times, %q", asked, got)
		}
		if got := answerOf(turn(t, a, t.Context(), "y")); got != "back again" {
			t.Errorf("the next turn says %q", got)
		}
	})
}

// A fallback that fails, too, ends the turn with its own error; one that is not there with that of
// the model.
func TestAFallbackThatFailsEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := func(message string) string { return `{"error":{"status":529,"message":"` + message + `"}}` }
		for _, c := range []struct {
			fallback func() (provider.Model, error)
			want     string
		}{
			{func() (provider.Model, error) { return renamed{model(t, down("second"), down("second"))}, nil },
				"second"},
			{func() (provider.Model, error) { return nil, errors.New("no such model") }, "first"},
			{nil, "first"},
		} {
			a := agent.New(agent.Config{Retries: agent.Retries{Attempts: 2, Fallback: c.fallback},
				Model: model(t, down("first"), down("first"))})
			events := []agent.Event{}
			err := a.RunText(t.Context(), "x", func(e agent.Event) { events = append(events, e) })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		}
	})
}

// An error that does not pass is told at once: another model would hide what is wrong.
func TestAnErrorThatDoesNotPassHasNoFallback(t *testing.T) {
	a := agent.New(agent.Config{Model: model(t, `{"error":{"status":401,"message":"a bad key"}}`),
		Retries: agent.Retries{Fallback: func() (provider.Model, error) {
			t.Error("the fallback was asked for")
			return nil, errors.New("no")
		}}})
	if err := a.RunText(t.Context(), "x", func(agent.Event) {}); err == nil {
		t.Error("no error")
	}
}

// An answer without a word is no answer, and the person is told that it is none of ours.
func TestAnEmptyAnswerIsTold(t *testing.T) {
	a := agent.New(agent.Config{Model: model(t, `{"delay_ms":0}`, `{"thinking":"hm","delay_ms":0}`,
		`{"say":"x","delay_ms":0}`)})
	for _, want := range []int{1, 1, 0} {
		events := turn(t, a, t.Context(), "x")
		if got := notices(events); len(got) != want {
			t.Errorf("%q", got)
		}
		if end := events[len(events)-1].(agent.TurnEnd); end.Reason != agent.Done {
			t.Errorf("%+v", end)
		}
	}
}

// telling tells something of the service before each answer.
type telling struct{ provider.Model }

func (m telling) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		if yield(provider.Notice{Text: "it has changed"}, nil) {
			m.Model.Stream(ctx, req)(yield)
		}
	}
}

func TestWhatAServiceTellsThePersonIsANotice(t *testing.T) {
	a := agent.New(agent.Config{Model: telling{model(t, `{"say":"x","delay_ms":0}`)}})
	events := turn(t, a, t.Context(), "x")
	if got := notices(events); len(got) != 1 || got[0] != "it has changed" || answerOf(events) != "x" {
		t.Errorf("%q, %q", got, answerOf(events))
	}
}

type renamed struct{ provider.Model }

func (renamed) Name() string { return "the other one" }

func notices(events []agent.Event) (list []string) {
	for _, e := range events {
		if n, ok := e.(agent.Notice); ok {
			list = append(list, n.Text)
		}
	}
	return list
}

func answerOf(events []agent.Event) (text string) {
	for _, e := range events {
		if t, ok := e.(agent.Text); ok {
			text += t.Delta
		}
	}
	return text
}
