package vt

// row is one row of the grid or the scrollback.
type row struct {
	cells []cell // As many as there are columns.
	used  int    // Cells from this index on are zero.
	flags rowFlags
}

type rowFlags uint16

const (
	wrapped      rowFlags = 1 << iota // The row is soft-wrapped into the next one.
	continuation                      // The row before is soft-wrapped into this one.
	// The row may hold halves of wide characters, so that printing has to check before it replaces
	// cells.
	complexCells
	promptFirst // A shell prompt begins in the row (OSC 133).
	promptMore  // The row continues a shell prompt (OSC 133).
	outputFirst // Output begins in the row (OSC 133; only with PromptsByRow).
	reusedRow   // The row was cut off the end of the grid with its content.
	hiddenEnd   // The row has cells beyond the last column, see cutColumns.
	// A character or a line feed has come since the row was wrapped or erased: a line ends here,
	// even a blank one (only with WrapUntilPrinted).
	lineEnded

	promptMask = promptFirst | promptMore | outputFirst
)

func (r *row) has(f rowFlags) bool { return r.flags&f != 0 }

func (r *row) set(f rowFlags, on bool) {
	if on {
		r.flags |= f
	} else {
		r.flags &^= f
	}
}

// setCell writes one cell.
func (r *row) setCell(x int, c cell) {
	r.cells[x] = c
	if x >= r.used {
		r.used = x + 1
	}
	if c&wideMask != 0 {
		r.flags |= complexCells
	}
}

// fill sets the cells from index x0 up to x1 to the blank b. x1 may be one too large, because a row
// that was cut may end with the first half of a wide character.
func (r *row) fill(x0, x1 int, b cell) {
	x1 = min(x1, len(r.cells))
	if b != 0 {
		cells := r.cells[x0:x1]
		for i := range cells {
			cells[i] = b
		}
		r.used = max(r.used, x1)
		if x0 == 0 && x1 == len(r.cells) {
			r.flags &^= complexCells
		}
		return
	}
	if x1 >= r.used {
		if x0 < r.used {
			clear(r.cells[x0:r.used])
			r.used = x0
		}
	} else {
		clear(r.cells[x0:x1])
	}
	if x0 == 0 && r.used == 0 {
		r.flags &^= complexCells
	}
}

// fillUnprotected does what fill does, but leaves protected cells (DECSCA, SPA) as they are.
func (r *row) fillUnprotected(x0, x1 int, b cell) {
	for x := x0; x < x1; x++ {
		if r.cells[x]&protectedBit == 0 {
			r.cells[x] = b
		}
	}
	if b != 0 {
		r.used = max(r.used, x1)
	}
}

// hasText reports whether any cell shows a character.
func (r *row) hasText() bool {
	for _, c := range r.cells[:r.used] {
		if c.HasText() {
			return true
		}
	}
	return false
}

// isBlank reports whether no cell shows anything, not even a colour.
func (r *row) isBlank() bool {
	for _, c := range r.cells[:r.used] {
		if !c.IsBlank() {
			return false
		}
	}
	return true
}

// length returns the number of cells up to the last one that is not blank.
func (r *row) length() int {
	n := r.used
	for n > 0 && r.cells[n-1].IsBlank() {
		n--
	}
	return n
}
