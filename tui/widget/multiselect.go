package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// MultiSelect asks for any number of Options, with the keys and the looks of [List]. Space marks an
// option, Ctrl+A marks all that are shown or none of them, and Enter takes the marked ones. Fields
// are for the loop; call Changed after a change of Options or Marked.
type MultiSelect[T any] struct {
	Title   string
	Options []T
	Show    func(T) Item // returns how an option looks; nil: see ItemOf
	Marked  []bool       // of each option; missing ones are not marked
	// returns what is wrong with the marked options, shown below them; nil: all is right
	Validate func([]T) error
	Hint     string           // below the rows; "" for that of the keys
	Bare     bool             // only the options: for a component around it, which gets the unused keys
	Mouse    bool             // a click marks an option, the wheel moves
	OnChoose func(marked []T) // Enter
	OnLeave  func()           // Esc, Ctrl+C

	list  List
	built bool
	err   error
}

// Changed says that Options or Marked were changed.
func (q *MultiSelect[T]) Changed() { q.built = false }

// Values returns the marked options, in the order of Options.
func (q *MultiSelect[T]) Values() (all []T) {
	for i, o := range q.Options {
		if i < len(q.Marked) && q.Marked[i] {
			all = append(all, o)
		}
	}
	return all
}

// innerList returns the list of the options.
func (q *MultiSelect[T]) innerList() *List {
	l := &q.list
	if !q.built {
		q.Marked = append(q.Marked, make([]bool, max(len(q.Options)-len(q.Marked), 0))...)[:len(q.Options)]
		l.Items, l.Fuzzy, q.built = itemsOf(q.Options, q.Show), true, true
		l.Changed()
	}
	for i := range l.Items {
		if l.Items[i].Mark = "[ ] "; q.Marked[i] {
			l.Items[i].Mark = "[x] "
		}
	}
	l.Title, l.Hint, l.Bare, l.OnLeave = q.Title, q.Hint, q.Bare, q.OnLeave
	l.Mouse = q.Mouse
	l.plainPrompt = "Numbers or words, commas between them; - for none:"
	if l.Hint == "" {
		l.Hint = "Space marks, Enter takes the marked, typing searches, Esc leaves"
	}
	l.OnKey, l.OnChoose = q.handleKey, func(int) { q.handleEnter() }
	return l
}

// handleKey takes the keys that mark. i is the chosen option, or -1.
func (q *MultiSelect[T]) handleKey(k tui.Key, i int) bool {
	switch {
	case k.Code == terminal.KeySpace && k.Mods == 0:
		if i >= 0 {
			q.Marked[i] = !q.Marked[i]
		}
	case k.Code == 'a' && k.Mods == terminal.Ctrl:
		all := true
		for _, i := range q.list.matches {
			all = all && q.Marked[i]
		}
		for _, i := range q.list.matches {
			q.Marked[i] = !all
		}
	case k.Code == terminal.KeyEnter && k.Mods == 0 && i < 0: // nothing is in sight
		q.handleEnter()
		return true
	default:
		return false
	}
	if q.err != nil && q.Validate != nil {
		q.err = q.Validate(q.Values())
	}
	return true
}

func (q *MultiSelect[T]) handleEnter() {
	if q.err = nil; q.Validate != nil {
		q.err = q.Validate(q.Values())
	}
	if q.err == nil && q.OnChoose != nil {
		q.OnChoose(q.Values())
	}
}

// View returns the view of a [List], with a box before each option, and the error of Validate
// below.
func (q *MultiSelect[T]) View(s tui.Space) tui.View {
	l := q.innerList()
	if q.err == nil || q.Bare {
		return l.View(s)
	}
	th := s.Look()
	rows := s.Wrap(tui.Span{Text: th.Glyphs.Problem + " " + q.err.Error(), Style: th.Error})
	if s.Height > 0 {
		s.Height = max(s.Height-len(rows), 1)
	}
	v := l.View(s)
	v.Lines = append(v.Lines, rows...)
	return v
}

// HandleEvent takes the events of a [List], and the keys that mark.
func (q *MultiSelect[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	l := q.innerList()
	if m, ok := ev.(tui.Mouse); ok && q.Mouse && isClick(m) {
		if row := l.itemAt(m); row >= 0 {
			l.moveBy(row-l.chosenRow, false)
			return q.handleKey(tui.Key{Code: terminal.KeySpace}, l.Chosen())
		}
		return !q.Bare
	}
	return l.HandleEvent(ev, s)
}

// Submit takes the options that a line names, without a terminal, see [MultiSelect.Find].
func (q *MultiSelect[T]) Submit(line string) {
	marked, err := q.Find(line)
	if err != nil {
		return
	}
	q.Marked = marked
	q.handleEnter()
}

// Find returns Marked for a line: numbers from 1, texts, or words that only one option has, with
// commas between them. An empty line returns the marked options, a dash none. The error tells what
// is wrong with the line.
func (q *MultiSelect[T]) Find(line string) (marked []bool, err error) {
	l := q.innerList()
	if strings.TrimSpace(line) == "" {
		return q.Marked, nil
	}
	marked = make([]bool, len(q.Options))
	if strings.TrimSpace(line) == "-" {
		return marked, nil
	}
	for _, part := range strings.Split(line, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		i, err := l.findItem(part)
		if err != nil {
			return nil, err
		}
		marked[i] = true
	}
	return marked, nil
}
