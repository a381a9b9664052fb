package renderer

import "slices"

// step is one part of a plan. Indices count from the first live row of the old frame, as the rows
// stand when the step begins.
type step struct {
	kind stepKind
	at   int // first row
	n    int // number of rows
}

// stepKind says what a step does with its rows.
type stepKind uint8

const (
	// paint rows [at, at+n) as wanted; a line feed makes rows that do not exist yet
	paintStep    stepKind = iota
	growStep              // n LF on the last row
	insertStep            // IL: n blank rows at row at; as many were made or deleted before
	eraseStep             // erase rows [at, at+n), which are no longer wanted
	eraseAllStep          // erase all rows of the live region, and whatever a resize has left below them
	deleteStep            // DL: rows [at, at+n) go, those below move up
	scrollStep            // n LF on the last row of the alternate screen: n rows go over the upper edge
)

// plan returns the steps by which the shown rows become the wanted ones. It only decides where rows
// are moved. Which cells are written is decided for each row when it is painted. plan has no
// effects and reads nothing but its arguments. The first k rows of want are final, and steps is
// storage for the result.
//
// Rows may leave the grid only when they are final and right. Painting goes from top to bottom, and
// a line feed takes the topmost row. So appending is always safe, even if the grid is smaller than
// we know. An insertion may push out only rows that stand above it: rowsAbove is their number. A
// row too many would be written over those below.
func plan(l *ledger, want []row, k int, careful bool, costs *costs, steps []step) []step {
	v, n := len(l.shown), len(want)
	if k > 0 && (careful || costs.clearsFirst) {
		// A row that is wider than the terminal runs on into the next one: nothing may stand there.
		first := step{kind: eraseAllStep}
		if l.rows == 1 {
			first = step{eraseStep, 0, v}
		}
		return append(steps, first, step{paintStep, 0, n})
	}
	if n <= v {
		first := 0
		if k == 0 && !careful {
			steps, first = costs.findMove(l, want, steps)
		}
		steps = append(steps, step{paintStep, first, n - first})
		if n < v {
			steps = append(steps, step{eraseStep, n, v - n})
		}
		return steps
	}
	if careful {
		return append(steps, step{paintStep, 0, n})
	}
	d := n - v
	at, ok := costs.findInsertion(l, want, d)
	if !ok {
		return append(steps, step{paintStep, 0, n})
	}
	rowsAbove := l.rows - v + at
	first := 0 // rows before it are already right
	for first < at && first >= k && l.shown[first].shows(&want[first]) {
		first++
	}
	if d > l.rows-v+min(first, at) || k > 0 && d > l.rows-v {
		// The line feeds would push out rows that are still to be painted.
		steps = append(steps, step{paintStep, 0, at})
	}
	for d > 0 {
		m := min(d, rowsAbove)
		if m <= 0 {
			break
		}
		steps = append(steps, step{growStep, 0, m}, step{paintStep, 0, at}, step{insertStep, at, m},
			step{paintStep, at, m})
		at += m
		d -= m
	}
	return append(steps, step{paintStep, at, n - at})
}

// costs holds estimates in bytes. The slices of sums are kept as storage.
type costs struct {
	// Sums over rows [0, i): painted where they stand, and painted after they have moved.
	stayCost, moveCost []int
	newCost            []int  // sums over rows [0, i), painted into blank rows
	unchanged          []bool // rows that need nothing
	deleteRule         Delete // where rows may be deleted
	clearsFirst        bool   // the live region is erased before final rows are written
	dropsScrolled      bool   // the alternate screen: a row that a line feed takes off the grid is gone
	anyWrapped         bool   // a wanted row is to be wrapped
}

// findInsertion returns the row at which it is cheaper to insert d rows than to paint everything
// below the first change again. ok is false if there is none.
func (c *costs) findInsertion(l *ledger, want []row, d int) (at int, ok bool) {
	v := len(l.shown)
	if l.dirtyBelow || c.deleteRule == InsertNever {
		return 0, false
	}
	c.anyWrapped = slices.ContainsFunc(want, func(w row) bool { return w.wrapped })
	c.stayCost, c.moveCost = append(c.stayCost[:0], 0), append(c.moveCost[:0], 0)
	for i := range v {
		if !l.shown[i].known {
			return 0, false
		}
		c.stayCost = append(c.stayCost, c.stayCost[i]+rowCost(&l.shown[i], &want[i]))
		c.moveCost = append(c.moveCost, c.moveCost[i]+rowCost(&l.shown[i], &want[i+d]))
	}
	newRowCost := func(from int) int { // rows [from, from+d) are written into blank rows
		if d > 64 {
			return 0 // about the same wherever they stand
		}
		sum := 0
		for i := from; i < from+d; i++ {
			sum += 2 + len(want[i].cells)
		}
		return sum
	}
	best := c.stayCost[v] + newRowCost(v)
	at = v
	first := 0
	if l.seam == 0 {
		first = 1 // what a resize has left above may lead to row 0 by a wrap, whose mark would move with it (xterm.js)
	}
	for i := first; i < v; i++ {
		rowsAbove := l.rows - v + i
		if rowsAbove <= 0 {
			continue
		}
		pieces := (d + rowsAbove - 1) / rowsAbove
		if i > 0 && want[i-1].wrapped || pieces > 1 && c.anyWrapped {
			continue // a line that the terminal wraps is printed in one go
		}
		cost := c.stayCost[i] + newRowCost(i) + c.moveCost[v] - c.moveCost[i] + pieces*14 + d
		if cost < best {
			best, at = cost, i
		}
	}
	return at, at < v
}

// rowCost estimates the bytes that change a row from old to want: everything between the first and
// the last change. It compares no cell in between.
func rowCost(old, want *row) int {
	if old.shows(want) {
		return 0
	}
	if !old.known || old.mayWrap {
		return 8 + len(want.cells)
	}
	if old.needsErasure(want) {
		return 8 + max(0, len(want.cells)-old.firstChange(want))
	}
	n := min(len(old.cells), len(want.cells))
	from, sameTail := old.equalEnds(want)
	for from < n && old.cells[from].equals(&want.cells[from]) {
		from++
	}
	if len(old.cells) > len(want.cells) {
		return 16 + len(want.cells) - from // and EL
	}
	to := len(want.cells) - sameTail
	for len(old.cells) == len(want.cells) && to > from && old.cells[to-1].equals(&want.cells[to-1]) {
		to--
	}
	return 10 + to - from
}
