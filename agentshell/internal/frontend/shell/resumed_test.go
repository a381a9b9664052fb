package shell

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// ran returns the messages of a command of the model with its result.
func ran(id, command string, r provider.ToolResult) []provider.Message {
	input, _ := json.Marshal(map[string]string{"command": command})
	r.ID = id
	return []provider.Message{
		{Role: provider.Assistant, Parts: []provider.Part{provider.ToolCall{ID: id, Name: "bash", Input: input}}},
		{Role: provider.User, Parts: []provider.Part{r}}}
}

// A resumed session has the rows that the person saw, and none that only the model has.
func TestAResumedSessionLooksAsBefore(t *testing.T) {
	shot, err := picture.New("shot.png", []byte(drawing(t, 40, 48)))
	if err != nil {
		t.Fatal(err)
	}
	messages := []provider.Message{{Role: provider.User, Parts: []provider.Part{
		provider.Text{Text: "look at @src/ and @shot.png"},
		provider.Text{Origin: provider.Attached,
			Text: "Attached by @, as data:\n\nsrc/, directory, 2 entries:\n```\na.go\nb.go\n```\n"},
		provider.Image{Picture: shot}}}}
	messages = append(messages, ran("1", "git commit", provider.ToolResult{Summary: "exit 0",
		Text: "done it\n[workspace files changed: 5 files of the repository itself]\n"})...)
	messages = append(messages, ran("2", "make", provider.ToolResult{Summary: "exit status 2",
		Text: "broken\n[exit status 2]\n[workspace files changed: log (new)]\n"})...)
	messages = append(messages, ran("3", "sleep", provider.ToolResult{IsError: true, Kind: agent.KindInterrupted,
		Summary: "stopped", Text: agent.StoppedText + "\nzzz\n[stopped by the user]\n"})...)
	messages = append(messages, ran("4", "rm x", provider.ToolResult{IsError: true, Kind: agent.KindDenied,
		Text: approval.Denied + "\nkeep it"})...)
	messages = append(messages, provider.Message{Role: provider.Assistant, Parts: []provider.Part{
		provider.ToolCall{ID: "5", Name: "write_file", Input: json.RawMessage(`{"path":"a.txt","content":"x"}`)}}},
		provider.Message{Role: provider.User, Parts: []provider.Part{
			provider.ToolResult{ID: "5", IsError: true, Kind: agent.KindDenied, Text: approval.Denied}}})
	after := []byte(strings.Repeat("x\n", 40) + "last\n")
	own := func(from provider.Origin, text, summary string) provider.Message {
		return provider.Message{Role: provider.User, Parts: []provider.Part{
			provider.Text{Origin: from, Text: text, Summary: summary}}}
	}
	messages = append(messages, own(provider.Command, "I ran this command myself:\n\nmake all\n\nIts output:\n\n"+
		"built\n[workspace files changed: 5 files of the repository itself]\n", "exit 0"),
		own(provider.Cell, "I ran this cell of Python myself:\n\nspin()\n\nIts output:\n\nturn\n", "stopped"))
	synctest.Test(t, func(t *testing.T) {
		off := map[string]string{"SCROLLKEEP_IMAGES": "off"}
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24, Env: off}, func(c *Config) {
			c.Start = Start{Resumed: messages}
			c.Session.Stored = unpriced{stored{text: "x"}}
			c.Session.Conversation = func() ([]provider.Message, error) { return messages, nil }
			c.Files.ChangesBy = func(_ context.Context, call string) []tool.Edited {
				if call != "5" {
					return nil
				}
				return []tool.Edited{{Path: "workspace/a.txt", New: true, Denied: true, Diff: diff.Make(nil, after, 3)}}
			}
		}, `{"say":"Done."}`)
		s.pass(5 * time.Second)
		s.order("› look at @src/ and @shot.png", "• src/  directory, 2 entries, attached",
			"[picture shot.png, 40 by 48 pixels]", "• bash git commit  exit 0", "done it", "• bash make  exit status 2",
			"broken", "changed: log",
			"! bash sleep  stopped", "zzz", "✗ bash rm x  denied: keep it", "✗ write a.txt  new file, +41, denied",
			"12  + x", "… 29 rows not shown, /diff 1 shows all", "› !make all",
			"• bash make all  exit 0", "built", "› $spin()", "! eval py  stopped", "turn")
		s.lacks("workspace files changed", "[exit status 2]", "interrupted", "[stopped by the user]", "user denied")
		s.lacks("+ last\n")
		s.send("/diff 1")
		s.holds("• write a.txt  new file, +41, denied, all of diff 1", "41  + last\n")
		s.send("/transcript")
		s.Press("g")
		s.Type("/+ last")
		s.Press("enter")
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "41  + last\n") || strings.Contains(v, "not shown") {
			t.Errorf("the transcript has\n%s", v)
		}
		s.Press("q")
		s.Settle()
		s.send("/cost")
		if got := strings.Join(strings.Fields(s.tape()), " "); !strings.Contains(got,
			"The cost of the session before it was resumed is not known") {
			t.Errorf("/cost says\n%s", got)
		}
	})
}

// unpriced is a log whose session has asked a model without a price.
type unpriced struct{ stored }

func (unpriced) Spent() sessionlog.Spent { return sessionlog.Spent{Unpriced: true} }
