package vt

// tmux since 3.6 keeps the second half of a wide character in a cell that it reads back as one of a column (grid_need_extended_cell, grid_get_cell1).
// Where it lays rows out anew such a character takes three columns, so rows of them are wrapped too early, and one that just fits is parted: its second
// half begins the next row, and shows nothing there. Not emulated: a half in a cell that once held a direct colour, a link or a wide character counts none.

const (
	parted cell = protectedBit // on a second half: counted in the next row, where it is orphan
	orphan cell = ' '
)

// count is by how many columns cell c makes its row longer there.
func (c cell) count() int {
	switch {
	case c.width() == wide:
		return 2
	case c.width() == spacerHead, c.width() == spacerTail && c&parted != 0:
		return 0
	}
	return 1
}

// overfull reports whether cell c does not fit into its row for that reason.
func (f *reflower) overfull(c cell) bool {
	return f.personality.ReflowPads && f.sum > 0 && f.sum+c.count() > f.cols
}
