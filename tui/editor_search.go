package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// search looks through an Editor's history, newest first, for what is typed.
type search struct {
	text  string
	past  int    // the entry that is shown, back from the newest; 0: the draft
	draft []unit // what stood there before
	at    int    // its caret
	none  bool   // no entry has text
}

// Searching reports whether the search in the history is open: Esc closes it.
func (e *Editor) Searching() bool { return e.search != nil }

// Found ends the search in the history, with the entry that it shows.
func (e *Editor) Found() { e.leave(true) }

// seek opens the search, or goes on to the next older entry.
func (e *Editor) seek() {
	if e.search == nil {
		e.search = &search{draft: slices.Clone(e.b.units), at: e.b.at}
		return
	}
	e.find(e.search.past + 1)
}

// find shows the first entry from past on that has the text. Without one what is shown stays.
func (e *Editor) find(past int) {
	s := e.search
	for ; s.text != "" && past <= len(e.History); past++ {
		entry := e.History[len(e.History)-past]
		if i := strings.LastIndex(entry, s.text); past > 0 && i >= 0 {
			s.past, s.none = past, false
			units := e.chipped(entry)
			e.b.put(0, len(e.b.units), units)
			e.b.at = 0
			for n := 0; e.b.at < len(units); e.b.at++ { // to where it begins, or the chip that holds it
				if n += len(join(units[e.b.at : e.b.at+1])); n > i {
					break
				}
			}
			return
		}
	}
	s.none = s.text != ""
}

// leave ends the search; keep: with the entry that it shows, as one change that can be undone.
func (e *Editor) leave(keep bool) {
	s := e.search
	e.search = nil
	if s == nil || s.past == 0 {
		return
	}
	found, at := slices.Clone(e.b.units), e.b.at
	e.b.put(0, len(e.b.units), s.draft)
	e.b.at = s.at
	if keep {
		e.b.keep(editNone)
		e.b.replace(0, len(e.b.units), found)
		e.b.at = at
		e.changed()
	}
}

// searchKey does what k means while the search is open. False: the search is over and k is an
// ordinary key.
func (e *Editor) searchKey(k Key) bool {
	s := e.search
	switch t := k.Text(); {
	case t != "":
		s.text += t
		e.find(max(s.past, 1))
	case k.Mods == terminal.Ctrl && k.Code == 'r':
		e.seek()
	case k.Mods == terminal.Ctrl && (k.Code == 'g' || k.Code == 'c'), k.Mods == 0 && k.Code == terminal.KeyEscape:
		e.leave(false)
	case k.Mods == 0 && k.Code == terminal.KeyEnter:
		e.leave(true)
	case k.Mods == 0 && k.Code == terminal.KeyBackspace, k.Mods == terminal.Ctrl && k.Code == 'h':
		if units := split(s.text); len(units) > 0 {
			s.text = join(units[:len(units)-1])
			e.find(1)
		}
	default:
		e.leave(true)
		return false
	}
	return true
}

// row returns the row of the search, below the text; its caret stands behind what was typed.
func (s *search) row(sp Space) (Line, int) {
	th := sp.Look()
	lead := "search: "
	if s.none {
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

// recase makes the word at or after the caret what f makes of its letters: the first of them, the
// others.
func (b *buffer) recase(first, others func(rune) rune) bool {
	from := b.at
	for from < len(b.units) && !b.units[from].word() {
		from++
	}
	to := b.wordRight(b.at)
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
	b.keep(editErase)
	b.replace(from, to, units)
	return true
}

// transposeWords swaps the word before the caret with the one at or after it; at the end the last
// two.
func (b *buffer) transposeWords() bool {
	end := b.wordRight(b.at)
	second := b.wordLeft(end)
	start := b.wordLeft(second)
	first := b.wordRight(start)
	if start >= first || first > second || second >= end {
		return false
	}
	units := slices.Concat(b.units[second:end], b.units[first:second], b.units[start:first])
	b.keep(editErase)
	b.replace(start, end, units)
	return true
}
