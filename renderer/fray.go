package renderer

// fray is a bug of GNU screen 4.9: in a window that is one column wider than any before it all new rows are soft-wrapped, by mistake, whatever is printed
// there. When it gets another width they are joined, and the live region with the final rows above it.
type fray struct {
	widest int // the most columns that there were, 0 before the first change of size
	cols   int // at so many columns it has the bug; 0: at none
}

// widen notes a change to cols columns. Any of the rows that it leaves may be joined then.
func (r *Renderer) widen(cols int) {
	f := &r.fray
	if f.widest == 0 {
		f.widest = r.l.cols
	}
	if r.c.Follow == FollowEnd && r.l.cols == f.cols && cols != r.l.cols {
		r.l.before.maybe = !r.l.before.wrapped
		for i := range r.l.shown {
			r.l.shown[i].maybe = !r.l.shown[i].wrapped
		}
	}
	if cols > f.widest {
		f.cols = 0
		if cols == f.widest+1 {
			f.cols = cols
		}
		f.widest = cols
	}
}

// stopped is how many rows above its text the cursor may be because its line did not fit a window (GNU screen 4.9): that shows as much of the line as it
// can, from its beginning on, and if the width is the same it cuts the cursor's row off.
func (r *Renderer) stopped() int {
	if r.c.Follow != FollowEnd && r.c.Follow != FollowUnknown || r.c.Reflow == ReflowNo {
		return 0
	}
	at, l := r.l.cur.Row, &r.l
	first := r.lineOf(at, 0)
	w := r.wrapping(r.resize.thin)
	w.rowsOf(l.shown, first, at+1, false)
	high := w.rows + min(w.x, 1)
	if first > 0 || !l.goesOn() { // a line that begins on grid row 0 stays there
		if high > r.resize.low {
			return r.resize.steps - 1
		}
		return 0
	}
	if high += (l.tail*r.resize.wide + r.resize.thin - 1) / r.resize.thin; high > r.resize.low || !l.before.known {
		return r.resize.steps
	}
	return 0
}
