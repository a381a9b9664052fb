package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

const questionsInput = `{"questions":[{"question":"Which\u001b[2J one?","choices":[{"label":"a","about":"the first"},` +
	`{"label":"b"}],"free":true},{"question":"Several?","several":true,"choices":[{"label":"x"},{"label":"y"}]},` +
	`{"question":"Why?"}]}`

func askScript(expect string) []string {
	return []string{`{"delay_ms":0,"tool_calls":[{"id":"1","name":"ask","input":` + questionsInput + `}]}`,
		fmt.Sprintf(`{"expect":%q,"say":"Thank you.","delay_ms":0,"chunk_runes":99}`, expect)}
}

// askTools returns a tool set with the tool ask only.
func askTools(person tool.Person) *tool.Registry {
	q := new(tool.Questions)
	q.SetPerson(person)
	return tool.Builtin(tool.Env{Questions: q}).Only(tool.AskName)
}

func TestQuestionsOfTheModelAreAnsweredByLines(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string // what the model gets
		shown string
	}{
		{"numbers and a text", []string{"2", "1, 2", "because"}, "one?\n  b\nSeveral?\n  x, y\nWhy?\n  because\n",
			"? Which␛[2J one?\n  1 a  the first\n  2 b\nA number or a text; Enter alone leaves it unanswered:"},
		{"a text of one's own", []string{"neither", "1", "so"}, "one?\n  neither\nSeveral?\n  x\nWhy?\n  so\n",
			"Thank you."},
		{"a number that is none", []string{"1", "3", "z", "2", "so"}, "one?\n  a\nSeveral?\n  y\nWhy?\n  so\n",
			`That is no answer: "3" is no number from 1 to 2.`},
		{"left", []string{"1", ""}, "left the questions without an answer", "Thank you."},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				var out bytes.Buffer
				plain := &headless.Plain{Stdin: r, Stdout: &out, Stderr: io.Discard, Person: true}
				go func() {
					fmt.Fprintln(w, "go")
					for _, l := range c.lines {
						<-time.After(2 * time.Second)
						fmt.Fprintln(w, l)
					}
					<-time.After(2 * time.Second)
					w.Close()
				}()
				plain.Run(t.Context(),
					agent.New(agent.Config{Model: model(t, askScript(c.want)...), Tools: askTools(plain)}))
				for _, want := range []string{"Thank you.", c.shown} {
					if !strings.Contains(out.String(), want) {
						t.Errorf("%q is missing:\n%s", want, &out)
					}
				}
			})
		})
	}
}

// A driving program answers questions and proposals by their ids.
func TestADrivingProgramIsAsked(t *testing.T) {
	answer := func(id, more string) string { return fmt.Sprintf(`{"type":"answer","id":%q,%s}`+"\n", id, more) }
	decide := func(id, more string) string { return fmt.Sprintf(`{"type":"decision","id":%q,%s}`+"\n", id, more) }
	write := `{"delay_ms":0,"tool_calls":[{"id":"1","name":"write","input":{"path":"a"}}]}`
	replies := `"replies":[{"chosen":["b"]},{"chosen":["x","y"]},{"text":"so"}]`
	for _, c := range []struct {
		name   string
		script []string
		driver func(id string) string // lines in answer to the record
		want   string                 // in a record
	}{
		{"answers", askScript("one?\n  b\nSeveral?\n  x, y\nWhy?\n  so\n"),
			func(id string) string { return answer(id, replies) }, `"Thank you."`},
		{"left", askScript("left the questions without an answer"),
			func(id string) string { return answer(id, `"left":true`) }, `"Thank you."`},
		{"too few replies, then all", askScript("x, y"), func(id string) string {
			return answer(id, `"replies":[{}]`) + answer(id, replies)
		}, "there are 1 replies to 3 questions"},
		{"a decision on a question", askScript("x, y"), func(id string) string {
			return decide(id, `"allow":true`) + answer(id, replies)
		}, "is answered by the type"},
		{"an unknown id", askScript("x, y"), func(id string) string {
			return answer("nobody", replies) + answer(id, replies)
		}, "nothing with the id"},
		{"an answer with a text", askScript("x, y"), func(id string) string {
			return answer(id, `"text":"x"`) + answer(id, replies)
		}, "only a message has a text"},
		{"a message that allows", askScript("x, y"), func(id string) string {
			return `{"type":"message","text":"x","allow":true}` + "\n" + answer(id, replies)
		}, "only a decision has allow"},
		{"allowed", []string{write, `{"expect":"write has a","say":"Done.","delay_ms":0,"chunk_runes":99}`},
			func(id string) string { return decide(id, `"allow":true`) },
			`"diff":"--- /dev/null\n+++  (new file)\n@@ -1 +1 @@\n-old\u001b[2J\n+new\r\n"`},
		{"denied", []string{write, `{"expect":"not now","say":"Done.","delay_ms":0,"chunk_runes":99}`},
			func(id string) string { return decide(id, `"reason":"not now"`) }, `"Done."`},
		{"the input ends", []string{write, `{"expect":"denied","say":"Done.","delay_ms":0,"chunk_runes":99}`},
			func(string) string { return "" }, `"Done."`},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				out := driveAsked(t, c.script, c.driver)
				if !strings.Contains(out, c.want) {
					t.Errorf("%s is missing:\n%s", c.want, out)
				}
			})
		})
	}
}

// driveAsked runs a turn. When the first record that needs an answer is printed, it writes the
// lines that the function lines returns for the record's id.
func driveAsked(t *testing.T, script []string, lines func(id string) string) (out string) {
	t.Helper()
	in, w := io.Pipe()
	records, stdout := io.Pipe()
	driver := new(headless.Driver)
	registry := &bothTools{tools{}, askTools(driver)}
	d := headless.Driven{Stdin: in, Stdout: stdout, Stderr: os.Stderr, Session: "s", Driver: driver}
	a := agent.New(agent.Config{Model: model(t, script...), Tools: registry, Approver: driver})
	go func() {
		d.Run(t.Context(), a)
		stdout.Close()
	}()
	go fmt.Fprintln(w, `{"type":"message","text":"go"}`)
	var all strings.Builder
	for dec := json.NewDecoder(records); ; {
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return all.String()
		}
		all.Write(append(raw, '\n'))
		var r struct{ Type, ID string }
		if json.Unmarshal(raw, &r) == nil && (r.Type == "question" || r.Type == "proposal") {
			go func() {
				_, _ = io.WriteString(w, lines(r.ID))
				w.Close()
			}()
		}
	}
}

// bothTools is a tool set with the tools of a test and the tool ask.
type bothTools struct {
	tools
	ask *tool.Registry
}

func (b *bothTools) Specs() []provider.Tool { return append(b.tools.Specs(), b.ask.Specs()...) }

func (b *bothTools) Prepare(ctx context.Context, name, id string, input json.RawMessage) (tool.Call, error) {
	if name == tool.AskName {
		return b.ask.Prepare(ctx, name, id, input)
	}
	return b.tools.Prepare(ctx, name, id, input)
}
