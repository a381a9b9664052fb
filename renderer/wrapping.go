package renderer

import "slices"

// wrapping is what a terminal does that wraps rows anew.
type wrapping struct {
	cols, rows int
	halves     bool // at least: the halves of a wide character may be taken apart at the edge (kitty before 0.40, GNU screen)
	pads       bool // at most: a wide character takes three columns (tmux since 3.6)
	bare       bool // at least: blanks at the end of a line are none, in whatever colour (GNU screen)
	long       bool // cells that were erased behind the end of a row are part of it, unless all of it was erased at once (tmux)
	x          int  // the column in a row that is not full yet
	start      int  // the row on which the current line began
}

func (r *Renderer) wrapping(cols int) wrapping {
	end, twice, cells := r.c.Follow == FollowEnd, r.c.Follow == FollowTwice, r.c.Follow == FollowRelaid || r.c.Follow == FollowTop
	return wrapping{cols: cols, halves: end || twice || cells || r.c.Follow == FollowUnknown, pads: r.c.Pads, bare: end, long: r.c.Follow == FollowLines}
}

// rowsOf adds rows [from, to), as few as they may be with least. Those that are wrapped count together, with least also those that may be.
func (w *wrapping) rowsOf(rows []row, from, to int, least bool) {
	for i := from; i < to; i++ {
		w.cells(rows[i].printed(least, w.bare), least)
		if w.halves && !least && rows[i].wrapped && i+1 < len(rows) && len(rows[i+1].cells) > 0 && rows[i+1].cells[0].w > 1 {
			w.add(1) // the column that it did not fit into is a blank of the line
		}
		w.erased(&rows[i], least)
		if !rows[i].wrapped && !(least && rows[i].maybe) {
			w.rows, w.x = w.rows+1, 0
			w.start = w.rows
		}
	}
}

// erased adds the cells behind the end of r that were erased.
func (w *wrapping) erased(r *row, least bool) {
	n := r.longest
	switch {
	case !w.long || r.wrapped || least && r.maybe:
		return
	case least:
		n = r.long
	}
	for range n - len(r.cells) {
		w.add(1)
	}
}

// printed are the cells that the terminal has, with least those that it surely has: of a row that goes on only where the next one does not show it, the
// blanks at the end were never printed; with bare, no blanks are.
func (r *row) printed(least, bare bool) []cell {
	n := len(r.cells)
	for least && !r.wrapped && n > 0 && (r.cells[n-1] == blank || bare && r.cells[n-1].text == " ") {
		n--
	}
	return r.cells[:n]
}

// cells adds cells. A doubtful cluster takes at most what any terminal gives it. At least it takes columns that need not stay together, since what
// follows stands where it was put, and none at the end.
func (w *wrapping) cells(cells []cell, least bool) {
	for i := range cells {
		c := &cells[i]
		switch {
		case c.w == 0:
		case w.pads && !least && max(c.w, c.most) > 1:
			for n := int(max(c.w, c.most)); n > 0; n -= 2 {
				w.add(min(n, w.cols))
				w.add(1)
			}
		case !c.doubt && (!w.halves || !least):
			w.add(int(c.w))
		case !least:
			n := int(c.most)
			for ; n > w.cols; n -= 2 { // no terminal leaves it whole
				w.add(min(2, w.cols))
			}
			w.add(n)
		case i+int(c.w) < len(cells):
			for range c.w {
				w.add(1)
			}
		case !c.doubt:
			w.add(1) // the other half may be taken for a blank
		}
	}
}

func (w *wrapping) add(n int) {
	if w.x+n > w.cols {
		w.rows, w.x = w.rows+1, 0
	}
	w.x += n
}

// wide reports whether a cluster of r takes more than one column.
func (r *row) wide() bool {
	return slices.ContainsFunc(r.cells, func(c cell) bool { return c.w > 1 || c.most > 1 })
}
