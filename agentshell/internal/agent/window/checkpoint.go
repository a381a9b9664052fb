package window

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
)

// Checkpoint is a point that the model has set in the conversation, and to which it can go back
// (SH-42). It is stored only as part of the conversation, so that each branch has its own. All
// texts are written by a model.
type Checkpoint struct {
	Goal     string
	Position int // the number of messages that stay when the conversation goes back to the checkpoint
	// Reported says that the model has called rewind with Report, and that the conversation has to
	// go back now.
	Reported bool
	Report   string
}

// afterMessage returns the checkpoint of a conversation after message m is added, and whether it is
// active. c and active describe the conversation before, whose messages are in before.
func (c Checkpoint) afterMessage(active bool, before []provider.Message, m provider.Message) (Checkpoint, bool) {
	for _, p := range m.Parts {
		switch p := p.(type) {
		case provider.Compaction:
			var f Facts
			_ = json.Unmarshal(p.Facts, &f) // what is damaged is missing
			c, active = Checkpoint{Goal: f.Checkpoint, Position: len(before) + 1}, f.Checkpoint != ""
		case provider.Text:
			if p.Origin == provider.Report {
				active = false
			}
		case provider.ToolResult:
			call, ok := callOf(before, p)
			switch {
			case !ok || p.IsError:
			case call.Name == provider.CheckpointName:
				c, active = Checkpoint{Goal: goalOf(call), Position: len(before) + 1}, true
			case call.Name == provider.RewindName:
				var in struct{ Report string }
				_ = json.Unmarshal(call.Input, &in) // the tool took it
				c.Reported, c.Report = true, in.Report
			}
		}
	}
	return c, active
}

// callOf returns the call that r is the result of, if the last of messages contains it.
func callOf(messages []provider.Message, r provider.ToolResult) (c provider.ToolCall, ok bool) {
	if len(messages) == 0 {
		return c, false
	}
	for _, p := range messages[len(messages)-1].Parts {
		if c, ok = p.(provider.ToolCall); ok && c.ID == r.ID {
			return c, true
		}
	}
	return c, false
}

// goalOf returns the goal in a call of the tool checkpoint. It is never "".
func goalOf(c provider.ToolCall) string {
	var in struct{ Goal string }
	_ = json.Unmarshal(c.Input, &in)
	return truncate(cmp.Or(strings.TrimSpace(in.Goal), "(not known any more)"), maxPersonBytes)
}

// The headings in a report, by which FactsOf finds the parts again. Lines that a model or the user
// wrote are quoted with ">", so they cannot be taken for headings. The todo list, which has
// headings of its own, comes last.
const (
	reportFiles  = "## Files that were changed meanwhile\nThey are not restored. Read one before you change it.\n"
	reportDenied = "## What was denied meanwhile\n"
	reportTodo   = "## The todo list as it is now\n"
)

// Collapse returns the messages that replace those after the checkpoint: the user's messages among
// them, and a last message with the model's report and the facts that must survive, such as changed
// files.
func (c Checkpoint) Collapse(removed []provider.Message) []provider.Message {
	var list []provider.Message
	for _, m := range removed {
		if m = byPerson(m); len(m.Parts) > 0 {
			list = append(list, m)
		}
	}
	f := FactsOf(removed)
	f.Files = slices.DeleteFunc(f.Files, func(file File) bool { return file.Change == "" })
	f.Decisions = slices.DeleteFunc(f.Decisions, func(s string) bool { return !strings.HasPrefix(s, "denied: ") })
	var b strings.Builder
	b.WriteString("The conversation went back to your checkpoint: " + messagesAre(len(removed)-len(list)) +
		" not shown to you any more, and your report stands in their place.")
	if len(list) > 0 {
		b.WriteString(" What the person said meanwhile stands above it.")
	}
	b.WriteString("\n\nThe goal was:\n" + quoteLines(c.Goal) + "\n\n## Your report\n" + quoteLines(c.Report) + "\n")
	addPart := func(heading string, items []string) {
		const maxTokens = 3000 // tokens
		if len(items) == 0 {
			return
		}
		kept, omitted := fitTokens(items, maxTokens, 0)
		b.WriteString("\n" + heading)
		if omitted > 0 {
			b.WriteString("(" + strconv.Itoa(omitted) + " older ones are left out)\n")
		}
		b.WriteString(strings.Join(kept, "\n") + "\n")
	}
	var files []string
	for _, file := range f.Files {
		files = append(files, "- "+file.Path+": "+file.Change)
	}
	addPart(reportFiles, files)
	addPart(reportDenied, bullets(f.Decisions))
	if f.Todo != "" {
		b.WriteString("\n" + reportTodo + todo.Parse(f.Todo).Text())
	}
	return append(list, provider.Message{Role: provider.User,
		Parts: []provider.Part{provider.Text{Text: b.String(), Origin: provider.Report}}})
}

// byPerson returns m with only the parts that the user has written or done, together with pictures
// and notes. If the user has written nothing in m, the result has no parts.
func byPerson(m provider.Message) provider.Message {
	result := provider.Message{Role: m.Role}
	hasText := false
	for _, p := range m.Parts {
		switch p := p.(type) {
		case provider.Image:
			result.Parts = append(result.Parts, p)
		case provider.Text:
			if m.Role != provider.User || !p.Origin.IsFromPerson() && !p.Origin.IsAside() {
				continue
			}
			hasText = hasText || p.Origin.IsFromPerson()
			result.Parts = append(result.Parts, p)
		}
	}
	if !hasText {
		result.Parts = nil
	}
	return result
}

// addReport adds the changed files, denials and todo list that the text of an earlier report names.
func (f *Facts) addReport(text string) {
	f.Checkpoint = ""
	text, list, listed := strings.Cut(text, "\n"+reportTodo)
	if listed {
		f.Todo = truncate(list, maxTodoBytes)
	}
	text, denied, _ := strings.Cut(text, "\n"+reportDenied)
	_, files, _ := strings.Cut(text, "\n"+reportFiles)
	for l := range strings.Lines(files) {
		if path, change, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l), "- "), ": "); ok {
			f.addFile(path, change)
		}
	}
	for l := range strings.Lines(denied) {
		if what, ok := strings.CutPrefix(strings.TrimSpace(l), "- "); ok {
			f.addDecision(what)
		}
	}
}

// addChangedByCommand adds the files that the result of a shell command lists as changed.
func (f *Facts) addChangedByCommand(result string) {
	const mark = "[workspace files changed: "
	start := strings.LastIndex("\n"+result, "\n"+mark)
	if start < 0 {
		return
	}
	row, _, _ := strings.Cut(result[start+len(mark):], "\n")
	for path := range strings.SplitSeq(strings.TrimSuffix(row, "]"), ", ") {
		path = strings.TrimPrefix(path, "workspace/") // as the model names it
		if path, how, marked := strings.Cut(path, " ("); marked {
			f.addFile(path, strings.TrimSuffix(how, ")")+", by a command") // new, removed
			continue
		}
		f.addFile(path, "by a command")
	}
}
