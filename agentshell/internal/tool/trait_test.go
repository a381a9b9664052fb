package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/websearch"
)

// unaskedReaders are tools that do not look at the rules about read_file by themselves: the call of
// one is decided by them, and the others show names only.
var unaskedReaders = []string{"read_file", "list_dir", "find"}

// outcome returns the text of a call, or its error.
func (b *bench) outcome(name string, input args) string {
	b.t.Helper()
	call, err := b.prepare(name, input)
	if err != nil {
		return err.Error()
	}
	r, err := call.Run(b.t.Context(), func(string) {})
	return fmt.Sprint(r.Text, err)
}

// Each built-in tool says what rules and front ends have to know of it, and says it rightly as far
// as its own calls tell.
func TestEachToolSaysWhatItIs(t *testing.T) {
	b := newBench(t, map[string]string{"f": "one\n", "g": "two\n"})
	b.sight(&eye{}, nil)
	traits := Traits()
	if len(traits) < 14 {
		t.Errorf("only %d tools: %v", len(traits), traits)
	}
	for name, is := range traits {
		if is.Subject == 0 || is.Kind == 0 {
			t.Errorf("%s does not say what it is: %+v", name, is)
		}
		if is.Kind == approval.KindEdits && is.Shows {
			t.Errorf("%s: a rule about edits says nothing of what may be read", name)
		}
	}
	samples := map[string]args{
		"read_file": {"path": "f"}, "list_dir": {"path": "."}, "find": {"paths": []string{"*"}},
		"search":     {"pattern": "one"},
		"write_file": {"path": "f", "content": "x"}, "edit_file": {"path": "f", "old_string": "one", "new_string": "x"},
		"diff": {"path_a": "f", "path_b": "g"}, "bash": {"command": "true"},
		"inspect_image": {"path": "f", "question": "what?"},
	}
	for name, is := range traits {
		// edit takes the place of edit_file, and is about the same files.
		_, ok := samples[name]
		if !ok && is.Subject > approval.NoSubject && is.Subject < approval.NameSubject && name != "edit" {
			t.Errorf("%s is about files or a line: add a call of it, so that what it says can be compared", name)
		}
	}
	ruled := newBench(t, map[string]string{"f": "one\n", "g": "two\n"})
	ruled.env.MayRead = func(string) approval.Action { return approval.Deny }
	ruled.sight(&eye{}, nil)
	for name, input := range samples {
		call := b.must(name, input)
		got := approval.NoSubject
		switch {
		case call.Path != "":
			got = approval.PathSubject
		case call.Command != "":
			got = approval.LineSubject
		}
		if traits[name].Subject != got {
			t.Errorf("%s says %d, its calls are about %d", name, traits[name].Subject, got)
		}
		if shows := got == approval.PathSubject && !call.Mutates; traits[name].Shows != shows {
			t.Errorf("%s: shows %v, and a call of it %v", name, traits[name].Shows, shows)
		}
		if !traits[name].Shows || slices.Contains(unaskedReaders, name) {
			continue
		}
		if free, denied := b.outcome(name, input), ruled.outcome(name, input); free == denied {
			t.Errorf("%s shows what a rule about read_file denies: call Env.readable: %s", name, denied)
		}
	}
}

// Each tool stands among the traits by the name that its Spec gives.
func TestTheTraitsHaveTheNamesOfTheTools(t *testing.T) {
	all := builtin(Env{Commands: Commands{Jobs: new(job.Manager)}, Modes: new(approval.Policy), Checkpoints: true,
		Todo:   new(todo.Board),
		Memory: new(Memory), Questions: new(Questions), WebSearch: new(websearch.Searcher)})
	all = append(all, &edit{}, &searchTools{&Registry{}}, &task{}, &irc{}, &Yield{}, &lspTool{}, &inspectImage{},
		&debugTool{}, &evalTool{}, &sshTool{}, &githubTool{}, &browserTool{})
	want := approval.Tools{}
	for _, tool := range all {
		want[tool.Spec().Name] = tool.Traits()
	}
	if got := Traits(); !maps.Equal(got, want) {
		t.Errorf("the traits are\n%+v\nand the tools say\n%+v", got, want)
	}
}

// A conversation that is resumed asks for each of its calls. A caller that changes what it got
// changes nothing for others.
func TestTraitsAreMadeOnce(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { Quiet("read_file") }); n > 0 {
		t.Errorf("Quiet makes %v objects", n)
	}
	Traits()["read_file"] = approval.Traits{}
	if !Quiet("read_file") || Traits()["read_file"].Kind != approval.KindReads {
		t.Error("a caller has changed the traits of all")
	}
}

// countLines is a tool as somebody adds one by CONTRIBUTING.
type countLines struct{ env Env }

func (countLines) Spec() provider.Tool {
	return provider.Tool{Name: "count_lines", ReadOnly: true, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (countLines) Traits() approval.Traits {
	return approval.Traits{Subject: approval.PathSubject, Kind: approval.KindReads, Shows: true}
}

func (c countLines) Prepare(context.Context, string, json.RawMessage) (Call, error) {
	return Call{Title: "count_lines", Path: "secret/x"}, nil
}

// A rule about a tool that was added holds for commands that read, too, and one about a tool that
// there is not is an error.
func TestARuleAboutANewToolHoldsForCommands(t *testing.T) {
	b := newBench(t, map[string]string{"secret/x": "one\n"})
	tools := Traits()
	decide := func(verb approval.Action, text, command string) approval.Verdict {
		t.Helper()
		rule, err := approval.ParseRule(verb, text)
		if err == nil {
			err = tools.Check(rule)
		}
		if err != nil {
			t.Fatal(err)
		}
		policy, err := approval.NewPolicy(approval.PolicyConfig{Tools: tools,
			Rules: []approval.Entry{{Rule: rule, Origin: "flag"}}})
		if err != nil {
			t.Fatal(err)
		}
		return policy.Decide(b.must("bash", args{"command": command}).Subject("bash"))
	}
	rule, err := approval.ParseRule(approval.Deny, "count_lines(secret/**)")
	if err != nil || tools.Check(rule) == nil {
		t.Fatalf("a rule about no tool is one: %v", err)
	}
	tools["count_lines"] = countLines{}.Traits()
	if v := decide(approval.Deny, "count_lines(secret/**)", "wc -l secret/x"); v.Action != approval.Ask {
		t.Errorf("wc -l of what count_lines may not show: %+v", v)
	}
	// These say nothing of what may be read.
	for _, text := range []string{"write_file(secret/**)", "bash(rm *)", "todo"} {
		if v := decide(approval.Deny, text, "wc -l secret/x"); v.Action != approval.Allow {
			t.Errorf("deny %s: %+v", text, v)
		}
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Tools: tools,
		Rules: []approval.Entry{{Rule: rule, Origin: "flag"}}})
	if err != nil {
		t.Fatal(err)
	}
	call, err := countLines{b.env}.Prepare(t.Context(), "", nil)
	if v := policy.Decide(call.Subject("count_lines")); err != nil || v.Action != approval.Deny {
		t.Errorf("the tool itself: %+v, %v", v, err)
	}
	if offers := policy.Offers(call.Subject("count_lines")); len(offers) != 1 || offers[0] != "count_lines(secret/x)" {
		t.Errorf("a yes for always offers %q", offers)
	}
	if offers := policy.Offers(approval.Subject{Tool: "undo", Path: "secret/x", Asks: true}); len(offers) > 0 {
		t.Errorf("what is no tool offers %q", offers)
	}
	for _, text := range []string{"count_liens", "count_liens(x)", "writefile(a)", "nothing", "todo(x)", "job(x)",
		"mcp__a(x)"} {
		rule, err := approval.ParseRule(approval.Ask, text)
		if err == nil && tools.Check(rule) == nil {
			t.Errorf("%s is a rule", text)
		}
	}
	for _, text := range []string{"read_file(a)", "mcp(a/b)", "mcp__a__b", "bash(make *)", "edit(a)",
		"edit_file(a)", "job"} {
		rule, err := approval.ParseRule(approval.Ask, text)
		if err == nil {
			err = tools.Check(rule)
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
