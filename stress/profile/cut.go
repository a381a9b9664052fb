package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// resize changes the size of grid g, with its history, for terminals that mostly do what ghostty
// does. If cut is true, rows are cut or padded at the right edge, and no line is wrapped anew.
func (l layout) resize(g *vt.Grid, cols, rows int, cut bool) {
	c, top := &g.Cursor, g.History()
	at := &vt.Place{X: c.X, Y: top + c.Y}
	places := append(g.Marks[:len(g.Marks):len(g.Marks)], at)
	var saved *vt.Place
	if s := g.Saved; s != nil && s.X < g.Cols && s.Y < g.Rows {
		saved = &vt.Place{X: s.X, Y: top + s.Y}
		places = append(places, saved)
	}
	old := *c
	f := gridFitter{layout: l, Grid: g, places: places, at: at, saved: saved, old: old}
	switch {
	case cut || cols == g.Cols:
		f.cutColumns(cols)
		f.fitRows(rows)
	case cols > g.Cols && !l.ReflowDrifts && !l.ReflowTears:
		f.rewrap(cols)
		f.fitRows(rows)
	default:
		f.fitRows(rows)
		f.rewrap(cols)
	}
	if g.Limit == 0 {
		f.dropHistory()
	}
	if cut { // what comes back from the history is cut for good
		for _, r := range g.Tape[g.History():] {
			r.Cells = r.Cells[:cols:cols]
		}
	}

	place := func(p, to *vt.Place) (ok bool) {
		y := p.Y - g.History()
		if ok = y >= 0 && y < g.Rows; ok {
			to.X, to.Y = p.X, y
		} else {
			to.X, to.Y = 0, 0
		}
		return ok
	}
	place(at, c)
	if c.Pending && c.X < cols-1 {
		c.X, c.Pending = c.X+1, false
	}
	if saved == nil {
		return
	}
	switch ok := place(saved, g.Saved); {
	case !ok:
		g.Saved.Pending = false
	case g.Saved.Pending && g.Saved.X != cols-1:
		g.Saved.X, g.Saved.Pending = g.Saved.X+1, false
	}
}

// gridFitter changes a grid to a new size. Cols and Rows of the embedded grid are the size that it
// has reached so far.
type gridFitter struct {
	layout
	*vt.Grid
	places []*vt.Place // all positions that move with their text, with Y as an index of the tape
	at     *vt.Place   // position of the cursor, with Y as an index of the tape
	saved  *vt.Place
	old    vt.Place // position of the cursor on the old grid
}

// cutColumns cuts or pads every row to the given width. In a terminal that never wraps anew, rows
// of the history keep their cut ends out of sight, and show them when the window gets wider again
// (xterm 379).
func (f *gridFitter) cutColumns(cols int) {
	if cols == f.Cols {
		return
	}
	out, history := tape{cols: cols}, f.History()
	for i, src := range f.Tape {
		dst := out.push()
		cells := dst.Cells
		*dst = *src
		full := src.Cells[:cap(src.Cells)]
		hides := f.Reflow == Cut && i < history
		if !hides {
			full = src.Cells[:len(src.Cells):len(src.Cells)]
		}
		if len(full) > cols && hides {
			dst.Cells = full[:cols]
		} else {
			copy(cells, full)
			dst.Cells = cells
		}
		if n := len(full); n < cols && dst.Cells[n-1].Part() == vt.LeftFree {
			dst.Cells[n-1] = dst.Cells[n-1].WithPart(vt.Whole)
		}
		if dst.Used = min(src.Used, cols); f.Reflow == Cut {
			dst.Used = cols
		}
	}
	for _, p := range f.places {
		p.X = min(p.X, cols-1)
	}
	f.Tape, f.Cols = out.rows, cols
}

// fitRows makes the grid lower or higher. A lower grid first loses rows at its end, then moves rows
// at its top into the history. A higher grid takes rows back from there.
func (f *gridFitter) fitRows(rows int) {
	switch {
	case rows < f.Rows:
		if f.ShrinkDropsBelow {
			f.dropBelow(f.Rows - rows)
		} else {
			f.dropBlank(f.Rows - rows)
		}
		f.Rows = rows
		f.Erased = min(f.Erased, rows)
	case rows > f.Rows:
		n := rows - f.Rows
		if f.GrowPullsAnywhere {
			n = max(0, rows-len(f.Tape)+f.Archived)
		} else if f.old.Y == f.Rows-1 {
			n = max(0, rows-len(f.Tape))
		}
		f.Rows = rows
		f.push(n)
	}
}

// push appends n blank rows to the grid.
func (f *gridFitter) push(n int) {
	more := tape{cols: f.Cols}
	more.fill(n)
	f.Tape = append(f.Tape, more.rows...)
}

// dropBlank removes blank rows from the end of the grid, at most limit. It stops at a row that
// holds the cursor or another position that moves with its text.
func (f *gridFitter) dropBlank(limit int) {
	for range limit {
		i := len(f.Tape) - 1
		if hasText(f.Tape[i]) {
			return
		}
		for _, p := range f.places {
			if p.Y == i {
				return
			}
		}
		f.Tape = f.Tape[:i]
	}
}

// dropBelow removes rows from the end of the grid that are below the cursor, at most limit, even
// rows with text.
func (f *gridFitter) dropBelow(limit int) {
	n := len(f.Tape)
	f.Tape = f.Tape[:n-max(0, min(limit, n-1-f.at.Y))]
	if f.marksNext {
		f.Tape[len(f.Tape)-1].Wrapped = false
	}
}

// dropHistory removes all rows of the history, for terminals without scrollback.
func (f *gridFitter) dropHistory() {
	n := f.History()
	f.Tape = f.Tape[n:]
	f.Archived = max(0, f.Archived-n)
	for _, p := range f.places {
		if p.Y -= n; p.Y < 0 {
			p.X, p.Y = 0, 0
		}
	}
}
