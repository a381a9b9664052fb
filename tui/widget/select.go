package widget

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Select lets the user choose one of Options. It has the keys and the look of [List], with fuzzy
// search: the typed letters may be spread over an option. Access the fields only on the App's loop.
// Call Changed after a change of Options or At.
type Select[T any] struct {
	Title   string
	Options []T
	Show    func(T) Item // returns the row of an option; nil: [ItemOf]
	At      int          // index of the highlighted option
	Hint    string       // text below the rows; "": a hint of the keys
	Bare    bool         // shows only the options, for use inside another component, which gets the unused keys
	Mouse   bool         // a click highlights an option, a second click chooses it, the wheel moves
	// LastStays shows the last option whatever the user types: it stands for an answer that is not
	// among the others. Typed returns that answer.
	LastStays bool
	OnChoose  func(T) // called on Enter with the option
	OnLeave   func()  // called on Esc and Ctrl+C

	list      List
	listBuilt bool // list has the items of Options
}

// Changed must be called after a change of Options or At.
func (sel *Select[T]) Changed() { sel.listBuilt = false }

// innerList returns the List that shows the options, updated from the fields.
func (sel *Select[T]) innerList() *List {
	l := &sel.list
	if !sel.listBuilt {
		l.Items, l.At, l.Fuzzy, sel.listBuilt = itemsOf(sel.Options, sel.Show), sel.At, true, true
		l.Changed()
	}
	l.Title, l.Hint, l.Bare, l.OnLeave = sel.Title, sel.Hint, sel.Bare, sel.OnLeave
	l.Mouse, l.lastStays = sel.Mouse, sel.LastStays && len(sel.Options) > 0
	l.OnChoose = func(i int) {
		if sel.At = i; sel.OnChoose != nil {
			sel.OnChoose(sel.Options[i])
		}
	}
	return l
}

// Typed returns the text that the user has typed to search.
func (sel *Select[T]) Typed() string { return strings.TrimSpace(sel.list.query) }

// itemsOf returns the list item of each option, made by show, or by [ItemOf] if show is nil.
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

// ItemOf returns the default list item for an option. If the option has a method Item() Item,
// ItemOf calls it. Otherwise the text is that of fmt.Sprint.
func ItemOf(option any) Item {
	if o, ok := option.(interface{ Item() Item }); ok {
		return o.Item()
	}
	return Item{Text: fmt.Sprint(option)}
}

// View returns the rows of a [List] of the options.
func (sel *Select[T]) View(s tui.Space) tui.View { return sel.innerList().View(s) }

// HandleEvent handles the events of a [List].
func (sel *Select[T]) HandleEvent(ev tui.Event, s tui.Space) bool {
	l := sel.innerList()
	handled := l.HandleEvent(ev, s)
	if i := l.Chosen(); i >= 0 {
		sel.At = i
	}
	return handled
}

// Submit chooses an option without a terminal. It ignores a line that [Select.Find] does not
// accept.
func (sel *Select[T]) Submit(line string) {
	if i, err := sel.Find(line); err == nil {
		sel.innerList().OnChoose(i)
	}
}

// Find returns the index of the option that line names. line is an option's number, from 1, its
// text, or words that only one option contains. An empty line names the highlighted option. The
// error says what is wrong with line.
func (sel *Select[T]) Find(line string) (i int, err error) { return sel.innerList().findItem(line) }
