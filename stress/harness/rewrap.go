package harness

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// layOutWaiting returns the waiting rows as the renderer writes them at cols columns. A line that
// it was given at another width is wrapped anew. Text that did not fit at that width stays lost.
func (l *ledger) layOutWaiting(cols int, m width.Model) []*row {
	var out []*row
	for from, to := 0, 0; from < len(l.waiting); from = to {
		for to = from + 1; to < len(l.waiting) && l.waiting[to-1].wraps &&
			l.waiting[to-1].cols == l.waiting[to].cols; to++ {
		}
		if l.waiting[from].cols == cols {
			out = append(out, l.waiting[from:to]...)
		} else {
			out = append(out, rewrapRows(l.waiting[from:to], cols, m)...)
		}
	}
	return out
}

// rewrapRows returns the rows that one line takes at cols columns. In a line with clusters of
// doubtful width each of them gets its largest width, and no row wraps into the next.
func rewrapRows(rows []*row, cols int, m width.Model) []*row {
	var cells []glyph
	optional, wrapUnsure, doubtful := false, false, false
	for _, r := range rows {
		r = r.withMarks(m)
		cells = append(cells, r.cells...)
		optional, wrapUnsure, doubtful = optional || r.optional, wrapUnsure || r.wrapUnsure, doubtful || r.doubtful
	}
	for n := len(cells) - 1; n >= 0; n-- {
		w := 1
		for ; cells[n].text == ""; n-- {
			w++
		}
		if w > cols { // it has no place in any row
			cells = slices.Delete(cells, n, n+w)
		}
	}
	if !rows[len(rows)-1].wraps {
		all := &row{cells: cells}
		all.trim()
		cells = all.cells
	}
	var out []*row
	add := func(n int) {
		r := &row{cells: slices.Clone(cells[:n]), cols: cols, cutTo: cols, optional: optional, wrapUnsure: wrapUnsure,
			doubtful: doubtful, wraps: !doubtful}
		cells = cells[n:]
		out = append(out, r)
	}
	n := 0
	for n < len(cells) {
		w, maxWidth := 1, 1
		for n+w < len(cells) && cells[n+w].text == "" {
			w++
		}
		if maxWidth = w; cells[n].doubtful {
			maxWidth = max(w, m.Widest(cells[n].text))
		}
		if n > 0 && n+maxWidth > cols {
			add(n)
			n = 0
		} else {
			n += w
		}
	}
	add(n)
	last := out[len(out)-1]
	last.line, last.wraps = rows[len(rows)-1].line, rows[len(rows)-1].wraps && len(last.cells) >= cols-1 &&
		len(last.cells) > 0
	for _, r := range out {
		if !r.wraps {
			r.trim()
		}
		r.clipMarks(cols, m)
		r.setText()
	}
	return out
}
