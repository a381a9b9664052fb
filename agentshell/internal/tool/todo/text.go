package todo

import (
	"fmt"
	"strconv"
	"strings"
)

// What stands before an item, a phase, a note, and the further lines of a note.
const (
	heading  = "## "
	noted    = "      "
	noteMore = noted + "  "
)

// Empty is an empty list as text.
const Empty = "the list is empty\n"

var marks = map[State]string{Pending: "[ ] ", Active: "[>] ", Done: "[x] ", Dropped: "[-] "}

// Mark returns what stands before an item of that state.
func (s State) Mark() string { return marks[s] }

// Text returns the list as a model and a person read it, a line an item.
func (l List) Text() string {
	if len(l.Items()) == 0 {
		return Empty
	}
	var b strings.Builder
	for _, p := range l {
		if p.Name != "" {
			b.WriteString(heading + p.Name + "\n")
		}
		for _, it := range p.Items {
			b.WriteString(it.text() + "\n")
		}
	}
	return b.String()
}

func (it Item) text() string {
	s := it.State.Mark() + it.Name
	for _, n := range it.Notes {
		s += "\n" + noted + strings.ReplaceAll(n, "\n", "\n"+noteMore)
	}
	return s
}

// Parse reads the list out of a text that begins with one, as [List.Text] and a person write it:
// the marks of a checklist in Markdown will do, "- [x] plan", and a > before a note. Lines behind
// the list are left out.
func Parse(text string) List {
	var l List
	var last *Item
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if name, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			l = append(l, Phase{Name: strings.TrimSpace(name)})
			last = nil
			continue
		}
		if state, name, ok := item(line); ok {
			if len(l) == 0 {
				l = List{{}}
			}
			if _, i := l.at(name); i >= 0 || !oneLine(name) {
				last = nil
				continue
			}
			p := &l[len(l)-1]
			p.Items = append(p.Items, Item{Name: name, State: state})
			last = &p.Items[len(p.Items)-1]
			continue
		}
		more, isMore := strings.CutPrefix(line, noteMore)
		said, isNote := strings.CutPrefix(line, noted)
		if quoted, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok && !isNote {
			said, isNote = strings.TrimSpace(quoted), true
		}
		switch {
		case line == "":
		case last != nil && isMore && len(last.Notes) > 0:
			last.Notes[len(last.Notes)-1] += "\n" + strings.TrimSpace(more)
		case last != nil && isNote && note(said) != "":
			last.Notes = append(last.Notes, note(said))
		case !isNote && !strings.HasPrefix(line, " "):
			return l.whole()
		}
	}
	return l.whole()
}

// whole returns l without phases that hold nothing, and with one active item.
func (l List) whole() List {
	var list List
	for _, p := range l {
		if len(p.Items) > 0 {
			list = append(list, p)
		}
	}
	return list.promoted()
}

// item reads the line of an item.
func item(line string) (s State, name string, ok bool) {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "- "), "* ")
	if len(line) < 5 || line[0] != '[' || line[2] != ']' || line[3] != ' ' {
		return "", "", false
	}
	switch line[1] {
	case ' ':
		s = Pending
	case '>', '/':
		s = Active
	case 'x', 'X':
		s = Done
	case '-', '~':
		s = Dropped
	default:
		return "", "", false
	}
	return s, strings.TrimSpace(line[4:]), true
}

// Unfinished returns the lines of what is open, each with its notes, and how much is not.
func (l List) Unfinished() (lines []string) {
	_, closed := l.Count()
	for _, p := range l {
		named := p.Name == ""
		for _, it := range p.Items {
			if !it.State.Open() {
				continue
			}
			if !named {
				named = true
				lines = append(lines, heading+p.Name)
			}
			lines = append(lines, it.text())
		}
	}
	if closed > 0 && len(lines) > 0 {
		lines = append(lines, fmt.Sprintf("(%d more are done or dropped)", closed))
	}
	return lines
}

// Lines returns the list as /todo shows it: a heading, and the items with their numbers.
func (l List) Lines() []string {
	all, closed := l.Count()
	if all == 0 {
		return []string{"The todo list is empty. /todo append TEXT begins one."}
	}
	lines := []string{fmt.Sprintf("The todo list, %d of %d done:", closed, all)}
	n := 0
	for _, p := range l {
		if p.Name != "" {
			lines = append(lines, p.Name)
		}
		for _, it := range p.Items {
			n++
			for i, row := range strings.Split(it.text(), "\n") {
				if i == 0 {
					row = fmt.Sprintf("%3d %s", n, row)
				} else {
					row = "    " + row
				}
				lines = append(lines, row)
			}
		}
	}
	return lines
}

// Usage says what /todo takes.
const Usage = "/todo shows the list; /todo start, done, drop or rm with a number or a name; " +
	"/todo note N TEXT; /todo append TEXT"

// Typed returns the operations of what a person writes behind /todo; a number means an item of l,
// from 1.
func (l List) Typed(line string) ([]Op, error) {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	named := func(s string) (string, error) {
		items := l.Items()
		if n, err := strconv.Atoi(s); err == nil {
			if n < 1 || n > len(items) {
				return "", fmt.Errorf("there is no item %d", n)
			}
			return items[n-1].Name, nil
		}
		if _, i := l.at(s); i < 0 {
			return "", fmt.Errorf("there is no item %q", s)
		}
		return s, nil
	}
	switch verb {
	case "append":
		if rest == "" {
			return nil, fmt.Errorf("what is to be done is missing: /todo append TEXT")
		}
		return []Op{{Op: verb, Items: []string{rest}}}, nil
	case "start", "done", "drop", "rm":
		name, err := named(rest)
		return []Op{{Op: verb, Item: name}}, err
	case "note":
		which, text, _ := strings.Cut(rest, " ")
		name, err := named(which)
		return []Op{{Op: verb, Item: name, Text: text}}, err
	}
	return nil, fmt.Errorf("%q is nothing that /todo does", verb)
}

// Edited returns what a person's change of the list puts into the conversation.
func (l List) Edited() string { return edited + l.Text() }

// edited stands before the list.
const edited = "I changed the todo list. It is now:\n\n"

// FromPerson returns the list in what [List.Edited] has made.
func FromPerson(said string) (text string) { return strings.TrimPrefix(said, edited) }
