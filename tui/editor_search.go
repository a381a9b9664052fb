package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// search searches an Editor's history, newest first, for the typed text.
type search struct {
	text       string
	entryIndex int    // the entry that is shown, back from the newest; 0: the draft
	draft      []unit // the text before the search
	draftCaret int    // its caret
	notFound   bool   // no entry has text
}

// Searching reports whether the search in the history is open. Esc closes it.
func (e *Editor) Searching() bool { return e.search != nil }

// AcceptSearch ends the search in the history, with the entry that it shows.
func (e *Editor) AcceptSearch() { e.endSearch(true) }

// searchOlder opens the search, or goes to the next older entry.
func (e *Editor) searchOlder() {
	if e.search == nil {
		e.search = &search{draft: slices.Clone(e.buf.units), draftCaret: e.buf.caret}
		return
	}
	e.findEntry(e.search.entryIndex + 1)
}

// findEntry shows the first entry from index on that has the text. If there is none the shown one
// stays.
func (e *Editor) findEntry(index int) {
	s := e.search
	for ; s.text != "" && index <= len(e.History); index++ {
		entry := e.History[len(e.History)-index]
		if i := strings.LastIndex(entry, s.text); index > 0 && i >= 0 {
			s.entryIndex, s.notFound = index, false
			units := e.splitWithChips(entry)
			e.buf.setUnits(0, len(e.buf.units), units)
			e.buf.caret = 0
			for n := 0; e.buf.caret < len(units); e.buf.caret++ { // to where it begins, or the chip that holds it
				if n += len(joinText(units[e.buf.caret : e.buf.caret+1])); n > i {
					break
				}
			}
			return
		}
	}
	s.notFound = s.text != ""
}

// endSearch ends the search. With keep the shown entry stays, as one change that can be undone.
func (e *Editor) endSearch(keep bool) {
	s := e.search
	e.search = nil
	if s == nil || s.entryIndex == 0 {
		return
	}
	found, at := slices.Clone(e.buf.units), e.buf.caret
	e.buf.setUnits(0, len(e.buf.units), s.draft)
	e.buf.caret = s.draftCaret
	if keep {
		e.buf.beginChange(editNone)
		e.buf.replace(0, len(e.buf.units), found)
		e.buf.caret = at
		e.textChanged()
	}
}

// handleSearchKey acts on k while the search is open. It returns false if the search is over and k
// is an ordinary key.
func (e *Editor) handleSearchKey(k Key) bool {
	s := e.search
	switch t := k.Text(); {
	case t != "":
		s.text += t
		e.findEntry(max(s.entryIndex, 1))
	case k.Mods == terminal.Ctrl && k.Code == 'r':
		e.searchOlder()
	case k.Mods == terminal.Ctrl && (k.Code == 'g' || k.Code == 'c'), k.Mods == 0 && k.Code == terminal.KeyEscape:
		e.endSearch(false)
	case k.Mods == 0 && k.Code == terminal.KeyEnter:
		e.endSearch(true)
	case k.Mods == 0 && k.Code == terminal.KeyBackspace, k.Mods == terminal.Ctrl && k.Code == 'h':
		if units := splitUnits(s.text); len(units) > 0 {
			s.text = joinText(units[:len(units)-1])
			e.findEntry(1)
		}
	default:
		e.endSearch(true)
		return false
	}
	return true
}

// searchRow returns the row of the search, below the text, and the column of its caret.
func (s *search) searchRow(sp Space) (Line, int) {
	th := sp.Look()
	lead := "search: "
	if s.notFound {
		lead = "not found: "
	}
	sp.Width = max(sp.Width-1, 1)
	line := sp.Cut(Span{Text: lead, Style: th.Dim}, Span{Text: s.text})
	n := 0
	for _, span := range line.Spans {
		n += sp.Columns(span.Text)
	}
	return line, n
}

// changeCase changes the case of the word at or after the caret: of its first letter by first, of
// the others by others.
func (b *buffer) changeCase(first, others func(rune) rune) bool {
	from := b.caret
	for from < len(b.units) && !b.units[from].isWord() {
		from++
	}
	to := b.wordRight(b.caret)
	if from >= to {
		return false
	}
	f := first
	var units []unit
	for _, u := range b.units[from:to] {
		if u.paste == "" {
			u.text = strings.Map(f, u.text)
		}
		if strings.ContainsFunc(u.text, unicode.IsLetter) {
			f = others
		}
		units = append(units, u)
	}
	b.beginChange(editErase)
	b.replace(from, to, units)
	return true
}

// transposeWords swaps the word before the caret with the one at or after it; at the end it swaps
// the last two.
func (b *buffer) transposeWords() bool {
	end := b.wordRight(b.caret)
	second := b.wordLeft(end)
	start := b.wordLeft(second)
	first := b.wordRight(start)
	if start >= first || first > second || second >= end {
		return false
	}
	units := slices.Concat(b.units[second:end], b.units[first:second], b.units[start:first])
	b.beginChange(editErase)
	b.replace(start, end, units)
	return true
}
