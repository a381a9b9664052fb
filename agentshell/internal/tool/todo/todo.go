// Package todo is the list of the steps of a longer task: values, what changes them, and the text
// that a model and a person read.
//
// The text is all that has to be kept: [Parse] makes the list of it again. So the list of a
// conversation is what its messages say it is, on every branch of it.
package todo

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// State is what an item is at.
type State string

// At most one item of a list is Active.
const (
	Pending State = "pending"
	Active  State = "active"
	Done    State = "done"
	Dropped State = "dropped"
)

// Open reports whether there is still something to do.
func (s State) Open() bool { return s == Pending || s == Active }

// Item is one step. Its name is one line, and no other item of the list has it.
type Item struct {
	Name  string
	State State
	Notes []string
}

// Phase is items that belong together. A list without phases is one phase without a name.
type Phase struct {
	Name  string
	Items []Item
}

// List is phases in order. The zero value is empty.
type List []Phase

// MostBytes is how long a list may be as text: no compaction shortens one.
const MostBytes = 8000

// Items returns the items of all phases.
func (l List) Items() (items []Item) {
	for _, p := range l {
		items = append(items, p.Items...)
	}
	return items
}

// clone shares nothing with l.
func (l List) clone() List {
	l = slices.Clone(l)
	for i := range l {
		l[i].Items = slices.Clone(l[i].Items)
	}
	return l
}

// Op is one operation.
type Op struct {
	Op    string   `json:"op" enum:"init start done drop rm append note" doc:"init replaces the list by items or by phases; append adds items; start and note name an item; done, drop and rm name an item or a phase, or mean all items."`
	Item  string   `json:"item,omitempty" doc:"Exact name of an item."`
	Phase string   `json:"phase,omitempty" doc:"Exact name of a phase, for append, done, drop and rm; append makes it if it is missing."`
	Items []string `json:"items,omitempty" doc:"Names for init and append."`
	List  []Group  `json:"list,omitempty" doc:"Phases with their items, for init."`
	Text  string   `json:"text,omitempty" doc:"Text for note."`
}

// Group is a phase as it is given to init.
type Group struct {
	Phase string   `json:"phase" doc:"Name of the phase."`
	Items []string `json:"items" doc:"Names of its items."`
}

// Apply does ops in order. One that fails is in wrong and does not stop the others. At the end the
// first pending item becomes active if none is.
func (l List) Apply(ops []Op) (list List, wrong []string) {
	list = l.clone()
	for i, op := range ops {
		op.Item, op.Phase = strings.TrimSpace(op.Item), strings.TrimSpace(op.Phase)
		next, err := list.clone().apply(op)
		if len(next.Text()) > MostBytes {
			next, err = list, fmt.Sprintf("the list would be longer than %d bytes", MostBytes)
		}
		if list = next; err != "" {
			wrong = append(wrong, fmt.Sprintf("operation %d (%s): %s", i+1, op.Op, err))
		}
	}
	return list.promoted(), wrong
}

// apply does one operation; list is l as far as it could be done.
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
			if l, bad = l.add(g.Phase, g.Items); bad != "" {
				wrong = bad
			}
		}
		return l, wrong
	case "append":
		phase := op.Phase
		if phase == "" && len(l) > 0 {
			phase = l[len(l)-1].Name
		}
		return l.add(phase, op.Items)
	case "start", "note":
		p, i := l.at(op.Item)
		switch {
		case i < 0:
			return l, fmt.Sprintf("there is no item %q", op.Item)
		case op.Op == "start":
			l.each(func(it *Item) {
				if it.State == Active {
					it.State = Pending
				}
			})
			l[p].Items[i].State = Active
			return l, ""
		}
		text := note(op.Text)
		if text == "" {
			return l, "text is missing"
		}
		l[p].Items[i].Notes = append(slices.Clone(l[p].Items[i].Notes), text)
		return l, ""
	}
	return l.mark(op)
}

// mark is done, drop and rm: of an item, a phase, or all.
func (l List) mark(op Op) (List, string) {
	meant := func(Phase, Item) bool { return true }
	switch {
	case op.Item != "":
		if _, i := l.at(op.Item); i < 0 {
			return l, fmt.Sprintf("there is no item %q", op.Item)
		}
		meant = func(_ Phase, it Item) bool { return it.Name == op.Item }
	case op.Phase != "":
		if !slices.ContainsFunc(l, func(p Phase) bool { return p.Name == op.Phase }) {
			return l, fmt.Sprintf("there is no phase %q", op.Phase)
		}
		meant = func(p Phase, _ Item) bool { return p.Name == op.Phase }
	}
	for p := range l {
		if op.Op == "rm" {
			l[p].Items = slices.DeleteFunc(l[p].Items, func(it Item) bool { return meant(l[p], it) })
			continue
		}
		for i, it := range l[p].Items {
			switch {
			case !meant(l[p], it):
			case op.Op == "done":
				l[p].Items[i].State = Done
			case op.Op == "drop":
				l[p].Items[i].State = Dropped
			}
		}
	}
	return slices.DeleteFunc(l, func(p Phase) bool { return len(p.Items) == 0 }), ""
}

// add puts items at the end of a phase, which is made if it is missing.
func (l List) add(phase string, names []string) (List, string) {
	if len(names) == 0 {
		return l, "items is missing"
	}
	if phase = strings.TrimSpace(phase); phase != "" && !oneLine(phase) {
		return l, "a phase has no name, or one of several lines"
	}
	at := slices.IndexFunc(l, func(p Phase) bool { return p.Name == phase })
	if at < 0 {
		at = len(l)
		l = append(l, Phase{Name: phase})
		if phase == "" { // its items stand above the first heading
			at = 0
			l = append(List{{}}, l[:len(l)-1]...)
		}
	}
	wrong := ""
	for _, name := range names {
		name = strings.TrimSpace(name)
		_, i := l.at(name)
		switch {
		case name == "":
			wrong = "an item has no name"
		case !oneLine(name):
			wrong = fmt.Sprintf("%q is no single line", name)
		case i >= 0:
			wrong = fmt.Sprintf("%q is in the list already", name)
		default:
			l[at].Items = append(l[at].Items, Item{Name: name, State: Pending})
		}
	}
	return slices.DeleteFunc(l, func(p Phase) bool { return len(p.Items) == 0 }), wrong
}

// oneLine reports whether s can be a name: what Parse reads again to the letter.
func oneLine(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && !strings.Contains(s, "\n")
}

// note returns text as a note keeps it: without blanks around it.
func note(text string) string {
	var lines []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n")
}

// at returns where the item of that name stands, -1 if it does not.
func (l List) at(name string) (phase, item int) {
	for p := range l {
		if i := slices.IndexFunc(l[p].Items, func(it Item) bool { return it.Name == name }); i >= 0 {
			return p, i
		}
	}
	return -1, -1
}

func (l List) each(do func(*Item)) {
	for p := range l {
		for i := range l[p].Items {
			do(&l[p].Items[i])
		}
	}
}

// promoted returns l with at most one active item, and with one if one is pending.
func (l List) promoted() List {
	var first, active *Item
	l.each(func(it *Item) {
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

// Count returns how many items there are, and how many of them are done or dropped.
func (l List) Count() (all, closed int) {
	for _, it := range l.Items() {
		if all++; !it.State.Open() {
			closed++
		}
	}
	return all, closed
}

// Board is a list that several goroutines use. The zero value holds an empty one.
type Board struct {
	mu   sync.Mutex
	list List
}

// List returns what it holds.
func (b *Board) List() List {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.list.clone()
}

// Set makes it hold l.
func (b *Board) Set(l List) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = l.clone()
}

// Apply does ops, and gives the list behind them.
func (b *Board) Apply(ops []Op) (list List, wrong []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list, wrong = b.list.Apply(ops)
	return b.list.clone(), wrong
}
