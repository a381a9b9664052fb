package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// glyph is one column of a row as it should look. The second column of a wide character has an
// empty text.
type glyph struct {
	text, link string
	style      renderer.Style
	doubtful   bool
	none       bool // a doubtful one that the terminal may not draw at all
}

// A row is one row as it should stand on the tape.
type row struct {
	line       renderer.Line
	cells      []glyph // without blanks at the end
	text       string
	wraps      bool // goes on in the next row by the terminal's own wrap
	wrapUnsure bool // whether it does cannot be told
	optional   bool // handed over, then handed over again: may stand there, or not
	foreign    bool // a shell's
	mayBeTorn  bool // the window changed while it was in flight, see raceOrdinary
	// the first one after a resize: what a terminal pushed into history above may claim to go on in
	// it
	continuesResidue bool
	doubtful         bool
	cols             int     // the narrowest that the terminal has been since the row was written
	clipped          string  // the last cluster, if it has no room for its marks, see clipMarks
	drawing          drawing // that begins here
	cutTo            int     // columns that are left of it where a terminal cuts the line that the cursor is on
}

// newRow cuts l to cols columns, as a terminal of that width would show it.
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
			r.cells = append(r.cells, glyph{text: c, link: s.Link, style: s.Style, doubtful: d, none: d &&
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

// setText takes the text from the cells.
func (r *row) setText() {
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
	}
	r.text = strings.TrimRight(b.String(), " ")
}

// trim cuts off blanks that nothing was ever written for.
func (r *row) trim() {
	for n := len(r.cells); n > 0 && r.cells[n-1] == (glyph{text: " "}); n-- {
		r.cells = r.cells[:n-1]
	}
}

// blank reports whether the row shows nothing at all.
func (r *row) blank() bool { return len(r.cells) == 0 }

// maxWidth returns how many columns the row may take, by any measure, where nothing in it is put
// into its column.
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

// holdsDoubt reports whether there is a doubtful cluster in the row itself.
func (r *row) holdsDoubt() bool {
	return slices.ContainsFunc(r.cells, func(g glyph) bool { return g.doubtful })
}

// joins reports whether the terminal wraps from r to next by itself: a row that is one column short
// does so only before a wide character, and none beside a cluster in doubt.
func (r *row) joins(next *row, cols int) bool {
	return r.wraps && !next.blank() && !r.holdsDoubt() && !next.holdsDoubt() &&
		(len(r.cells) == cols || len(next.cells) > 1 && next.cells[1].text == "")
}

// mayRead reports whether text is what the row should read.
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

// compare compares the cells of got, pens included. Rows with doubtful clusters stand on the
// terminal as it measures them.
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

// clipMarks takes the marks away for which there is no room: if a cluster ends in the last of cols
// columns the terminal would wrap its marks.
func (r *row) clipMarks(cols int, m width.Model) {
	if i := r.lastCluster(); cols > 0 && len(r.cells) == cols && m.AtEdge(r.cells[i].text) != r.cells[i].text {
		r.clipped = r.cells[i].text
		r.setCluster(i, m.AtEdge(r.clipped), m)
	}
}

// withMarks returns the row with the marks that clipMarks has taken away.
func (r *row) withMarks(m width.Model) *row {
	out := *r
	out.cells = slices.Clone(r.cells)
	if r.clipped != "" {
		out.setCluster(r.lastCluster(), r.clipped, m)
	}
	return &out
}

// setCluster makes text the cluster that begins in column i.
func (r *row) setCluster(i int, text string, m width.Model) {
	for r.cells[i].text, r.cells[i].doubtful = text, m.Doubtful(text); i+1 < len(r.cells); i++ {
		r.cells[i+1].doubtful = r.cells[i].doubtful
	}
	r.doubtful = r.holdsDoubt()
}

// lastCluster returns the column of the last cluster, 0 if there is none.
func (r *row) lastCluster() int {
	i := max(0, len(r.cells)-1)
	for i > 0 && r.cells[i].text == "" {
		i--
	}
	return i
}
