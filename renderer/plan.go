package renderer

import "slices"

// step is one part of a plan. Indices count from the first live row of the old frame, in the
// picture as it is when the step's turn comes.
type step struct {
	kind stepKind
	at   int // first row
	n    int // rows
}

type stepKind uint8

const (
	paint  stepKind = iota // bring rows [at, at+n) to what is wanted; rows that do not exist yet are made by LF
	grow                   // n LF on the last row
	insert                 // IL: n blank rows at row at, made possible by as many grown or removed ones
	wipe                   // erase rows [at, at+n): no longer wanted
	empty                  // erase all rows of the live region, and whatever a resize has left below them
	remove                 // DL: rows [at, at+n) go, those below move up
	roll                   // n LF on the last row of the alternate screen: as many go over the upper edge
)

// plan returns the steps by which the shown rows become the wanted ones. It decides only where rows
// are shifted. Which cells are written is decided row by row when they are painted. It has no
// effects and reads nothing but its arguments: the first k rows of want are final, steps is storage
// for the result.
//
// Rows may leave the grid only when they are final and right. Painting goes from top to bottom, and
// a line feed takes the topmost row. So appending is always safe, even if the grid is smaller than
// we know. An insertion may push out only rows that stand above it: room says how many. What does
// not fit its rows would be written over those below.
func plan(l *ledger, want []row, k int, careful bool, costs *costs, steps []step) []step {
	v, n := len(l.shown), len(want)
	if k > 0 && (careful || costs.clears) {
		// A row that is wider than the terminal runs on into the next one: nothing may stand there.
		first := step{kind: empty}
		if l.rows == 1 {
			first = step{wipe, 0, v}
		}
		return append(steps, first, step{paint, 0, n})
	}
	if n <= v {
		first := 0
		if k == 0 && !careful {
			steps, first = costs.slide(l, want, steps)
		}
		steps = append(steps, step{paint, first, n - first})
		if n < v {
			steps = append(steps, step{wipe, n, v - n})
		}
		return steps
	}
	if careful {
		return append(steps, step{paint, 0, n})
	}
	d := n - v
	at, ok := costs.shift(l, want, d)
	if !ok {
		return append(steps, step{paint, 0, n})
	}
	room := l.rows - v + at
	first := 0 // rows before it are already right
	for first < at && first >= k && l.shown[first].same(&want[first]) {
		first++
	}
	if d > l.rows-v+min(first, at) || k > 0 && d > l.rows-v {
		// The line feeds would push out rows that are still to be painted.
		steps = append(steps, step{paint, 0, at})
	}
	for d > 0 {
		m := min(d, room)
		if m <= 0 {
			break
		}
		steps = append(steps, step{grow, 0, m}, step{paint, 0, at}, step{insert, at, m}, step{paint, at, m})
		at += m
		d -= m
	}
	return append(steps, step{paint, at, n - at})
}

// costs are estimated bytes, with storage for sums.
type costs struct {
	stay, move []int  // sums over rows [0, i): painted in place, and painted after they were shifted by d
	news       []int  // and painted into blank rows
	same       []bool // rows that need nothing
	dl         Delete // where rows may be deleted
	clears     bool   // what stands is erased before final rows are written
	roll       bool   // what a line feed takes off the grid is gone: the alternate screen
	wraps      bool   // some wanted row is to be wrapped
}

// shift finds the row at which inserting d rows is cheaper than painting everything anew below the
// first change. ok is false if it never is.
func (c *costs) shift(l *ledger, want []row, d int) (at int, ok bool) {
	v := len(l.shown)
	if l.dirty || c.dl == InsertNever {
		return 0, false
	}
	c.wraps = slices.ContainsFunc(want, func(w row) bool { return w.wrapped })
	c.stay, c.move = append(c.stay[:0], 0), append(c.move[:0], 0)
	for i := range v {
		if !l.shown[i].known {
			return 0, false
		}
		c.stay = append(c.stay, c.stay[i]+rowCost(&l.shown[i], &want[i]))
		c.move = append(c.move, c.move[i]+rowCost(&l.shown[i], &want[i+d]))
	}
	news := func(from int) int { // rows [from, from+d) are written into blank rows
		if d > 64 {
			return 0 // about the same wherever they stand
		}
		sum := 0
		for i := from; i < from+d; i++ {
			sum += 2 + len(want[i].cells)
		}
		return sum
	}
	best := c.stay[v] + news(v)
	at = v
	first := 0
	if l.b == 0 {
		first = 1 // what a resize has left above may lead to row 0 by a wrap, whose mark would move with it (xterm.js)
	}
	for i := first; i < v; i++ {
		room := l.rows - v + i
		if room <= 0 {
			continue
		}
		pieces := (d + room - 1) / room
		if i > 0 && want[i-1].wrapped || pieces > 1 && c.wraps {
			continue // a line that the terminal wraps is printed in one go
		}
		cost := c.stay[i] + news(i) + c.move[v] - c.move[i] + pieces*14 + d
		if cost < best {
			best, at = cost, i
		}
	}
	return at, at < v
}

// rowCost estimates the bytes that take a row from old to want: all between the first and the last
// change. It looks at no cell in between.
func rowCost(old, want *row) int {
	if old.same(want) {
		return 0
	}
	if !old.known || old.mayWrap {
		return 8 + len(want.cells)
	}
	if old.uncertain(want) {
		return 8 + max(0, len(want.cells)-old.change(want))
	}
	n := min(len(old.cells), len(want.cells))
	from, rest := old.alike(want)
	for from < n && old.cells[from].is(&want.cells[from]) {
		from++
	}
	if len(old.cells) > len(want.cells) {
		return 16 + len(want.cells) - from // and EL
	}
	to := len(want.cells) - rest
	for len(old.cells) == len(want.cells) && to > from && old.cells[to-1].is(&want.cells[to-1]) {
		to--
	}
	return 10 + to - from
}
