package window

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// checkpointOf returns the active checkpoint of messages: a result of the tool checkpoint, or one
// that a compaction carries on, if no report follows it.
func checkpointOf(messages []provider.Message) (c Checkpoint, active bool) {
	for i, m := range messages {
		c, active = c.afterMessage(active, messages[:i], m)
	}
	return c, active
}

func result(id, text string) provider.ToolResult { return provider.ToolResult{ID: id, Text: text} }

func refused(id, text string) provider.ToolResult {
	return provider.ToolResult{ID: id, Text: text, IsError: true}
}

func said(text string) provider.Message { return user(provider.Text{Text: text}) }

// began is a conversation with an active checkpoint.
var began = []provider.Message{
	said("Why does the weir leak?"),
	assistant(call("1", "checkpoint", `{"goal":"find the leak"}`)),
	user(result("1", "Checkpoint created.")),
}

// searched is what comes behind it, and ends with a rewind that was accepted.
var searched = []provider.Message{
	assistant(call("1", "read_file", `{"path":"weir.go"}`), call("2", "edit_file", `{"path":"dam.go"}`),
		call("3", "bash", `{"command":"make map"}`), call("4", "write_file", `{"path":"x"}`)),
	user(result("1", "1\tx"), result("2", "Edited dam.go: 1 replacement.\nmore"),
		result("3", "ok\n[workspace files changed: workspace/map.txt (new), workspace/all.txt]\n"),
		refused("4", "user denied this tool call\nnot there")),
	user(provider.Image{Picture: picture.Picture{Name: "weir.png"}},
		provider.Text{Text: "It is at the left bank.\nSee?"},
		provider.Text{Text: "<mode>Plan mode is off.</mode>", Origin: provider.Aside}),
	assistant(call("1", "todo", `{}`)),
	user(result("1", "## Weir\n[x] look\n[>] mend\n"),
		provider.Text{Text: "no sudo", Origin: provider.Rule, Rule: "r"}),
	assistant(provider.Text{Text: "I have it."},
		call("1", "rewind", `{"report":"A stone is loose.\n## Your report\n- x: y"}`)),
	user(result("1", "Rewind accepted.")),
}

func TestACheckpointIsActiveUntilItsReportStandsBehindIt(t *testing.T) {
	report := user(provider.Text{Text: "x", Origin: provider.Report})
	open := Checkpoint{Goal: "find the leak", Position: 3}
	for name, c := range map[string]struct {
		messages []provider.Message
		want     Checkpoint
		active   bool
	}{
		"nothing":          {nil, Checkpoint{}, false},
		"before":           {began[:2], Checkpoint{}, false},
		"active":           {began, open, true},
		"behind more":      {append(slices.Clone(began), searched[:5]...), open, true},
		"a refused one":    {[]provider.Message{began[0], began[1], user(refused("1", "no"))}, Checkpoint{}, false},
		"of another call":  {[]provider.Message{began[0], began[1], user(result("2", "ok"))}, Checkpoint{}, false},
		"a refused rewind": {append(slices.Clone(began), searched[5], user(refused("1", "no"))), open, true},
		"a report":         {append(slices.Clone(began), report), Checkpoint{}, false},
		"typed text":       {append(slices.Clone(began), said("x")), open, true},
		"an accepted rewind": {append(slices.Clone(began), searched...), Checkpoint{Goal: "find the leak", Position: 3,
			Reported: true, Report: "A stone is loose.\n## Your report\n- x: y"}, true},
		"the next one": {append(append(slices.Clone(began), report), began[1:]...),
			Checkpoint{Goal: "find the leak", Position: 6}, true},
	} {
		got, active := checkpointOf(c.messages)
		if active != c.active || active && got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, active, c.want)
		}
	}
}

// What goes back is the report and what it must not lose; what the person said stays as it was.
func TestAReportCarriesWhatMustNotBeLost(t *testing.T) {
	c, _ := checkpointOf(append(slices.Clone(began), searched...))
	list := c.Collapse(searched)
	if len(list) != 2 || !reflect.DeepEqual(list[0], searched[2]) {
		t.Fatalf("%+v", list)
	}
	text, from := list[1].MainText()
	want := `The conversation went back to your checkpoint: 6 messages are not shown to you any more, and your report stands in their place. What the person said meanwhile stands above it.

The goal was:
> find the leak

## Your report
> A stone is loose.
> ## Your report
> - x: y

## Files that were changed meanwhile
They are not restored. Read one before you change it.
- dam.go: Edited dam.go: 1 replacement.
- map.txt: new, by a command
- all.txt: by a command

## What was denied meanwhile
- denied: write_file x, because: not there

## The todo list as it is now
## Weir
[x] look
[>] mend
`
	if from != provider.Report || text != want {
		t.Errorf("of %q:\n%s\nwant\n%s", from, text, want)
	}
	// The next compaction finds all of it again.
	f := FactsOf(append(slices.Clone(began), list...))
	if !reflect.DeepEqual(f.PersonTexts, []string{"Why does the weir leak?", "It is at the left bank.\nSee?"}) ||
		len(f.Files) != 3 || f.Files[0] != (File{Path: "dam.go", Change: "Edited dam.go: 1 replacement."}) ||
		!reflect.DeepEqual(f.Decisions, []string{"denied: write_file x, because: not there"}) ||
		f.Todo != "## Weir\n[x] look\n[>] mend" || f.Checkpoint != "" {
		t.Errorf("%+v", f)
	}
	// Where there is nothing to carry, nothing is said of it.
	c.Report = "Nothing."
	bare := c.Collapse([]provider.Message{searched[5], searched[6]})
	if text, _ := bare[len(bare)-1].MainText(); len(bare) != 1 || strings.Contains(text, "meanwhile") ||
		strings.Contains(text, "todo") || !strings.HasSuffix(text, "> Nothing.\n") {
		t.Errorf("%+v", bare)
	}
}

// An active checkpoint outlives a compaction, and the next one; then the conversation goes back to
// what the compaction has left.
func TestACompactionCarriesAnActiveCheckpoint(t *testing.T) {
	messages := slices.Clone(began)
	for i := range 30 {
		messages = append(messages, assistant(call("1", "read_file", fmt.Sprintf(`{"path":"%d.txt"}`, i))),
			user(result("1", strings.Repeat("water ", 200))))
	}
	for range 2 {
		messages = Sources{}.Compact(messages, "", 3000)
		c, active := checkpointOf(messages)
		head, _ := messages[0].Parts[0].(provider.Compaction)
		if !active || c.Position != 1 || c.Goal != "find the leak" ||
			!strings.Contains(head.Text, "rewind ends with a report\n> find the leak\n") {
			t.Fatalf("%+v, %v\n%s", c, active, head.Text)
		}
	}
	c, _ := checkpointOf(messages)
	c.Report = "A stone."
	messages = append(messages[:c.Position:c.Position], c.Collapse(messages[c.Position:])...)
	if _, active := checkpointOf(messages); active || len(messages) != 2 {
		t.Errorf("%+v", messages)
	}
	if f := FactsOf(messages); f.Checkpoint != "" ||
		!reflect.DeepEqual(f.PersonTexts, []string{"Why does the weir leak?"}) {
		t.Errorf("%+v", f)
	}
}
