package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// textUnit is one step of the caret in an editor's text: a grapheme cluster, a newline, or a chip,
// which stands for a collapsed paste.
type textUnit struct {
	text  string // the text that is shown; for a chip its label
	paste string // the full text of a chip; "" for other units
}

func (u textUnit) isNewline() bool { return u.text == "\n" && u.paste == "" }

func (u textUnit) isSpace() bool {
	return u.paste == "" && (u.text == " " || u.text == "\t" || u.text == "\n")
}

// isWord reports whether u is part of a word: a letter, a digit, a mark, an underscore, or a chip.
func (u textUnit) isWord() bool {
	r, _ := utf8.DecodeRuneInString(u.text)
	return u.paste != "" || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// editKind is the kind of the last edit. Consecutive edits of the same kind can form a single undo
// step or kill.
type editKind uint8

const (
	editNone editKind = iota
	editType          // typed text; undone word by word
	editKill          // consecutive kills form one entry of the kill ring
	editYank          // Alt+Y can replace the yanked text
	editErase
)

// undoStep changes a buffer to an earlier or later state: it replaces the units [from, to) by units
// and moves the caret.
type undoStep struct {
	caret, from, to int
	units           []textUnit
	caretOnly       bool // the step changes only the caret
}

const (
	maxUndoSteps   = 256
	maxUndoUnits   = 1 << 20 // total number of units in all undo steps; the newest step is kept however large it is
	maxKillEntries = 32
)

// buffer holds the text of an editor, its undo steps and its kill ring. Its slice of units changes
// in place, so that others must copy the units that they keep.
type buffer struct {
	units         []textUnit
	caret         int        // index of the unit behind the caret
	undo, redo    []undoStep // undo and redo steps, the newest last
	lastEdit      editKind
	killRing      [][]textUnit // deleted texts that Ctrl+Y can insert, the newest last
	yankedUnits   int          // number of units that the last yank has inserted before the caret
	killIndex     int          // index in killRing of the text that was yanked last
	groupsChanges bool         // all changes belong to a single undo step
	groupBegun    bool         // the undo step for grouped changes exists already
	// Numbers of units at the start and at the end that have not changed since the text was last
	// wrapped into rows.
	unchangedHead, unchangedTail int
}

// splitUnits splits s into units, one for each grapheme cluster. CRLF and CR become LF.
func splitUnits(s string) []textUnit {
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	units := make([]textUnit, 0, len(s))
	for c := range (width.Model{}).Clusters(s) {
		units = append(units, textUnit{text: c})
	}
	return units
}

// joinText returns the text of units, with chips expanded.
func joinText(units []textUnit) string {
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

// beginChange begins an undo step for an edit of the given kind. While changes are grouped only the
// first call begins one.
func (b *buffer) beginChange(e editKind) {
	b.lastEdit = e
	if b.redo = nil; b.groupsChanges && b.groupBegun {
		return
	}
	b.groupBegun = b.groupsChanges
	b.undo = append(b.undo, undoStep{caret: b.caret, caretOnly: true})
	units, first := 0, 0
	for i := len(b.undo) - 1; i > first; i-- {
		if units += len(b.undo[i].units); units > maxUndoUnits || len(b.undo)-i >= maxUndoSteps {
			first = i
		}
	}
	b.undo = slices.Delete(b.undo, 0, first)
}

// replace replaces the units [from, to) by a copy of units and moves the caret behind them. Units
// at the borders may merge with their neighbours into one grapheme cluster.
func (b *buffer) replace(from, to int, units []textUnit) {
	b.replaceUnits(from, to, units)
	b.caret = from + len(units)
	b.rejoinAt(from + len(units))
	if len(units) > 0 {
		b.rejoinAt(from)
	}
}

// rejoinAt merges the units on both sides of index i if they form a common grapheme cluster. The
// rest of the line is then split into units again.
func (b *buffer) rejoinAt(i int) {
	separate := func(u textUnit) bool { return u.paste != "" || u.isNewline() }
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

// replaceUnits replaces the units [from, to) and extends the current undo step. Unlike replace it
// neither merges units nor moves the caret.
func (b *buffer) replaceUnits(from, to int, units []textUnit) {
	if n := len(b.undo); n > 0 {
		b.undo[n-1].extend(b.units, from, to, len(units))
	}
	b.setUnits(from, to, units)
}

// setUnits replaces the units [from, to) without recording an undo step.
func (b *buffer) setUnits(from, to int, units []textUnit) {
	b.unchangedHead, b.unchangedTail = min(b.unchangedHead, from), min(b.unchangedTail, len(b.units)-to)
	b.units = slices.Replace(b.units, from, to, units...)
}

// extend extends the undo step s so that it also undoes the edit that is about to replace
// now[from:to] by n units. now holds the units before that edit.
func (s *undoStep) extend(now []textUnit, from, to, n int) {
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

// insert inserts text at the caret. The units beside the caret may merge with it into one grapheme
// cluster.
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

// typeText inserts typed text. A space begins a new undo step, so that typing is undone word by
// word.
func (b *buffer) typeText(text string) {
	if b.lastEdit != editType || strings.TrimSpace(text) == "" {
		b.beginChange(editType)
	} else {
		b.redo = nil
	}
	b.insert(text)
}

// erase deletes the units [from, to). It returns false if the range is empty.
func (b *buffer) erase(from, to int) bool {
	if from >= to {
		return false
	}
	b.beginChange(editErase)
	b.replace(from, to, nil)
	return true
}

// kill deletes the units [from, to) and puts them in the kill ring. It returns false if the range
// is empty.
func (b *buffer) kill(from, to int) bool {
	if from >= to {
		return false
	}
	cut := slices.Clone(b.units[from:to])
	if n := len(b.killRing); b.lastEdit == editKill && n > 0 {
		if to <= b.caret {
			cut = append(cut, b.killRing[n-1]...)
		} else {
			cut = append(slices.Clone(b.killRing[n-1]), cut...)
		}
		b.killRing[n-1] = cut
	} else {
		b.killRing = append(b.killRing, cut)
		if len(b.killRing) > maxKillEntries {
			b.killRing = slices.Delete(b.killRing, 0, 1)
		}
	}
	b.beginChange(editKill)
	b.replace(from, to, nil)
	return true
}

// yank inserts the newest entry of the kill ring. If previous is true it instead replaces the text
// that was just yanked by the entry before it. It returns false if there is nothing to insert.
func (b *buffer) yank(previous bool) bool {
	n := len(b.killRing)
	if n == 0 || previous && b.lastEdit != editYank {
		return false
	}
	if previous {
		b.killIndex = (b.killIndex + n - 1) % n
		from := max(b.caret-b.yankedUnits, 0)
		b.beginChange(editYank)
		b.replace(from, b.caret, b.killRing[b.killIndex])
	} else {
		b.killIndex = n - 1
		b.beginChange(editYank)
		b.replace(b.caret, b.caret, b.killRing[b.killIndex])
	}
	b.yankedUnits = len(b.killRing[b.killIndex])
	return true
}

// transpose swaps the units around the caret, or the two units before it at the end of a line. It
// returns false if there are no two units to swap.
func (b *buffer) transpose() bool {
	i := b.caret
	if i == len(b.units) || b.units[i].isNewline() {
		i--
	}
	if i < 1 || b.units[i].isNewline() || b.units[i-1].isNewline() {
		return false
	}
	b.beginChange(editErase)
	b.replace(i-1, i+1, []textUnit{b.units[i], b.units[i-1]})
	return true
}

// undoChange undoes the last change. It returns false if there is none.
func (b *buffer) undoChange() bool { return b.moveChange(&b.undo, &b.redo) }

// redoChange restores the change that was undone last. It returns false if there is none.
func (b *buffer) redoChange() bool { return b.moveChange(&b.redo, &b.undo) }

// moveChange applies the newest step of one stack, from, and pushes the opposite step onto the
// other stack, to. It returns false if from is empty.
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

// lineEnd returns the index of the newline that ends the line of unit i, or the end of the text.
func (b *buffer) lineEnd(i int) int {
	for i < len(b.units) && !b.units[i].isNewline() {
		i++
	}
	return i
}

// wordLeft returns the index of the start of the word before i.
func (b *buffer) wordLeft(i int) int {
	for i > 0 && !b.units[i-1].isWord() {
		i--
	}
	for i > 0 && b.units[i-1].isWord() {
		i--
	}
	return i
}

// wordRight returns the index of the end of the word after i.
func (b *buffer) wordRight(i int) int {
	for i < len(b.units) && !b.units[i].isWord() {
		i++
	}
	for i < len(b.units) && b.units[i].isWord() {
		i++
	}
	return i
}

// nonSpaceStart returns the index of the start of the run of non-space units before i.
func (b *buffer) nonSpaceStart(i int) int {
	for i > 0 && b.units[i-1].isSpace() {
		i--
	}
	for i > 0 && !b.units[i-1].isSpace() {
		i--
	}
	return i
}
