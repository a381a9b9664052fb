package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayTopLine changes the size of g in the way of urxvt 9.30 (scr_reset), which handles history
// and grid as one run of rows. The last row of the grid stays the last one, even if it is blank.
// The cursor goes to the first row of its line, in the column that it had, but not above the grid.
//
// If the history is empty, rows are cut or padded, and rows that have no room are lost at the end
// of the grid.
func relayTopLine(g *vt.Grid, cols, rows int) {
	c := &g.Cursor
	out := tape{cols: cols}
	if g.History() == 0 {
		for y := range rows {
			dst := out.push()
			if y < g.Rows {
				src := g.Tape[y]
				cells := dst.Cells
				copy(cells, src.Cells)
				*dst = *src
				dst.Cells, dst.Used = cells, min(src.Used, cols)
			}
		}
	} else {
		at, line := g.History()+c.Y, -1
		for i := 0; i < len(g.Tape); {
			first := len(out.rows)
			n, shown := joinLine(g, i, &out)
			if at >= i && at < i+shown {
				line = first
			}
			i += n
		}
		missing := tape{cols: cols} // rows from before there were any
		missing.fill(rows - len(out.rows))
		out.rows = append(missing.rows, out.rows...)
		// else it is on a row that continues a line and shows nothing: there it stays on its row of
		// the grid
		if line >= 0 {
			c.Y = line + len(missing.rows) - (len(out.rows) - rows)
		}
	}
	for _, r := range out.rows {
		widowed(r)
	}
	g.Tape = out.rows
	for _, m := range g.Marks {
		m.X, m.Y = min(m.X, cols-1), min(m.Y, len(g.Tape)-1)
	}
	c.X, c.Y = min(c.X, cols-1), min(max(c.Y, 0), rows-1)
	c.Pending = c.Pending && c.X == cols-1
}

// joinLine copies the line that begins in row i of the tape (history plus grid) to out, wrapped to
// the new width. n is the number of old rows that the line takes, and shown the number of these
// that show something, which is at least 1.
//
// All cells of soft-wrapped rows are copied, even the column that a wide character has left free.
// So the two halves of a wide character may come into different rows.
func joinLine(g *vt.Grid, i int, out *tape) (n, shown int) {
	n = 1
	for i+n < len(g.Tape) && g.Tape[i+n-1].Wrapped {
		n++
	}
	last := g.Tape[i+n-1]
	end := last.Used
	for end > 0 && !last.Cells[end-1].HasText() && last.Cells[end-1].Part() != vt.SecondHalf {
		end--
	}
	dst := out.push()
	dst.Prompt = g.Tape[i].Prompt
	x := 0
	for k := range (n-1)*g.Cols + end {
		if x == out.cols {
			dst.Wrapped = true
			dst = out.push()
			dst.Continues = true
			x = 0
		}
		c := g.Tape[i+k/g.Cols].Cells[k%g.Cols]
		if c == 0 {
			c = ' ' // urxvt knows no other blanks
		}
		put(dst, x, c)
		x++
	}
	if n > 1 && end == 0 {
		return n, n - 1
	}
	return n, n
}
