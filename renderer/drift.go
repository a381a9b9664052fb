package renderer

// drift is where the cursor of a terminal goes that does not keep it on its text (ReflowDrift): a line that takes more rows at a new width moves it down
// by as many, and one that takes fewer moves it up, wherever it stands. Only the line on which the cursor is when that line's turn comes, from the
// bottom up if the window gets narrower, stays as it is.
type drift struct {
	rows  int  // down, since the size changed
	at    int  // the row of the grid on which the cursor should be where there is history; below 0 if that is not known
	stuck bool // a line was left as it is and takes another number of rows than its width asks for
	below bool // a line below it had a part in that
	vague bool // by how much is not known
}

// step adds what a change to cols columns and rows rows does.
func (r *Renderer) step(cols, rows int) {
	d := &r.resize.drift
	at := r.l.cur.Row
	flat := len(r.l.shown) - 1 - at
	spare := r.l.rows - 1 - d.at - flat // blank rows below the live region, the first to go
	switch k := r.l.rows - rows; {
	case d.at < 0:
		d.vague = true
	case k > spare && flat > 0:
		d.vague = true // those below the cursor go, too
	case k > spare:
		d.at -= k - spare
	case k < 0 && spare+flat == 0:
		d.at -= k // as many come back from history
		d.vague = d.vague || r.l.committed() < -k
	}
	if cols == r.l.cols || d.vague {
		return
	}
	if d.stuck || r.l.goesOn() {
		d.vague = true
		return
	}
	moved, first := 0, 0
	for end := len(r.l.shown); end > 0; end = first {
		first = r.lineOf(end-1, 0)
		old, sure := r.height(first, end, r.l.cols)
		next, same := r.height(first, end, cols)
		if !sure || !same || r.resize.steps == 0 && old != end-first {
			d.vague = true
			return
		}
		// In the layout of the old width. The lines below have no part in where a line begins.
		from := r.layout(first, r.l.cols)
		pos := at + d.rows
		if cols < r.l.cols {
			pos += moved
		}
		switch {
		case cols < r.l.cols && old == 1 && next == 1:
		case pos >= from && pos < from+old:
			d.stuck = d.stuck || old != next
		default:
			moved += next - old
			d.below = d.below || first > at && next != old
		}
	}
	d.rows += moved
}

// height is how many rows the line in live rows [first, end) takes; sure is false if terminals may differ about that.
func (r *Renderer) height(first, end, cols int) (rows int, sure bool) {
	few, many := wrapping{cols: cols}, wrapping{cols: cols}
	for i := first; i < end; i++ {
		s := &r.l.shown[i]
		sure = i == first || sure
		sure = sure && !s.maybe && s.wrapped == (i+1 < end)
		few.cells(s.printed(true, false), true)
		many.cells(s.cells, false)
	}
	return few.rows + 1, sure && few.rows == many.rows
}

// layout is how many rows stand above live row i at a width.
func (r *Renderer) layout(i, cols int) int {
	w := wrapping{cols: cols}
	w.rowsOf(r.l.shown, 0, i, true)
	return w.rows
}

// drifted is how many rows stand above the cursor from live row from on, at least and at most; below 0 if the cursor stands above that row.
func (r *Renderer) drifted(from int) (least, most int) {
	d := &r.resize.drift
	sure := !d.vague && !(d.below && r.resize.steps > 1) // a lower window that nobody has told may have taken the rows below it away before a narrower one came
	// On another row of the grid than expected the cursor was taken by a size that nobody has told.
	if sure && from == 0 && d.at == r.resize.row && r.l.committed() > 0 {
		least = r.l.cur.Row + d.rows
		if r.resize.row == 0 && d.rows < 0 { // where history has come to its end the cursor stops
			return least, r.l.cur.Row
		}
		return least, least
	}
	if r.resize.steps > 1 { // the line that stayed as it was at one of the sizes may be any
		n := r.lifted(from)
		w := wrapping{cols: r.resize.thin}
		w.rowsOf(r.l.shown, from, len(r.l.shown), false)
		return r.l.cur.Row - from - n, r.l.cur.Row - from + w.rows
	}
	least, most = r.keptLine(from, r.l.cols)
	end := len(r.l.shown)
	for end > r.l.cur.Row { // the cursor's line, too, may be wrapped anew, if it is not the one that stays
		first := r.lineOf(end-1, from)
		w := wrapping{cols: r.resize.thin}
		w.rowsOf(r.l.shown, first, end, false)
		if first > r.l.cur.Row {
			least -= end - first - 1
		}
		most += w.rows + min(w.x, 1) - 1
		end = first
	}
	return least, most
}

// lifted is by how many rows the lines from live row from on may have moved the cursor up, at most: those that are joined.
func (r *Renderer) lifted(from int) int {
	n := 0
	for end := len(r.l.shown); end > from; {
		first := r.lineOf(end-1, from)
		n += end - first - 1
		end = first
	}
	return n
}

// lineOf is where the line of live row i may begin, from row from on.
func (r *Renderer) lineOf(i, from int) int {
	for i > from && r.l.shown[i-1].mayWrap() {
		i--
	}
	return i
}
