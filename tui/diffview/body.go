package diffview

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// Body shows rows of text within a given height, and scrolls. It implements [tui.Component] and
// [tui.EventHandler]. Space.Height must be its height in rows.
type Body struct {
	// Compare returns the parts that differ between an old line and the new line that replaces it;
	// nil: no parts are marked. It is called for visible lines only.
	Compare func(old, new string) (inOld, inNew []Range)
	// Tints returns the syntax classes of a row, in order. Style returns the style of a class,
	// which is added to that of the row. If they are nil rows have no syntax colours. Both are
	// called for visible rows only.
	Tints func(Row) []Tint
	Style func(t *tui.Theme, k Kind, class uint8) tui.Style

	rows         []Row
	numberDigits [2]int      // number of digits of the largest old and new line number
	topPlace     pager.Place // the first visible row
	cutLong      bool        // long rows are cut with a mark instead of wrapped
	leftCols     int         // number of columns that cut rows are scrolled to the left
	lastRow      int         // index of the last row in the last View
	search       search

	laidLines map[int][]tui.Line // the terminal rows of each row that was laid out, by its index
	laidFor   painter            // the painter that made laidLines

	seen seen // which rows the user has seen
}

// New returns a body that shows rows and keeps them. It begins at the top and wraps long rows.
func New(rows []Row) *Body {
	rows = splitLong(rows)
	return &Body{rows: rows, numberDigits: numberDigits(rows)}
}

// Replace replaces the rows of b. The search and the scroll position stay.
func (b *Body) Replace(rows []Row) {
	b.rows, b.seen = splitLong(rows), seen{}
	b.numberDigits = numberDigits(b.rows)
	b.dropLaid()
	if b.search.text != "" {
		b.search.found = nil
		b.findAll()
		b.search.current = min(b.search.current, max(len(b.search.found)-1, 0))
	}
}

// End scrolls to the last page in s.
func (b *Body) End(s tui.Space) { b.topPlace = b.pagerText(s).Last() }

// Len returns the number of rows, which does not depend on the width.
func (b *Body) Len() int { return len(b.rows) }

// Show scrolls so that row i is at the top, as far as the last page stays full.
func (b *Body) Show(i int) { b.topPlace = pager.Place{Item: max(i, 0)} }

// Top reports whether b is scrolled to the top.
func (b *Body) Top() bool { return b.topPlace == pager.Place{} }

// Wraps reports whether long rows are wrapped.
func (b *Body) Wraps() bool { return !b.cutLong }

// Height returns the number of terminal rows that all of b takes in s, at most limit.
func (b *Body) Height(s tui.Space, limit int) int {
	if b.cutLong && !b.splitsSides(s) {
		return min(len(b.rows), limit)
	}
	n := 0
	for i := range b.rows {
		if n >= limit {
			return limit
		}
		n += len(b.layOutRow(i, s))
	}
	return min(n, limit)
}

// Position returns the first and the last visible row of the last View, counted from 1, the number
// of all rows, and the percentage of them that are visible or above.
func (b *Body) Position() (first, last, of, percent int) {
	if len(b.rows) == 0 {
		return 0, 0, 0, 100
	}
	return b.topPlace.Item + 1, b.lastRow + 1, len(b.rows), (100*(b.lastRow+1) + len(b.rows)/2) / len(b.rows)
}

// View returns the visible rows. If the Space has no height it returns all rows, like [Body.Lines].
func (b *Body) View(s tui.Space) tui.View {
	if s.Height <= 0 {
		b.topPlace, b.lastRow = pager.Place{}, max(len(b.rows)-1, 0)
		return tui.View{Lines: b.Lines(s)}
	}
	b.topPlace = b.pagerText(s).Clamp(b.topPlace)
	var v tui.View
	b.lastRow = b.topPlace.Item
	for i, skip := b.topPlace.Item, b.topPlace.Row; i < len(b.rows) && len(v.Lines) < s.Height; i, skip = i+1, 0 {
		lines := b.layOutRow(i, s)[skip:]
		if freeRows := s.Height - len(v.Lines); len(lines) > freeRows {
			lines = lines[:freeRows]
		}
		for _, l := range lines {
			l.End = 0 // rows in sight have no source order: the view scrolls back
			v.Lines = append(v.Lines, l)
		}
		b.lastRow = i
	}
	// it stands beside one in sight.
	for b.splitsSides(s) && b.lastRow+1 < len(b.rows) && len(b.layOutRow(b.lastRow+1, s)) == 0 {
		b.lastRow++
	}
	return v
}

// Lines returns all rows at the width of s for a transcript: never side by side, and without
// trailing blanks in empty rows.
func (b *Body) Lines(s tui.Space) []tui.Line {
	p := painter{width: s.Width, digits: b.numberDigits, wrap: true, theme: s.Look(), model: s.Model}
	var out []tui.Line
	for i, r := range b.rows {
		for _, l := range b.paintRow(i, p) {
			if l.End = 0; r.Text == "" && r.Mark == "" {
				l.Spans = withoutTrailingBlanks(l.Spans)
			}
			out = append(out, l)
		}
	}
	return out
}

// withoutTrailingBlanks returns spans without trailing blanks.
func withoutTrailingBlanks(spans []tui.Span) []tui.Span {
	spans = slices.Clone(spans)
	for n := len(spans); n > 0; n-- {
		if spans[n-1].Text = strings.TrimRight(spans[n-1].Text, " "); spans[n-1].Text != "" {
			break
		}
		spans = spans[:n-1]
	}
	return spans
}

// layOutRow returns the terminal rows of row i. It returns none if the row is shown beside another
// one.
func (b *Body) layOutRow(i int, s tui.Space) []tui.Line {
	p := painter{width: s.Width, digits: b.numberDigits, wrap: !b.cutLong, leftCols: b.leftCols, theme: s.Look(),
		model:       s.Model,
		splitsSides: b.splitsSides(s)}
	const maxRows = 4096
	if !b.laidFor.equals(p) || b.laidLines == nil || len(b.laidLines) > maxRows {
		b.laidFor, b.laidLines = p, make(map[int][]tui.Line)
	}
	if l, ok := b.laidLines[i]; ok {
		return l
	}
	var l []tui.Line
	if p.splitsSides {
		l = b.pairedLines(i, p)
	} else {
		l = b.paintRow(i, p)
	}
	b.laidLines[i] = l
	return l
}

// paintRow returns the terminal rows of row i alone, without its mate.
func (b *Body) paintRow(i int, p painter) []tui.Line {
	r := b.rows[i]
	d := rowHighlights{blanksFrom: blankMarksFrom(b.rows, i), emph: b.emphRanges(i)}
	d.matches, d.currentMatch = b.search.matchesIn(i)
	if b.Tints != nil && b.Style != nil && p.theme.Colors > 0 && !r.More && len(r.Text) < maxRowBytes {
		d.tints, p.tint = b.Tints(r), b.Style
	}
	return p.paint(r, p.expandRow(r, d))
}

// emphRanges returns the parts of row i that differ from the line that replaces it, or that it
// replaces.
func (b *Body) emphRanges(i int) []Range {
	r := b.rows[i]
	if b.Compare == nil || r.More || r.Kind != Added && r.Kind != Removed {
		return nil
	}
	j, ok := counterpart(b.rows, i)
	if !ok || b.rows[j].More {
		return nil
	}
	if r.Kind == Removed {
		old, _ := b.Compare(r.Text, b.rows[j].Text)
		return old
	}
	_, now := b.Compare(b.rows[j].Text, r.Text)
	return now
}

// dropLaid drops all cached terminal rows.
func (b *Body) dropLaid() { b.laidLines = nil }
