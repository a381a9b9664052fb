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
func (m *MultiSelect[T]) Changed() { m.built = false }

// Values returns the marked options, in the order of Options.
func (m *MultiSelect[T]) Values() (all []T) {
	for i, o := range m.Options {
		if i < len(m.Marked) && m.Marked[i] {
			all = append(all, o)
		}
	}
	return all
}

// innerList returns the list of the options.
func (m *MultiSelect[T]) innerList() *List {
	l := &m.list
	if !m.built {
		m.Marked = append(m.Marked, make([]bool, max(len(m.Options)-len(m.Marked), 0))...)[:len(m.Options)]
		l.Items, l.Fuzzy, m.built = itemsOf(m.Options, m.Show), true, true
		l.Changed()
	}
	for i := range l.Items {
		if l.Items[i].Mark = "[ ] "; m.Marked[i] {
			l.Items[i].Mark = "[x] "
		}
	}
	l.Title, l.Hint, l.Bare, l.OnLeave = m.Title, m.Hint, m.Bare, m.OnLeave
	l.Mouse = m.Mouse
	l.plainPrompt = "Numbers or words, commas between them; - for none:"
	if l.Hint == "" {
		l.Hint = "Space marks, Enter takes the marked, typing searches, Esc leaves"
		l.QueryHint = "Space marks, Enter takes the marked, Esc clears the search"
	}
	l.OnKey, l.OnChoose = m.handleKey, func(int) { m.handleEnter() }
	return l
}

// handleKey takes the keys that mark. i is the chosen option, or -1.
func (m *MultiSelect[T]) handleKey(k tui.Key, i int) bool {
	switch {
	case k.Code == terminal.KeySpace && k.Mods == 0:
		if i >= 0 {
			m.Marked[i] = !m.Marked[i]
		}
	case k.Code == 'a' && k.Mods == terminal.Ctrl:
		all := true
		for _, i := range m.list.matches {
			all = all && m.Marked[i]
		}
		for _, i := range m.list.matches {
			m.Marked[i] = !all
		}
	case k.Code == terminal.KeyEnter && k.Mods == 0 && i < 0: // nothing is in sight
		m.handleEnter()
		return true
	default:
		return false
	}
	if m.err != nil && m.Validate != nil {
		m.err = m.Validate(m.Values())
	}
	return true
}

func (m *MultiSelect[T]) handleEnter() {
	if m.err = nil; m.Validate != nil {
		m.err = m.Validate(m.Values())
	}
	if m.err == nil && m.OnChoose != nil {
		m.OnChoose(m.Values())
	}
}

// View returns the view of a [List], with a box before each option, and the error of Validate
// below.
func (m *MultiSelect[T]) View(s tui.Space) tui.View {
	l := m.innerList()
	if m.err == nil || m.Bare {
		return l.View(s)
	}
	th := s.Look()
	rows := s.Wrap(tui.Span{Text: th.Glyphs.Problem + " " + m.err.Error(), Style: th.Error})
	if s.Height > 0 {
		s.Height = max(s.Height-len(rows), 1)
	}
	v := l.View(s)
	v.Lines = append(v.Lines, rows...)
	return v
}

// HandleEvent takes the events of a [List], and the keys that mark.
func (m *MultiSelect[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	l := m.innerList()
	if mouse, ok := ev.(tui.Mouse); ok && m.Mouse && isClick(mouse) {
		if row := l.itemAt(mouse); row >= 0 {
			l.moveBy(row-l.chosenRow, false)
			return m.handleKey(tui.Key{Code: terminal.KeySpace}, l.Chosen())
		}
		return !m.Bare
	}
	return l.HandleEvent(ev, s)
}

// Submit takes the options that a line names, without a terminal, see [MultiSelect.Find].
func (m *MultiSelect[T]) Submit(line string) {
	marked, err := m.Find(line)
	if err != nil {
		return
	}
	m.Marked = marked
	m.handleEnter()
}

// Find returns Marked for a line: numbers from 1, texts, or words that only one option has, with
// commas between them. An empty line returns the marked options, a dash none. The error tells what
// is wrong with the line.
func (m *MultiSelect[T]) Find(line string) (marked []bool, err error) {
	l := m.innerList()
	if strings.TrimSpace(line) == "" {
		return m.Marked, nil
	}
	marked = make([]bool, len(m.Options))
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
