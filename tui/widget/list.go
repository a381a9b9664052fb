package widget

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Item is one row of a List.
type Item struct {
	Text  string // one line; controls are shown as tokens
	Note  string // dim, behind it
	Mark  string // before it, in the accent: at most a few columns, the same number in every item
	Group string // the items of a group stand one after the other, below its name; not with a Source
}

// Source gives a [List] its items one by one, for one that is too long to be laid out beforehand.
type Source interface {
	Len() int
	Item(i int) Item // of those in sight
	// Match tells done which items hold all words, which are in lower case, in order: on the
	// loop, at once or later. There is one Match at a time; the keys that come meanwhile wait for
	// it.
	Match(words []string, done func(items []int))
}

// List is rows of which a person chooses one: an overlay with [tui.Place.Replace]. What is typed or
// pasted narrows it down to the items that hold all of the words, whatever their case. Up, Down,
// Ctrl+P, Ctrl+N move, round the ends; PgUp, PgDn, Left, Right by pages; Home, End; Enter chooses;
// Esc takes back what was typed, then leaves; Ctrl+C leaves. In a space without a height it is
// text, for [List.Submit]. Fields are for the loop; call Changed after a change of Items or of what
// Source has.
type List struct {
	Title    string
	Items    []Item
	Source   Source                  // nil: Items are the items
	At       int                     // the chosen item, an index of Items
	Fuzzy    bool                    // the letters of a word may stand apart; the best come first. Not with a Source
	Bare     bool                    // only the items: for a component around it, which gets the keys that are not used
	Hint     string                  // below the rows; "" for that of the keys
	Mouse    bool                    // a click moves to an item, one on the chosen item chooses it, the wheel moves
	OnChoose func(i int)             // Enter
	OnLeave  func()                  // Esc, Ctrl+C
	OnKey    func(tui.Key, int) bool // keys that List does not take, with the chosen item, or -1; nil: none

	asks   string // the last row without a terminal
	typed  string
	shown  []int // indexes of Items that match
	row    int   // of shown
	top    int   // first item on the screen, an index of shown
	size   int   // items on the screen
	head   int   // rows above the first one
	rows   []int // of those below them: the item, an index of shown; -1: none
	ready  bool
	pasted bool        // the last event was a paste
	looks  bool        // a Match is under way
	events []tui.Event // that wait for it
	space  tui.Space   // of the last of them
	after  []func()    // what else waits for it
}

// Changed says that Items or At were changed, or what Source has.
func (l *List) Changed() { l.ready = false }

// items is a Source of items.
type items []Item

func (list items) Len() int        { return len(list) }
func (list items) Item(i int) Item { return list[i] }

// Match looks at once: there are few.
func (list items) Match(words []string, done func([]int)) {
	var found []int
next:
	for i, item := range list {
		text := strings.ToLower(item.Text + " " + item.Note)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		found = append(found, i)
	}
	done(found)
}

func (l *List) source() Source {
	switch {
	case l.Source != nil:
		return l.Source
	case l.Fuzzy:
		return fuzzy(l.Items)
	}
	return items(l.Items)
}

// match finds the items that hold all words, or begins to.
func (l *List) match() {
	if l.ready || l.looks {
		return
	}
	l.ready, l.looks = true, true
	l.source().Match(strings.Fields(strings.ToLower(l.typed)), func(found []int) {
		l.looks = false
		l.shown, l.row = found, 0
		if i, _ := slices.BinarySearch(found, l.At+1); i > 0 && !l.ranked() {
			l.row = i - 1
		}
		events := l.events
		l.events = nil
		for i, ev := range events {
			if l.HandleEvent(ev, l.space); l.looks {
				l.events = append(l.events, events[i+1:]...)
				return
			}
		}
		for len(l.after) > 0 && !l.looks {
			f := l.after[0]
			l.after = l.after[1:]
			f()
		}
	})
}

// ranked reports whether the best items come first.
func (l *List) ranked() bool { return l.Fuzzy && l.Source == nil && l.typed != "" }

// Chosen returns the index of the item that Enter would choose, -1 if none is shown.
func (l *List) Chosen() int { return l.chosen() }

// chosen is Chosen.
func (l *List) chosen() int {
	if len(l.shown) == 0 {
		return -1
	}
	return l.shown[l.row]
}

// HandleEvent takes keys and pastes; all of them, unless the list is Bare: nothing behind it is
// meant.
func (l *List) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, key := ev.(tui.Key)
	p, paste := ev.(tui.Paste)
	if m, ok := ev.(tui.Mouse); ok && l.Mouse && !l.looks {
		return l.mouse(m) || !l.Bare
	}
	if !key && !paste {
		return !l.Bare
	}
	if l.match(); l.looks && k.Mods == terminal.Ctrl && k.Code == 'c' {
		l.leave()
		return true
	} else if l.looks {
		l.events, l.space = append(l.events, ev), s
		return true
	}
	after := l.pasted && key && !k.Alone
	if l.pasted = paste; paste {
		l.search(l.typed + strings.Join(strings.Fields(p.Text), " "))
		return true
	}
	if after && k.Code == terminal.KeyEnter && k.Mods == 0 {
		return true // it came in one read with the paste: a paste chooses nothing
	}
	return l.key(k) || !l.Bare
}

// mouse takes the mouse.
func (l *List) mouse(m tui.Mouse) bool {
	if by := wheel(m); by != 0 {
		l.move(by, false)
		return true
	}
	row := l.hit(m)
	switch {
	case row < 0 || !clicked(m):
		return false
	case row == l.row && l.OnChoose != nil:
		l.OnChoose(l.chosen())
	default:
		l.move(row-l.row, false)
	}
	return true
}

// hit returns the item under m, an index of shown; -1: none.
func (l *List) hit(m tui.Mouse) int {
	if i := m.Row - l.head; 0 <= i && i < len(l.rows) {
		return l.rows[i]
	}
	return -1
}

// key does what k means.
func (l *List) key(k tui.Key) bool {
	if l.OnKey != nil && l.OnKey(k, l.chosen()) {
		return true
	}
	if text := k.Text(); text != "" {
		l.search(l.typed + text)
		return true
	}
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		return l.leave()
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && k.Code == terminal.KeyUp:
		l.move(-1, true)
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && k.Code == terminal.KeyDown:
		l.move(1, true)
	case k.Mods != 0:
		return false
	case k.Code == terminal.KeyPageUp, k.Code == terminal.KeyLeft:
		l.move(-l.size, false)
	case k.Code == terminal.KeyPageDown, k.Code == terminal.KeyRight:
		l.move(l.size, false)
	case k.Code == terminal.KeyHome:
		l.move(-len(l.shown), false)
	case k.Code == terminal.KeyEnd:
		l.move(len(l.shown), false)
	case k.Code == terminal.KeyBackspace:
		if r := []rune(l.typed); len(r) > 0 {
			l.search(string(r[:len(r)-1]))
		}
	case k.Code == terminal.KeyEscape && l.typed != "":
		l.search("")
	case k.Code == terminal.KeyEscape:
		return l.leave()
	case k.Code == terminal.KeyEnter:
		if i := l.chosen(); i >= 0 && l.OnChoose != nil {
			l.OnChoose(i)
		}
	default:
		return false
	}
	return true
}

// Submit chooses without a terminal: by the number of the item, its text, or words that only one
// item has. Nothing is the chosen item.
func (l *List) Submit(line string) {
	text, was := strings.TrimSpace(line), l.typed
	l.then(func() {
		l.search(text)
		l.then(func() {
			at := l.named(text)
			l.search(was)
			if at >= 0 && l.OnChoose != nil {
				l.OnChoose(at)
			}
		})
	})
}

// then runs f when it is known what is shown.
func (l *List) then(f func()) {
	if l.match(); l.looks {
		l.after = append(l.after, f)
		return
	}
	f()
}

// named returns the item of a number, of a text, or the only one that is shown; -1: none.
func (l *List) named(text string) int {
	at := -1
	if n, err := strconv.Atoi(text); err == nil && 0 < n && n <= l.source().Len() {
		at = n - 1
	} else if len(l.shown) == 1 || text == "" {
		at = l.chosen()
	}
	for _, i := range l.shown {
		if strings.EqualFold(l.source().Item(i).Text, text) {
			at = i
		}
	}
	return at
}

// find returns the item of Items that line names, see Submit.
func (l *List) find(line string) (int, error) {
	l.search(l.typed) // what is chosen now is At
	text, was, chosen := strings.TrimSpace(line), l.typed, l.At
	l.search(text)
	at, several := l.named(text), len(l.shown) > 1
	l.search(was)
	l.At, l.ready = chosen, false
	l.match()
	switch {
	case at >= 0:
		return at, nil
	case len(l.Items) == 0:
		return -1, errors.New("there is nothing to choose from")
	case several:
		return -1, fmt.Errorf("%q fits several of them", text)
	}
	return -1, fmt.Errorf("%q is none of them", text)
}

// leave does what Esc and Ctrl+C ask for; false: nobody wants to know.
func (l *List) leave() bool {
	if l.OnLeave == nil {
		return false
	}
	l.OnLeave()
	return true
}

// search narrows the list down; the chosen item stays if it is still there.
func (l *List) search(text string) {
	if i := l.chosen(); i >= 0 {
		l.At = i
	}
	l.typed, l.ready = text, false
	l.match()
}

// move goes by rows; around: from one end to the other.
func (l *List) move(by int, around bool) {
	n := len(l.shown)
	if n == 0 {
		return
	}
	row := l.row + by
	if around {
		row = (row + n) % n
	}
	l.row = max(min(row, n-1), 0)
	l.At = l.shown[l.row]
}
