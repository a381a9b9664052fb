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

// Checkpoint is an active one (SH-42). Nothing keeps it but the conversation, so whatever becomes
// of that, a kill or another branch, becomes of it, too. All text in it is a model's.
type Checkpoint struct {
	Goal string
	At   int // messages before it stay when the conversation goes back to it
	// Reported says that a rewind was accepted, with Report: the conversation has to go back.
	Reported bool
	Report   string
}

// CheckpointOf finds the active checkpoint of messages: a result of the tool checkpoint, or one
// that a compaction carries on, with no report behind it.
func CheckpointOf(messages []provider.Message) (c Checkpoint, active bool) {
	for i, m := range messages {
		c, active = c.behind(active, messages[:i], m)
	}
	return c, active
}

// behind returns what is the checkpoint, and whether it is active, behind a message that joins
// those before, whose checkpoint c is.
func (c Checkpoint) behind(active bool, before []provider.Message, m provider.Message) (Checkpoint, bool) {
	for _, p := range m.Parts {
		switch p := p.(type) {
		case provider.Compaction:
			var f Facts
			_ = json.Unmarshal(p.Facts, &f) // what is damaged is missing
			c, active = Checkpoint{Goal: f.Checkpoint, At: len(before) + 1}, f.Checkpoint != ""
		case provider.Text:
			if p.Origin == provider.Report {
				active = false
			}
		case provider.ToolResult:
			call, ok := callOf(before, p)
			switch {
			case !ok || p.IsError:
			case call.Name == provider.CheckpointName:
				c, active = Checkpoint{Goal: goalOf(call), At: len(before) + 1}, true
			case call.Name == provider.RewindName:
				var in struct{ Report string }
				_ = json.Unmarshal(call.Input, &in) // the tool took it
				c.Reported, c.Report = true, in.Report
			}
		}
	}
	return c, active
}

// callOf returns the call of a result behind messages.
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

// goalOf returns the goal of a checkpoint, never "".
func goalOf(c provider.ToolCall) string {
	var in struct{ Goal string }
	_ = json.Unmarshal(c.Input, &in)
	return cut(cmp.Or(strings.TrimSpace(in.Goal), "(not known any more)"), saidBytes)
}

// The headings of a report. FactsOf finds them again: what others wrote stands behind a mark on
// each line, and the list, which has headings of its own, is the last.
const (
	reportFiles  = "## Files that were changed meanwhile\nThey are not restored. Read one before you change it.\n"
	reportDenied = "## What was denied meanwhile\n"
	reportTodo   = "## The todo list as it is now\n"
)

// Collapse returns what takes the place of gone, the messages behind the checkpoint: those of the
// person's as they are, and a last one with the model's report and what it must not lose.
func (c Checkpoint) Collapse(gone []provider.Message) []provider.Message {
	var list []provider.Message
	for _, m := range gone {
		if m = byPerson(m); len(m.Parts) > 0 {
			list = append(list, m)
		}
	}
	f := FactsOf(gone)
	f.Files = slices.DeleteFunc(f.Files, func(file File) bool { return file.Change == "" })
	f.Decisions = slices.DeleteFunc(f.Decisions, func(s string) bool { return !strings.HasPrefix(s, "denied: ") })
	var b strings.Builder
	b.WriteString("The conversation went back to your checkpoint: " + messagesAre(len(gone)-len(list)) +
		" not shown to you any more, and your report stands in their place.")
	if len(list) > 0 {
		b.WriteString(" What the person said meanwhile stands above it.")
	}
	b.WriteString("\n\nThe goal was:\n" + quoted(c.Goal) + "\n\n## Your report\n" + quoted(c.Report) + "\n")
	part := func(heading string, items []string) {
		const room = 3000 // tokens
		if len(items) == 0 {
			return
		}
		kept, left := fit(items, room, 0)
		b.WriteString("\n" + heading)
		if left > 0 {
			b.WriteString("(" + strconv.Itoa(left) + " older ones are left out)\n")
		}
		b.WriteString(strings.Join(kept, "\n") + "\n")
	}
	var files []string
	for _, file := range f.Files {
		files = append(files, "- "+file.Path+": "+file.Change)
	}
	part(reportFiles, files)
	part(reportDenied, bullets(f.Decisions))
	if f.Todo != "" {
		b.WriteString("\n" + reportTodo + todo.Parse(f.Todo).Text())
	}
	return append(list, provider.Message{Role: provider.User,
		Parts: []provider.Part{provider.Text{Text: b.String(), Origin: provider.Report}}})
}

// byPerson returns what the person said or did in m, with the pictures that they brought and what
// stands beside it. It has no parts if that is nothing.
func byPerson(m provider.Message) provider.Message {
	own := provider.Message{Role: m.Role}
	said := false
	for _, p := range m.Parts {
		switch p := p.(type) {
		case provider.Image:
			own.Parts = append(own.Parts, p)
		case provider.Text:
			if m.Role != provider.User || !p.Origin.Person() && !p.Origin.Beside() {
				continue
			}
			said = said || p.Origin.Person()
			own.Parts = append(own.Parts, p)
		}
	}
	if !said {
		own.Parts = nil
	}
	return own
}

// reported takes the facts from a report.
func (f *Facts) reported(text string) {
	f.Checkpoint = ""
	text, list, listed := strings.Cut(text, "\n"+reportTodo)
	if listed {
		f.Todo = cut(list, todoBytes)
	}
	text, denied, _ := strings.Cut(text, "\n"+reportDenied)
	_, files, _ := strings.Cut(text, "\n"+reportFiles)
	for l := range strings.Lines(files) {
		if path, change, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l), "- "), ": "); ok {
			f.touch(path, change)
		}
	}
	for l := range strings.Lines(denied) {
		if what, ok := strings.CutPrefix(strings.TrimSpace(l), "- "); ok {
			f.decided(what)
		}
	}
}

// commanded takes the files that the result of a command names as changed.
func (f *Facts) commanded(result string) {
	const mark = "[workspace files changed: "
	at := strings.LastIndex("\n"+result, "\n"+mark)
	if at < 0 {
		return
	}
	row, _, _ := strings.Cut(result[at+len(mark):], "\n")
	for path := range strings.SplitSeq(strings.TrimSuffix(row, "]"), ", ") {
		path = strings.TrimPrefix(path, "workspace/") // as the model names it
		if path, how, marked := strings.Cut(path, " ("); marked {
			f.touch(path, strings.TrimSuffix(how, ")")+", by a command") // new, removed
			continue
		}
		f.touch(path, "by a command")
	}
}
