package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// eraseRow blanks the cursor's row and leaves the cursor in its column 0.
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

// replaceRow puts a new row in the place of the cursor's, which is row i. Only that ends a wrap
// where wraps stay. On the first row of the grid DL would put the old row into history, so that the
// old row is moved down first.
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

// eraseLiveRegion erases the live region and all below it. ED0 starts on the second row: on grid
// row 0 it would archive the screen (tmux, GNU screen).
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

// eraseBelow erases from the cursor's row on, whose column is 0.
func (e *emitter) eraseBelow() {
	if e.wraps == WrapsStay { // it would not end where ED0 begins
		e.buf = ansi.AppendIL(ansi.AppendDL(e.buf, 1), 1)
	}
	e.buf = append(e.buf, ansi.ED0...)
}

// clearTail erases what row i shows from column n on.
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

// ensurePrinted prints a blank on row i, where the cursor rests, if the row shows nothing. On such
// a row some terminals lose track of the cursor when their size changes (kitty, urxvt 9.30).
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

// hasPrinted reports whether a cell of r was printed. Blanks at the end may be erased cells.
func (r *row) hasPrinted() bool { return r.blankPrinted || len(r.cells) > 0 }
