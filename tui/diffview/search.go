package diffview

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// maxMatches is the maximum number of matches that are found.
const maxMatches = 9999

// search is the state of the search in a Body. A pattern without upper-case letters matches either
// case.
type search struct {
	open       bool        // the search field gets the keys
	text       string      // the pattern
	found      []place     // all matches in order
	current    int         // index in found of the current match
	startPlace pager.Place // the scroll position when the field was opened
}

// place is a match: the index of its row, and its range in the row's text.
type place struct {
	row int
	Range
}

func (s *search) openField(from pager.Place) { *s = search{open: true, startPlace: from} }

// matchesIn returns the matches in one row. current is the index among them of the current match,
// or -1.
func (s *search) matchesIn(row int) (matches []Range, current int) {
	current = -1
	first := sort.Search(len(s.found), func(i int) bool { return s.found[i].row >= row })
	for i := first; i < len(s.found) && s.found[i].row == row; i++ {
		if i == s.current {
			current = i - first
		}
		matches = append(matches, s.found[i].Range)
	}
	return matches, current
}

// Search returns the pattern, whether the search field is open, the number of the current match,
// counted from 1, and the number of all matches. The numbers are 0 if nothing was found.
func (b *Body) Search() (text string, open bool, at, of int) {
	q := &b.search
	if len(q.found) > 0 {
		at = q.current + 1
	}
	return q.text, q.open, at, len(q.found)
}

// handleField handles an event while the search field is open.
func (b *Body) handleField(ev tui.Event, s tui.Space) bool {
	q := &b.search
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		b.findText(q.text+line, s)
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			q.open = false
			if q.text == "" {
				*q = search{}
			}
		case ev.Code == terminal.KeyEscape:
			b.topPlace = q.startPlace
			*q = search{}
			b.dropLaid()
		case ev.Code == terminal.KeyBackspace:
			_, n := utf8.DecodeLastRuneInString(q.text)
			b.findText(q.text[:len(q.text)-n], s)
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			b.findText("", s)
		case ev.Text() != "":
			b.findText(q.text+ev.Text(), s)
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// findText searches all rows for text, and scrolls to the first match behind the place where the
// field was opened.
func (b *Body) findText(text string, s tui.Space) {
	q := &b.search
	q.text, q.found, q.current = text, nil, 0
	b.topPlace = q.startPlace
	b.dropLaid()
	if text == "" {
		return
	}
	b.findAll()
	q.current = sort.Search(len(q.found), func(i int) bool { return q.found[i].row >= q.startPlace.Item })
	if q.current == len(q.found) {
		q.current = 0
	}
	b.revealMatch(s)
}

// findAll finds the pattern in all rows.
func (b *Body) findAll() {
	q := &b.search
	text := q.text
	exact := strings.ContainsFunc(text, unicode.IsUpper)
	query := text
	for i, r := range b.rows {
		in := r.Text
		if low := strings.ToLower(in); !exact && len(low) == len(in) {
			// A letter whose other case is longer would shift the offsets.
			in = low
		}
		for off := 0; len(q.found) < maxMatches; {
			j := strings.Index(in[off:], query)
			if j < 0 {
				break
			}
			q.found = append(q.found, place{i, Range{off + j, off + j + len(query)}})
			off += j + len(query)
		}
	}
}

// goToMatch scrolls to the next match if step is 1, or to the previous one if step is -1. It wraps
// around at the ends.
func (b *Body) goToMatch(step int, s tui.Space) {
	q := &b.search
	if len(q.found) == 0 {
		return
	}
	q.current = (q.current + step + len(q.found)) % len(q.found)
	b.dropLaid()
	b.revealMatch(s)
}

func (b *Body) revealMatch(s tui.Space) {
	if q := &b.search; len(q.found) > 0 {
		at := q.found[q.current]
		b.showPlace(at.row, at.From, s)
	}
}
