package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayFromEnd changes the size of g in the way of GNU screen 4.9 (ChangeWindowSize), which handles
// scrollback and grid as one run of rows. The last row stays the last one: a higher window takes
// rows back from the scrollback, and a lower one pushes rows into it, wherever the cursor is. Blank
// rows below the cursor count like others.
//
// Rows are dropped at the end only if the cursor's line would begin above the grid.
func relayFromEnd(g *vt.Grid, cols, rows int) {
	c := &g.Cursor
	y := c.Y
	f := fromEndWriter{Grid: g, cols: cols, rows: rows, x: c.X, y: g.History() + c.Y}
	if cols == g.Cols {
		f.layOutSameWidth(rows-g.Rows+c.Y, c.Pending)
	} else {
		f.layOutOtherWidth(c.Pending)
	}
	out := tape{cols: cols}
	out.fill(rows - len(f.out)) // rows from before there were any
	for i := range f.out {
		out.rows = append(out.rows, f.out[len(f.out)-1-i])
	}
	g.Tape = out.rows
	for _, m := range g.Marks {
		m.X, m.Y = min(m.X, cols-1), min(m.Y, len(g.Tape)-1)
	}
	*c = vt.Place{X: min(f.x, cols-1), Y: min(f.y, rows-1), Pending: f.x >= cols}
	if s := g.Saved; s != nil {
		*s = vt.Place{X: min(s.X, cols-1), Y: max(0, min(s.Y+c.Y-y, rows-1))}
	}
}

// fromEndWriter copies the rows of a grid to a new size, beginning with the last one, for
// relayFromEnd.
type fromEndWriter struct {
	*vt.Grid
	cols, rows int
	out        []*vt.TapeRow // rows of the new size; the last one of the tape comes first
	// position of the cursor: y is first its row of the tape (history plus grid), then of the new
	// grid; x is cols if a wrap is pending
	x, y int
}

// layOutSameWidth copies the rows when only the height changes. The cursor goes to row y of the
// grid, or further down, so that its whole line is on the grid.
func (f *fromEndWriter) layOutSameWidth(y int, pending bool) {
	down := -y
	for i := f.y; i > 0 && y+down < f.rows && f.Tape[i-1].Wrapped; i-- {
		down++
	}
	down = max(down, 0)
	for i := len(f.Tape) - 1 - down; i >= 0; i-- {
		f.out = append(f.out, f.Tape[i])
	}
	if f.y = y + down; pending {
		f.x++
	}
}

// layOutOtherWidth copies the rows and wraps them to the new width. pending says that a wrap is
// pending at the cursor.
func (f *fromEndWriter) layOutOtherWidth(pending bool) {
	was, at, x := f.Cols, f.y, f.x
	for i := len(f.Tape) - 1; i >= 0; {
		src := f.Tape[i]
		from := f.usedCells(src)
		if i == at {
			from = max(from, x+1)
		}
		left := from // cells of the line
		for k := i; k > 0 && f.Tape[k-1].Wrapped; k-- {
			left += was
		}
		to := (left-1)%f.cols + 1
		last := len(f.out)
		for fresh := true; left > 0; {
			if fresh {
				f.out = append(f.out, &vt.TapeRow{Cells: make([]vt.TapeCell, f.cols), Wrapped: len(f.out) != last})
				fresh = false
			}
			n := min(from, to)
			dst := f.out[len(f.out)-1]
			copy(dst.Cells[to-n:to], src.Cells[from-n:from])
			dst.Used = max(dst.Used, to)
			dst.Prompt |= src.Prompt
			if i == at && from-n <= x && x < from {
				f.x = x + to - from
				if pending {
					f.x++
				}
				f.placeCursor((left - n) / f.cols)
			}
			from, to, left = from-n, to-n, left-n
			if from == 0 {
				if from, i = was, i-1; i >= 0 {
					src = f.Tape[i]
				}
			}
			if to == 0 {
				to, fresh = f.cols, true
			}
		}
	}
	for i, r := range f.out {
		rejoin(r)
		if i > 0 && r.Wrapped {
			f.out[i-1].Continues = true
		}
	}
}

// placeCursor puts the cursor on the row that was begun last. above is the number of rows of its
// line before that one: if these do not all fit the grid, rows at the end are dropped. A row that
// replaces the dropped last row of a line has no mark of a soft wrap, as in GNU screen.
func (f *fromEndWriter) placeCursor(above int) {
	k := len(f.out) - 1
	f.y = f.rows - 1 - k
	if n := min(above-f.y, k); n > 0 {
		f.out = append(f.out[:0], f.out[n:]...)
		f.y += n
	}
}

// usedCells returns the number of cells that are copied of a row that ends a line: up to the last
// one with text or a visible attribute, and at least 1.
func (f *fromEndWriter) usedCells(r *vt.TapeRow) int {
	n := len(r.Cells)
	for n > 1 {
		c := r.Cells[n-1]
		if st := f.Style(c); st.Attr&(vt.Bold|vt.Faint|vt.Italic|vt.Blink|vt.Inverse) != 0 ||
			st.Underline != vt.NoUnderline {
			break
		}
		if c.Part() == vt.SecondHalf || c.HasText() && !c.IsSpace() {
			break
		}
		n--
	}
	return n
}
