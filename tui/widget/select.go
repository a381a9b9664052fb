package widget

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Select asks for one of Options, with the keys and the looks of [List]. The typed letters may
// stand apart. Fields are for the loop; call Changed after a change of Options or At.
type Select[T any] struct {
	Title    string
	Options  []T
	Show     func(T) Item // returns how an option looks; nil: see ItemOf
	At       int          // the chosen option, an index of Options
	Hint     string       // below the rows; "" for that of the keys
	Bare     bool         // only the options: for a component around it, which gets the unused keys
	Mouse    bool         // a click moves to an option, a second one chooses it, the wheel moves
	OnChoose func(T)      // Enter
	OnLeave  func()       // Esc, Ctrl+C

	list  List
	built bool
}

// Changed says that Options or At were changed.
func (q *Select[T]) Changed() { q.built = false }

// innerList returns the list of the options.
func (q *Select[T]) innerList() *List {
	l := &q.list
	if !q.built {
		l.Items, l.At, l.Fuzzy, q.built = itemsOf(q.Options, q.Show), q.At, true, true
		l.Changed()
	}
	l.Title, l.Hint, l.Bare, l.OnLeave = q.Title, q.Hint, q.Bare, q.OnLeave
	l.Mouse = q.Mouse
	l.OnChoose = func(i int) {
		if q.At = i; q.OnChoose != nil {
			q.OnChoose(q.Options[i])
		}
	}
	return l
}

// itemsOf returns the items of options.
func itemsOf[T any](options []T, show func(T) Item) []Item {
	all := make([]Item, len(options))
	for i, o := range options {
		if show != nil {
			all[i] = show(o)
		} else {
			all[i] = ItemOf(o)
		}
	}
	return all
}

// ItemOf returns the default item of an option: that of its method Item, if it has one, else its
// text by fmt.Sprint.
func ItemOf(option any) Item {
	if o, ok := option.(interface{ Item() Item }); ok {
		return o.Item()
	}
	return Item{Text: fmt.Sprint(option)}
}

// View returns the view of a [List].
func (q *Select[T]) View(s tui.Space) tui.View { return q.innerList().View(s) }

// HandleEvent takes the events of a [List].
func (q *Select[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	l := q.innerList()
	handled := l.HandleEvent(ev, s)
	if i := l.Chosen(); i >= 0 {
		q.At = i
	}
	return handled
}

// Submit chooses without a terminal, as a [List] does.
func (q *Select[T]) Submit(line string) {
	if i, err := q.Find(line); err == nil {
		q.innerList().OnChoose(i)
	}
}

// Find returns the option that a line names: by its number from 1, its text, or words that only one
// has. An empty line is the chosen one. The error tells what is wrong with the line.
func (q *Select[T]) Find(line string) (i int, err error) { return q.innerList().findItem(line) }
