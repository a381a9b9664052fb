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

// maxMatches is the most matches that are counted.
const maxMatches = 9999

// search is the searched text and the places where it was found. Text without an upper-case letter
// matches either case.
type search struct {
	open       bool // the field is open
	text       string
	found      []place
	current    int         // index of found
	startPlace pager.Place // the top of the body when the field was opened
}

type place struct {
	row int
	Range
}

func (s *search) openField(from pager.Place) { *s = search{open: true, startPlace: from} }

// matchesIn returns the matches in one row; current is the index of the current one among them, -1
// for none.
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

// Search returns the text of the search field and whether it is open, and the current match and the
// number of matches, 1-based; 0 and 0 if nothing was found.
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

// findText searches all rows for text and goes to the first match from where the field was opened.
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

// findAll finds the text in all rows.
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

// goToMatch goes to the next match, or the previous one; after the last comes the first.
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
