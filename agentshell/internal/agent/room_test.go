package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// shelf is a tool that gives texts which no small window has room for.
type shelf struct {
	bytes int
}

func (s *shelf) Specs() []provider.Tool { return []provider.Tool{{Name: "take", ReadOnly: true}} }

func (s *shelf) Prepare(_ context.Context, _, _ string, input json.RawMessage) (tool.Call, error) {
	var in struct{ Path string }
	if err := json.Unmarshal(input, &in); err != nil {
		return tool.Call{}, err
	}
	return tool.Call{Title: "take " + in.Path, Run: func(context.Context, func(string)) (tool.Result, error) {
		return tool.Result{Text: strings.Repeat(in.Path+" is a long text\n", s.bytes/(len(in.Path)+16))}, nil
	}}, nil
}

// taker is a model that takes a text in each step, several at once if each is more than 1, and
// stops behind the last step.
type taker struct {
	path                      func(step int) string
	last, each                int
	steps, summaries, largest int
	cut                       int // results that a compaction has cut before they were seen
}

func (m *taker) Name() string { return "taker" }

func (m *taker) Stream(_ context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		if strings.HasPrefix(req.System, "You write the summary") {
			m.summaries++
			yield(provider.TextDelta{Text: "It takes texts."}, nil)
			yield(provider.End{Stop: "end"}, nil)
			return
		}
		m.steps++
		m.largest = max(m.largest, window.MessagesTokens(req.Messages))
		for _, p := range req.Messages[len(req.Messages)-1].Parts {
			if r, ok := p.(provider.ToolResult); ok && strings.Contains(r.Text, "to make room") {
				m.cut++
			}
		}
		message := provider.Message{Role: provider.Assistant}
		if m.steps > m.last {
			message.Parts = append(message.Parts, provider.Text{Text: "Done."})
			yield(provider.End{Stop: "end", Message: message}, nil)
			return
		}
		for i := range max(m.each, 1) {
			message.Parts = append(message.Parts, provider.ToolCall{ID: fmt.Sprint("c", m.steps, "-", i), Name: "take",
				Input: json.RawMessage(fmt.Sprintf(`{"path":%q}`, m.path(m.steps*max(m.each, 1)+i)))})
		}
		yield(provider.End{Stop: "tool", Message: message}, nil)
	}
}

func windowOf(tokens int) func(string) window.Model {
	return func(string) window.Model { return window.Model{Window: tokens} }
}

// A result that the window has no room for is cut before it goes into the conversation, and never
// by the compaction that it causes: the model gets what it asked for, and does not ask again.
func TestResultsFitTheWindowWhateverAToolGives(t *testing.T) {
	for _, c := range []struct{ window, bytes, each int }{
		{4000, 50_000, 1}, {12_000, 50_000, 1}, {12_000, 50_000, 8}, {32_000, 100_000, 3}, {200_000, 300_000, 6},
		{12_000, 300, 4},
	} {
		m := &taker{path: func(n int) string { return fmt.Sprint("text-", n) }, last: 20, each: c.each}
		overflow := 0
		a := agent.New(agent.Config{Model: m, Tools: &shelf{bytes: c.bytes}, Budget: agent.Budget{
			Window:   windowOf(c.window),
			Overflow: func(string) string { overflow++; return "artifact://output-1" }}})
		e := end(turn(t, a, t.Context(), "go"))
		if e.Reason != agent.Done || m.largest > c.window || m.cut > 0 || (overflow > 0) != (c.bytes > 300) ||
			float64(m.steps+m.summaries) > 1.3*float64(m.steps) {
			t.Errorf("%+v: %+v, %d steps, %d summaries, at most %d tokens, %d results cut by a compaction, %d kept", c,
				e, m.steps, m.summaries, m.largest, m.cut, overflow)
		}
	}
}

// A turn that only reads again what was compacted ends with a sentence. One that gets on does not,
// however often it is compacted.
func TestThreeCompactionsWithoutProgressEndTheTurn(t *testing.T) {
	for name, c := range map[string]struct {
		path  func(step int) string
		stuck bool
	}{
		"the same again":   {func(int) string { return "a" }, true},
		"in turn":          {func(n int) string { return []string{"a", "b", "c"}[n%3] }, true},
		"something new":    {func(n int) string { return fmt.Sprint("text-", n) }, false},
		"now and then new": {func(n int) string { return fmt.Sprint("text-", n/6*6*min(n%6, 1)) }, false},
	} {
		m := &taker{path: c.path, last: 100}
		a := agent.New(agent.Config{Model: m, Tools: &shelf{bytes: 20_000},
			Budget: agent.Budget{Window: windowOf(4000)}})
		e := end(turn(t, a, t.Context(), "go"))
		if c.stuck {
			if e.Reason != agent.Failed || e.Err == nil || m.steps > 30 ||
				!strings.Contains(e.Err.Error(), "compacted three times in a row") {
				t.Errorf("%s: %+v after %d steps", name, e, m.steps)
			}
		} else if e.Reason != agent.Done || m.summaries == 0 {
			t.Errorf("%s: %+v after %d steps and %d summaries", name, e, m.steps, m.summaries)
		}
	}
}
