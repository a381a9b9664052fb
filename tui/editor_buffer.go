package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// unit is one step of the caret: a grapheme cluster, a newline, or a collapsed paste.
type unit struct {
	text  string // of a paste: its label
	paste string // the text of a collapsed paste, else ""
}

// isNewline reports whether u ends a line.
func (u unit) isNewline() bool { return u.text == "\n" && u.paste == "" }

// isSpace reports whether u is white space.
func (u unit) isSpace() bool {
	return u.paste == "" && (u.text == " " || u.text == "\t" || u.text == "\n")
}

// isWord reports whether u is part of a word: letters, digits, marks, underscore, and a paste.
func (u unit) isWord() bool {
	r, _ := utf8.DecodeRuneInString(u.text)
	return u.paste != "" || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// editKind is the kind of the last change, so that equal ones can be joined.
type editKind uint8

const (
	editNone editKind = iota
	editType          // typing: undone word by word
	editKill          // kills one after the other are one entry of the ring
	editYank          // Alt+Y may replace the yanked text
	editErase
)

// undoStep leads from one state of a buffer to another: units replace [from, to), and the caret
// goes to caret.
type undoStep struct {
	caret, from, to int
	units           []unit
	caretOnly       bool // nothing differs but the caret
}

const (
	maxUndo      = 256
	maxUndoUnits = 1 << 20 // units in all undo steps; the newest step is kept, however many units it has
	maxKills     = 32
)

// buffer is the text of an editor. Its units are its own: others copy those that they keep.
type buffer struct {
	units      []unit
	caret      int
	undo, redo []undoStep // newest last
	lastEdit   editKind
	kills      [][]unit // newest last
	yanked     int      // units of the last yank, before the caret
	killIndex  int      // index of the yanked text in kills
	grouped    bool     // all changes are part of one undo step
	groupBegun bool     // that step exists
	// Units at the start and at the end that have not changed since they were wrapped.
	sameHead, sameTail int
}

// splitUnits returns s in units. Line ends become LF.
func splitUnits(s string) []unit {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	units := make([]unit, 0, len(s))
	for c := range (width.Model{}).Clusters(s) {
		units = append(units, unit{text: c})
	}
	return units
}

// joinText returns the text of units, with pastes expanded.
func joinText(units []unit) string {
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

// beginChange begins a change of that kind, which one undo takes back.
func (b *buffer) beginChange(e editKind) {
	b.lastEdit = e
	if b.redo = nil; b.grouped && b.groupBegun {
		return
	}
	b.groupBegun = b.grouped
	b.undo = append(b.undo, undoStep{caret: b.caret, caretOnly: true})
	units, first := 0, 0
	for i := len(b.undo) - 1; i > first; i-- {
		if units += len(b.undo[i].units); units > maxUndoUnits || len(b.undo)-i >= maxUndo {
			first = i
		}
	}
	b.undo = slices.Delete(b.undo, 0, first)
}

// replace puts a copy of units in the place of [from, to), and the caret after them. Units at the
// border may become one cluster with them.
func (b *buffer) replace(from, to int, units []unit) {
	b.replaceUnits(from, to, units)
	b.caret = from + len(units)
	b.rejoinAt(from + len(units))
	if len(units) > 0 {
		b.rejoinAt(from)
	}
}

// rejoinAt splits the text around i into units again if the units that meet there are no longer
// clusters of their own, and the rest of the line with them.
func (b *buffer) rejoinAt(i int) {
	separate := func(u unit) bool { return u.paste != "" || u.isNewline() }
	if i <= 0 || i >= len(b.units) || separate(b.units[i-1]) || separate(b.units[i]) ||
		slices.Equal(splitUnits(b.units[i-1].text+b.units[i].text), b.units[i-1:i+1]) {
		return
	}
	from, to := i-1, i
	for to < len(b.units) && !separate(b.units[to]) {
		to++
	}
	units := splitUnits(joinText(b.units[from:to]))
	at := b.caret
	switch {
	case at >= to:
		at += len(units) - (to - from)
	case at > from:
		caretBytes, n := len(joinText(b.units[from:at])), 0
		for at = from; n < caretBytes; at++ {
			n += len(units[at-from].text)
		}
	}
	b.replaceUnits(from, to, units)
	b.caret = at
}

// replaceUnits replaces units as replace does, without moving the caret.
func (b *buffer) replaceUnits(from, to int, units []unit) {
	if n := len(b.undo); n > 0 {
		b.undo[n-1].extend(b.units, from, to, len(units))
	}
	b.setUnits(from, to, units)
}

// setUnits replaces units as replaceUnits does, without an undo step.
func (b *buffer) setUnits(from, to int, units []unit) {
	b.sameHead, b.sameTail = min(b.sameHead, from), min(b.sameTail, len(b.units)-to)
	b.units = slices.Replace(b.units, from, to, units...)
}

// extend makes the undo step s take a further edit back, too: the one that is about to replace
// now[from:to] by n units.
func (s *undoStep) extend(now []unit, from, to, n int) {
	if s.caretOnly {
		s.from, s.to, s.units, s.caretOnly = from, to+n-(to-from), slices.Clone(now[from:to]), false
		return
	}
	lo, hi := min(s.from, from), max(s.to, to)
	if lo < s.from || hi > s.to {
		s.units = slices.Concat(now[lo:s.from], s.units, now[s.to:hi])
	}
	s.from, s.to = lo, hi+n-(to-from)
}

// insert puts text at the caret. Units at the border may become one cluster with it.
func (b *buffer) insert(text string) {
	from, to, head, tail := b.caret, b.caret, "", ""
	if from > 0 && b.units[from-1].paste == "" && !b.units[from-1].isNewline() {
		from--
		head = b.units[from].text
	}
	if to < len(b.units) && b.units[to].paste == "" && !b.units[to].isNewline() {
		tail = b.units[to].text
		to++
	}
	units := splitUnits(head + text + tail)
	caretBytes := len(joinText(units)) - len(tail) // the caret in bytes
	b.replace(from, to, units)
	n, at := 0, from
	for n < caretBytes && at < len(b.units) {
		n += len(b.units[at].text)
		at++
	}
	b.caret = at
}

// typeText inserts typed text.
func (b *buffer) typeText(text string) {
	if b.lastEdit != editType || strings.TrimSpace(text) == "" {
		b.beginChange(editType)
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
	b.beginChange(editErase)
	b.replace(from, to, nil)
	return true
}

// kill removes [from, to) into the ring.
func (b *buffer) kill(from, to int) bool {
	if from >= to {
		return false
	}
	cut := slices.Clone(b.units[from:to])
	if n := len(b.kills); b.lastEdit == editKill && n > 0 {
		if to <= b.caret {
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
	b.beginChange(editKill)
	b.replace(from, to, nil)
	return true
}

// yank inserts the newest kill. With previous it replaces the yanked text by the kill before it.
func (b *buffer) yank(previous bool) bool {
	n := len(b.kills)
	if n == 0 || previous && b.lastEdit != editYank {
		return false
	}
	if previous {
		b.killIndex = (b.killIndex + n - 1) % n
		from := max(b.caret-b.yanked, 0)
		b.beginChange(editYank)
		b.replace(from, b.caret, b.kills[b.killIndex])
	} else {
		b.killIndex = n - 1
		b.beginChange(editYank)
		b.replace(b.caret, b.caret, b.kills[b.killIndex])
	}
	b.yanked = len(b.kills[b.killIndex])
	return true
}

// transpose swaps the two units before the caret, or those around it inside a line.
func (b *buffer) transpose() bool {
	i := b.caret
	if i == len(b.units) || b.units[i].isNewline() {
		i--
	}
	if i < 1 || b.units[i].isNewline() || b.units[i-1].isNewline() {
		return false
	}
	b.beginChange(editErase)
	b.replace(i-1, i+1, []unit{b.units[i], b.units[i-1]})
	return true
}

// undoChange takes the last change back.
func (b *buffer) undoChange() bool { return b.moveChange(&b.undo, &b.redo) }

// redoChange does the change again that was taken back last.
func (b *buffer) redoChange() bool { return b.moveChange(&b.redo, &b.undo) }

// moveChange applies the last step of from and appends its opposite to to.
func (b *buffer) moveChange(from, to *[]undoStep) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	c := (*from)[n-1]
	*to = append(*to,
		undoStep{caret: b.caret, from: c.from, to: c.from + len(c.units), units: slices.Clone(b.units[c.from:c.to]),
			caretOnly: c.caretOnly})
	b.setUnits(c.from, c.to, c.units)
	b.caret, *from, b.lastEdit, b.groupBegun = c.caret, (*from)[:n-1], editNone, false
	return true
}

// Places, as indices of units.

// lineStart returns the index of the first unit in the line of unit i.
func (b *buffer) lineStart(i int) int {
	for i > 0 && !b.units[i-1].isNewline() {
		i--
	}
	return i
}

// lineEnd returns the index of the newline of that line, or the end of the text.
func (b *buffer) lineEnd(i int) int {
	for i < len(b.units) && !b.units[i].isNewline() {
		i++
	}
	return i
}

// wordLeft returns the start of the word before i.
func (b *buffer) wordLeft(i int) int {
	for i > 0 && !b.units[i-1].isWord() {
		i--
	}
	for i > 0 && b.units[i-1].isWord() {
		i--
	}
	return i
}

// wordRight returns the end of the word after i.
func (b *buffer) wordRight(i int) int {
	for i < len(b.units) && !b.units[i].isWord() {
		i++
	}
	for i < len(b.units) && b.units[i].isWord() {
		i++
	}
	return i
}

// spaceLeft returns the start of the text before i that has no space.
func (b *buffer) spaceLeft(i int) int {
	for i > 0 && b.units[i-1].isSpace() {
		i--
	}
	for i > 0 && !b.units[i-1].isSpace() {
		i--
	}
	return i
}
