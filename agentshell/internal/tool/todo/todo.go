// Package todo is the list of the steps of a longer task: the list itself, the operations on it,
// and its text for a model and a user.
//
// The text is all that has to be stored: [Parse] restores the list from it. So each branch of a
// conversation has its own list, the one in its messages.
package todo

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// State is the state of an item.
type State string

// These are the states of an item. At most one item of a list is Active.
const (
	Pending State = "pending"
	Active  State = "active"
	Done    State = "done"
	Dropped State = "dropped"
)

// IsOpen reports whether the item is pending or active.
func (s State) IsOpen() bool { return s == Pending || s == Active }

// Item is one step of a task. Its name is one line, and unique in the list.
type Item struct {
	Name  string
	State State
	Notes []string
}

// Phase is a named group of items. A list without phases has one Phase with an empty name.
type Phase struct {
	Name  string
	Items []Item
}

// List is a todo list: its phases in order. The zero value is empty.
type List []Phase

// MaxBytes is the number of bytes that a list may have as text. A compaction of the conversation
// does not shorten it.
const MaxBytes = 8000

// Items returns the items of all phases.
func (l List) Items() (items []Item) {
	for _, p := range l {
		items = append(items, p.Items...)
	}
	return items
}

// clone returns a copy that shares no memory with l.
func (l List) clone() List {
	l = slices.Clone(l)
	for i := range l {
		l[i].Items = slices.Clone(l[i].Items)
	}
	return l
}

// Op is one operation on a list, as a model passes it to the todo tool.
type Op struct {
	Op    string   `json:"op" enum:"init start done drop rm append note" doc:"init replaces the list by items or by phases; append adds items; start and note name an item; done, drop and rm name an item or a phase, or mean all items."`
	Item  string   `json:"item,omitempty" doc:"Exact name of an item."`
	Phase string   `json:"phase,omitempty" doc:"Exact name of a phase, for append, done, drop and rm; append makes it if it is missing."`
	Items []string `json:"items,omitempty" doc:"Names for init and append."`
	List  []Group  `json:"list,omitempty" doc:"Phases with their items, for init."`
	Text  string   `json:"text,omitempty" doc:"Text for note."`
}

// Group is a phase with its items, in an operation init.
type Group struct {
	Phase string   `json:"phase" doc:"Name of the phase."`
	Items []string `json:"items" doc:"Names of its items."`
}

// Apply carries out operations in order. A failed operation adds a sentence to wrong and does not
// stop the others. At the end the first pending item becomes active, if no item is active.
func (l List) Apply(ops []Op) (list List, wrong []string) {
	list = l.clone()
	for i, op := range ops {
		op.Item, op.Phase = strings.TrimSpace(op.Item), strings.TrimSpace(op.Phase)
		next, err := list.clone().apply(op)
		if len(next.Text()) > MaxBytes {
			next, err = list, fmt.Sprintf("the list would be longer than %d bytes", MaxBytes)
		}
		if list = next; err != "" {
			wrong = append(wrong, fmt.Sprintf("operation %d (%s): %s", i+1, op.Op, err))
		}
	}
	return list.withActive(), wrong
}

// apply carries out one operation, as far as possible. It returns "" in wrong if all of it was
// possible.
func (l List) apply(op Op) (list List, wrong string) {
	switch op.Op {
	case "init":
		groups := op.List
		if len(op.Items) > 0 {
			groups = append([]Group{{Items: op.Items}}, groups...)
		}
		if len(groups) == 0 {
			return l, "items or list is missing"
		}
		l = nil
		for _, g := range groups {
			var bad string
			if l, bad = l.addItems(g.Phase, g.Items); bad != "" {
				wrong = bad
			}
		}
		return l, wrong
	case "append":
		phase := op.Phase
		if phase == "" && len(l) > 0 {
			phase = l[len(l)-1].Name
		}
		return l.addItems(phase, op.Items)
	case "start", "note":
		p, i := l.find(op.Item)
		switch {
		case i < 0:
			return l, fmt.Sprintf("there is no item %q", op.Item)
		case op.Op == "start":
			l.forEach(func(it *Item) {
				if it.State == Active {
					it.State = Pending
				}
			})
			l[p].Items[i].State = Active
			return l, ""
		}
		text := cleanNote(op.Text)
		if text == "" {
			return l, "text is missing"
		}
		l[p].Items[i].Notes = append(slices.Clone(l[p].Items[i].Notes), text)
		return l, ""
	}
	return l.setState(op)
}

// setState carries out done, drop and rm on one item, on a phase, or on all items.
func (l List) setState(op Op) (List, string) {
	selected := func(Phase, Item) bool { return true }
	switch {
	case op.Item != "":
		if _, i := l.find(op.Item); i < 0 {
			return l, fmt.Sprintf("there is no item %q", op.Item)
		}
		selected = func(_ Phase, it Item) bool { return it.Name == op.Item }
	case op.Phase != "":
		if !slices.ContainsFunc(l, func(p Phase) bool { return p.Name == op.Phase }) {
			return l, fmt.Sprintf("there is no phase %q", op.Phase)
		}
		selected = func(p Phase, _ Item) bool { return p.Name == op.Phase }
	}
	for p := range l {
		if op.Op == "rm" {
			l[p].Items = slices.DeleteFunc(l[p].Items, func(it Item) bool { return selected(l[p], it) })
			continue
		}
		for i, it := range l[p].Items {
			switch {
			case !selected(l[p], it):
			case op.Op == "done":
				l[p].Items[i].State = Done
			case op.Op == "drop":
				l[p].Items[i].State = Dropped
			}
		}
	}
	return slices.DeleteFunc(l, func(p Phase) bool { return len(p.Items) == 0 }), ""
}

// addItems appends items to a phase, and adds the phase if it is missing.
func (l List) addItems(phase string, names []string) (List, string) {
	if len(names) == 0 {
		return l, "items is missing"
	}
	if phase = strings.TrimSpace(phase); phase != "" && !isName(phase) {
		return l, "a phase has no name, or one of several lines"
	}
	phaseIndex := slices.IndexFunc(l, func(p Phase) bool { return p.Name == phase })
	if phaseIndex < 0 {
		phaseIndex = len(l)
		l = append(l, Phase{Name: phase})
		if phase == "" { // its items come before the first heading
			phaseIndex = 0
			l = append(List{{}}, l[:len(l)-1]...)
		}
	}
	wrong := ""
	for _, name := range names {
		name = strings.TrimSpace(name)
		_, i := l.find(name)
		switch {
		case name == "":
			wrong = "an item has no name"
		case !isName(name):
			wrong = fmt.Sprintf("%q is no single line", name)
		case i >= 0:
			wrong = fmt.Sprintf("%q is in the list already", name)
		default:
			l[phaseIndex].Items = append(l[phaseIndex].Items, Item{Name: name, State: Pending})
		}
	}
	return slices.DeleteFunc(l, func(p Phase) bool { return len(p.Items) == 0 }), wrong
}

// isName reports whether s is valid as a name, so that Parse reads it back unchanged.
func isName(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && !strings.Contains(s, "\n")
}

// cleanNote returns text in the form in which a note is stored: without blank lines, and without
// blanks at the ends of lines.
func cleanNote(text string) string {
	var lines []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// find returns the indexes of the phase and the item with a name, or -1, -1 if there is none.
func (l List) find(name string) (phase, item int) {
	for p := range l {
		if i := slices.IndexFunc(l[p].Items, func(it Item) bool { return it.Name == name }); i >= 0 {
			return p, i
		}
	}
	return -1, -1
}

func (l List) forEach(do func(*Item)) {
	for p := range l {
		for i := range l[p].Items {
			do(&l[p].Items[i])
		}
	}
}

// withActive returns l with exactly one active item, or none if no item is open.
func (l List) withActive() List {
	var first, active *Item
	l.forEach(func(it *Item) {
		switch {
		case it.State == Active && active == nil:
			active = it
		case it.State == Active:
			it.State = Pending
		case it.State == Pending && first == nil:
			first = it
		}
	})
	if active == nil && first != nil {
		first.State = Active
	}
	return l
}

// Count returns the number of all items. closed is the number of those that are done or dropped.
func (l List) Count() (all, closed int) {
	for _, it := range l.Items() {
		if all++; !it.State.IsOpen() {
			closed++
		}
	}
	return all, closed
}

// Board holds a list that several goroutines use. The zero value holds an empty list.
type Board struct {
	mu   sync.Mutex
	list List
}

// List returns a copy of the list.
func (b *Board) List() List {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.list.clone()
}

// Set replaces the list by a copy of l.
func (b *Board) Set(l List) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = l.clone()
}

// Apply carries out operations on the list, and returns a copy of the result: see [List.Apply].
func (b *Board) Apply(ops []Op) (list List, wrong []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list, wrong = b.list.Apply(ops)
	return b.list.clone(), wrong
}
