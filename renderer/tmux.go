package renderer

// floor is where the live region ends while the window changes its size.
type floor struct {
	known bool // so many rows above the last one of the grid, since history fills what the window gains
	gap   int  // blank ones
	gone  int  // live rows below the cursor that a lower window has taken away
}

// sink notes a change to so many rows.
func (r *Renderer) sink(rows int) {
	f, l := &r.resize.floor, &r.l
	if !r.resize.on {
		*f = floor{known: l.tlo == l.thi, gap: l.rows - (l.b + len(l.shown) - l.tlo)}
	}
	f.known = f.known && l.ends >= rows && f.gap >= 0
	k := max(0, l.rows-rows) // from the end, down to the cursor's row
	taken := min(k, f.gap)
	f.gap -= taken
	f.gone = min(f.gone+k-taken, len(l.shown)-1-l.cur.Row)
}

// sunk returns the grid row of the text that the cursor was on, if the cursor is reported on row.
// tmux counts lines to find its cursor again, but another width makes two of one where a wide
// character, with which the last row of a line begins, finds one column left (grid_reflow_join,
// tmux 3.3a to 3.8). Its cursor is a line too high then for each such line above, a shell's too,
// and would lead us onto final text. But the last row of the grid stays the last: from there the
// row of the text follows. A row counts as many as it takes if no line was torn: one too many would
// lead onto final text, one too few leaves a live row behind.
func (r *Renderer) sunk(row int) int {
	f := r.resize.floor
	if !r.c.Lines || !f.known {
		return row
	}
	below := 0
	for i := r.l.cur.Row; i < len(r.l.shown)-f.gone; i++ {
		rows, _ := r.l.shown[i].tail(r.l.shown[i].long, r.l.cols)
		below += rows
	}
	return max(row, r.l.rows-f.gap-below)
}
