package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// recorder is a model that keeps the conversations that it was asked with.
type recorder struct {
	provider.Model
	with [][]provider.Message
}

func (a *recorder) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	a.with = append(a.with, slices.Clone(req.Messages))
	return a.Model.Stream(ctx, req)
}

// kit returns the real tools, with those of a checkpoint.
func kit(t *testing.T) *tool.Registry {
	t.Helper()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return tool.Builtin(tool.Env{Workspace: ws, Checkpoints: true})
}

const (
	// plainTitle returns the title of a call that was not prepared: its name and its path, or its
	// input on one line.
	plainTitle = `{"id":"1","name":"checkpoint","input":{"goal":"find the leak"}}`
	rewind     = `{"id":"1","name":"rewind","input":{"report":"A stone is loose."}}`
	look       = `{"id":"1","name":"list_dir","input":{"path":"."}}`
	fine       = `{"say":"Done.","delay_ms":0}`
)

// again returns a call with another id.
func again(id, call string) string { return strings.Replace(call, `"id":"1"`, `"id":"`+id+`"`, 1) }

// types returns the events that are about more than one call.
func types(events []agent.Event) (list []string) {
	for _, e := range events {
		switch e := e.(type) {
		case agent.Reported:
			list = append(list, "reported")
		case agent.Notice:
			list = append(list, "notice "+e.Text)
		}
	}
	return list
}

func TestARewindLeavesTheReportAlone(t *testing.T) {
	m := &recorder{Model: model(t, calls(plainTitle), calls(look),
		`{"say":"I look on.","delay_ms":0,"tool_calls":[`+look+`]}`,
		calls(rewind), fine, `{"expect_not":"is empty","say":"Yes.","delay_ms":0}`)}
	var steered []agent.Message
	var kept, report []provider.Message
	var told string
	var added []provider.Message
	a := agent.New(agent.Config{Model: m, Tools: kit(t),
		Inbox: inbox{steering: func(context.Context) []agent.Message {
			if len(m.with) == 2 {
				return []agent.Message{{Text: "At the left bank."}}
			}
			return steered
		}},
		Observer: observer{
			added: func(m provider.Message) error { added = append(added, m); return nil },
			rolledBack: func(k, r []provider.Message, said string) error {
				kept, report, told = k, r, said
				return nil
			}}})
	events := turn(t, a, t.Context(), "Why does it leak?")
	if got := types(events); !slices.Equal(got, []string{"reported"}) || end(events).Reason != agent.Done {
		t.Errorf("%q, %+v", got, end(events))
	}
	got := ends(events)["1"]
	if got.Result.Detail != "A stone is loose." || got.Title != "rewind" {
		t.Errorf("the rewind ended with %+v", got)
	}
	// What was sent before the checkpoint is sent again as it was; behind its result stand the
	// person's words and the report, and nothing else.
	messages := a.Messages()
	before, after := m.with[1], m.with[4]
	if len(before) != 3 || !reflect.DeepEqual(after[:3], before) || len(after) != 5 ||
		!reflect.DeepEqual(messages[:5], after) {
		t.Fatalf("asked with %+v", after)
	}
	if told != "A stone is loose." {
		t.Errorf("the log was told %q", told)
	}
	words, from := after[3].MainText()
	text, origin := after[4].MainText()
	if words != "At the left bank." || from != provider.Typed || origin != provider.Report ||
		!strings.Contains(text, "## Your report\n> A stone is loose.\n") || strings.Contains(text, "empty") {
		t.Errorf("%q, %q %q", words, origin, text)
	}
	if !reflect.DeepEqual(kept, before) || !reflect.DeepEqual(report, after[3:]) {
		t.Errorf("the log was told %+v and %+v", kept, report)
	}
	// Each message joined the conversation before; the report did not join it as one more.
	if len(added) != 11 {
		t.Errorf("%d messages were added", len(added))
	}
	for _, e := range events {
		if r, ok := e.(agent.Reported); ok && (r.Messages != 6 || r.Text != text || r.After >= r.Before ||
			!strings.HasPrefix(r.Line(), "back at the checkpoint: 6 messages gave way to the report, ")) {
			t.Errorf("%+v, %s", r, r.Line())
		}
	}
	if _, _, active := a.Checkpoint(); active {
		t.Error("the checkpoint is active still")
	}
	turn(t, a, t.Context(), "Is it?")
	if n := len(m.with[5]); n != 7 {
		t.Errorf("the next turn was asked with %d messages", n)
	}
}

// One checkpoint at a time: the texts of the errors are held to the byte.
func TestACheckpointHasItsPlace(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]string // by the id of the call; "" ran
		sub   bool
	}{
		"a second one": {[]string{calls(plainTitle), calls(again("2", plainTitle)), calls(again("3", rewind)), fine},
			map[string]string{"1": "", "2": "Checkpoint already active.", "3": ""}, false},
		"a second one at once": {[]string{calls(plainTitle, again("2", plainTitle)), calls(again("3", rewind)), fine},
			map[string]string{"1": "", "2": "Checkpoint already active.", "3": ""}, false},
		"no checkpoint": {[]string{calls(rewind), fine}, map[string]string{"1": "No active checkpoint."}, false},
		"at once": {[]string{calls(plainTitle, again("2", rewind)), calls(again("3", rewind)), fine},
			map[string]string{"1": "", "2": "The checkpoint begins behind this message: investigate first, then call " +
				"rewind.", "3": ""}, false},
		"two rewinds": {[]string{calls(plainTitle), calls(again("2", rewind), again("3", rewind)), fine},
			map[string]string{"1": "", "2": "", "3": "Rewind already requested."}, false},
		"the next one with the rewind": {[]string{calls(plainTitle), calls(again("2", rewind), again("3", plainTitle)),
			fine},
			map[string]string{"1": "", "2": "", "3": "Checkpoint already active."}, false},
		"the next one": {[]string{calls(plainTitle), calls(again("2", rewind)), calls(again("3", plainTitle)),
			calls(again("4", rewind)), fine}, map[string]string{"1": "", "2": "", "3": "", "4": ""}, false},
		"a rewind again": {[]string{calls(plainTitle), calls(again("2", rewind)), calls(again("3", rewind)), fine},
			map[string]string{"1": "", "2": "", "3": "No active checkpoint."}, false},
		"no goal": {[]string{calls(strings.Replace(plainTitle, "find the leak", " ", 1)), fine},
			map[string]string{"1": "the goal is empty"}, false},
		"no report": {[]string{calls(plainTitle),
			calls(again("2", strings.Replace(rewind, "A stone is loose.", "\\n", 1))),
			calls(again("3", rewind)), fine}, map[string]string{"1": "", "2": "the report is empty", "3": ""}, false},
		"a sub-agent": {[]string{calls(plainTitle, again("2", rewind)), fine},
			map[string]string{"1": "Checkpoint not available in subagents.",
				"2": "Rewind not available in subagents."}, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := &recorder{Model: model(t, c.lines...)}
			a := agent.New(agent.Config{Model: m, Tools: kit(t), Sub: c.sub})
			events := turn(t, a, t.Context(), "go")
			got := ends(events)
			for id, want := range c.want {
				if e := got[id]; e.OK != (want == "") || !e.OK && e.Text != want {
					t.Errorf("call %s: %v %q, want %q", id, e.OK, e.Text, want)
				}
			}
			if len(got) != len(c.want) || end(events).Reason != agent.Done {
				t.Errorf("%d calls, %+v", len(got), end(events))
			}
			reports := strings.Count(strings.Join(types(events), " "), "reported")
			rewinds := 0
			for _, e := range got {
				if strings.HasPrefix(e.Text, "Rewind accepted.") {
					rewinds++
				}
			}
			if rewinds != reports {
				t.Errorf("%d rewinds and %d reports", rewinds, reports)
			}
		})
	}
}

// A model that ends its turn with an active checkpoint is reminded, three times at most; the
// result of its call says what to do.
func TestATurnDoesNotEndQuietlyWithAnActiveCheckpoint(t *testing.T) {
	const warning = "<system-warning>\nYou are in an active checkpoint. You MUST call rewind with your investigation " +
		"findings before yielding. Do NOT yield without completing the checkpoint.\n</system-warning>"
	made := `{"expect":"Checkpoint created.\nGoal: find the leak\nRun your investigation, then call rewind with a ` +
		`concise report.","say":"Done.","delay_ms":0}`
	warned := strings.Replace(`{"expect":"`+strings.ReplaceAll(warning, "\n", `\n`), "", "", 1) + `",`
	for name, c := range map[string]struct {
		lines  []string
		events string
	}{
		"it reports then": {[]string{calls(plainTitle), made, warned + calls(rewind)[1:], fine}, "(1 of 3). reported"},
		"it never does": {[]string{calls(plainTitle), made, warned + fine[1:], warned + fine[1:], warned + fine[1:]},
			"(1 of 3). (2 of 3). (3 of 3). stays in the conversation."},
		"no checkpoint": {[]string{fine}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := &recorder{Model: model(t, c.lines...)}
			a := agent.New(agent.Config{Model: m, Tools: kit(t)})
			events := turn(t, a, t.Context(), "go")
			var got []string
			for _, e := range types(events) {
				at := max(strings.Index(e, "("), strings.Index(e, "stays"), 0)
				got = append(got, e[at:])
			}
			if s := strings.Join(got, " "); s != c.events || end(events).Reason != agent.Done ||
				len(m.with) != len(c.lines) {
				t.Errorf("%q after %d requests, %+v; want %q", s, len(m.with), end(events), c.events)
			}
			for _, m := range a.Messages() {
				for _, p := range m.Parts {
					if text, ok := p.(provider.Text); ok && strings.Contains(text.Text, "system-warning") &&
						(text.Origin != provider.Warning || text.Text != warning) {
						t.Errorf("the model is told %+v", text)
					}
				}
			}
		})
	}
	// Where the model has no rewind any more, it is asked for none.
	a := agent.New(agent.Config{Model: model(t, fine), Messages: []provider.Message{
		{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "go"}}},
		{Role: provider.Assistant, Parts: []provider.Part{provider.ToolCall{ID: "1", Name: "checkpoint",
			Input: []byte(`{"goal":"g"}`)}}},
		{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: "1", Text: "Checkpoint created."}}},
	}})
	if events := turn(t, a, t.Context(), "on"); len(types(events)) != 0 {
		t.Errorf("%q", types(events))
	}
	if c, tokens, active := a.Checkpoint(); !active || c.Goal != "g" || tokens == 0 {
		t.Errorf("%+v, %d, %v", c, tokens, active)
	}
}

// A shell that was killed between the rewind and the report goes back when the next turn begins,
// and before a compaction. What the person did before that stays.
func TestARewindThatWasInterruptedIsMadeUpFor(t *testing.T) {
	first := &recorder{Model: model(t, calls(plainTitle), calls(rewind))}
	killed := errors.New("killed")
	a := agent.New(agent.Config{Model: first, Tools: kit(t),
		Observer: observer{rolledBack: func(_, _ []provider.Message, _ string) error { return killed }}})
	events := turn(t, a, t.Context(), "Why?")
	if e := end(events); e.Reason != agent.Failed || !errors.Is(e.Err, killed) || len(a.Messages()) != 5 {
		t.Fatalf("%+v, %d messages", e, len(a.Messages()))
	}
	for name, next := range map[string]func(a *agent.Agent) error{
		"a turn": func(a *agent.Agent) error { return a.RunText(t.Context(), "on", func(agent.Event) {}) },
		"a compaction": func(a *agent.Agent) error {
			return a.Compact(t.Context(), "", func(agent.Event) {})
		},
	} {
		m := &recorder{Model: model(t, fine)}
		b := agent.New(agent.Config{Model: m, Tools: kit(t), Messages: a.Messages()})
		if err := b.Tell(t.Context(), provider.Command, "I ran a command.", func(agent.Event) {}); err != nil {
			t.Fatal(err)
		}
		if err := next(b); err != nil {
			t.Fatal(err)
		}
		got := b.Messages()
		command, from := got[3].MainText()
		_, report := got[4].MainText()
		if command != "I ran a command." || from != provider.Command || report != provider.Report {
			t.Errorf("%s: %+v", name, got)
		}
		if name == "a turn" {
			if text, _ := m.with[0][5].MainText(); text != "on" || len(m.with[0]) != 6 {
				t.Errorf("asked with %+v", m.with[0])
			}
		}
	}
}

// A stop while the rewind's message runs does not keep the conversation from going back.
func TestAStopWithTheRewindStillGoesBack(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a := agent.New(agent.Config{Model: model(t, calls(plainTitle),
		calls(rewind, `{"id":"2","name":"write_file","input":`+
			`{"path":"a","content":"b"}}`)), Tools: kit(t),
		Approver: approver(func(context.Context, *approval.Proposal) (approval.Answer, error) {
			stop()
			return nil, nil
		})})
	events := turn(t, a, ctx, "go")
	messages := a.Messages()
	text, from := messages[len(messages)-1].MainText()
	if end(events).Reason != agent.Interrupted || from != provider.Report || len(messages) != 4 ||
		!strings.Contains(text, "- denied: write_file a\n") {
		t.Errorf("%+v, %q", end(events), text)
	}
}

// A secret is in no report, and in nothing that is told of it.
func TestAReportHoldsNoSecret(t *testing.T) {
	set := secret.New("sk-0123456789abcdef")
	leak := strings.Replace(rewind, "A stone", "sk-0123456789abcdef", 1)
	a := agent.New(agent.Config{Model: model(t, calls(plainTitle), calls(leak), fine), Tools: kit(t), Secrets: set})
	events := turn(t, a, t.Context(), "go")
	if s := fmt.Sprintf("%+v %+v", a.Messages(), events); strings.Contains(s, "sk-0123456789abcdef") ||
		!strings.Contains(s, "is loose.") {
		t.Errorf("%s", s)
	}
}

// A conversation whose checkpoint a compaction has taken goes back to what that has left.
func TestARewindBehindACompaction(t *testing.T) {
	long := strings.Repeat("water ", 3000)
	say := `{"say":"` + long + `","delay_ms":0,"chunk_runes":99999,"tool_calls":[` + look + `]}`
	m := &recorder{Model: model(t, calls(plainTitle), say, say,
		`{"say":"The summary.","delay_ms":0}`, calls(rewind), fine)}
	compacted := 0
	a := agent.New(agent.Config{Model: m, Tools: kit(t),
		Budget: agent.Budget{Window: func(string) window.Model {
			return window.Model{Window: 14_000, Output: 1000}
		}},
		Observer: observer{compacted: func([]provider.Message, string) error { compacted++; return nil }}})
	events := turn(t, a, t.Context(), "Why?")
	messages := a.Messages()
	if compacted == 0 || !slices.Equal(types(events), []string{"reported"}) || end(events).Reason != agent.Done {
		t.Fatalf("%d compactions, %q, %+v", compacted, types(events), end(events))
	}
	head, ok := messages[0].Parts[0].(provider.Compaction)
	if _, from := messages[1].MainText(); !ok || !strings.Contains(head.Text, "> find the leak") ||
		from != provider.Report || len(messages) != 3 {
		t.Errorf("%d messages, %.3000v", len(messages), messages)
	}
}
