package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// unit is what the caret steps over: a grapheme cluster, a newline, or a collapsed paste.
type unit struct {
	text  string // of a paste: its label
	paste string // the text of a collapsed paste, else ""
}

func (u unit) newline() bool { return u.text == "\n" && u.paste == "" }
func (u unit) space() bool {
	return u.paste == "" && (u.text == " " || u.text == "\t" || u.text == "\n")
}

// word reports whether u is part of a word: letters, digits, marks, underscore, and a paste.
func (u unit) word() bool {
	r, _ := utf8.DecodeRuneInString(u.text)
	return u.paste != "" || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// edit says what the last change was, so that equal ones can be joined.
type edit uint8

const (
	editNone edit = iota
	editType      // typed text: undone word by word
	editKill      // kills in a row are one entry of the ring
	editYank      // Alt+Y may replace what was yanked
	editErase
)

// change leads from one state of a buffer to another: units take the place of [from, to), and the
// caret goes to at.
type change struct {
	at, from, to int
	units        []unit
	none         bool // nothing differs but the caret
}

const (
	maxUndo  = 256
	maxHeld  = 1 << 20 // units in the changes of undo; the newest is kept whatever it holds
	maxKills = 32
)

// buffer is the text of an editor. Its units are its own: what others keep of them is a copy.
type buffer struct {
	units      []unit
	at         int
	undo, redo []change // newest last
	last       edit
	kills      [][]unit // newest last
	yanked     int      // units of the last yank, before the caret
	ring       int      // of kills: what it was
	whole      bool     // changes are parts of one
	begun      bool     // that one is there
	head, tail int      // units at the start and at the end that have not changed since they were wrapped
}

// split returns s in units. Line ends become LF.
func split(s string) []unit {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	units := make([]unit, 0, len(s))
	for c := range (width.Model{}).Clusters(s) {
		units = append(units, unit{text: c})
	}
	return units
}

// join returns the text of units, pastes expanded.
func join(units []unit) string {
	var b strings.Builder
	for _, u := range units {
		if u.paste != "" {
			b.WriteString(u.paste)
		} else {
			b.WriteString(u.text)
		}
	}
	return b.String()
}

// keep begins a change of kind e, which one undo takes back.
func (b *buffer) keep(e edit) {
	b.last = e
	if b.redo = nil; b.whole && b.begun {
		return
	}
	b.begun = b.whole
	b.undo = append(b.undo, change{at: b.at, none: true})
	held, first := 0, 0
	for i := len(b.undo) - 1; i > first; i-- {
		if held += len(b.undo[i].units); held > maxHeld || len(b.undo)-i >= maxUndo {
			first = i
		}
	}
	b.undo = slices.Delete(b.undo, 0, first)
}

// replace puts a copy of units in the place of [from, to); the caret stands behind them. What they
// stand beside may become one cluster with them.
func (b *buffer) replace(from, to int, units []unit) {
	b.swap(from, to, units)
	b.at = from + len(units)
	b.mend(from + len(units))
	if len(units) > 0 {
		b.mend(from)
	}
}

// mend makes units again of what meets at i, if the two are no longer clusters of their own, and of
// what follows in the line.
func (b *buffer) mend(i int) {
	alone := func(u unit) bool { return u.paste != "" || u.newline() }
	if i <= 0 || i >= len(b.units) || alone(b.units[i-1]) || alone(b.units[i]) ||
		slices.Equal(split(b.units[i-1].text+b.units[i].text), b.units[i-1:i+1]) {
		return
	}
	from, to := i-1, i
	for to < len(b.units) && !alone(b.units[to]) {
		to++
	}
	units := split(join(b.units[from:to]))
	at := b.at
	switch {
	case at >= to:
		at += len(units) - (to - from)
	case at > from:
		want, n := len(join(b.units[from:at])), 0
		for at = from; n < want; at++ {
			n += len(units[at-from].text)
		}
	}
	b.swap(from, to, units)
	b.at = at
}

// swap is replace without a caret.
func (b *buffer) swap(from, to int, units []unit) {
	if n := len(b.undo); n > 0 {
		b.undo[n-1].join(b.units, from, to, len(units))
	}
	b.put(from, to, units)
}

// put is swap without a memory.
func (b *buffer) put(from, to int, units []unit) {
	b.head, b.tail = min(b.head, from), min(b.tail, len(b.units)-to)
	b.units = slices.Replace(b.units, from, to, units...)
}

// join makes c, which leads back from now, lead back from what comes of now when n units take the
// place of [from, to).
func (c *change) join(now []unit, from, to, n int) {
	if c.none {
		c.from, c.to, c.units, c.none = from, to+n-(to-from), slices.Clone(now[from:to]), false
		return
	}
	lo, hi := min(c.from, from), max(c.to, to)
	if lo < c.from || hi > c.to {
		c.units = slices.Concat(now[lo:c.from], c.units, now[c.to:hi])
	}
	c.from, c.to = lo, hi+n-(to-from)
}

// insert puts text at the caret. What it stands beside may become one cluster with it.
func (b *buffer) insert(text string) {
	from, to, head, tail := b.at, b.at, "", ""
	if from > 0 && b.units[from-1].paste == "" && !b.units[from-1].newline() {
		from--
		head = b.units[from].text
	}
	if to < len(b.units) && b.units[to].paste == "" && !b.units[to].newline() {
		tail = b.units[to].text
		to++
	}
	units := split(head + text + tail)
	want := len(join(units)) - len(tail) // the caret in bytes
	b.replace(from, to, units)
	n, at := 0, from
	for n < want && at < len(b.units) {
		n += len(b.units[at].text)
		at++
	}
	b.at = at
}

// typed inserts what was typed.
func (b *buffer) typed(text string) {
	if b.last != editType || strings.TrimSpace(text) == "" {
		b.keep(editType)
	} else {
		b.redo = nil
	}
	b.insert(text)
}

// erase removes [from, to).
func (b *buffer) erase(from, to int) bool {
	if from >= to {
		return false
	}
	b.keep(editErase)
	b.replace(from, to, nil)
	return true
}

// kill removes [from, to) into the ring.
func (b *buffer) kill(from, to int) bool {
	if from >= to {
		return false
	}
	cut := slices.Clone(b.units[from:to])
	if n := len(b.kills); b.last == editKill && n > 0 {
		if to <= b.at {
			cut = append(cut, b.kills[n-1]...)
		} else {
			cut = append(slices.Clone(b.kills[n-1]), cut...)
		}
		b.kills[n-1] = cut
	} else {
		b.kills = append(b.kills, cut)
		if len(b.kills) > maxKills {
			b.kills = slices.Delete(b.kills, 0, 1)
		}
	}
	b.keep(editKill)
	b.replace(from, to, nil)
	return true
}

// yank inserts the newest kill; again replaces it by the one before.
func (b *buffer) yank(again bool) bool {
	n := len(b.kills)
	if n == 0 || again && b.last != editYank {
		return false
	}
	if again {
		b.ring = (b.ring + n - 1) % n
		from := max(b.at-b.yanked, 0)
		b.keep(editYank)
		b.replace(from, b.at, b.kills[b.ring])
	} else {
		b.ring = n - 1
		b.keep(editYank)
		b.replace(b.at, b.at, b.kills[b.ring])
	}
	b.yanked = len(b.kills[b.ring])
	return true
}

// transpose swaps the two units before the caret, or around it inside a line.
func (b *buffer) transpose() bool {
	i := b.at
	if i == len(b.units) || b.units[i].newline() {
		i--
	}
	if i < 1 || b.units[i].newline() || b.units[i-1].newline() {
		return false
	}
	b.keep(editErase)
	b.replace(i-1, i+1, []unit{b.units[i], b.units[i-1]})
	return true
}

func (b *buffer) undoOne() bool { return b.travel(&b.undo, &b.redo) }
func (b *buffer) redoOne() bool { return b.travel(&b.redo, &b.undo) }

func (b *buffer) travel(from, to *[]change) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	c := (*from)[n-1]
	*to = append(*to,
		change{at: b.at, from: c.from, to: c.from + len(c.units), units: slices.Clone(b.units[c.from:c.to]),
			none: c.none})
	b.put(c.from, c.to, c.units)
	b.at, *from, b.last, b.begun = c.at, (*from)[:n-1], editNone, false
	return true
}

// Places, as indices of units.

func (b *buffer) lineStart(i int) int {
	for i > 0 && !b.units[i-1].newline() {
		i--
	}
	return i
}

func (b *buffer) lineEnd(i int) int {
	for i < len(b.units) && !b.units[i].newline() {
		i++
	}
	return i
}

// wordLeft returns the start of the word before i.
func (b *buffer) wordLeft(i int) int {
	for i > 0 && !b.units[i-1].word() {
		i--
	}
	for i > 0 && b.units[i-1].word() {
		i--
	}
	return i
}

// wordRight returns the end of the word after i.
func (b *buffer) wordRight(i int) int {
	for i < len(b.units) && !b.units[i].word() {
		i++
	}
	for i < len(b.units) && b.units[i].word() {
		i++
	}
	return i
}

// blankLeft returns the start of what is before i up to a space.
func (b *buffer) blankLeft(i int) int {
	for i > 0 && b.units[i-1].space() {
		i--
	}
	for i > 0 && !b.units[i-1].space() {
		i--
	}
	return i
}
