package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// glyph holds the expected look of one column of a row: text, link and style. The second column of
// a wide character has an empty text.
type glyph struct {
	text, link string
	style      renderer.Style
	doubtful   bool
	mayVanish  bool // a cluster of doubtful width that the terminal may not draw at all
}

// row holds the expected look of one row on the tape (history plus grid).
type row struct {
	line       renderer.Line
	cells      []glyph // one glyph for each column, without blanks at the end
	text       string
	wraps      bool // the terminal wraps from this row into the next one by itself
	wrapUnsure bool // whether the row wraps into the next one is not checked
	optional   bool // a later row has replaced it, so that it may be there or not
	foreign    bool // written by a shell, or left by a session that has ended
	mayBeTorn  bool // the window's size changed while the row was on its way, see raceOrdinary
	// The first row after a resize. The terminal may take it for a continuation of a row that the
	// resize has left above.
	continuesResidue bool
	doubtful         bool
	cols             int     // the smallest width of the terminal, in columns, since the row was written
	clipped          string  // the last cluster, if there was no room for its combining marks, see clipMarks
	drawing          drawing // the picture that begins on this row
	cutTo            int     // number of columns that remain if the terminal cuts the line of the cursor
}

// newRow returns the row that l makes on a terminal of cols columns. Text that does not fit is cut.
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

// newRow returns the row that l makes in the window at its current width.
func (h *harness) newRow(l renderer.Line) *row { return newRow(l, h.window.cols, h.model) }

// setText sets r.text to the text of the cells, without blanks at the end.
func (r *row) setText() {
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
	}
	r.text = strings.TrimRight(b.String(), " ")
}

// trim removes blanks without a style from the end of the row, since the renderer does not write
// them.
func (r *row) trim() {
	for n := len(r.cells); n > 0 && r.cells[n-1] == (glyph{text: " "}); n-- {
		r.cells = r.cells[:n-1]
	}
}

// blank reports whether the row shows no text and no background.
func (r *row) blank() bool { return len(r.cells) == 0 }

// maxWidth returns the largest number of columns that the row can take in any terminal, if the
// renderer prints it from its beginning without moving the cursor.
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

// holdsDoubt reports whether the row has a cluster of doubtful width.
func (r *row) holdsDoubt() bool {
	return slices.ContainsFunc(r.cells, func(g glyph) bool { return g.doubtful })
}

// joins reports whether the terminal soft-wraps from r into next. A row that is one column short
// wraps only before a wide character. A row with a cluster of doubtful width does not wrap.
func (r *row) joins(next *row, cols int) bool {
	return r.wraps && !next.blank() && !r.holdsDoubt() && !next.holdsDoubt() &&
		(len(r.cells) == cols || len(next.cells) > 1 && next.cells[1].text == "")
}

// mayRead reports whether the terminal may show the row as text. In a row with clusters of doubtful
// width those and blanks are ignored.
func (r *row) mayRead(text string) bool {
	if r.doubtful {
		return dropDoubtful.Replace(text) == dropDoubtful.Replace(r.text)
	}
	return text == r.text
}

// glyphAt returns the glyph in column c, or a blank if the row has no text there.
func (r *row) glyphAt(c int) glyph {
	if c < len(r.cells) {
		return r.cells[c]
	}
	return glyph{text: " "}
}

// compare returns an error if a cell of got, a row of the terminal, differs from the expected row
// in text or style. Rows with clusters of doubtful width, and rows of other programs, are not
// compared.
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

// clipMarks removes the combining marks of a cluster that ends in the last of cols columns, because
// the terminal would wrap them into the next row.
func (r *row) clipMarks(cols int, m width.Model) {
	if i := r.lastCluster(); cols > 0 && len(r.cells) == cols && m.AtEdge(r.cells[i].text) != r.cells[i].text {
		r.clipped = r.cells[i].text
		r.setCluster(i, m.AtEdge(r.clipped), m)
	}
}

// withMarks returns a copy of the row with the combining marks that clipMarks has removed.
func (r *row) withMarks(m width.Model) *row {
	out := *r
	out.cells = slices.Clone(r.cells)
	if r.clipped != "" {
		out.setCluster(r.lastCluster(), r.clipped, m)
	}
	return &out
}

// setCluster replaces the cluster that begins in column i by text.
func (r *row) setCluster(i int, text string, m width.Model) {
	for r.cells[i].text, r.cells[i].doubtful = text, m.Doubtful(text); i+1 < len(r.cells); i++ {
		r.cells[i+1].doubtful = r.cells[i].doubtful
	}
	r.doubtful = r.holdsDoubt()
}

// lastCluster returns the column in which the last cluster begins, or 0.
func (r *row) lastCluster() int {
	i := max(0, len(r.cells)-1)
	for i > 0 && r.cells[i].text == "" {
		i--
	}
	return i
}
