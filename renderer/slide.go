package renderer

// blankRow stands for each row below the last row of a frame.
var blankRow = row{known: true}

// wantedRow returns row i of want, or a blank row if want is shorter.
func wantedRow(want []row, i int) *row {
	if i < len(want) {
		return &want[i]
	}
	return &blankRow
}

// findMove looks for a run of rows that the terminal can move up or down for fewer bytes than
// painting all rows where they stand: when a text is scrolled, when a region taller than the grid
// grows, or when rows in the middle disappear. It appends the steps of that move. Rows before first
// need nothing more.
//
// Rows of the range [from, to) move by d rows. Up: the first d rows are deleted, and d blank rows
// are inserted at to-d. Down: the last d rows are deleted, and d blank rows are inserted at from.
// So the rows from to on stay where they are. A deleted row must not get into history:
// Quirks.Delete says where that is certain. At the end of the grid no deletion is needed, since the
// insertion pushes rows over the lower edge, and no terminal keeps those.
//
// A row is not moved if it wraps, if its content is not known, or if it is next to such a row:
// terminals differ in what becomes of a wrap when its row moves.
func (c *costs) findMove(l *ledger, want []row, steps []step) (_ []step, first int) {
	v, bottom := len(l.shown), l.endsAtBottom()
	if c.deleteRule == InsertNever || c.deleteRule == DeleteNever && !bottom {
		return steps, 0
	}
	lo, hi, ok := c.changedRange(l, want)
	if !ok {
		return steps, 0
	}
	if c.deleteRule == DeleteNever {
		hi = v
	}
	shift := c.guessShift(l, want, lo, hi)
	d := max(shift, -shift)
	up := shift > 0
	if d == 0 || up && c.deleteRule == DeleteNever {
		return steps, 0
	}
	if up && c.deleteRule == DeleteBelow && l.seam <= l.maxTop {
		lo = max(lo, 1) // row 0 may stand on grid row 0
	}
	c.stayCost, c.moveCost = append(c.stayCost[:0], 0), append(c.moveCost[:0], 0)
	c.newCost = append(c.newCost[:0], 0)
	for i := range hi {
		w := wantedRow(want, i)
		stay, move, news := 0, 0, 0
		if i >= lo {
			news = 2 + len(w.cells)
			if !c.unchanged[i] {
				stay = rowCost(&l.shown[i], w)
			}
			if j := i + shift; j >= lo && j < hi {
				move = rowCost(&l.shown[j], w)
			}
		}
		c.stayCost = append(c.stayCost, c.stayCost[i]+stay)
		c.moveCost = append(c.moveCost, c.moveCost[i]+move)
		c.newCost = append(c.newCost, c.newCost[i]+news)
	}
	const movePrice = 9 // of a move, and DL or IL
	best, from, to, at := 0, 0, 0, lo
	for e := lo + d + 1; e <= hi; e++ {
		if s := e - d - 1; c.savingAt(s, d, up) > c.savingAt(at, d, up) {
			at = s
		}
		if c.deleteRule == DeleteNever && e < v {
			continue
		}
		saved := c.stayCost[e] - c.moveCost[e] - 2*movePrice
		if up {
			saved = c.stayCost[e] - c.moveCost[e-d] - c.newCost[e] + c.newCost[e-d] - 2*movePrice
		}
		if bottom && e == v {
			saved += movePrice // one of both is enough
		}
		if saved += c.savingAt(at, d, up); saved > best {
			best, from, to = saved, at, e
		}
	}
	if best == 0 {
		return steps, 0
	}
	edge := bottom && to == v
	switch {
	case up && edge && from == 0 && c.dropsScrolled && d <= 8:
		return append(steps, step{scrollStep, 0, d}), 0
	case up:
		first = min(from, len(want)) // on the way
		steps = append(steps, step{paintStep, 0, first}, step{deleteStep, from, d})
		if !edge {
			steps = append(steps, step{insertStep, to - d, d})
		}
		return steps, first
	}
	if !edge {
		steps = append(steps, step{deleteStep, to - d, d})
	}
	return append(steps, step{insertStep, from, d}), 0
}

// savingAt returns the part of the saved bytes that depends on from alone, when rows from from on
// move by d.
func (c *costs) savingAt(from, d int, up bool) int {
	if up {
		return c.moveCost[from] - c.stayCost[from]
	}
	return c.moveCost[from+d] - c.stayCost[from] - c.newCost[from+d] + c.newCost[from]
}

// minMoveRows is the smallest number of live rows for which findMove looks for rows that have
// moved.
const minMoveRows = 6

// changedRange returns the range [lo, hi) of rows that may be moved. No row outside of it changes.
// ok is false if it is not worth looking for a move.
func (c *costs) changedRange(l *ledger, want []row) (lo, hi int, ok bool) {
	v := len(l.shown)
	if l.dirtyBelow || v < minMoveRows {
		return 0, 0, false
	}
	n, first := 0, v
	if l.seam == 0 && v < l.rows {
		lo = 1 // above stands a line that is not ours
	}
	c.unchanged = c.unchanged[:0]
	for i := range v {
		r, w := &l.shown[i], wantedRow(want, i)
		if !r.known || r.mayWrap || w.wrapped {
			lo = i + 2
		}
		same := r.shows(w)
		c.unchanged = append(c.unchanged, same)
		if !same {
			n, first, hi = n+1, min(first, i), i+1
		}
	}
	lo = max(lo, first)
	return lo, hi, n >= 3 && hi-lo >= 3
}

// guessShift returns by how many rows most of the changed text in the range [lo, hi) seems to have
// moved: a positive number for up, a negative one for down, 0 if it has not moved. It tries short
// distances first, and stops at one by which more than half of the text has moved.
func (c *costs) guessShift(l *ledger, want []row, lo, hi int) (by int) {
	best, all := 0, 0
	for i := lo; i < hi; i++ {
		if !c.unchanged[i] {
			all += len(wantedRow(want, i).cells)
		}
	}
	for d := 1; d < hi-lo && 2*best <= all; d++ {
		for _, k := range [2]int{d, -d} {
			sum := 0
			for i := max(lo, lo-k); i < min(hi, hi-k); i++ {
				if w := wantedRow(want, i); !c.unchanged[i] && len(w.cells) > 0 && l.shown[i+k].shows(w) {
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
