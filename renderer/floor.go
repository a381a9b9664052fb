package renderer

// floor tracks the distance between the live region and the last row of the grid while the window
// changes its size.
type floor struct {
	// The distance from the live region to the last row of the grid is known. It is only known
	// while history has enough rows to fill the rows that the window gains.
	known     bool
	blankRows int // The number of blank rows between the live region and the last row of the grid.
	// The number of live rows below the cursor that the terminal has removed because the window
	// became lower.
	cutRows int
}

// noteHeight updates the floor for a window that now has the given number of rows.
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

// textRow returns the grid row of the text in which the cursor was before a change of size. row is
// the row that the terminal now reports for the cursor.
//
// The two can differ in tmux, which finds its cursor again by counting lines. At another width one
// line may become two, where the wide character at the start of a line's last row finds one column
// left in the row above (grid_reflow_join, tmux 3.3a to 3.8). Each such line, even one of a shell,
// leaves the cursor one line too high, over final text. The last row of the grid stays the last
// one, so that the row of the text can be counted from there. The count assumes that no line was
// torn: one row too many would lead into final text, one too few only leaves a live row behind.
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
