package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// eraseRow erases row i, in which the cursor is, and leaves the cursor in column 0.
func (e *emitter) eraseRow(i int) {
	e.moveToCol(0)
	e.setPen(Style{}, "")
	if r := &e.shown[i]; e.wraps == WrapsStay && r.mayWrap {
		e.replaceRow(i)
		return
	}
	e.buf = append(e.buf, ansi.EL0...)
	e.shown[i].noteErased()
}

// replaceRow deletes row i, in which the cursor is, and inserts a blank row in its place. In
// terminals where a soft wrap survives an erasure (WrapsStay), only that ends the wrap. On the
// first row of the grid, DL would move the old row into history, so that the old row is moved down
// before it is deleted.
func (e *emitter) replaceRow(i int) {
	e.movesRows = true
	last := len(e.shown) - 1
	switch {
	case e.seam+i > e.maxTop:
		e.buf = ansi.AppendIL(ansi.AppendDL(e.buf, 1), 1)
	case e.rows == 1:
		e.buf = ansi.AppendIL(e.buf, 1)
	case i < last || e.seam+i-e.minTop < e.rows-1: // there is a row below
		e.buf = ansi.AppendCUD(ansi.AppendIL(e.buf, 1), 1)
		e.buf = ansi.AppendCUU(ansi.AppendDL(e.buf, 1), 1)
		if i < last && e.seam+last-e.minTop >= e.rows-1 { // it may have gone over the lower edge
			mayWrap := e.shown[last].mayWrap
			e.shown[last].reset()
			e.shown[last].known, e.shown[last].mayWrap = false, mayWrap
		}
	default: // the old row goes over the lower edge, or is erased with what else a resize has left below
		e.buf = ansi.AppendIL(e.buf, 1)
	}
	e.shown[i].reset()
}

// eraseLiveRegion erases the live region and everything below it. ED 0 starts on the second live
// row, because from the first row of the grid tmux and GNU screen would move the screen into
// history.
func (e *emitter) eraseLiveRegion() {
	e.moveToRow(0)
	e.eraseRow(0)
	if len(e.shown) == 1 {
		e.lineFeed()
	} else {
		e.moveToRow(1)
	}
	e.eraseBelow()
	for i := 1; i < len(e.shown); i++ {
		e.shown[i].noteErased()
	}
	e.dirtyBelow, e.blankBelow = false, e.rows
	e.moveToRow(0)
}

// eraseBelow erases from the cursor to the end of the screen. The cursor must be in column 0.
func (e *emitter) eraseBelow() {
	if e.wraps == WrapsStay { // it would not end where ED0 begins
		e.buf = ansi.AppendIL(ansi.AppendDL(e.buf, 1), 1)
	}
	e.buf = append(e.buf, ansi.ED0...)
}

// clearTail erases the cells of row i from column n on, if it has any.
func (e *emitter) clearTail(i, n int) {
	if len(e.shown[i].cells) > n {
		e.eraseFrom(i, n)
	}
}

// eraseFrom erases row i from column n on.
func (e *emitter) eraseFrom(i, n int) {
	e.moveToRow(i)
	e.moveToCol(n)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ansi.EL0...)
	if n == 0 {
		e.shown[i].noteLineErased()
	}
}

// ensurePrinted prints a blank in row i, where the cursor is going to rest, if the row is empty. In
// a row where nothing was printed, some terminals lose track of the cursor when their size changes
// (kitty, urxvt 9.30).
func (e *emitter) ensurePrinted(i int) {
	r := &e.shown[i]
	if r.hasPrinted() {
		return
	}
	e.moveToRow(i)
	e.moveToCol(0)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ' ')
	e.cursor.Col = 1
	r.blankPrinted, r.printedCols = true, max(r.printedCols, 1)
}

// hasPrinted reports whether a cell of r was certainly printed. Blanks at the end of a row may be
// erased cells.
func (r *row) hasPrinted() bool { return r.blankPrinted || len(r.cells) > 0 }
