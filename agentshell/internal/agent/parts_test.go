package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// divided returns a workspace with files of one line, and a call of edit that changes that line of
// each.
func divided(t *testing.T, names ...string) (dir string, tools *tool.Registry, made string) {
	t.Helper()
	dir = t.TempDir()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	tags := new(snapshot.Store)
	patch := ""
	for _, name := range names {
		old := "old " + name + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := ws.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		patch += "¶" + name + "#" + tags.Mint(p.String(), old) + "\nreplace 1..1:\n+new " + name + "\n"
	}
	input, err := json.Marshal(map[string]string{"input": patch})
	if err != nil {
		t.Fatal(err)
	}
	return dir, tool.Builtin(tool.Env{Workspace: ws, Tags: tags}),
		calls(`{"id":"1","name":"edit","input":` + string(input) + `}`)
}

// result returns what the model got for call id.
func result(a *agent.Agent, id string) (r provider.ToolResult) {
	for _, m := range a.Messages() {
		for _, p := range m.Parts {
			if got, ok := p.(provider.ToolResult); ok && got.ID == id {
				r = got
			}
		}
	}
	return r
}

// What a call changes in several files is one deck. Each is made or not by itself, and the model is
// told of each.
func TestTheFilesOfACallAreAskedTogetherAndAnsweredOneByOne(t *testing.T) {
	dir, tools, made := divided(t, "a", "b", "c", "d", "e")
	d := &desk{}
	d.all = func(_ context.Context, ps []*approval.Proposal,
		answered func(i int, a approval.Answer) *approval.Proposal) error {
		answered(2, approval.Yes{ID: ps[2].ID})
		answered(1, approval.No{ID: ps[1].ID, Reason: "leave it"})
		answered(0, approval.Yes{ID: ps[0].ID})
		return nil
	}
	allow, err := approval.ParseRule(approval.Allow, "edit_file(b)")
	if err != nil {
		t.Fatal(err)
	}
	deny, err := approval.ParseRule(approval.Deny, "edit(d)")
	if err != nil {
		t.Fatal(err)
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Rules: []approval.Entry{{Rule: allow, Origin: "config"},
		{Rule: deny, Origin: "config"}}})
	if err != nil {
		t.Fatal(err)
	}
	a := agent.New(agent.Config{Tools: tools, Approver: d, Policy: policy, Model: model(t, made, `{}`)})
	got := ends(turn(t, a, t.Context(), "x"))
	if len(d.groups) != 1 || strings.Join(d.groups[0], " ") != "workspace/a workspace/c workspace/e" {
		t.Errorf("asked %q", d.groups)
	}
	for name, want := range map[string]string{"a": "new", "b": "new", "c": "old", "d": "old", "e": "new"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want+" "+name+"\n" {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
	}
	if !got["1"].OK || !got["1.2"].OK || got["1.3"].Kind != agent.KindDenied || got["1.4"].Kind != agent.KindDenied ||
		!got["1.5"].OK {
		t.Errorf("ended %+v", got)
	}
	r := result(a, "1")
	for _, want := range []string{"¶a#", "+1:new a", "¶b#", "c: ", "leave it", "d: ", "denied by rule edit(d)", "¶e#",
		"3 of 5 files were changed."} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("the model is told\n%s\nwithout %q", r.Text, want)
		}
	}
	if r.IsError || strings.Contains(r.Text, "¶c#") {
		t.Errorf("the model is told %v\n%s", r.IsError, r.Text)
	}
}

func TestWithoutADeskTheFilesOfACallAreAskedOneAfterTheOther(t *testing.T) {
	dir, tools, made := divided(t, "a", "b")
	n := 0
	ask := approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
		if n++; n == 1 {
			return approval.No{ID: p.ID}, nil
		}
		return approval.Yes{ID: p.ID}, nil
	})
	a := agent.New(agent.Config{Tools: tools, Approver: ask, Model: model(t, made, `{}`)})
	turn(t, a, t.Context(), "x")
	for name, want := range map[string]string{"a": "old a\n", "b": "new b\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
	}
	// With nobody to ask nothing is written, and the call has failed.
	dir, tools, made = divided(t, "a", "b")
	a = agent.New(agent.Config{Tools: tools, Model: model(t, made, `{}`)})
	turn(t, a, t.Context(), "x")
	if b, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(b) != "old a\n" || !result(a, "1").IsError {
		t.Errorf("a holds %q, %v; the model is told %+v", b, err, result(a, "1"))
	}
}

// A hook is asked of each file, by its path.
func TestAHookForbidsOneFileOfACall(t *testing.T) {
	dir, tools, made := divided(t, "a", "b")
	hooks := &asked{f: func(q hook.Question) hook.Answer {
		return hook.Answer{Denied: q.On == hook.Before && q.Path == "b", Reason: "not b"}
	}}
	a := agent.New(agent.Config{Tools: tools, Approver: &desk{all: inOrder}, Hooks: hooks, Model: model(t, made, `{}`)})
	turn(t, a, t.Context(), "x")
	for name, want := range map[string]string{"a": "new a\n", "b": "old b\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
	}
}
