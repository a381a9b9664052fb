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

// Facts is what a compaction carries on without asking a model. All of it is taken from the
// messages themselves, and is untrusted text as they are.
type Facts struct {
	Said      []string `json:"said,omitempty"`      // the person's words, the oldest first
	Files     []File   `json:"files,omitempty"`     // the one that was touched last is the last
	Todo      string   `json:"todo,omitempty"`      // the list as the todo tool or the person has left it
	Decisions []string `json:"decisions,omitempty"` // what was denied, applied and run, the oldest first
	Messages  int      `json:"messages,omitempty"`  // that are gone
	// Checkpoint is the goal of the checkpoint that is active; "" for none.
	Checkpoint string `json:"checkpoint,omitempty"`
}

// File is what a conversation did with a file.
type File struct {
	Path   string `json:"path"`
	Read   bool   `json:"read,omitempty"`
	Change string `json:"change,omitempty"` // the last change in the words of its result; "" was not changed
}

// How much Facts hold, whatever is asked of them later; the oldest go first, but of what the person
// said the first message stays.
const (
	mostFiles     = 200
	mostDecisions = 100
	mostSaid      = 200
	saidBytes     = 4 << 10 // of one message of the person's
	lineBytes     = 300     // of a decision, and of what is said of a file
	todoBytes     = 8 << 10
)

// FactsOf takes the facts from messages, those of a compaction before them included.
func FactsOf(messages []provider.Message) Facts {
	var f Facts
	var calls []provider.ToolCall
	for _, m := range messages {
		gone := true
		if m.Role == provider.Assistant {
			calls = nil
		}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Compaction:
				f, gone = Facts{}, false
				_ = json.Unmarshal(p.Facts, &f) // what is damaged is missing
			case provider.Text:
				if m.Role == provider.User {
					f.said(p)
				}
			case provider.ToolCall:
				calls = append(calls, p)
			case provider.ToolResult:
				if i := slices.IndexFunc(calls, func(c provider.ToolCall) bool { return c.ID == p.ID }); i >= 0 {
					f.result(calls[i], p)
				}
			}
		}
		if gone {
			f.Messages++
		}
	}
	return f
}

// said takes what was said in the name of the person.
func (f *Facts) said(p provider.Text) {
	text := strings.TrimSpace(p.Text)
	switch {
	case p.Origin == provider.Report:
		f.reported(text)
		return
	case text == "" || !p.Origin.Person():
		return
	case p.Origin == provider.Todo:
		f.Todo = cut(todo.FromPerson(text), todoBytes)
		return
	}
	f.Said = append(f.Said, cut(text, saidBytes))
	if len(f.Said) > mostSaid {
		f.Said = slices.Delete(f.Said, 1, 2)
	}
}

// result takes what came of a call.
func (f *Facts) result(c provider.ToolCall, r provider.ToolResult) {
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
	about = line(about)
	switch {
	case r.IsError && strings.HasPrefix(r.Text, approval.Denied):
		_, reason, _ := strings.Cut(r.Text, "\n")
		if reason = line(reason); reason != "" {
			reason = ", because: " + reason
		}
		f.decided("denied: " + about + reason)
	case r.IsError && (c.Name == "bash" || in.Path != "" && c.Name != "read_file"):
		f.decided("failed: " + about + ": " + line(first(r.Text)))
	case r.IsError:
	case c.Name == "todo":
		f.Todo = cut(r.Text, todoBytes)
	case c.Name == "read_file":
		path, _, _ := strings.Cut(in.Path, ":")
		f.touch(path, "")
	case c.Name == "write_file" || c.Name == "edit_file":
		f.touch(in.Path, line(first(r.Text)))
		f.decided("approved and applied: " + about)
	case c.Name == "edit":
		for _, path := range hashline.Paths(r.Text) { // those that were changed
			f.touch(path, "edited by lines")
			f.decided("approved and applied: edit " + line(path))
		}
		for _, path := range edited {
			if !slices.Contains(hashline.Paths(r.Text), path) {
				f.decided("denied or failed: edit " + line(path))
			}
		}
	case c.Name == provider.CheckpointName:
		f.Checkpoint = goalOf(c)
	case c.Name == "bash":
		f.decided("approved and run: " + about)
		f.commanded(r.Text)
	}
}

func (f *Facts) decided(what string) {
	f.Decisions = append(f.Decisions, what)
	if len(f.Decisions) > mostDecisions {
		f.Decisions = slices.Delete(f.Decisions, 0, 1)
	}
}

// touch notes that a file was read, or changed if change is not "".
func (f *Facts) touch(path, change string) {
	if path = line(path); path == "" || strings.HasPrefix(path, "artifact") {
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
	if len(f.Files) > mostFiles {
		f.Files = slices.Delete(f.Files, 0, 1)
	}
}

// Text returns the facts for a model, in about so many tokens at most. Each part has its share,
// what one does not need the next ones have; of each the newest comes first to its right.
func (f Facts) Text(room int) string {
	var b strings.Builder
	part := func(title string, share int, items []string, pinned int) {
		if len(items) == 0 {
			return
		}
		kept, left := fit(items, share, pinned)
		room -= provider.Tokens(strings.Join(kept, "\n")) + provider.Tokens(title)
		fmt.Fprintf(&b, "## %s\n", title)
		if left > 0 {
			fmt.Fprintf(&b, "(%d older ones are left out)\n", left)
		}
		b.WriteString(strings.Join(kept, "\n") + "\n\n")
	}
	if f.Checkpoint != "" {
		part("The active checkpoint, which rewind ends with a report", room/4, []string{quoted(f.Checkpoint)}, 1)
	}
	part("The todo list", room/4, todo.Parse(f.Todo).Unfinished(), 0)
	var said, files []string
	for _, s := range f.Said {
		said = append(said, quoted(s))
	}
	part("What the person said, in their own words, the oldest first", room*2/5, said, 1)
	part("What was decided, the oldest first", room/2, bullets(f.Decisions), 0)
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
	part("Files, the one that was touched last is the last", room, files, 0)
	return b.String()
}

// fit returns items in about so many tokens: the first pinned ones, and as many of the last as
// there is room for. left counts the others. A pinned one that is too long is cut.
func fit(items []string, room, pinned int) (kept []string, left int) {
	pinned = min(pinned, len(items))
	for _, s := range items[:pinned] {
		s = cut(s, max(room, 0)) // a token is rarely less than a byte
		kept, room = append(kept, s), room-provider.Tokens(s)-1
	}
	from := len(items)
	for from > pinned {
		if room -= provider.Tokens(items[from-1]) + 1; room < 0 {
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

// quoted returns text with a mark before each line, so that nothing in it can be taken for the end
// of it.
func quoted(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ")
}

// line returns text as one short line.
func line(text string) string { return cut(strings.Join(strings.Fields(text), " "), lineBytes) }

func first(text string) string {
	l, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return l
}

// cut returns text, or its beginning with a word about the rest, in about so many bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head := width.Head(text, most)
	return fmt.Sprintf("%s [%d more bytes]", head, len(text)-len(head))
}
