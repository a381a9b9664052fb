package todo

import (
	"fmt"
	"strconv"
	"strings"
)

// These are the beginnings of lines: of a phase, of a note, and of further lines of a note.
const (
	phasePrefix      = "## "
	notePrefix       = "      "
	noteContinuation = notePrefix + "  "
)

// Empty is the text of an empty list.
const Empty = "the list is empty\n"

var markByState = map[State]string{Pending: "[ ] ", Active: "[>] ", Done: "[x] ", Dropped: "[-] "}

// Mark returns the mark, such as "[x] ", that an item with that state has before its name.
func (s State) Mark() string { return markByState[s] }

// Text returns the list as text for the model and the user, one line for each item.
func (l List) Text() string {
	if len(l.Items()) == 0 {
		return Empty
	}
	var b strings.Builder
	for _, p := range l {
		if p.Name != "" {
			b.WriteString(phasePrefix + p.Name + "\n")
		}
		for _, it := range p.Items {
			b.WriteString(it.renderItem() + "\n")
		}
	}
	return b.String()
}

func (it Item) renderItem() string {
	s := it.State.Mark() + it.Name
	for _, n := range it.Notes {
		s += "\n" + notePrefix + strings.ReplaceAll(n, "\n", "\n"+noteContinuation)
	}
	return s
}

// Parse parses a list at the beginning of a text, as [List.Text] or a user writes it. It accepts
// Markdown checklists, "- [x] plan", and a > before a note. It ignores everything after the list.
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
		if state, name, ok := parseItem(line); ok {
			if len(l) == 0 {
				l = List{{}}
			}
			if _, i := l.find(name); i >= 0 || !isName(name) {
				last = nil
				continue
			}
			p := &l[len(l)-1]
			p.Items = append(p.Items, Item{Name: name, State: state})
			last = &p.Items[len(p.Items)-1]
			continue
		}
		more, isMore := strings.CutPrefix(line, noteContinuation)
		noteText, isNote := strings.CutPrefix(line, notePrefix)
		if quoted, ok := strings.CutPrefix(strings.TrimSpace(line), ">"); ok && !isNote {
			noteText, isNote = strings.TrimSpace(quoted), true
		}
		switch {
		case line == "":
		case last != nil && isMore && len(last.Notes) > 0:
			last.Notes[len(last.Notes)-1] += "\n" + strings.TrimSpace(more)
		case last != nil && isNote && cleanNote(noteText) != "":
			last.Notes = append(last.Notes, cleanNote(noteText))
		case !isNote && !strings.HasPrefix(line, " "):
			return l.cleanUp()
		}
	}
	return l.cleanUp()
}

// cleanUp returns l without empty phases, and with exactly one active item if any item is open.
func (l List) cleanUp() List {
	var list List
	for _, p := range l {
		if len(p.Items) > 0 {
			list = append(list, p)
		}
	}
	return list.withActive()
}

// parseItem parses the line of an item. ok is false if the line is none.
func parseItem(line string) (s State, name string, ok bool) {
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

// Unfinished returns the lines of the open items with their notes. The last line says how many
// other items there are.
func (l List) Unfinished() (lines []string) {
	_, closed := l.Count()
	for _, p := range l {
		headed := p.Name == ""
		for _, it := range p.Items {
			if !it.State.IsOpen() {
				continue
			}
			if !headed {
				headed = true
				lines = append(lines, phasePrefix+p.Name)
			}
			lines = append(lines, it.renderItem())
		}
	}
	if closed > 0 && len(lines) > 0 {
		lines = append(lines, fmt.Sprintf("(%d more are done or dropped)", closed))
	}
	return lines
}

// Lines returns the list as the command /todo shows it: a heading, and the numbered items.
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
			for i, row := range strings.Split(it.renderItem(), "\n") {
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

// Usage lists the arguments of /todo.
const Usage = "/todo shows the list; /todo start, done, drop or rm with a number or a name; " +
	"/todo note N TEXT; /todo append TEXT"

// ParseCommand parses the argument of /todo. It returns the operations that the argument asks for.
// A number in it means an item of l, counted from 1.
func (l List) ParseCommand(line string) ([]Op, error) {
	verb, argument, _ := strings.Cut(strings.TrimSpace(line), " ")
	argument = strings.TrimSpace(argument)
	named := func(s string) (string, error) {
		items := l.Items()
		if n, err := strconv.Atoi(s); err == nil {
			if n < 1 || n > len(items) {
				return "", fmt.Errorf("there is no item %d", n)
			}
			return items[n-1].Name, nil
		}
		if _, i := l.find(s); i < 0 {
			return "", fmt.Errorf("there is no item %q", s)
		}
		return s, nil
	}
	switch verb {
	case "append":
		if argument == "" {
			return nil, fmt.Errorf("what is to be done is missing: /todo append TEXT")
		}
		return []Op{{Op: verb, Items: []string{argument}}}, nil
	case "start", "done", "drop", "rm":
		name, err := named(argument)
		return []Op{{Op: verb, Item: name}}, err
	case "note":
		which, text, _ := strings.Cut(argument, " ")
		name, err := named(which)
		return []Op{{Op: verb, Item: name, Text: text}}, err
	}
	return nil, fmt.Errorf("%q is nothing that /todo does", verb)
}

// EditMessage returns the message that tells the model about a user's change of the list.
func (l List) EditMessage() string { return editPrefix + l.Text() }

// editPrefix is the beginning of that message.
const editPrefix = "I changed the todo list. It is now:\n\n"

// FromPerson returns the text of the list in a message of [List.EditMessage].
func FromPerson(message string) (text string) { return strings.TrimPrefix(message, editPrefix) }
