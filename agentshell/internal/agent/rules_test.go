package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

func rule(t *testing.T, name, head, text string) streamrule.Rule {
	t.Helper()
	r, err := streamrule.Parse(name, "---\n"+head+"\n---\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// said returns what the conversation holds, a line a part.
func said(messages []provider.Message) string {
	var b strings.Builder
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Text:
				fmt.Fprintf(&b, "%s: %s\n", m.Role, p.Text)
			case provider.ToolCall:
				fmt.Fprintf(&b, "call %s\n", p.Input)
			case provider.ToolResult:
				fmt.Fprintf(&b, "result %s\n", p.Text)
			}
		}
	}
	return b.String()
}

// shellMessage returns a message with the role User that the shell has made.
const shellMessage = `user: <system-interrupt reason="rule_violation" rule="no-sudo">` +
	"\nNever use sudo.\n</system-interrupt>\n"

func TestARuleInterruptsTheAnswerAndTheModelIsAskedAgain(t *testing.T) {
	bad := `{"say":"Well, I use su` + `do now.","chunk_runes":3,"delay_ms":0}`
	good := `{"say":"I ask.","delay_ms":0}`
	write := func(text string) string {
		return `{"say":"See.","delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"a","x":"` +
			text + `"}}]}`
	}
	reminder := "<system-reminder reason=\"rule_violation\" rule=\"no-sudo\">\nNever use sudo.\n</system-reminder>"
	for _, c := range []struct {
		name, head, lines, want string
		retries                 int
	}{
		{"discarded", "condition: sudo", bad + "\n" + good, "user: go\n" + shellMessage + "assistant: I ask.\n", 1},
		{"kept", "condition: sudo\ncontext: keep", bad + "\n" + good,
			"user: go\nassistant: Well, I use sudo now.\n" + shellMessage + "assistant: I ask.\n", 1},
		{"of the call", "condition: sudo", write(`su\u0064o`) + "\n" + good,
			"user: go\n" + shellMessage + "assistant: I ask.\n", 1},
		{"told once", "condition: sudo", bad + "\n" + bad,
			"user: go\n" + shellMessage + "assistant: Well, I use sudo now.\n", 1},
		{"told again, but not at once", "condition: sudo\nrepeat: 2", bad + "\n" + bad,
			"user: go\n" + shellMessage + "assistant: Well, I use sudo now.\n", 1},
		{"gently", "condition: sudo\ninterrupt: never", bad + "\n" + good,
			"user: go\nassistant: Well, I use sudo now.\nuser: " + reminder + "\nassistant: I ask.\n", 0},
		{"gently, of a call", "condition: sudo\ninterrupt: never\nscope: tool:read_file", write("sudo") + "\n" + good,
			"user: go\nassistant: See.\ncall {\"path\":\"a\",\"x\":\"sudo\"}\nresult " + reminder + "\n\nread\n" +
				"assistant: I ask.\n", 0},
		{"about something else", "condition: sudo\nscope: thinking", bad,
			"user: go\nassistant: Well, I use sudo now.\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := agent.New(agent.Config{Model: model(t, strings.Split(c.lines, "\n")...), Tools: reads{},
				Rules: []streamrule.Rule{rule(t, "no-sudo", c.head, "Never use sudo.")}})
			retries, text := 0, ""
			err := a.RunText(t.Context(), "go", func(e agent.Event) {
				switch e := e.(type) {
				case agent.Retracted:
					retries++
				case agent.Text:
					text += e.Delta
				}
			})
			if got := said(a.Messages()); err != nil || got != c.want || retries != c.retries {
				t.Errorf("%v, %d retries, %s\nwant %s", err, retries, got, c.want)
			}
		})
	}
}

// A rule that always matches, and one whose own words match it, come to an end: a turn is not
// interrupted more often than it may be.
func TestRulesThatAlwaysMatchComeToAnEnd(t *testing.T) {
	for name, head := range map[string]string{"always": "condition: .*\nrepeat: 1",
		"nothing": "condition: x*\nrepeat: 1", "its own words": "condition: rule\nrepeat: 1"} {
		t.Run(name, func(t *testing.T) {
			var rules []streamrule.Rule
			var lines []string
			for i := range 9 {
				rules = append(rules, rule(t, fmt.Sprintf("r%d", i), head, "This is the rule."))
				lines = append(lines, fmt.Sprintf(`{"say":"the rule, %d","delay_ms":0}`, i))
			}
			for i := range rules[1:] { // one after the other
				rules[i+1] = rule(t, rules[i+1].Name, fmt.Sprintf("condition: '%d$'", i+1), "This is the rule.")
			}
			a := agent.New(agent.Config{Model: model(t, lines...), Rules: rules})
			var notices []string
			retries := 0
			err := a.RunText(t.Context(), "go", func(e agent.Event) {
				switch e := e.(type) {
				case agent.Retracted:
					retries++
				case agent.Notice:
					notices = append(notices, e.Text)
				}
			})
			if err != nil || retries != 3 || len(notices) != 1 ||
				!strings.Contains(notices[0], "goes on without them") ||
				!strings.HasSuffix(said(a.Messages()), "assistant: the rule, 3\n") {
				t.Errorf("%v, %d retries, %q\n%s", err, retries, notices, said(a.Messages()))
			}
		})
	}
}

// What was told is in the conversation: a session that goes on knows it, and how long ago it was.
func TestARuleIsToldAgainOnlyWhenItIsDue(t *testing.T) {
	bad := `{"say":"sudo","delay_ms":0}`
	first := agent.New(agent.Config{Model: model(t, `{"say":"hello","delay_ms":0}`, bad, `{"say":"ok","delay_ms":0}`),
		Rules: []streamrule.Rule{rule(t, "no-sudo", "condition: sudo", "Never use sudo.")}})
	for range 2 {
		if err := first.RunText(t.Context(), "go", func(agent.Event) {}); err != nil {
			t.Fatal(err)
		}
	}
	for head, want := range map[string]int{"condition: sudo": 0, "condition: sudo\nrepeat: 1": 1,
		"condition: sudo\nrepeat: 2": 0} {
		a := agent.New(agent.Config{Messages: slices.Clone(first.Messages()),
			Model: model(t, bad, `{"say":"ok","delay_ms":0}`),
			Rules: []streamrule.Rule{rule(t, "no-sudo", head, "Never use sudo.")}})
		retries := 0
		_ = a.RunText(t.Context(), "on", func(e agent.Event) {
			if _, ok := e.(agent.Retracted); ok {
				retries++
			}
		})
		if retries != want {
			t.Errorf("%s: %d times, want %d", head, retries, want)
		}
	}
}

// reads has read_file, which takes anything.
type reads struct{}

func (reads) Specs() []provider.Tool { return []provider.Tool{{Name: "read_file", ReadOnly: true}} }

func (reads) Prepare(context.Context, string, string, json.RawMessage) (tool.Call, error) {
	return tool.Call{Title: "read_file", Run: func(context.Context, func(string)) (tool.Result, error) {
		return tool.Result{Text: "read"}, nil
	}}, nil
}

// Rules that the person has said yes to hold from the next answer on, and no sooner.
func TestRulesThatComeLaterHoldFromThenOn(t *testing.T) {
	a := agent.New(agent.Config{Model: model(t, `{"say":"sudo","delay_ms":0}`, `{"say":"sudo","delay_ms":0}`,
		`{"expect":"Never use sudo.","say":"I ask.","delay_ms":0}`)})
	retracted := 0
	for i, want := range []int{0, 1} {
		err := a.RunText(t.Context(), "go", func(e agent.Event) {
			if _, is := e.(agent.Retracted); is {
				retracted++
			}
		})
		if err != nil || retracted != want {
			t.Errorf("turn %d: %v, %d retracted, want %d", i, err, retracted, want)
		}
		a.SetRules([]streamrule.Rule{rule(t, "no-sudo", "condition: sudo", "Never use sudo.")})
	}
}

// Rules that are found at once are told in one message, each once.
func TestSeveralRulesAreToldTogether(t *testing.T) {
	rules := func(more string) []streamrule.Rule {
		return []streamrule.Rule{rule(t, "a", "condition: sudo"+more, "Text a."),
			rule(t, "b", "condition: su.o"+more, "Text b.")}
	}
	retracted := ""
	a := agent.New(agent.Config{Model: model(t, `{"say":"sudo","delay_ms":0}`, `{"say":"On.","delay_ms":0}`),
		Rules: rules("")})
	err := a.RunText(t.Context(), "go", func(e agent.Event) {
		if r, ok := e.(agent.Retracted); ok {
			retracted += r.Rules + ";"
		}
	})
	if n := len(a.Messages()); err != nil || retracted != "a, b;" || n != 3 || len(a.Messages()[1].Parts) != 2 {
		t.Errorf("%v, %q, %s", err, retracted, said(a.Messages()))
	}
	call := `{"delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"sudo"}},` +
		`{"id":"2","name":"read_file","input":{"path":"sudo"}}]}`
	notices := ""
	a = agent.New(agent.Config{Model: model(t, call, `{"say":"On.","delay_ms":0}`), Tools: reads{},
		Rules: rules("\ninterrupt: never")})
	err = a.RunText(t.Context(), "go", func(e agent.Event) {
		if n, ok := e.(agent.Notice); ok {
			notices += n.Text + "\n"
		}
	})
	reminder := func(name string) string {
		return `<system-reminder reason="rule_violation" rule="` + name + "\">\nText " + name +
			".\n</system-reminder>\n\n"
	}
	want := "result " + reminder("a") + reminder("b") + "read\nresult read\n" // one of the two calls has them
	if got := said(a.Messages()); err != nil || !strings.Contains(got, want) ||
		notices != "The model was told the rule a, b with the result of its call.\n" {
		t.Errorf("%v, %q\n%s", err, notices, got)
	}
}

// A gentle rule of an answer that failed was not told, and is found again.
func TestARuleThatWasNotToldIsFoundAgain(t *testing.T) {
	call := `{"delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"sudo"}}]`
	a := agent.New(agent.Config{Tools: reads{}, Retries: agent.Retries{Attempts: 3, Wait: 1, MaxWait: 1},
		Model: model(t, call+`,"error":{"status":529}}`, call+`}`, `{"say":"On.","delay_ms":0}`),
		Rules: []streamrule.Rule{rule(t, "a", "condition: sudo\ninterrupt: never", "Text a.")}})
	if err := a.RunText(t.Context(), "go", func(agent.Event) {}); err != nil ||
		strings.Count(said(a.Messages()), "Text a.") != 1 || !strings.Contains(said(a.Messages()), "\n\nread\n") {
		t.Errorf("%v\n%s", err, said(a.Messages()))
	}
}

// What one answer ends with and the next one begins with is not one text.
func TestEachAnswerIsLookedAtByItself(t *testing.T) {
	a := agent.New(agent.Config{Model: model(t, `{"say":"su","delay_ms":0}`, `{"say":"do","delay_ms":0}`,
		`{"say":"sudo","delay_ms":0}`, `{"say":"On.","delay_ms":0}`),
		Rules: []streamrule.Rule{rule(t, "a", "condition: sudo", "Text a.")}})
	for i, want := range []int{0, 0, 1} {
		n := 0
		err := a.RunText(t.Context(), "go", func(e agent.Event) {
			if _, ok := e.(agent.Retracted); ok {
				n++
			}
		})
		if err != nil || n != want {
			t.Errorf("turn %d: %v, retracted %d times, want %d", i, err, n, want)
		}
	}
}
