package renderer

// floor is where the live region ends while the window changes its size.
type floor struct {
	known bool // on the last row of the grid, below which nothing comes since history fills what the window gains
	gone  int  // but for so many of its rows below the cursor, which a lower window has taken away
}

// sink notes a change to cols columns and rows rows.
func (r *Renderer) sink(cols, rows int) {
	f, l := &r.resize.floor, &r.l
	if !r.resize.on {
		*f = floor{known: l.tlo == l.thi && l.b+len(l.shown)-l.tlo == l.rows}
	}
	f.known = f.known && l.ends >= rows
	f.gone = min(f.gone+max(0, l.rows-rows), len(l.shown)-1-l.cur.Row)
}

// sunk is the grid row of the text that the cursor was on, if the cursor is reported on row. tmux counts lines to find its cursor again, but a wider window can make two of one: where a wide character, with which the last row of a line
// begins, finds one column left (grid_reflow_join, tmux 3.3a to 3.7). Its cursor is a line too high then for each such line above, a shell's too, and would lead us
// onto final text. But the last row of the grid stays the last: from there the row of the text follows.
func (r *Renderer) sunk(row int) int {
	last := len(r.l.shown) - 1 - r.resize.floor.gone
	if r.c.Follow != FollowLines || !r.resize.floor.known {
		return row
	}
	return max(row, r.l.rows-1-r.inkedBelow(last, false))
}
