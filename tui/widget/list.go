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

// Item is one row of a [List].
type Item struct {
	Text  string // a single line; control characters are shown as visible tokens
	Note  string // dim text behind Text
	Mark  string // text before Text in the accent style; give it the same small width in all items
	Group string // heading above consecutive items with the same Group; ignored with a Source
}

// Source provides the items of a [List] on demand, for lists that are too long to build in advance.
type Source interface {
	Len() int
	Item(i int) Item // returns item i; called for visible items only
	// Match finds the items that contain all words, which are in lower case, and passes their
	// indexes in ascending order to done. It calls done on the App's loop, before it returns or
	// later. Until then the List queues further keys and starts no other Match.
	Match(words []string, done func(items []int))
}

// List shows rows of which the user chooses one. It is usually an overlay with [tui.Place.Replace].
// Typed or pasted text filters the items: those that contain all words, in upper or lower case,
// remain.
//
// Up, Down, Ctrl+P and Ctrl+N move, and wrap around at the ends. PgUp, PgDn, Left and Right move by
// pages. Home and End go to the ends. Enter chooses the highlighted item. Esc deletes the typed
// text; without any it leaves. Ctrl+U deletes the text, Ctrl+W its last word. Ctrl+C leaves.
//
// If the Space has no height, the items are numbered text and [List.Submit] chooses one. Access the
// fields only on the App's loop. Call Changed after a change of Items, or of the items of Source.
type List struct {
	Title  string
	Items  []Item
	Source Source // provides the items; nil: Items does
	At     int    // index of the highlighted item
	// the letters of a word may be spread over an item; the best matches come first; ignored with a
	// Source
	Fuzzy bool
	// Aligned shows the notes in one column, behind the widest text but at most in the middle of
	// the row.
	Aligned bool
	// shows only the items, for use inside another component, which gets the keys that List does
	// not use
	Bare bool
	Hint string // text below the rows; "": a hint of the keys
	// QueryHint replaces Hint while the user is searching. If it is "" Hint stays.
	QueryHint string
	Mouse     bool        // a click highlights an item, a second click chooses it, the wheel moves
	OnChoose  func(i int) // called on Enter with the index of the item
	OnLeave   func()      // called on Esc and Ctrl+C
	// OnKey is called for every key before List handles it, with the index of the highlighted item
	// or -1. If it returns true the List ignores the key.
	OnKey func(tui.Key, int) bool
	// ScrollBar shows a scroll bar at the right.
	ScrollBar bool
	// Centered keeps the highlighted item of a Source in the middle of the visible ones.
	Centered bool

	lastStays    bool        // the last of Items is shown whatever is typed
	plainPrompt  string      // the prompt below the items without a terminal; "": the default
	query        string      // the text typed to search
	matches      []int       // indexes of the items that match query
	chosenRow    int         // index in matches of the highlighted item
	topItem      int         // index in matches of the first visible item
	visibleItems int         // number of visible items
	headRows     int         // rows above the first item or group name
	rowItems     []int       // for each row below the head: the index in matches of its item; -1: none
	matchesValid bool        // matches belongs to query and the current items
	afterPaste   bool        // the last event was a paste
	isMatching   bool        // Source.Match has not called done yet
	queuedEvents []tui.Event // events to handle after the running Match
	queuedSpace  tui.Space   // the Space of the last queued event
	afterMatch   []func()    // functions to call after the running Match
	sideBar      sideBar
}

// Changed must be called after a change of Items, At, or the items of Source.
func (l *List) Changed() { l.matchesValid = false }

// sliceSource is a Source of a slice with plain search.
type sliceSource []Item

func (s sliceSource) Len() int        { return len(s) }
func (s sliceSource) Item(i int) Item { return s[i] }

// Match calls done before it returns.
func (s sliceSource) Match(words []string, done func([]int)) {
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
		return fuzzySource(l.Items)
	}
	return sliceSource(l.Items)
}

// startMatch starts a search for the items that match the query, unless the matches are known or a
// search is running. When the search ends it handles the queued events.
func (l *List) startMatch() {
	if l.matchesValid || l.isMatching {
		return
	}
	l.matchesValid, l.isMatching = true, true
	l.itemSource().Match(strings.Fields(strings.ToLower(l.query)), func(found []int) {
		l.isMatching = false
		if last := len(l.Items) - 1; l.lastStays && !slices.Contains(found, last) {
			found = append(found, last)
		}
		l.matches, l.chosenRow = found, 0
		if i, _ := slices.BinarySearch(found, l.At+1); i > 0 && !l.isRanked() {
			l.chosenRow = i - 1
		}
		events := l.queuedEvents
		l.queuedEvents = nil
		for i, ev := range events {
			if l.HandleEvent(ev, l.queuedSpace); l.isMatching {
				l.queuedEvents = append(l.queuedEvents, events[i+1:]...)
				return
			}
		}
		for len(l.afterMatch) > 0 && !l.isMatching {
			f := l.afterMatch[0]
			l.afterMatch = l.afterMatch[1:]
			f()
		}
	})
}

// isRanked reports whether the matches are sorted by quality instead of by index.
func (l *List) isRanked() bool { return l.Fuzzy && l.Source == nil && l.query != "" }

// Chosen returns the index of the highlighted item, which Enter would choose. It returns -1 if no
// item is shown.
func (l *List) Chosen() int { return l.chosenIndex() }

// chosenIndex returns the index of the highlighted item, or -1.
func (l *List) chosenIndex() int {
	if len(l.matches) == 0 {
		return -1
	}
	return l.matches[l.chosenRow]
}

// HandleEvent handles keys, pastes and the mouse. It returns true for all events unless the List is
// Bare, so that none reaches a component below an overlay.
func (l *List) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, key := ev.(tui.Key)
	p, paste := ev.(tui.Paste)
	if m, ok := ev.(tui.Mouse); ok && l.Mouse && !l.isMatching {
		return l.handleMouse(m) || !l.Bare
	}
	if !key && !paste {
		return !l.Bare
	}
	if l.startMatch(); l.isMatching && k.Mods == terminal.Ctrl && k.Code == 'c' {
		l.handleLeave()
		return true
	} else if l.isMatching {
		l.queuedEvents, l.queuedSpace = append(l.queuedEvents, ev), s
		return true
	}
	after := l.afterPaste && key && !k.Alone
	if l.afterPaste = paste; paste {
		l.setQuery(l.query + strings.Join(strings.Fields(p.Text), " "))
		return true
	}
	if after && k.Code == terminal.KeyEnter && k.Mods == 0 {
		return true // it came in one read with the paste: a paste chooses nothing
	}
	return l.handleKey(k) || !l.Bare
}

// handleMouse handles clicks and the wheel.
func (l *List) handleMouse(m tui.Mouse) bool {
	if by := wheelSteps(m); by != 0 {
		l.moveBy(by, false)
		return true
	}
	if top, ok := l.sideBar.topClicked(m); ok {
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

// itemAt returns the index in matches of the item under the pointer, or -1 if there is none.
func (l *List) itemAt(m tui.Mouse) int {
	if i := m.Row - l.headRows; 0 <= i && i < len(l.rowItems) {
		return l.rowItems[i]
	}
	return -1
}

// handleKey handles k. It returns false if the List has no use for it.
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

// Submit chooses an item without a terminal. line is an item's number, from 1, its text, or words
// that only one item contains. An empty line chooses the highlighted item.
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

// runAfterMatch calls f at once, or after the running Match.
func (l *List) runAfterMatch(f func()) {
	if l.startMatch(); l.isMatching {
		l.afterMatch = append(l.afterMatch, f)
		return
	}
	f()
}

// itemNamed returns the index of the item that text names: by its number or its text, or the only
// match if there is just one. It returns -1 if there is no such item.
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

// findItem returns the index of the item that line names, as for Submit. It works for Items only.
// The error says what is wrong with line.
func (l *List) findItem(line string) (int, error) {
	l.setQuery(l.query) // what is chosen now is At
	text, was, chosen, stays := strings.TrimSpace(line), l.query, l.At, l.lastStays
	l.lastStays = false
	l.setQuery(text)
	at, several := l.itemNamed(text), len(l.matches) > 1
	l.lastStays = stays
	l.setQuery(was)
	l.At, l.matchesValid = chosen, false
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

// handleLeave calls OnLeave. It returns false if OnLeave is nil.
func (l *List) handleLeave() bool {
	if l.OnLeave == nil {
		return false
	}
	l.OnLeave()
	return true
}

// setQuery filters the list by text. The highlighted item stays highlighted if it matches.
func (l *List) setQuery(text string) {
	if i := l.chosenIndex(); i >= 0 {
		l.At = i
	}
	l.query, l.matchesValid = text, false
	l.startMatch()
}

// moveBy moves the highlight by a number of rows. If around is true it wraps around at the ends,
// otherwise it stops there.
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
