package renderer

import "math"

// ink sees to it that a terminal that may lay its rows out as kitty does never loses track of the cursor: it takes a row that shows nothing for none, or
// leaves the cursor on its grid row, which may be that of final text then. So there is a blank at least in row i, and in all that the cursor may be
// taken to: those down to the last that shows something.
func (e *emitter) ink(i int) {
	last := max(i, e.lastInked())
	for ; i <= last; i++ {
		if r := &e.shown[i]; !r.inked() {
			e.to(i)
			e.col(0)
			e.setPen(Style{}, "")
			e.buf = append(e.buf, ' ')
			e.cur.Col = 1
			r.ink = true
		}
	}
}

// inked reports whether some cell of r has been printed: blanks at the end may be erased cells.
func (r *row) inked() bool { return r.ink || len(r.cells) > 0 }

// lastInked is the last shown row that shows something, -1 if none does.
func (l *ledger) lastInked() int {
	i := len(l.shown) - 1
	for i >= 0 && !l.shown[i].inked() {
		i--
	}
	return i
}

// textRow is the grid row of the text that the cursor was on, if the cursor is reported on a row after one change of size and the terminal follows its
// layout; ok says that it is known. If it is not, the text is there or further up. above is how many rows the live region takes above the cursor's now.
func (r *Renderer) textRow(row, above int) (text int, ok bool) {
	at, last := r.l.cur.Row, max(r.l.cur.Row, r.l.lastInked())
	lines := 0 // below the cursor's; each takes a row at least
	for i := at; i < last; i++ {
		if !r.l.shown[i].mayWrap() {
			lines++
		}
	}
	for i := at; i <= last; i++ {
		if s := &r.l.shown[i]; !s.known || !s.inked() {
			return max(row, r.l.rows-1-lines), false
		}
	}
	if r.resize.steps != 1 || r.resize.lost {
		return row, false
	}
	below, most := r.inkedBelow(last, true), r.inkedBelow(last, false)
	if below != most {
		return min(row, r.l.rows-1-lines), false
	}
	if r.c.Follow == FollowLayout {
		return min(row, r.l.rows-1-below), true
	}
	// In a narrower window kitty before 0.40 looks for the cursor on rows of the old grid further down again if it was laid out on one of those, so many
	// rows below its own: it may have come to a row below its text. Once rows have been pushed that makes no difference.
	was, high := r.l.b+at-r.l.thi, r.l.b+at-r.l.tlo
	twice := r.l.cols < r.resize.wide && above-at <= last-at && row >= was+2 && row <= high+last-at+below && row < r.l.rows-1
	again, ok := r.foundAgain()
	return min(row-again, r.l.rows-1-below), ok && !twice
}

// foundAgain is how many rows below its text kitty has put the cursor because it has found it again in the same row, on a later piece; ok is false if that
// is not known, and it may be none.
func (r *Renderer) foundAgain() (rows int, ok bool) {
	at, cols := r.l.cur.Row, r.l.cols
	if !r.resize.wrap {
		return 0, true
	}
	w, most := r.wrapping(cols), r.wrapping(cols)
	w.rowsOf(r.l.shown, 0, at, true)
	most.rowsOf(r.l.shown, 0, at, false)
	if w != most {
		return 0, false
	}
	n, was := len(r.l.shown[at].cells), r.resize.wide+r.resize.thin-cols // one of the two is the old width
	x, to, row, first, last := min(r.resize.col, max(n-1, 0)), w.x, 0, -1, 0
	for from := 0; from < n; {
		if to == cols {
			row, to = row+1, 0
		}
		k := min(was-from, cols-to) // the blanks behind its text, too
		if x >= from && x < from+k {
			if first < 0 {
				first = row
			}
			last, x = row, x-from+to+min(x, 1)
		}
		from, to = from+k, to+k
	}
	return last - max(first, 0), true
}

// inkedBelow is how many grid rows the shown rows down to last take below the cursor's.
func (r *Renderer) inkedBelow(last int, least bool) int {
	at := r.l.cur.Row
	if r.c.Reflow == ReflowNo || !r.resize.wrap {
		return last - at
	}
	own := &r.l.shown[at]
	col := own.cluster(min(r.resize.col, max(len(own.cells)-1, 0)))
	w := r.wrapping(r.l.cols)
	w.rowsOf(r.l.shown, 0, at, least)
	w.cells(own.cells[:col], least)
	row := w.rows
	if w.x >= w.cols {
		row++
	}
	w.cells(own.cells[col:], least)
	w.erased(own, least)
	if !own.wrapped && !(least && own.maybe) {
		w.rows, w.x = w.rows+1, 0
	}
	w.rowsOf(r.l.shown, at+1, last+1, least)
	return w.rows + min(w.x, 1) - row - 1
}

// offText reports whether the cursor, on row of the grid, may not be on its text in a terminal that lays all rows out anew (foot): rows that are below that
// text would be on the grid, too. The text is on any row above then, or in history: other sizes may have come in between unheard.
func (r *Renderer) offText(row int) bool {
	if r.c.Follow != FollowRelaid {
		return false
	}
	last := max(r.l.cur.Row, r.l.lastInked())
	return row >= r.l.rows-r.inkedBelow(last, true) || row == r.l.rows-1 && r.rowsBelow(r.resize.thin)+r.spare() >= r.l.rows
}

// lineTop is how many rows stand above the line that the cursor is on, from live row from on; where that line begins may not be known.
func (r *Renderer) lineTop(from, cols int) (least, most int) {
	at := r.l.cur.Row
	least = math.MaxInt
	r.lineStarts(from, cols, func(first, few, many int) {
		if !r.resize.wrap {
			few, many = first-from, first-from
		}
		least, most = min(least, few), max(most, many)
	})
	if r.resize.lost { // or no size was another one
		w := r.wrapping(cols)
		w.rowsOf(r.l.shown, from, at, false)
		most = max(most, w.rows+min(w.x, 1), at-from)
	}
	if !r.resize.past { // or it has cut all rows
		least, most = min(least, at-from), max(most, at-from)
	}
	return least, most
}

// cutOff reports whether a terminal without history may have lost the cursor's row at the end of a lower grid, with all below it: then the cursor is on other
// text, be it final (urxvt). row is where it is reported, -1 if it is not.
func (r *Renderer) cutOff(row int) bool {
	z := &r.resize
	return r.c.Follow == FollowTop && !z.past && (row < 0 || row == r.l.rows-1) && z.low < z.high && r.l.b+r.l.cur.Row-r.l.tlo >= z.low
}
