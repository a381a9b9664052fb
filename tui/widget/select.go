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
func (sel *Select[T]) Changed() { sel.built = false }

// innerList returns the list of the options.
func (sel *Select[T]) innerList() *List {
	l := &sel.list
	if !sel.built {
		l.Items, l.At, l.Fuzzy, sel.built = itemsOf(sel.Options, sel.Show), sel.At, true, true
		l.Changed()
	}
	l.Title, l.Hint, l.Bare, l.OnLeave = sel.Title, sel.Hint, sel.Bare, sel.OnLeave
	l.Mouse = sel.Mouse
	l.OnChoose = func(i int) {
		if sel.At = i; sel.OnChoose != nil {
			sel.OnChoose(sel.Options[i])
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
func (sel *Select[T]) View(s tui.Space) tui.View { return sel.innerList().View(s) }

// HandleEvent takes the events of a [List].
func (sel *Select[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	l := sel.innerList()
	handled := l.HandleEvent(ev, s)
	if i := l.Chosen(); i >= 0 {
		sel.At = i
	}
	return handled
}

// Submit chooses without a terminal, as a [List] does.
func (sel *Select[T]) Submit(line string) {
	if i, err := sel.Find(line); err == nil {
		sel.innerList().OnChoose(i)
	}
}

// Find returns the option that a line names: by its number from 1, its text, or words that only one
// has. An empty line is the chosen one. The error tells what is wrong with the line.
func (sel *Select[T]) Find(line string) (i int, err error) { return sel.innerList().findItem(line) }
