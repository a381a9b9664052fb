package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// writers has tools that write files. The text after a call is "whole " and its argument text.
type writers struct{ ran *int }

func (writers) Specs() (list []provider.Tool) {
	for _, name := range []string{"write_file", "edit", "bash"} {
		list = append(list, provider.Tool{Name: name})
	}
	return list
}

func (e writers) Prepare(_ context.Context, name, id string, input json.RawMessage) (tool.Call, error) {
	var args struct{ Path, Text string }
	if err := json.Unmarshal(input, &args); err != nil || args.Path == "" {
		return tool.Call{}, errors.New("no path")
	}
	c := tool.Call{Title: name, Path: args.Path, Proposal: &approval.Proposal{ID: "p" + id, Tool: name,
		Path: "w/" + args.Path, After: []byte("whole " + args.Text)}}
	c.Run = func(context.Context, func(string)) (tool.Result, error) {
		*e.ran++
		return tool.Result{Text: "done"}, nil
	}
	if args.Path == "many" { // a call about several files
		c.Parts, c.Proposal, c.Path = []tool.Part{{Call: tool.Call{Path: "b.go", Run: c.Run,
			Proposal: &approval.Proposal{ID: "part", After: []byte("whole bad")}}}}, nil, ""
	}
	return c, nil
}

// finder finds texts with a word. It hangs, or fails, where the pattern says so.
type finder struct{}

func (finder) Find(ctx context.Context, pattern, language string, text []byte) (bool, error) {
	switch pattern {
	case "hang":
		<-ctx.Done()
		return false, errors.New("ast-grep took too long")
	case "fail":
		return false, errors.New("no such language " + language)
	}
	return strings.Contains(string(text), pattern), nil
}

func TestAStructureIsFoundInTheTextThatAFileWouldHave(t *testing.T) {
	write := func(name, path, text string) string {
		return `{"say":"See.","delay_ms":0,"tool_calls":[{"id":"1","name":"` + name + `","input":{"path":"` + path +
			`","text":"` + text + `"}}]}`
	}
	const retracted = "Retracted by the rule r"
	for _, c := range []struct {
		name, head, call, want string
		ran                    int
		none                   bool // nothing finds structures
	}{
		{"in a write", "astCondition: whole bad", write("write_file", "a.go", "bad"), retracted, 0, false},
		{"in an edit", "astCondition: whole bad", write("edit", "a.go", "bad"), retracted, 0, false},
		{"in one of several files", "astCondition: whole bad", write("edit", "many", ""), retracted, 0, false},
		{"not there", "astCondition: bad", write("edit", "a.go", "good"), "", 1, false},
		{"of another tool", "astCondition: bad", write("bash", "a.go", "bad"), "", 1, false},
		{"no source text", "astCondition: bad", write("edit", "a.txt", "bad"), "", 1, false},
		{"out of scope", "astCondition: bad\nscope: tool:write_file", write("edit", "a.go", "bad"), "", 1, false},
		{"another path", "astCondition: bad\nglobs: 'src/**'", write("edit", "a.go", "bad"), "", 1, false},
		{"gently", "astCondition: bad\ninterrupt: never", write("edit", "a.go", "bad"),
			"told the rule r with the result of its call", 1, false},
		{"beside a condition", "condition: good\nastCondition: bad", write("edit", "a.go", "good"), retracted, 0,
			false},
		{"a call without a text", "astCondition: bad", write("edit", "", "bad"), "", 0, false},
		{"nobody looks", "astCondition: bad", write("edit", "a.go", "bad"),
			"The astCondition of the rule r was not looked for: nothing looks for structures here.", 1, true},
		{"it fails", "astCondition: fail", write("edit", "a.go", "bad"),
			"The astCondition of the rule r was not looked for: no such language go.", 1, false},
		{"it hangs", "astCondition: hang", write("edit", "a.go", "bad"),
			"The astCondition of the rule r was not looked for: ast-grep took too long.", 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ran, said := 0, ""
				cfg := agent.Config{Model: model(t, c.call, `{"say":"On.","delay_ms":0}`), Tools: writers{&ran},
					Approver: approver(yes), Structures: finder{},
					Rules: []streamrule.Rule{rule(t, "r", c.head, "Not so.")}}
				if c.none {
					cfg.Structures = nil
				}
				a := agent.New(cfg)
				began := time.Now()
				err := a.RunText(t.Context(), "go", func(e agent.Event) {
					switch e := e.(type) {
					case agent.Retracted:
						said += e.Line() + "\n"
					case agent.Notice:
						said += e.Text + "\n"
					}
				})
				if took := time.Since(began); err != nil || took > 3*time.Second {
					t.Errorf("%v after %v", err, took)
				}
				if ran != c.ran || !strings.Contains(said, c.want) || (said == "") != (c.want == "") {
					t.Errorf("%d calls ran, said %q, want %d, %q", ran, said, c.ran, c.want)
				}
			})
		})
	}
}

// Why a rule cannot be looked for is said once in a conversation.
func TestWhyARuleCannotBeLookedForIsSaidOnce(t *testing.T) {
	call := `{"delay_ms":0,"tool_calls":[{"id":"1","name":"edit","input":{"path":"a.go","text":"x"}}]}`
	ran, said := 0, 0
	a := agent.New(agent.Config{Model: model(t, call, strings.ReplaceAll(call, `"1"`, `"2"`),
		`{"say":"On.","delay_ms":0}`), Tools: writers{&ran}, Approver: approver(yes), Structures: finder{},
		Rules: []streamrule.Rule{rule(t, "r", "astCondition: fail", "Not so.")}})
	if err := a.RunText(t.Context(), "go", func(e agent.Event) {
		if _, ok := e.(agent.Notice); ok {
			said++
		}
	}); err != nil || ran != 2 || said != 1 {
		t.Errorf("%v, %d calls, said %d times", err, ran, said)
	}
}
