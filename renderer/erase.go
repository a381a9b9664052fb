package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// eraseRow blanks the cursor's row and leaves the cursor in its column 0.
func (e *emitter) eraseRow(i int) {
	e.col(0)
	e.setPen(Style{}, "")
	if r := &e.shown[i]; e.wraps == WrapsStay && r.mayWrap {
		e.renew(i)
		return
	}
	e.buf = append(e.buf, ansi.EL0...)
	e.shown[i].erase()
}

// renew puts a new row in the place of the cursor's, which is row i: only that ends a wrap where
// wraps stay. On the first row of the grid DL would put the old row into history: there it is moved
// down first.
func (e *emitter) renew(i int) {
	e.lifts = true
	last := len(e.shown) - 1
	switch {
	case e.b+i > e.thi:
		e.buf = ansi.AppendIL(ansi.AppendDL(e.buf, 1), 1)
	case e.rows == 1:
		e.buf = ansi.AppendIL(e.buf, 1)
	case i < last || e.b+i-e.tlo < e.rows-1: // there is a row below
		e.buf = ansi.AppendCUD(ansi.AppendIL(e.buf, 1), 1)
		e.buf = ansi.AppendCUU(ansi.AppendDL(e.buf, 1), 1)
		if i < last && e.b+last-e.tlo >= e.rows-1 { // it may have gone over the lower edge
			mayWrap := e.shown[last].mayWrap
			e.shown[last].reset()
			e.shown[last].known, e.shown[last].mayWrap = false, mayWrap
		}
	default: // the old row goes over the lower edge, or is erased with what else a resize has left below
		e.buf = ansi.AppendIL(e.buf, 1)
	}
	e.shown[i].reset()
}

// empty erases the live region and all below it: ED0 from its second row on, since from grid row 0
// it would archive the screen (tmux, GNU screen).
func (e *emitter) empty() {
	e.to(0)
	e.eraseRow(0)
	if len(e.shown) == 1 {
		e.lineFeed()
	} else {
		e.to(1)
	}
	e.eraseBelow()
	for i := 1; i < len(e.shown); i++ {
		e.shown[i].erase()
	}
	e.dirty, e.below = false, e.rows
	e.to(0)
}

// eraseBelow erases the cursor's row, which is not the first one of the grid, and all below it.
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
	e.to(i)
	e.col(n)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ansi.EL0...)
	if n == 0 {
		e.shown[i].wipe()
	}
}

// ink sees to it that the row on which the cursor rests shows something: a terminal may lose track
// of a cursor on a row that shows nothing when its size changes (kitty, urxvt 9.30).
func (e *emitter) ink(i int) {
	r := &e.shown[i]
	if r.inked() {
		return
	}
	e.to(i)
	e.col(0)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ' ')
	e.cur.Col = 1
	r.ink, r.long = true, max(r.long, 1)
}

// inked reports whether some cell of r has been printed: blanks at the end may be erased cells.
func (r *row) inked() bool { return r.ink || len(r.cells) > 0 }
