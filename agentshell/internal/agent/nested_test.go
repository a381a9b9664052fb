package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// cellBench is an agent whose model runs cells of Python.
type cellBench struct {
	*testing.T
	dir   string
	asked []string // titles of proposals
	reply func(p *approval.Proposal) approval.Answer
	cfg   agent.Config
}

func newCellBench(t *testing.T, adjust func(*tool.Env)) *cellBench {
	t.Helper()
	need.Program(t, "python3")
	b := &cellBench{T: t, dir: t.TempDir(),
		reply: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	if err := os.WriteFile(filepath.Join(b.dir, "notes.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: b.dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	env := tool.Env{Workspace: ws, Commands: tool.Commands{Environ: os.Environ()}}
	if adjust != nil {
		adjust(&env)
	}
	cells := tool.NewCells(env, tool.CellsConfig{Languages: []eval.Language{eval.Python}, Width: 4})
	t.Cleanup(cells.Close)
	tools := tool.Builtin(env)
	if err := tools.Put(tool.CellsOwner, cells.Tools()); err != nil {
		t.Fatal(err)
	}
	b.cfg = agent.Config{Tools: tools, Approver: approver(func(_ context.Context,
		p *approval.Proposal) (approval.Answer,
		error) {
		b.asked = append(b.asked, p.Tool+" "+p.Path)
		return b.reply(p), nil
	})}
	return b
}

// run has the model run a cell, and returns its result. more are further answers of the model.
func (b *cellBench) run(code string, more ...string) (result agent.ToolEnd, events []agent.Event) {
	b.Helper()
	input, err := json.Marshal(map[string]any{"cells": []any{map[string]any{"language": "py", "code": code}}})
	if err != nil {
		b.Fatal(err)
	}
	line := `{"delay_ms":0,"tool_calls":[{"id":"c","name":"eval","input":` + string(input) + `}]}`
	b.cfg.Model = model(b.T, slices.Concat([]string{line}, more, []string{`{"say":"end","delay_ms":0}`})...)
	events = turn(b.T, agent.New(b.cfg), b.Context(), "x")
	if e := end(events); e.Reason != agent.Done {
		b.Errorf("%q: %+v", code, e)
	}
	return ends(events)["c"], events
}

func (b *cellBench) file(name string) string {
	data, _ := os.ReadFile(filepath.Join(b.dir, name))
	return string(data)
}

// A cell reads what the workspace lets it read. What it writes, and each tool that it calls, is
// asked for as a call of the model is.
func TestACellDoesNothingUnaskedThatAToolMayNot(t *testing.T) {
	b := newCellBench(t, nil)
	r, events := b.run("print(read('notes.txt', 2))\nprint(write('new.txt', 'x\\n'))\nprint(append('new.txt', " +
		"'y\\n'))\n" +
		"print(tool.list_dir(path='.'))\nprint(tree())")
	if !r.OK || !strings.HasPrefix(r.Text, "two\n") || !strings.Contains(r.Text, "new.txt") ||
		b.file("new.txt") != "x\ny\n" {
		t.Errorf("%+v, new.txt %q", r, b.file("new.txt"))
	}
	if want := []string{"eval ", "write_file workspace/new.txt",
		"write_file workspace/new.txt"}; !slices.Equal(b.asked, want) {
		t.Errorf("asked for %q, want %q", b.asked, want)
	}
	if e := ends(events); !e["c.1"].OK || e["c.1"].Name != "write_file" || !e["c.3"].OK ||
		e["c.3"].Name != "list_dir" {
		t.Errorf("its calls are not seen: %v", e)
	}
	b.reply = func(p *approval.Proposal) approval.Answer {
		if p.Tool == "eval" {
			return approval.Yes{ID: p.ID}
		}
		return approval.No{ID: p.ID, Reason: "not that"}
	}
	b.asked = nil
	r, _ = b.run("for _ in range(3):\n  try: write('new.txt', 'z')\n  except ToolError as e: " +
		"print(e)\ntool.bash(command='echo no')")
	if r.OK || strings.Count(r.Text, "not that") != 4 || b.file("new.txt") != "x\ny\n" || len(b.asked) != 3 {
		t.Errorf("denied: %+v, asked %q", r, b.asked)
	}
	b.cfg.Policy = policy(func(s approval.Subject) approval.Verdict {
		if s.Tool == "write_file" {
			return approval.Verdict{Action: approval.Deny, By: "rule", Reason: "denied by rule write_file"}
		}
		return approval.Verdict{Action: approval.Allow, By: "rule"}
	})
	b.asked = nil
	if r, _ = b.run("write('new.txt', 'z')"); r.OK || !strings.Contains(r.Text, "denied by rule write_file") ||
		b.asked != nil {
		t.Errorf("denied by a rule: %+v, asked %q", r, b.asked)
	}
	for _, name := range []string{"eval", "checkpoint", "rewind", "yield"} {
		if r, _ = b.run("getattr(tool, '" + name + "')()"); r.OK || !strings.Contains(r.Text,
			name+" cannot be called within a call") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r, _ = b.run("read('.')"); r.OK || !strings.Contains(r.Text, "ToolError") {
		t.Errorf("a directory is read: %+v", r)
	}
	if r, _ = b.run("tool.nothing()"); r.OK || !strings.Contains(r.Text, "there is no tool") {
		t.Errorf("%+v", r)
	}
}

// Rules about what may be read hold for read() of a cell.
func TestACellReadsByTheRulesOfReadFile(t *testing.T) {
	b := newCellBench(t, func(e *tool.Env) {
		e.MayRead = func(string) approval.Action { return approval.Deny }
	})
	for _, path := range []string{"notes.txt", "../x", "agent://A", "none.txt"} {
		if r, _ := b.run("read('" + path + "')"); r.OK || !strings.Contains(r.Text, "ToolError") ||
			strings.Contains(r.Text, "two") {
			t.Errorf("%s: %+v", path, r)
		}
	}
}

// A completion is one answer of the model beside the conversation: its cost counts, and secrets do
// not reach it.
func TestACellAsksTheModel(t *testing.T) {
	b := newCellBench(t, nil)
	b.cfg.Secrets = secret.New("hunter2hunter2")
	r, events := b.run("print(completion('say it, hunter2hunter2', system='be short'))",
		`{"say":"it","delay_ms":0,"usage":{"input":3,"output":4},"expect_not":["hunter2"]}`)
	if !r.OK || r.Text != "it\n" {
		t.Errorf("%+v", r)
	}
	if !slices.ContainsFunc(events, func(e agent.Event) bool {
		u, ok := e.(agent.Usage)
		return ok &&
			u.Input == 3
	}) {
		t.Errorf("its cost is not reported: %v", events)
	}
	r, _ = b.run("completion('give', schema={'type': 'object'})['n'] + 1",
		`{"delay_ms":0,"tool_calls":[{"id":"r","name":"respond","input":{"n":41}}]}`)
	if !r.OK || r.Text != "42\n" {
		t.Errorf("with a schema: %+v", r)
	}
	if r, _ = b.run("completion('x', schema={'type': 'object'})", `{"say":"no","delay_ms":0}`); r.OK ||
		!strings.Contains(r.Text, "gave no answer of that form") {
		t.Errorf("text in place of a form: %+v", r)
	}
	if r, _ = b.run("completion('x')", `{"delay_ms":0}`); r.OK || !strings.Contains(r.Text, "empty answer") {
		t.Errorf("an empty answer: %+v", r)
	}
	if r, _ = b.run("completion('x', model='slow')"); r.OK || !strings.Contains(r.Text,
		`there is no model "slow" here`) {
		t.Errorf("a tier that is not there: %+v", r)
	}
	b.cfg.Tier = func(tier string) (provider.Model, error) {
		return model(t, `{"say":"from `+tier+`","delay_ms":0}`),
			nil
	}
	if r, _ = b.run("print(completion('x', model='smol'))"); r.Text != "from smol\n" {
		t.Errorf("a tier: %+v", r)
	}
}

// A cell of the person runs without a question. What it calls is asked for, and the model is told
// of it only where the person wants that.
func TestACellOfThePersonRunsUnasked(t *testing.T) {
	b := newCellBench(t, nil)
	b.cfg.Model = model(t, `{"say":"end","delay_ms":0,"expect":["I ran this cell of Python myself","\n42\n"],`+
		`"expect_not":["hidden"]}`)
	a := agent.New(b.cfg)
	cell := func(code string, told bool) agent.ToolEnd {
		t.Helper()
		var events []agent.Event
		if err := a.Cell(t.Context(), code, told, func(e agent.Event) { events = append(events, e) }); err != nil {
			t.Fatal(err)
		}
		return ends(events)["own"]
	}
	if r := cell("x = 42\nprint(x)", true); !r.OK || r.Text != "42\n" || !r.UserCommand || len(b.asked) > 0 {
		t.Errorf("%+v, asked %q", r, b.asked)
	}
	if r := cell("print('hidden', x)", false); !r.OK || r.Text != "hidden 42\n" {
		t.Errorf("%+v", r)
	}
	if r := cell("write('mine.txt', 'x')", false); !r.OK || !slices.Equal(b.asked,
		[]string{"write_file workspace/mine.txt"}) {
		t.Errorf("%+v, asked %q", r, b.asked)
	}
	if e := end(turn(t, a, t.Context(), "go on")); e.Reason != agent.Done {
		t.Errorf("%+v", e)
	}
	if got := agent.AsTyped(a.Messages()[0].Parts[0].(provider.Text).Text,
		provider.Cell); got != "$x = 42\nprint(x)" {
		t.Errorf("it was typed as %q", got)
	}
}

// writer is a tool that makes a write itself while it runs.
type writer struct{ tools *tool.Registry }

func (w *writer) Spec() provider.Tool {
	return provider.Tool{Name: "writer", Schema: json.RawMessage(`{"type":"object"}`)}
}

func (w *writer) Traits() approval.Traits { return approval.Traits{} }

func (w *writer) Prepare(context.Context, string, json.RawMessage) (tool.Call, error) {
	return tool.Call{Title: "writer", Run: func(ctx context.Context, _ func(string)) (tool.Result, error) {
		return tool.CallerOf(ctx).MakeCall(ctx, "write_file", json.RawMessage(`{"path":"made.txt"}`),
			func(ctx context.Context, id string) (tool.Call, error) {
				return w.tools.Prepare(ctx, "write_file", id, json.RawMessage(`{"path":"made.txt","content":"x"}`))
			})
	}}, nil
}

// A call that a tool prepares itself is decided by rules and the person as one of the tool whose
// name
// it has, and an agent without that tool makes none.
func TestACallThatAToolPreparesIsDecidedAsOthersAre(t *testing.T) {
	for name, c := range map[string]struct {
		verdict approval.Verdict
		yes     bool
		without bool
		want    string
	}{
		"a yes": {yes: true, want: "Created workspace/made.txt"},
		"a no":  {want: "not that"},
		"a rule denies": {verdict: approval.Verdict{Action: approval.Deny, By: "rule", Reason: "denied by rule r"},
			yes: true, want: "denied by rule r"},
		"a rule allows": {verdict: approval.Verdict{Action: approval.Allow, By: "rule"},
			want: "Created workspace/made.txt"},
		"no such tool": {yes: true, without: true, want: "it needs the tool write_file, which you do not have"},
	} {
		dir := t.TempDir()
		ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir, Name: "workspace"}}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ws.Close() })
		all := tool.Builtin(tool.Env{Workspace: ws})
		tools := all
		if c.without {
			tools = all.Only("read_file")
		}
		if err := tools.Put("writer", []tool.Tool{&writer{all}}); err != nil {
			t.Fatal(err)
		}
		asked := 0
		a := agent.New(agent.Config{Tools: tools, Policy: policy(func(s approval.Subject) approval.Verdict {
			if s.Tool == "write_file" && s.Path == "made.txt" {
				return c.verdict
			}
			return approval.Verdict{Action: approval.Allow}
		}), Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			asked++
			if c.yes {
				return approval.Yes{ID: p.ID}, nil
			}
			return approval.No{ID: p.ID, Reason: "not that"}, nil
		}), Model: model(t, `{"delay_ms":0,"tool_calls":[{"id":"c","name":"writer","input":{}}]}`,
			`{"say":"end","delay_ms":0}`)})
		r := ends(turn(t, a, t.Context(), "x"))["c"]
		_, err = os.Stat(filepath.Join(dir, "made.txt"))
		if made := strings.HasPrefix(c.want, "Created"); !strings.Contains(r.Text, c.want) || made != (err == nil) ||
			asked != 0 && (c.verdict != approval.Verdict{} || c.without) {
			t.Errorf("%s: %+v, asked %d times, %v", name, r, asked, err)
		}
	}
}
