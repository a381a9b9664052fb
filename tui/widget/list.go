// Package widget holds components that programs show things with and let a person choose from.
package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Item is one row of a List.
type Item struct {
	Text string // one line; controls are shown as tokens
	Note string // dim, behind it
	Mark string // before it, in the accent: at most a few columns, the same number in every item
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

// List is rows of which a person chooses one: an overlay with [tui.Place.Replace]. What is typed
// narrows it down to the items that hold all of the words, whatever their case. Up, Down, Ctrl+P,
// Ctrl+N move, round the ends; PgUp, PgDn, Left, Right by pages; Home, End; Enter chooses; Esc
// takes back what was typed, then leaves; Ctrl+C leaves. In a space without a height it is text,
// for [List.Submit]. Fields are for the loop; call Changed after a change of Items or of what
// Source has.
type List struct {
	Title    string
	Items    []Item
	Source   Source                  // nil: Items are the items
	At       int                     // the chosen item, an index of Items
	Hint     string                  // below the rows; "" for that of the keys
	OnChoose func(i int)             // Enter
	OnLeave  func()                  // Esc, Ctrl+C
	OnKey    func(tui.Key, int) bool // keys that List does not take, with the chosen item, or -1; nil: none

	typed string
	shown []int // indexes of Items that match
	row   int   // of shown
	top   int   // first row on the screen
	size  int   // rows on the screen
	ready bool
	looks bool      // a Match is under way
	keys  []tui.Key // that wait for it
	space tui.Space // of the last of them
	after []func()  // what else waits for it
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
	if l.Source != nil {
		return l.Source
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
		if i, _ := slices.BinarySearch(found, l.At+1); i > 0 {
			l.row = i - 1
		}
		keys := l.keys
		l.keys = nil
		for i, k := range keys {
			if l.HandleEvent(k, l.space); l.looks {
				l.keys = append(l.keys, keys[i+1:]...)
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

// Chosen is the index of the item that Enter would choose, -1 if none is shown.
func (l *List) Chosen() int { return l.chosen() }

// chosen is Chosen.
func (l *List) chosen() int {
	if len(l.shown) == 0 {
		return -1
	}
	return l.shown[l.row]
}

// View is a blank row, the title, as many items as there is room for, and the hint.
func (l *List) View(s tui.Space) tui.View {
	l.match()
	th := s.Look()
	l.size = len(l.shown) // of no window: as text, see Submit
	if s.Height > 0 {
		l.size = max(s.Height-3, 1)
	}
	l.size = min(l.size, max(len(l.shown), 1))
	l.top = max(min(l.top, l.row, len(l.shown)-l.size), l.row-l.size+1, 0)

	title := []tui.Span{{Text: l.Title, Style: th.Strong}}
	if l.typed != "" {
		title = append(title, tui.Span{Text: "  /" + l.typed, Style: th.Accent})
	}
	place := ""
	if n := len(l.shown); n > l.size {
		place = "  " + strconv.Itoa(l.top+1) + "-" + strconv.Itoa(l.top+l.size) + " of " + strconv.Itoa(n)
	}
	rows := []tui.Line{{}, s.Cut(append(title, tui.Span{Text: place, Style: th.Dim})...)}
	for k := l.top; k < min(l.top+l.size, len(l.shown)); k++ {
		item := l.source().Item(l.shown[k])
		pointer, style := "  ", tui.Style{}
		switch {
		case s.Height <= 0:
			pointer = strconv.Itoa(l.shown[k]+1) + " "
		case k == l.row:
			pointer, style = th.Glyphs.Prompt+" ", th.Strong
		}
		note := s
		note.Width = max(s.Width/2, 1)
		behind := note.Cut(tui.Span{Text: "  " + item.Note, Style: th.Dim}).Spans
		row := s
		for _, sp := range behind {
			row.Width -= s.Columns(sp.Text)
		}
		if item.Note == "" {
			row, behind = s, nil
		}
		line := row.Cut(tui.Span{Text: pointer, Style: th.Accent}, tui.Span{Text: item.Mark, Style: th.Accent},
			tui.Span{Text: item.Text, Style: style})
		rows = append(rows, s.Cut(append(line.Spans, behind...)...)) // what is too long is the text, not the note
	}
	if len(l.shown) == 0 && !l.looks {
		rows = append(rows, s.Cut(tui.Span{Text: "  nothing matches", Style: th.Dim}))
	}
	hint := l.Hint
	switch {
	case s.Height <= 0:
		hint = "A number or the words of one:"
	case hint == "":
		hint = "Enter chooses, typing searches, Esc leaves"
	}
	s.Width = max(s.Width-2, 1)
	return tui.View{Lines: append(rows, s.Cut(tui.Span{Text: hint, Style: th.Dim}))}
}

// HandleEvent takes the keys; all of them: nothing behind a list is meant.
func (l *List) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, ok := ev.(tui.Key)
	if !ok {
		return true
	}
	if l.match(); l.looks && k.Mods == terminal.Ctrl && k.Code == 'c' {
		l.leave()
		return true
	} else if l.looks {
		l.keys, l.space = append(l.keys, k), s
		return true
	}
	if l.OnKey != nil && l.OnKey(k, l.chosen()) {
		return true
	}
	if text := k.Text(); text != "" {
		l.search(l.typed + text)
		return true
	}
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		l.leave()
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && k.Code == terminal.KeyUp:
		l.move(-1, true)
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && k.Code == terminal.KeyDown:
		l.move(1, true)
	case k.Mods != 0:
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
		l.leave()
	case k.Code == terminal.KeyEnter:
		if i := l.chosen(); i >= 0 && l.OnChoose != nil {
			l.OnChoose(i)
		}
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

// named is the item of a number, of a text, or the only one that is shown.
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

func (l *List) leave() {
	if l.OnLeave != nil {
		l.OnLeave()
	}
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
