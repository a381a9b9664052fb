package renderer

// floor says where the live region ends while the window changes its size.
type floor struct {
	// its distance from the end of the grid is known: history fills the rows that a window gains
	known     bool
	blankRows int // between the live region and the end of the grid
	cutRows   int // live rows below the cursor that a lower window has removed
}

// noteHeight notes a change of the window to so many rows.
func (r *Renderer) noteHeight(rows int) {
	f, l := &r.resize.floor, &r.ledger
	if !r.resize.active {
		*f = floor{known: l.minTop == l.maxTop, blankRows: l.rows - (l.seam + len(l.shown) - l.minTop)}
	}
	f.known = f.known && l.hardEnds >= rows && f.blankRows >= 0
	k := max(0, l.rows-rows) // from the end, down to the cursor's row
	taken := min(k, f.blankRows)
	f.blankRows -= taken
	f.cutRows = min(f.cutRows+k-taken, len(l.shown)-1-l.cursor.Row)
}

// textRow returns the grid row of the text that the cursor was on. row is the reported row of the
// cursor.
//
// tmux counts lines to find its cursor again. But at another width one line may become two, where a
// wide character at the start of a line's last row finds one column left (grid_reflow_join, tmux
// 3.3a to 3.8). Then its cursor is one line too high for each such line above, even of a shell, and
// would lead us onto final text. But the last row of the grid stays the last, so that the row of
// the text can be counted from there. Each row counts as if no line was torn: one row too many
// would lead onto final text, one too few leaves a live row behind.
func (r *Renderer) textRow(row int) int {
	f := r.resize.floor
	if !r.config.CountsLines || !f.known {
		return row
	}
	rowsBelow := 0
	for i := r.ledger.cursor.Row; i < len(r.ledger.shown)-f.cutRows; i++ {
		rows, _ := r.ledger.shown[i].lastRow(r.ledger.shown[i].printedCols, r.ledger.cols)
		rowsBelow += rows
	}
	return max(row, r.ledger.rows-f.blankRows-rowsBelow)
}
