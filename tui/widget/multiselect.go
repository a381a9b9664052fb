package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// MultiSelect lets the user choose any number of Options. It has the keys and the look of [List].
// Space checks or unchecks an option, Ctrl+A all shown ones, and Enter submits the checked ones.
// Access the fields only on the App's loop. Call Changed after a change of Options or Marked.
type MultiSelect[T any] struct {
	Title   string
	Options []T
	Show    func(T) Item // returns the row of an option; nil: [ItemOf]
	Marked  []bool       // for each option: whether it is checked; missing elements count as false
	// Validate returns an error to show below the options if the checked ones are not acceptable;
	// nil: any are.
	Validate func([]T) error
	Hint     string // text below the rows; "": a hint of the keys
	// shows only the options, for use inside another component, which gets the unused keys
	Bare     bool
	Mouse    bool             // a click checks or unchecks an option, the wheel moves
	OnChoose func(marked []T) // called on Enter with the checked options
	OnLeave  func()           // called on Esc and Ctrl+C

	list      List
	listBuilt bool  // list has the items of Options
	err       error // the last error of Validate
}

// Changed must be called after a change of Options or Marked.
func (m *MultiSelect[T]) Changed() { m.listBuilt = false }

// Values returns the checked options, in the order of Options.
func (m *MultiSelect[T]) Values() (all []T) {
	for i, o := range m.Options {
		if i < len(m.Marked) && m.Marked[i] {
			all = append(all, o)
		}
	}
	return all
}

// innerList returns the List that shows the options, updated from the fields.
func (m *MultiSelect[T]) innerList() *List {
	l := &m.list
	if !m.listBuilt {
		m.Marked = append(m.Marked, make([]bool, max(len(m.Options)-len(m.Marked), 0))...)[:len(m.Options)]
		l.Items, l.Fuzzy, m.listBuilt = itemsOf(m.Options, m.Show), true, true
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

// handleKey handles the keys that check options. i is the index of the highlighted option, or -1.
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

// View returns the rows of a [List] with a check box before each option, and the error of Validate
// below them.
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

// HandleEvent handles the events of a [List] and the keys and clicks that check options.
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

// Submit checks and submits the options that line names, without a terminal. It ignores a line that
// [MultiSelect.Find] does not accept.
func (m *MultiSelect[T]) Submit(line string) {
	marked, err := m.Find(line)
	if err != nil {
		return
	}
	m.Marked = marked
	m.handleEnter()
}

// Find returns a value for Marked with the options that line names. The names are separated by
// commas. Each is an option's number, from 1, its text, or words that only one option contains. An
// empty line returns Marked, and "-" checks no option. The error says what is wrong with line.
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
