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

// Source gives a [List] its items one by one, if they are too many to be laid out beforehand.
type Source interface {
	Len() int
	Item(i int) Item // of those in sight
	// Match passes to done the items that hold all words, which are in lower case, in order: on the
	// loop, at once or later. There is one Match at a time; keys that come in between wait for it.
	Match(words []string, done func(items []int))
}

// List is rows from which a person chooses one: an overlay with [tui.Place.Replace]. Typed or
// pasted text narrows it down to the items that hold all of its words, in any case. Up, Down,
// Ctrl+P, Ctrl+N move, and go from one end to the other; PgUp, PgDn, Left, Right move by pages;
// Home, End go to the ends; Enter chooses. Esc deletes the typed text, then leaves; Ctrl+U deletes
// it, too, Ctrl+W its last word; Ctrl+C leaves.
// In a space without a height it is text, for [List.Submit]. Fields are for the loop; call Changed
// after a change of Items or of the items of Source.
type List struct {
	Title  string
	Items  []Item
	Source Source // nil: Items are the items
	At     int    // the chosen item, an index of Items
	Fuzzy  bool   // the letters of a word may stand apart; the best come first. Not with a Source
	// The notes of Items stand in one column behind the widest text, at half of the width at most.
	Aligned bool
	Bare    bool   // only the items: for a component around it, which gets the unused keys
	Hint    string // below the rows; "" for that of the keys
	// QueryHint is there instead of Hint while a text is typed; "": Hint stays.
	QueryHint string
	Mouse     bool        // a click moves to an item, a second one chooses it, the wheel moves
	OnChoose  func(i int) // Enter
	OnLeave   func()      // Esc, Ctrl+C
	// gets the keys that List does not take, with the chosen item, or -1; nil: none
	OnKey func(tui.Key, int) bool
	// A bar at the right shows where the items in sight stand.
	ScrollBar bool
	// Centered keeps the chosen item of a Source in the middle of those in sight.
	Centered bool

	plainPrompt  string // the last row without a terminal
	query        string // the typed text
	matches      []int  // indexes of the items that match
	chosenRow    int    // index of matches
	topItem      int    // first item on the screen, an index of matches
	visibleItems int    // number of items on the screen
	headRows     int    // rows above the first item
	rowItems     []int  // for each row below the head: its item, an index of matches; -1: none
	ready        bool
	pasted       bool        // the last event was a paste
	matching     bool        // a Match is under way
	queued       []tui.Event // events that wait for it
	queuedSpace  tui.Space   // space of the last of them
	afterMatch   []func()    // functions that wait for it
	side         sideBar
}

// Changed says that Items or At, or the items of Source, were changed.
func (l *List) Changed() { l.ready = false }

// itemSlice is a Source of a slice.
type itemSlice []Item

func (s itemSlice) Len() int        { return len(s) }
func (s itemSlice) Item(i int) Item { return s[i] }

// Match answers at once: there are few items.
func (s itemSlice) Match(words []string, done func([]int)) {
	var found []int
next:
	for i, item := range s {
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

func (l *List) itemSource() Source {
	switch {
	case l.Source != nil:
		return l.Source
	case l.Fuzzy:
		return fuzzy(l.Items)
	}
	return itemSlice(l.Items)
}

// startMatch finds the items that hold all words, or begins to.
func (l *List) startMatch() {
	if l.ready || l.matching {
		return
	}
	l.ready, l.matching = true, true
	l.itemSource().Match(strings.Fields(strings.ToLower(l.query)), func(found []int) {
		l.matching = false
		l.matches, l.chosenRow = found, 0
		if i, _ := slices.BinarySearch(found, l.At+1); i > 0 && !l.isRanked() {
			l.chosenRow = i - 1
		}
		events := l.queued
		l.queued = nil
		for i, ev := range events {
			if l.HandleEvent(ev, l.queuedSpace); l.matching {
				l.queued = append(l.queued, events[i+1:]...)
				return
			}
		}
		for len(l.afterMatch) > 0 && !l.matching {
			f := l.afterMatch[0]
			l.afterMatch = l.afterMatch[1:]
			f()
		}
	})
}

// isRanked reports whether the best items come first.
func (l *List) isRanked() bool { return l.Fuzzy && l.Source == nil && l.query != "" }

// Chosen returns the index of the item that Enter would choose, -1 if none is shown.
func (l *List) Chosen() int { return l.chosenIndex() }

// chosenIndex returns Chosen without a check for a running Match.
func (l *List) chosenIndex() int {
	if len(l.matches) == 0 {
		return -1
	}
	return l.matches[l.chosenRow]
}

// HandleEvent takes keys and pastes. Unless the list is Bare it takes all of them, so that none
// reaches a component below.
func (l *List) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, key := ev.(tui.Key)
	p, paste := ev.(tui.Paste)
	if m, ok := ev.(tui.Mouse); ok && l.Mouse && !l.matching {
		return l.handleMouse(m) || !l.Bare
	}
	if !key && !paste {
		return !l.Bare
	}
	if l.startMatch(); l.matching && k.Mods == terminal.Ctrl && k.Code == 'c' {
		l.handleLeave()
		return true
	} else if l.matching {
		l.queued, l.queuedSpace = append(l.queued, ev), s
		return true
	}
	after := l.pasted && key && !k.Alone
	if l.pasted = paste; paste {
		l.setQuery(l.query + strings.Join(strings.Fields(p.Text), " "))
		return true
	}
	if after && k.Code == terminal.KeyEnter && k.Mods == 0 {
		return true // it came in one read with the paste: a paste chooses nothing
	}
	return l.handleKey(k) || !l.Bare
}

// handleMouse takes the mouse.
func (l *List) handleMouse(m tui.Mouse) bool {
	if by := wheelSteps(m); by != 0 {
		l.moveBy(by, false)
		return true
	}
	if top, ok := l.side.topClicked(m); ok {
		l.moveBy(max(min(l.chosenRow, top+l.visibleItems-1), top)-l.chosenRow, false)
		l.topItem = top
		return true
	}
	row := l.itemAt(m)
	switch {
	case row < 0 || !isClick(m):
		return false
	case row == l.chosenRow && l.OnChoose != nil:
		l.OnChoose(l.chosenIndex())
	default:
		l.moveBy(row-l.chosenRow, false)
	}
	return true
}

// itemAt returns the item under m, an index of matches; -1: none.
func (l *List) itemAt(m tui.Mouse) int {
	if i := m.Row - l.headRows; 0 <= i && i < len(l.rowItems) {
		return l.rowItems[i]
	}
	return -1
}

// handleKey acts on k.
func (l *List) handleKey(k tui.Key) bool {
	if l.OnKey != nil && l.OnKey(k, l.chosenIndex()) {
		return true
	}
	if text := k.Text(); text != "" {
		l.setQuery(l.query + text)
		return true
	}
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		return l.handleLeave()
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && k.Code == terminal.KeyUp:
		l.moveBy(-1, true)
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && k.Code == terminal.KeyDown:
		l.moveBy(1, true)
	case k.Mods == terminal.Ctrl && k.Code == 'u' && l.query != "":
		l.setQuery("")
	case k.Mods == terminal.Ctrl && k.Code == 'w' && l.query != "":
		text := strings.TrimRight(l.query, " ")
		l.setQuery(text[:strings.LastIndexByte(text, ' ')+1])
	case k.Mods != 0:
		return false
	case k.Code == terminal.KeyPageUp, k.Code == terminal.KeyLeft:
		l.moveBy(-l.visibleItems, false)
	case k.Code == terminal.KeyPageDown, k.Code == terminal.KeyRight:
		l.moveBy(l.visibleItems, false)
	case k.Code == terminal.KeyHome:
		l.moveBy(-len(l.matches), false)
	case k.Code == terminal.KeyEnd:
		l.moveBy(len(l.matches), false)
	case k.Code == terminal.KeyBackspace:
		if r := []rune(l.query); len(r) > 0 {
			l.setQuery(string(r[:len(r)-1]))
		}
	case k.Code == terminal.KeyEscape && l.query != "":
		l.setQuery("")
	case k.Code == terminal.KeyEscape:
		return l.handleLeave()
	case k.Code == terminal.KeyEnter:
		if i := l.chosenIndex(); i >= 0 && l.OnChoose != nil {
			l.OnChoose(i)
		}
	default:
		return false
	}
	return true
}

// Submit chooses without a terminal: by the number of the item, its text, or words that only one
// item has. An empty line chooses the chosen item.
func (l *List) Submit(line string) {
	text, was := strings.TrimSpace(line), l.query
	l.runAfterMatch(func() {
		l.setQuery(text)
		l.runAfterMatch(func() {
			at := l.itemNamed(text)
			l.setQuery(was)
			if at >= 0 && l.OnChoose != nil {
				l.OnChoose(at)
			}
		})
	})
}

// runAfterMatch runs f once the matches are known.
func (l *List) runAfterMatch(f func()) {
	if l.startMatch(); l.matching {
		l.afterMatch = append(l.afterMatch, f)
		return
	}
	f()
}

// itemNamed returns the item of a number, of a text, or the only one that is shown; -1: none.
func (l *List) itemNamed(text string) int {
	at := -1
	if n, err := strconv.Atoi(text); err == nil && 0 < n && n <= l.itemSource().Len() {
		at = n - 1
	} else if len(l.matches) == 1 || text == "" {
		at = l.chosenIndex()
	}
	for _, i := range l.matches {
		if strings.EqualFold(l.itemSource().Item(i).Text, text) {
			at = i
		}
	}
	return at
}

// findItem returns the item of Items that line names, see Submit.
func (l *List) findItem(line string) (int, error) {
	l.setQuery(l.query) // what is chosen now is At
	text, was, chosen := strings.TrimSpace(line), l.query, l.At
	l.setQuery(text)
	at, several := l.itemNamed(text), len(l.matches) > 1
	l.setQuery(was)
	l.At, l.ready = chosen, false
	l.startMatch()
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

// handleLeave acts on Esc and Ctrl+C. It returns false if OnLeave is nil.
func (l *List) handleLeave() bool {
	if l.OnLeave == nil {
		return false
	}
	l.OnLeave()
	return true
}

// setQuery narrows the list down. The chosen item stays if it still matches.
func (l *List) setQuery(text string) {
	if i := l.chosenIndex(); i >= 0 {
		l.At = i
	}
	l.query, l.ready = text, false
	l.startMatch()
}

// moveBy moves the choice by rows. around: from one end to the other.
func (l *List) moveBy(by int, around bool) {
	n := len(l.matches)
	if n == 0 {
		return
	}
	row := l.chosenRow + by
	if around {
		row = (row + n) % n
	}
	l.chosenRow = max(min(row, n-1), 0)
	l.At = l.matches[l.chosenRow]
}
