package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// bench is a tool set that keeps a diary: look (read-only), change (asks, mutates a path), slow
// (read-only, waits), boom (panics).
type bench struct {
	mu      sync.Mutex
	diary   []string
	running int // changing calls at this moment
	version int // changes made; a title names the one a change was built on
}

func (b *bench) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.diary = append(b.diary, fmt.Sprintf(format, args...))
}

func (b *bench) Specs() []provider.Tool {
	return []provider.Tool{{Name: "look", ReadOnly: true}, {Name: "change"}, {Name: "slow"}, {Name: "boom"}}
}

func toolError(text string) error { return &tool.Error{Code: "not_found", Text: text} }

var serial int

func (b *bench) Prepare(ctx context.Context, name, id string, input json.RawMessage) (tool.Call, error) {
	var in struct{ Path, Fail string }
	if err := json.Unmarshal(input, &in); err != nil {
		return tool.Call{}, toolError("bad input")
	}
	if in.Fail == "prepare" {
		return tool.Call{}, toolError("no such thing")
	}
	call := tool.Call{Title: name + " " + in.Path, Path: in.Path}
	switch name {
	case "look":
		if in.Path == "c" { // a read that is asked for
			b.mu.Lock()
			serial++
			call.Proposal = &approval.Proposal{ID: fmt.Sprint("p", serial), Call: id, Tool: name, Path: in.Path}
			b.mu.Unlock()
		}
		call.Run = func(context.Context, func(string)) (tool.Result, error) {
			b.note("look %s", in.Path)
			return tool.Result{Text: "saw " + in.Path}, nil
		}
	case "slow":
		call.Run = func(ctx context.Context, progress func(string)) (tool.Result, error) {
			progress("started")
			<-ctx.Done()
			return tool.Result{Changed: []string{"made"}},
				&tool.Error{Code: "cancelled", Text: "half of the output", Err: ctx.Err()}
		}
	case "boom":
		call.Run = func(context.Context, func(string)) (tool.Result, error) { panic("ouch") }
	case "change":
		b.mu.Lock()
		version := b.version
		serial++
		p := &approval.Proposal{ID: fmt.Sprint("p", serial), Call: id, Tool: name,
			Before: []byte(fmt.Sprint("v", version)), Path: in.Path}
		b.mu.Unlock()
		return b.changeCall(call, p, in.Path), nil
	}
	return call, nil
}

func (b *bench) changeCall(call tool.Call, p *approval.Proposal, path string) tool.Call {
	call.Mutates, call.Proposal = true, p
	call.Revise = func(_ context.Context, after []byte) (tool.Call, error) {
		q := *p
		q.ID, q.After = p.ID+"r", after
		return b.changeCall(call, &q, path), nil
	}
	call.Run = func(context.Context, func(string)) (tool.Result, error) {
		b.mu.Lock()
		b.running++
		if b.running > 1 {
			b.diary = append(b.diary, "TWO CHANGES AT ONCE")
		}
		b.mu.Unlock()
		<-time.After(time.Millisecond) // the clock of the synctest bubble
		b.mu.Lock()
		b.running--
		b.version++
		b.mu.Unlock()
		b.note("change %s on %s to %s", path, p.Before, p.After)
		return tool.Result{Text: "changed " + path}, nil
	}
	return call
}

type approver func(ctx context.Context, p *approval.Proposal) (approval.Answer, error)

func (f approver) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	return f(ctx, p)
}

func yesOrNo(p *approval.Proposal, yes bool) approval.Answer {
	if yes {
		return approval.Yes{ID: p.ID}
	}
	return approval.No{ID: p.ID}
}

func yes(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	return approval.Yes{ID: p.ID}, nil
}

type policy func(approval.Subject) approval.Verdict

func (f policy) Decide(s approval.Subject) approval.Verdict { return f(s) }

func model(t *testing.T, lines ...string) *script.Model {
	t.Helper()
	m, err := script.Parse("test", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// call writes one tool call of a script line.
func call(id, name, path string) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"input":{"path":%q}}`, id, name, path)
}

func calls(list ...string) string {
	return `{"delay_ms":0,"tool_calls":[` + strings.Join(list, ",") + `]}`
}

// turn is one run of the loop that asks the model and runs its calls.
func turn(t *testing.T, a *agent.Agent, ctx context.Context, text string) []agent.Event {
	t.Helper()
	var events []agent.Event
	_ = a.RunText(ctx, text, func(e agent.Event) { events = append(events, e) })
	for i, e := range events {
		if _, end := e.(agent.TurnEnd); end != (i == len(events)-1) {
			t.Errorf("event %d of %d is %#v", i, len(events), e)
		}
	}
	var open []string
	for _, m := range a.Messages() {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.ToolCall:
				open = append(open, p.ID)
			case provider.ToolResult:
				if len(open) == 0 || open[0] != p.ID {
					t.Fatalf("result %q, open calls %q", p.ID, open)
				}
				open = open[1:]
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("calls without a result: %q", open)
	}
	return events
}

func end(events []agent.Event) agent.TurnEnd { e, _ := events[len(events)-1].(agent.TurnEnd); return e }

func ends(events []agent.Event) map[string]agent.ToolEnd {
	m := map[string]agent.ToolEnd{}
	for _, e := range events {
		if e, ok := e.(agent.ToolEnd); ok {
			m[e.ID] = e
		}
	}
	return m
}
