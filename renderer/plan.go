package renderer

import "slices"

// step is one operation of a plan. The row numbers count from the first live row of the old frame.
// They are the positions at the moment when the step begins.
type step struct {
	kind stepKind
	at   int // The first row.
	n    int // The number of rows.
}

// stepKind is the operation of a step.
type stepKind uint8

const (
	// Paint rows at to at+n-1 of the new frame. A line feed creates the rows that do not exist yet.
	paintStep    stepKind = iota
	growStep              // Write n line feeds in the last live row.
	insertStep            // Insert n blank rows before row at (IL). As many were added or deleted before.
	eraseStep             // Erase rows at to at+n-1, which the new frame does not have.
	eraseAllStep          // Erase the whole live region, and what a resize has left below it.
	deleteStep            // Delete rows at to at+n-1 (DL). The rows below move up.
	scrollStep            // Write n line feeds in the last row of the alternate screen: n rows leave it at the top.
)

// plan returns the steps that turn the live rows of l into the rows want. The first k of the wanted
// rows are final. It only decides which rows are moved; which cells are written is decided when a
// row is painted. It changes nothing but costs, and appends to steps.
//
// Rows may leave the grid only when they are final and painted. Painting goes from top to bottom,
// and a line feed pushes the topmost row out. So it is always safe to append, even if the grid is
// lower than the ledger says. An insertion may push out only rows above it, at most rowsAbove of
// them: one row more would be painted over the rows below.
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

// costs estimates what different plans would write, in bytes. Its slices are reused from frame to
// frame.
type costs struct {
	// Both are sums over the first i rows: stayCost of painting them where they are, moveCost of
	// painting them after they have moved.
	stayCost, moveCost []int
	newCost            []int  // Sums over the first i rows of painting them into blank rows.
	unchanged          []bool // By row: nothing has to be painted.
	deleteRule         Delete // Where the terminal may delete rows.
	clearsFirst        bool   // The live region is erased before final rows are written.
	dropsScrolled      bool   // The rows are those of the alternate screen, where a row that scrolls out is lost.
	anyWrapped         bool   // The terminal has to wrap one of the wanted rows.
}

// findInsertion looks for the row before which d rows can be inserted for fewer bytes than painting
// everything below the first change again. ok is false if there is none.
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

// rowCost estimates the bytes that turn row old into want: all cells between the first and the last
// change. It does not compare the cells in between.
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
