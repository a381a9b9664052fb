package window

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Facts holds the information that a compaction preserves without asking a model, such as changed
// files. It is collected from the messages, and is as untrusted as they are.
type Facts struct {
	PersonTexts []string `json:"said,omitempty"`  // messages of the user, oldest first
	Files       []File   `json:"files,omitempty"` // files that were read or changed, the last one last
	Todo        string   `json:"todo,omitempty"`  // the current list of the tool todo
	// lines about calls that were denied, applied or run, oldest first
	Decisions []string `json:"decisions,omitempty"`
	Messages  int      `json:"messages,omitempty"` // the number of messages that the compaction removed
	// Checkpoint is the goal of the active checkpoint, or "".
	Checkpoint string `json:"checkpoint,omitempty"`
}

// File says whether a conversation has read a file, and how it has changed it.
type File struct {
	Path   string `json:"path"`
	Read   bool   `json:"read,omitempty"`
	Change string `json:"change,omitempty"` // a description of the last change, from its result; "": not changed
}

// Limits on Facts. The oldest entries are dropped first, except the first message of the user.
const (
	maxFiles       = 200
	maxDecisions   = 100
	maxPersonTexts = 200
	maxPersonBytes = 4 << 10 // the number of bytes to which one message of the user is cut
	maxLineBytes   = 300     // the number of bytes to which a decision, or the description of a change, is cut
	maxTodoBytes   = 8 << 10
)

// FactsOf collects the facts from messages. Facts of an earlier compaction among them are included.
func FactsOf(messages []provider.Message) Facts {
	var f Facts
	var calls []provider.ToolCall
	for _, m := range messages {
		counts := true
		if m.Role == provider.Assistant {
			calls = nil
		}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Compaction:
				f, counts = Facts{}, false
				_ = json.Unmarshal(p.Facts, &f) // what is damaged is missing
			case provider.Text:
				if m.Role == provider.User {
					f.addText(p)
				}
			case provider.ToolCall:
				calls = append(calls, p)
			case provider.ToolResult:
				if i := slices.IndexFunc(calls, func(c provider.ToolCall) bool { return c.ID == p.ID }); i >= 0 {
					f.addResult(calls[i], p)
				}
			}
		}
		if counts {
			f.Messages++
		}
	}
	return f
}

// addText adds a text from a message with the role User.
func (f *Facts) addText(p provider.Text) {
	text := strings.TrimSpace(p.Text)
	switch {
	case p.Origin == provider.Report:
		f.addReport(text)
		return
	case text == "" || !p.Origin.IsFromPerson():
		return
	case p.Origin == provider.Todo:
		f.Todo = truncate(todo.FromPerson(text), maxTodoBytes)
		return
	}
	f.PersonTexts = append(f.PersonTexts, truncate(text, maxPersonBytes))
	if len(f.PersonTexts) > maxPersonTexts {
		f.PersonTexts = slices.Delete(f.PersonTexts, 1, 2)
	}
}

// addResult adds the facts in a call and its result.
func (f *Facts) addResult(c provider.ToolCall, r provider.ToolResult) {
	var in struct{ Path, Command, Input string }
	_ = json.Unmarshal(c.Input, &in)
	about := c.Name
	var edited []string // by the tool edit
	if c.Name == "edit" {
		edited = hashline.Paths(in.Input)
		in.Path = strings.Join(edited, " ")
	}
	switch {
	case in.Path != "":
		about += " " + in.Path
	case in.Command != "":
		about += " " + in.Command
	}
	about = shortLine(about)
	switch {
	case r.IsError && strings.HasPrefix(r.Text, approval.Denied):
		_, reason, _ := strings.Cut(r.Text, "\n")
		if reason = shortLine(reason); reason != "" {
			reason = ", because: " + reason
		}
		f.addDecision("denied: " + about + reason)
	case r.IsError && (c.Name == "bash" || in.Path != "" && c.Name != "read_file"):
		f.addDecision("failed: " + about + ": " + shortLine(firstLine(r.Text)))
	case r.IsError:
	case c.Name == "todo":
		f.Todo = truncate(r.Text, maxTodoBytes)
	case c.Name == "read_file":
		path, _, _ := strings.Cut(in.Path, ":")
		f.addFile(path, "")
	case c.Name == "write_file" || c.Name == "edit_file":
		f.addFile(in.Path, shortLine(firstLine(r.Text)))
		f.addDecision("approved and applied: " + about)
	case c.Name == "edit":
		for _, path := range hashline.Paths(r.Text) { // those that were changed
			f.addFile(path, "edited by lines")
			f.addDecision("approved and applied: edit " + shortLine(path))
		}
		for _, path := range edited {
			if !slices.Contains(hashline.Paths(r.Text), path) {
				f.addDecision("denied or failed: edit " + shortLine(path))
			}
		}
	case c.Name == provider.CheckpointName:
		f.Checkpoint = goalOf(c)
	case c.Name == "bash":
		f.addDecision("approved and run: " + about)
		f.addChangedByCommand(r.Text)
	}
}

func (f *Facts) addDecision(what string) {
	f.Decisions = append(f.Decisions, what)
	if len(f.Decisions) > maxDecisions {
		f.Decisions = slices.Delete(f.Decisions, 0, 1)
	}
}

// addFile records that a file was changed, or only read if change is "".
func (f *Facts) addFile(path, change string) {
	if path = shortLine(path); path == "" || strings.HasPrefix(path, "artifact") {
		return
	}
	file := File{Path: path}
	if i := slices.IndexFunc(f.Files, func(o File) bool { return o.Path == path }); i >= 0 {
		file = f.Files[i]
		f.Files = slices.Delete(f.Files, i, i+1)
	}
	if change != "" {
		file.Change = change
	} else {
		file.Read = true
	}
	f.Files = append(f.Files, file)
	if len(f.Files) > maxFiles {
		f.Files = slices.Delete(f.Files, 0, 1)
	}
}

// Text returns the facts as text for a model, in at most about budget tokens. Each section gets a
// share of the tokens; tokens that it does not need are available to the next sections. If a
// section is too long, its oldest entries are left out.
func (f Facts) Text(budget int) string {
	var b strings.Builder
	addPart := func(title string, share int, items []string, pinned int) {
		if len(items) == 0 {
			return
		}
		kept, omitted := fitTokens(items, share, pinned)
		budget -= provider.Tokens(strings.Join(kept, "\n")) + provider.Tokens(title)
		fmt.Fprintf(&b, "## %s\n", title)
		if omitted > 0 {
			fmt.Fprintf(&b, "(%d older ones are left out)\n", omitted)
		}
		b.WriteString(strings.Join(kept, "\n") + "\n\n")
	}
	if f.Checkpoint != "" {
		addPart("The active checkpoint, which rewind ends with a report", budget/4, []string{quoteLines(f.Checkpoint)},
			1)
	}
	addPart("The todo list", budget/4, todo.Parse(f.Todo).Unfinished(), 0)
	var personTexts, files []string
	for _, s := range f.PersonTexts {
		personTexts = append(personTexts, quoteLines(s))
	}
	addPart("What the person said, in their own words, the oldest first", budget*2/5, personTexts, 1)
	addPart("What was decided, the oldest first", budget/2, bullets(f.Decisions), 0)
	for _, file := range f.Files {
		state := "read"
		switch {
		case file.Change != "" && file.Read:
			state = "read and changed: " + file.Change
		case file.Change != "":
			state = "changed: " + file.Change
		}
		files = append(files, "- "+file.Path+": "+state)
	}
	addPart("Files, the one that was touched last is the last", budget, files, 0)
	return b.String()
}

// fitTokens returns the items that fit into budget tokens: the first pinned ones, which are cut if
// necessary, and as many of the last ones as possible. omitted is the number of items that are left
// out.
func fitTokens(items []string, budget, pinned int) (kept []string, omitted int) {
	pinned = min(pinned, len(items))
	for _, s := range items[:pinned] {
		s = truncate(s, max(budget, 0)) // a token is rarely less than a byte
		kept, budget = append(kept, s), budget-provider.Tokens(s)-1
	}
	from := len(items)
	for from > pinned {
		if budget -= provider.Tokens(items[from-1]) + 1; budget < 0 {
			break
		}
		from--
	}
	return append(kept, items[from:]...), from - pinned
}

func bullets(list []string) (items []string) {
	for _, s := range list {
		items = append(items, "- "+s)
	}
	return items
}

// quoteLines returns text with "> " before each line. So no line of it can look like the end of the
// quotation.
func quoteLines(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ")
}

// shortLine returns text on one line, cut to about maxLineBytes.
func shortLine(text string) string {
	return truncate(strings.Join(strings.Fields(text), " "), maxLineBytes)
}

func firstLine(text string) string {
	l, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return l
}

// truncate returns text if it has at most maxLen bytes. Otherwise it returns the first maxLen
// bytes, and a note with the number of the others.
func truncate(text string, maxLen int) string {
	if len(text) <= maxLen {
		return text
	}
	head := width.Head(text, maxLen)
	return fmt.Sprintf("%s [%d more bytes]", head, len(text)-len(head))
}
