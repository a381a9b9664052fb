package diffview

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// Body shows rows in a given height, and scrolls. It is a [tui.Component] and a [tui.EventHandler];
// Space.Height has to be its height in rows.
type Body struct {
	// Compare returns the parts that differ in two lines that face each other; nil: none are
	// marked. It is called for lines in sight.
	Compare func(old, new string) (inOld, inNew []Range)
	// Tints returns the classes of a row, in order, and Style the style of a class, which is added
	// to that of the row; nil: there are none. They are called for rows in sight.
	Tints func(Row) []Tint
	Style func(t *tui.Theme, k Kind, class uint8) tui.Style

	rows     []Row
	digits   [2]int
	topPlace pager.Place // the first row in sight
	cutLong  bool        // long rows end in a mark, and do not continue in the next row
	leftCols int         // columns scrolled out on the left, with cutLong
	lastRow  int         // the row at the bottom of the last View
	search   search

	laidLines map[int][]tui.Line // laid out rows, by row
	laidFor   painter            // the painter of laidLines

	seen seen
}

// New returns a body of rows, which it keeps. It begins at the top and wraps.
func New(rows []Row) *Body {
	rows = splitLong(rows)
	return &Body{rows: rows, digits: numberDigits(rows)}
}

// Replace gives b other rows, and keeps its search and its place.
func (b *Body) Replace(rows []Row) {
	b.rows, b.seen = splitLong(rows), seen{}
	b.digits = numberDigits(b.rows)
	b.dropLaid()
	if b.search.text != "" {
		b.search.found = nil
		b.findAll()
		b.search.current = min(b.search.current, max(len(b.search.found)-1, 0))
	}
}

// End goes to the last page in s.
func (b *Body) End(s tui.Space) { b.topPlace = b.pagerText(s).Last() }

// Len returns the number of rows, which does not depend on the width.
func (b *Body) Len() int { return len(b.rows) }

// Show puts row i at the top, as far as the last page stays full.
func (b *Body) Show(i int) { b.topPlace = pager.Place{Item: max(i, 0)} }

// Top reports whether no rows are scrolled out above.
func (b *Body) Top() bool { return b.topPlace == pager.Place{} }

// Wraps reports whether long rows continue in the next one.
func (b *Body) Wraps() bool { return !b.cutLong }

// Height returns the number of terminal rows that all of b takes at this width, but at most limit.
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

// Position returns the first and the last row in sight of the last View, 1-based, the number of
// rows, and how much of them is in sight or above, in percent.
func (b *Body) Position() (first, last, of, percent int) {
	if len(b.rows) == 0 {
		return 0, 0, 0, 100
	}
	return b.topPlace.Item + 1, b.lastRow + 1, len(b.rows), (100*(b.lastRow+1) + len(b.rows)/2) / len(b.rows)
}

// View returns the rows in sight. In a space without a height it is all of b, as [Body.Lines] is.
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

// Lines returns all of b at the width of s, one row below the other, without blanks at their ends:
// for a transcript.
func (b *Body) Lines(s tui.Space) []tui.Line {
	p := painter{width: s.Width, digits: b.digits, wrap: true, theme: s.Look(), model: s.Model}
	var out []tui.Line
	for i, r := range b.rows {
		for _, l := range b.paintRow(i, p) {
			if l.End = 0; r.Text == "" && r.Mark == "" {
				l.Spans = trimmed(l.Spans)
			}
			out = append(out, l)
		}
	}
	return out
}

// trimmed returns spans without the blanks at their end.
func trimmed(spans []tui.Span) []tui.Span {
	spans = slices.Clone(spans)
	for n := len(spans); n > 0; n-- {
		if spans[n-1].Text = strings.TrimRight(spans[n-1].Text, " "); spans[n-1].Text != "" {
			break
		}
		spans = spans[:n-1]
	}
	return spans
}

// layOutRow returns the lines of row i, none if it stands beside another one.
func (b *Body) layOutRow(i int, s tui.Space) []tui.Line {
	p := painter{width: s.Width, digits: b.digits, wrap: !b.cutLong, leftCols: b.leftCols, theme: s.Look(),
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

// paintRow returns row i by itself.
func (b *Body) paintRow(i int, p painter) []tui.Line {
	r := b.rows[i]
	d := decor{blanksFrom: blankMarksFrom(b.rows, i), emph: b.emphRanges(i)}
	d.matches, d.currentMatch = b.search.matchesIn(i)
	if b.Tints != nil && b.Style != nil && p.theme.Colors > 0 && !r.More && len(r.Text) < maxRowBytes {
		d.tints, p.tint = b.Tints(r), b.Style
	}
	return p.paint(r, p.expandRow(r, d))
}

// emphRanges returns the parts of row i that differ from the line that it faces.
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

// dropLaid drops the rows that were laid out.
func (b *Body) dropLaid() { b.laidLines = nil }
