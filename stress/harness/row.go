package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// glyph is the expected look of one column of a row. The second column of a wide character has an
// empty text.
type glyph struct {
	text, link string
	style      renderer.Style
	doubtful   bool
	mayVanish  bool // a doubtful cluster that the terminal may not draw at all
}

// row is the expected look of a row on the tape.
type row struct {
	line       renderer.Line
	cells      []glyph // without blanks at the end
	text       string
	wraps      bool // it continues in the next row by the terminal's own wrap
	wrapUnsure bool // it is not known whether it wraps
	optional   bool // it was handed over again, so it may be there or not
	foreign    bool // written by a shell
	mayBeTorn  bool // the window changed while it was in flight, see raceOrdinary
	// the first row after a resize: the terminal may take it for a continuation of a row above
	continuesResidue bool
	doubtful         bool
	cols             int     // the smallest width of the terminal since the row was written
	clipped          string  // the last cluster, if there was no room for its marks, see clipMarks
	drawing          drawing // picture that begins here
	cutTo            int     // columns that stay if the terminal cuts the line of the cursor
}

// newRow cuts l to cols columns, as a terminal of that width shows it.
func newRow(l renderer.Line, cols int, m width.Model) *row {
	r := &row{line: l, cols: cols, cutTo: cols}
	full := false
fill:
	for _, s := range l.Spans {
		for rest := s.Text; rest != ""; {
			var c string
			var w int
			c, rest, w = m.Next(rest)
			if w == 0 {
				continue
			}
			if len(r.cells)+w > cols {
				full = true
				break fill
			}
			d := m.Doubtful(c)
			r.doubtful = r.doubtful || d
			r.cells = append(r.cells, glyph{text: c, link: s.Link, style: s.Style, doubtful: d, mayVanish: d &&
				m.MayVanish(c)})
			for range w - 1 {
				r.cells = append(r.cells, glyph{link: s.Link, style: s.Style, doubtful: d})
			}
		}
	}
	r.wraps = l.Wrapped && !full && len(r.cells) >= cols-1 && len(r.cells) > 0
	if !r.wraps {
		r.trim()
	}
	r.clipMarks(cols, m)
	r.setText()
	return r
}

// newRow cuts l to the width of the window.
func (h *harness) newRow(l renderer.Line) *row { return newRow(l, h.window.cols, h.model) }

// setText sets the text from the cells.
func (r *row) setText() {
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
	}
	r.text = strings.TrimRight(b.String(), " ")
}

// trim removes blanks at the end that were never written.
func (r *row) trim() {
	for n := len(r.cells); n > 0 && r.cells[n-1] == (glyph{text: " "}); n-- {
		r.cells = r.cells[:n-1]
	}
}

// blank reports whether the row shows nothing at all.
func (r *row) blank() bool { return len(r.cells) == 0 }

// maxWidth returns how many columns the row takes at most, for any terminal, if no part is placed
// by its column.
func (r *row) maxWidth(m width.Model) (n int) {
	for _, g := range r.cells {
		switch {
		case g.text == "":
		case g.doubtful:
			n += m.Widest(g.text)
		default:
			n += m.String(g.text)
		}
	}
	return n
}

// holdsDoubt reports whether the row itself has a cluster of doubtful width.
func (r *row) holdsDoubt() bool {
	return slices.ContainsFunc(r.cells, func(g glyph) bool { return g.doubtful })
}

// joins reports whether the terminal wraps from r to next by itself. A row that is one column short
// wraps only before a wide character. A row with a cluster of doubtful width does not wrap.
func (r *row) joins(next *row, cols int) bool {
	return r.wraps && !next.blank() && !r.holdsDoubt() && !next.holdsDoubt() &&
		(len(r.cells) == cols || len(next.cells) > 1 && next.cells[1].text == "")
}

// mayRead reports whether the row may have that text.
func (r *row) mayRead(text string) bool {
	if r.doubtful {
		return dropDoubtful.Replace(text) == dropDoubtful.Replace(r.text)
	}
	return text == r.text
}

// glyphAt returns the glyph in column c.
func (r *row) glyphAt(c int) glyph {
	if c < len(r.cells) {
		return r.cells[c]
	}
	return glyph{text: " "}
}

// compare compares the cells of got with the row, including the pens. Rows with clusters of
// doubtful width are not compared.
func (r *row) compare(got vt.Row, cols int) error {
	if r.doubtful || r.foreign {
		return nil
	}
	used := max(got.Used(), len(r.cells))
	if r.wraps && len(r.cells) < cols {
		used = len(r.cells) // the last column is left blank for a wide character, with the pen of the time
	}
	for c := range min(cols, used) {
		g, want := got.Cell(c), r.glyphAt(c)
		if cols == 1 {
			// kitty draws marks there, ghostty does not
			g.Text, want.text = oneColumnText(g.Text), oneColumnText(want.text)
		}
		if want.text == "" {
			continue // the second half
		}
		if err := sameCell(g, want); err != nil {
			return fmt.Errorf("column %d: %w", c, err)
		}
	}
	return nil
}

// clipMarks removes the marks of a cluster that ends in the last of cols columns, since the
// terminal would wrap them.
func (r *row) clipMarks(cols int, m width.Model) {
	if i := r.lastCluster(); cols > 0 && len(r.cells) == cols && m.AtEdge(r.cells[i].text) != r.cells[i].text {
		r.clipped = r.cells[i].text
		r.setCluster(i, m.AtEdge(r.clipped), m)
	}
}

// withMarks returns the row with the marks that clipMarks has removed.
func (r *row) withMarks(m width.Model) *row {
	out := *r
	out.cells = slices.Clone(r.cells)
	if r.clipped != "" {
		out.setCluster(r.lastCluster(), r.clipped, m)
	}
	return &out
}

// setCluster sets the cluster that begins in column i.
func (r *row) setCluster(i int, text string, m width.Model) {
	for r.cells[i].text, r.cells[i].doubtful = text, m.Doubtful(text); i+1 < len(r.cells); i++ {
		r.cells[i+1].doubtful = r.cells[i].doubtful
	}
	r.doubtful = r.holdsDoubt()
}

// lastCluster returns the column of the last cluster, or 0.
func (r *row) lastCluster() int {
	i := max(0, len(r.cells)-1)
	for i > 0 && r.cells[i].text == "" {
		i--
	}
	return i
}
