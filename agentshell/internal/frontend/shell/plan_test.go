package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

const aPlanCall = `"tool_calls":[{"id":"1","name":"propose_plan","input":{"plan":"# Mend the parser\n\n` +
	`The parser in ` + "`parse.go`" + ` loses the **last line** of a file that has no newline at its end, because ` +
	`the scanner is asked once too little.\n\n1. Change ` + "`next`" + ` so that it returns the rest of the input ` +
	`when that ends without a newline, and say ` +
	`in a comment why.\n2. Add a test:\n   - with a newline\n   - without one\n\n` +
	"```go\\nfunc next(s string) (line, rest string) {\\n\\treturn s, \\\"\\\"\\n}\\n```" +
	`\n\n| file | change |\n| --- | --- |\n| parse.go | next |\n\nEvil \u001b[31mred\u001b[0m, \u202etext and ` +
	`\u0007bell.\n"}}]}`

func inPlanMode(t *testing.T) func(*Config) {
	t.Helper()
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModePlan})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Approval.Policy = policy }
}

func TestHowAPlanLooks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {20, 6}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginConfigured(t, tuitest.Config{Cols: size[0], Rows: size[1]}, inPlanMode(t),
					`{"say":"Here is the plan.","delay_ms":0,`+aPlanCall, `{"say":"I begin.","delay_ms":0}`)
				s.line("mend it")
				s.pass(3 * time.Second)
				s.Golden()
			})
		})
	}
}

// Each answer to a plan leads to its mode, and a key counts only when the plan has been in sight.
func TestAPlanIsApprovedChangedOrRejected(t *testing.T) {
	for _, c := range []struct {
		name, keys, expect, mode string
		tape                     []string
	}{
		{"approved", "y", "The user approved the plan. Plan mode is over, and the mode is ask now", "ask",
			[]string{"✓ plan", "mode ask"}},
		{"approved for edits", "m", "the mode is edits now: changes of files run without a question", "edits",
			[]string{"✓ plan", "mode edits"}},
		{"rejected", "n", "user denied this tool call", "plan", []string{"✗ plan"}},
		{"rejected with a reason", "rmore tests\r", "user denied this tool call\\nmore tests", "plan",
			[]string{"✗ plan", "more tests"}},
		{"changed", "e", "The user changed the plan before. This is the one that they approved:\\n\\nMine.", "ask",
			[]string{"✓ plan", "edited by the user", "Mine."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				change := inPlanMode(t)
				var policy *approval.Policy
				s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
					change(cfg)
					policy = cfg.Approval.Policy
				}, `{"expect":"Plan mode is on.","say":"Here.","delay_ms":0,`+aPlanCall,
					`{"expect":"`+c.expect+`","say":"So be it.","delay_ms":0}`)
				s.Type("mend it")
				s.Press("enter")
				early := strings.Repeat(c.keys[:1], 3)
				if c.keys[0] == 'y' || c.keys[0] == 'm' {
					s.Type(early) // nobody has seen the plan yet: the keys go into the draft
					if policy.Mode() != approval.ModePlan {
						t.Fatal("a key counted before the plan was in sight")
					}
					s.Press("backspace", "backspace", "backspace")
				}
				s.pass(3 * time.Second)
				if c.keys == "e" { // what the editor gives back
					n := s.sh.question.panes[0]
					s.sh.app.Do(func() { n.giveAnswer(approval.Revise{ID: n.proposal.ID, After: []byte("Mine.")}) })
					s.pass(3 * time.Second)
					s.holds("edited by the user")
					c.keys = "y"
				}
				keys, enter := strings.CutSuffix(c.keys, "\r")
				for _, key := range strings.Split(keys, "") {
					s.Type(key)
					s.pass(letterPause) // else it is a text
				}
				if enter {
					s.Press("enter")
				}
				s.pass(time.Second)
				s.holds(append(c.tape, "So be it.")...)
				if policy.Mode() != c.mode {
					t.Errorf("mode %s", policy.Mode())
				}
				if strings.ContainsAny(s.tape(), "\x1b\x07\u202e") {
					t.Error("a control of the plan reached the screen")
				}
			})
		})
	}
}
