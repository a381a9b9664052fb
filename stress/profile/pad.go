package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// tmux since 3.6 keeps the second half of a wide character in a cell that it reads back as one of a
// column (grid_need_extended_cell, grid_get_cell1). Where it lays rows out anew such a character
// takes three columns, so rows of them are wrapped too early, and one that just fits is parted: its
// second half begins the next row, and shows nothing there. Not emulated: a half in a cell that
// once held a direct colour, a link or a wide character counts none.
//
// A second half that is counted in the next row, where it is a space, is marked as protected.

// extraColumns returns the number of columns that cell c takes in a row that tmux since 3.6 wraps
// anew.
func extraColumns(c vt.TapeCell) int {
	switch p := c.Part(); {
	case p == vt.FirstHalf:
		return 2
	case p == vt.LeftFree, p == vt.SecondHalf && c.IsProtected():
		return 0
	}
	return 1
}

// overfull reports whether cell c does not fit into the current row, because wide characters take
// extra columns (see extraColumns).
func (r *reflower) overfull(c vt.TapeCell) bool {
	return r.ReflowPads && r.sum > 0 && r.sum+extraColumns(c) > r.cols
}
