package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// historySearch is a search in an Editor's history, from the newest entry to the oldest.
type historySearch struct {
	pattern    string
	entryIndex int        // position of the shown entry, counted back from the newest; 0: the draft
	draft      []textUnit // the units of the text before the search
	draftCaret int        // position of the caret in draft
	notFound   bool       // no entry contains the pattern
}

// Searching reports whether the user is searching the history. Esc then ends the search.
func (e *Editor) Searching() bool { return e.search != nil }

// AcceptSearch ends the search in the history and keeps the entry that it shows.
func (e *Editor) AcceptSearch() { e.endSearch(true) }

// searchOlder opens the search in the history. If it is open it goes to the next older match.
func (e *Editor) searchOlder() {
	if e.search == nil {
		e.search = &historySearch{draft: slices.Clone(e.buf.units), draftCaret: e.buf.caret}
		return
	}
	e.findEntry(e.search.entryIndex + 1)
}

// findEntry shows the newest entry that contains the pattern, beginning index entries back. If
// there is none the shown entry stays.
func (e *Editor) findEntry(index int) {
	s := e.search
	for ; s.pattern != "" && index <= len(e.History); index++ {
		entry := e.History[len(e.History)-index]
		if i := strings.LastIndex(entry, s.pattern); index > 0 && i >= 0 {
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
	s.notFound = s.pattern != ""
}

// endSearch ends the search. If keep is true the shown entry stays, as one change that can be
// undone. Otherwise the text before the search is restored.
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
		e.handleTextChange()
	}
}

// handleSearchKey handles a key while the search is open. If k is no key of the search it ends the
// search and returns false.
func (e *Editor) handleSearchKey(k Key) bool {
	s := e.search
	switch t := k.Text(); {
	case t != "":
		s.pattern += t
		e.findEntry(max(s.entryIndex, 1))
	case k.Mods == terminal.Ctrl && k.Code == 'r':
		e.searchOlder()
	case k.Mods == terminal.Ctrl && (k.Code == 'g' || k.Code == 'c'), k.Mods == 0 && k.Code == terminal.KeyEscape:
		e.endSearch(false)
	case k.Mods == 0 && k.Code == terminal.KeyEnter:
		e.endSearch(true)
	case k.Mods == 0 && k.Code == terminal.KeyBackspace, k.Mods == terminal.Ctrl && k.Code == 'h':
		if units := splitUnits(s.pattern); len(units) > 0 {
			s.pattern = joinText(units[:len(units)-1])
			e.findEntry(1)
		}
	default:
		e.endSearch(true)
		return false
	}
	return true
}

// searchRow returns the row of the search, which is shown below the text, and the column of its
// caret.
func (s *historySearch) searchRow(sp Space) (Line, int) {
	th := sp.Look()
	lead := "search: "
	if s.notFound {
		lead = "not found: "
	}
	sp.Width = max(sp.Width-1, 1)
	line := sp.Cut(Span{Text: lead, Style: th.Dim}, Span{Text: s.pattern})
	n := 0
	for _, span := range line.Spans {
		n += sp.Columns(span.Text)
	}
	return line, n
}

// changeCase changes the case of the word at or after the caret: its first letter with the function
// first, the others with others. It returns false if there is no word.
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
	var units []textUnit
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

// transposeWords swaps the word before the caret with the word at or after it; at the end of the
// text the last two words. It returns false if there are no two words.
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
