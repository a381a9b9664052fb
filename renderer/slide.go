package renderer

// nothing stands for the rows of a frame below its last one.
var nothing = row{known: true}

// wanted returns row i of want, blank below its end.
func wanted(want []row, i int) *row {
	if i < len(want) {
		return &want[i]
	}
	return &nothing
}

// slide finds whether it is cheaper to let the terminal move a run of rows up or down than to paint
// all rows where they stand: a body that is scrolled, a region taller than the grid that grows,
// rows that go from the middle. The steps are appended; rows before first need no more.
//
// Within rows [a, z) rows move by d. Up: the first d rows are deleted, and d blank ones are
// inserted at z-d. Down: the last d rows are deleted, and d are inserted at a. So the rows from z
// on stay where they are, whatever they hold. A deleted row must not go into history: Quirks.Delete
// says where that is sure. Rows at the end of the grid need no deletion: the insertion pushes them
// over the lower edge, which no terminal keeps.
//
// A row is not moved if it wraps, if it is not known, or if it stands next to such a row: what
// becomes of a wrap differs by terminal.
func (c *costs) slide(l *ledger, want []row, steps []step) (_ []step, first int) {
	v, bottom := len(l.shown), l.bottom()
	if c.dl == InsertNever || c.dl == DeleteNever && !bottom {
		return steps, 0
	}
	lo, hi, ok := c.changed(l, want)
	if !ok {
		return steps, 0
	}
	if c.dl == DeleteNever {
		hi = v
	}
	by := c.vote(l, want, lo, hi)
	d := max(by, -by)
	up := by > 0
	if d == 0 || up && c.dl == DeleteNever {
		return steps, 0
	}
	if up && c.dl == DeleteBelow && l.b <= l.thi {
		lo = max(lo, 1) // row 0 may stand on grid row 0
	}
	c.stay, c.move, c.news = append(c.stay[:0], 0), append(c.move[:0], 0), append(c.news[:0], 0)
	for i := range hi {
		w := wanted(want, i)
		stay, move, news := 0, 0, 0
		if i >= lo {
			news = 2 + len(w.cells)
			if !c.same[i] {
				stay = rowCost(&l.shown[i], w)
			}
			if j := i + by; j >= lo && j < hi {
				move = rowCost(&l.shown[j], w)
			}
		}
		c.stay, c.move, c.news = append(c.stay, c.stay[i]+stay), append(c.move, c.move[i]+move),
			append(c.news, c.news[i]+news)
	}
	const price = 9 // of a move, and DL or IL
	best, a, z, at := 0, 0, 0, lo
	for e := lo + d + 1; e <= hi; e++ {
		if s := e - d - 1; c.saves(s, d, up) > c.saves(at, d, up) {
			at = s
		}
		if c.dl == DeleteNever && e < v {
			continue
		}
		saved := c.stay[e] - c.move[e] - 2*price
		if up {
			saved = c.stay[e] - c.move[e-d] - c.news[e] + c.news[e-d] - 2*price
		}
		if bottom && e == v {
			saved += price // one of both is enough
		}
		if saved += c.saves(at, d, up); saved > best {
			best, a, z = saved, at, e
		}
	}
	if best == 0 {
		return steps, 0
	}
	edge := bottom && z == v
	switch {
	case up && edge && a == 0 && c.roll && d <= 8:
		return append(steps, step{roll, 0, d}), 0
	case up:
		first = min(a, len(want)) // on the way
		steps = append(steps, step{paint, 0, first}, step{remove, a, d})
		if !edge {
			steps = append(steps, step{insert, z - d, d})
		}
		return steps, first
	}
	if !edge {
		steps = append(steps, step{remove, z - d, d})
	}
	return append(steps, step{insert, a, d}), 0
}

// saves returns the part that depends on a alone of what it saves to move rows within [a, z) by d.
func (c *costs) saves(a, d int, up bool) int {
	if up {
		return c.move[a] - c.stay[a]
	}
	return c.move[a+d] - c.stay[a] - c.news[a+d] + c.news[a]
}

// fewest is the number of live rows from which on it is worth to look for rows that moved.
const fewest = 6

// changed finds the rows [lo, hi) that may be moved; nothing changes outside of them. ok is false
// if it is not worth to look for more.
func (c *costs) changed(l *ledger, want []row) (lo, hi int, ok bool) {
	v := len(l.shown)
	if l.dirty || v < fewest {
		return 0, 0, false
	}
	n, first := 0, v
	if l.b == 0 && v < l.rows {
		lo = 1 // above stands a line that is not ours
	}
	c.same = c.same[:0]
	for i := range v {
		r, w := &l.shown[i], wanted(want, i)
		if !r.known || r.mayWrap || w.wrapped {
			lo = i + 2
		}
		same := r.same(w)
		c.same = append(c.same, same)
		if !same {
			n, first, hi = n+1, min(first, i), i+1
		}
	}
	lo = max(lo, first)
	return lo, hi, n >= 3 && hi-lo >= 3
}

// vote finds by how many rows most of what changes within rows [lo, hi) seems to have moved, up if
// positive; 0: it has not. Short ways come first, and what has moved more than half of it has won.
func (c *costs) vote(l *ledger, want []row, lo, hi int) (by int) {
	best, all := 0, 0
	for i := lo; i < hi; i++ {
		if !c.same[i] {
			all += len(wanted(want, i).cells)
		}
	}
	for d := 1; d < hi-lo && 2*best <= all; d++ {
		for _, k := range [2]int{d, -d} {
			sum := 0
			for i := max(lo, lo-k); i < min(hi, hi-k); i++ {
				if w := wanted(want, i); !c.same[i] && len(w.cells) > 0 && l.shown[i+k].same(w) {
					sum += len(w.cells)
				}
			}
			if sum > best {
				best, by = sum, k
			}
		}
	}
	return by
}
