package renderer

// course is what the last frame did that comes out otherwise if the terminal had a new size by the time it took it, see [Renderer.Overtaken].
type course struct {
	from  int // the row that the cursor was on
	joins int // rows that went on in the next one: a wider window may have joined them, and moves up lead too far, or the cursor has gone to the first (urxvt)
	falls int // rows gone down by moves: those stop at the last row of the grid, onto which more text above may have brought the live region
	stood int // columns of final rows that it left as they stood, from the cursor's on: they may take more rows now than the line feeds behind them have passed
	above int // live rows inserted: they may stand above final ones
}

// takeOff begins a frame.
func (r *Renderer) takeOff() {
	f := course{from: r.l.cur.Row, joins: r.l.joins()}
	if r.l.goesOn() {
		f.joins++
	}
	if r.c.Follow == FollowTop {
		f.from = r.lineOf(f.from, 0) // where the cursor may have gone
	}
	r.e.course = f
}

// joins is how many shown rows may go on in the next one.
func (l *ledger) joins() (n int) {
	for i := range l.shown {
		if l.shown[i].mayWrap() {
			n++
		}
	}
	return n
}

// stays notes that row i has been left as it stands.
func (e *emitter) stays(i int) {
	if i >= e.final || i < e.course.from {
		return
	}
	e.course.stood += len(e.shown[i].cells)
	if a := e.above(i); i == e.course.from && a != nil && a.mayWrap() {
		e.course.stood += e.cols // its beginning may have gone to the row before, and the cursor with it
	}
}

// leastAbove is rowsAbove if the terminal had its new size before it took the last frame, whose moves were made for the old one: as many live rows stand above
// the cursor as that frame has gone down, but for those that a lower window has cut off and those that a wider one has joined. Below 0 the cursor is
// above the live region.
func (r *Renderer) leastAbove(cols int) int {
	n, f := r.l.cur.Row, r.e.course
	below := len(r.l.shown) - 1 - n
	astray := max(0, r.resize.high-r.resize.low)
	if cols > r.resize.thin {
		n -= r.l.joins()
	}
	if cols > r.resize.thin || r.c.Follow == FollowTop {
		astray += f.joins
	}
	if r.resize.row < 0 || r.resize.row+below >= r.l.rows-1 { // else no move has come to the last row
		astray += f.falls
	}
	if n -= astray; astray > 0 {
		n -= f.above
	}
	if r.resize.wrap {
		n -= f.stood / max(1, r.resize.thin-1) // a wide character may leave a column free
	}
	return max(n, -r.l.rows)
}
