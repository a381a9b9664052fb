package renderer

// step is one part of a plan. Indices count from the first live row of the old frame, in the picture as it is when the step's turn comes.
type step struct {
	kind stepKind
	at   int // first row
	n    int // rows
}

type stepKind uint8

const (
	paint  stepKind = iota // bring rows [at, at+n) to what is wanted; rows that do not exist yet are made by LF
	grow                   // n LF on the last row
	insert                 // IL: n blank rows at row at, made possible by as many grown ones
	wipe                   // erase rows [at, at+n): no longer wanted
	remove                 // DL: rows [at, at+n) go, those below move up; the grid is all ours
	empty                  // erase all rows of the live region, and whatever a resize has left below them
)

// plan is how the shown rows become the wanted ones. It decides only where rows are shifted; which cells are written is decided row by row
// when they are painted. It has no effects and reads nothing but its arguments: the first k rows of want are final, steps is storage for the result.
//
// Rows may leave the grid only when they are final and right. Painting goes from top to bottom and a line feed takes the topmost row, so
// appending is always safe, even if the grid is smaller than we know; an insertion may push out only rows that stand above it, which is what
// room says, and what does not fit its rows would be written over those below.
func plan(l *ledger, want []row, k int, careful bool, costs *costs, steps []step) []step {
	v, n := len(l.shown), len(want)
	if careful && k > 0 {
		// A row that is wider than the terminal runs on into the next one: nothing may stand there. And nothing may come between the rows of a
		// wrapped line but their text: the terminal, having another width, breaks it elsewhere, and a move would not lead to where it ended.
		first := step{wipe, 0, v}
		if l.dirty && l.rows > 1 {
			first = step{kind: empty}
		}
		return append(steps, first, step{paint, 0, n})
	}
	if n <= v {
		if n == v && k == 0 && !careful {
			if at, d, to, ok := costs.lift(l, want); ok {
				steps = append(steps, step{remove, at, d}, step{insert, to, d})
			}
		}
		steps = append(steps, step{paint, 0, n})
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
	first := 0 // rows before it are already right, and their wraps made
	for first < at && l.shown[first].same(&want[first]) && l.shown[first].wrapped == want[first].wrapped {
		first++
	}
	if d > l.rows-v+first {
		// The line feeds would push out rows that are still to be painted.
		steps = append(steps, step{paint, 0, at})
	}
	for d > 0 {
		m := min(d, room)
		if at > 0 && want[at-1].wrapped || at == 0 && l.before.wants {
			m = min(d, room-1) // the row above stays on the grid, to be joined
		}
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
	dl         Delete // where rows may be deleted
}

// lift finds whether it is cheaper to delete the d rows at index at and insert as many at to than to paint all in place: a live region that is
// taller than the grid, and grows. Only for a grid that is all ours, and where what is deleted does not go into history.
func (c *costs) lift(l *ledger, want []row) (at, d, to int, ok bool) {
	v := len(l.shown)
	if c.dl == DeleteNever || l.dirty || v != l.rows {
		return 0, 0, 0, false
	}
	if c.dl == DeleteBelow {
		at = 1
	}
	for at < v && l.shown[at].same(&want[at]) {
		at++
	}
	for d = 1; at+d < v && !l.shown[at+d].same(&want[at]); d++ {
	}
	if at+d >= v-1 {
		return 0, 0, 0, false
	}
	c.stay, c.move = append(c.stay[:0], 0), append(c.move[:0], 0)
	for i := range v {
		if !l.shown[i].known || l.shown[i].mayWrap() || want[i].wrapped { // what becomes of a wrap differs by terminal
			return 0, 0, 0, false
		}
		c.stay = append(c.stay, c.stay[i]+rowCost(&l.shown[i], &want[i]))
		up := 0
		if i >= at && i+d < v {
			up = rowCost(&l.shown[i+d], &want[i])
		}
		c.move = append(c.move, c.move[i]+up)
	}
	best := c.stay[v]
	for e := at + 1; e+d <= v; e++ {
		cost := c.move[e] + c.stay[v] - c.stay[e+d] + 20 // two moves, DL and IL
		for i := e; i < e+d; i++ {
			cost += 2 + len(want[i].cells)
		}
		if cost < best {
			best, to = cost, e
		}
	}
	return at, d, to, to > 0
}

// shift finds the row at which inserting d rows is cheaper than painting everything anew below the first change. ok is false if it never is.
func (c *costs) shift(l *ledger, want []row, d int) (at int, ok bool) {
	v := len(l.shown)
	if l.dirty {
		return 0, false
	}
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
	for i := range v {
		room := l.rows - v + i
		if room <= 0 {
			continue
		}
		pieces := (d + room - 1) / room
		cost := c.stay[i] + news(i) + c.move[v] - c.move[i] + pieces*14 + d
		if cost < best {
			best, at = cost, i
		}
	}
	return at, at < v
}

// rowCost estimates the bytes that take a row from old to want.
func rowCost(old, want *row) int {
	if old.same(want) {
		return 0
	}
	if !old.known || old.mayWrap() && !want.wrapped {
		return 8 + len(want.cells)
	}
	if old.uncertain(want) {
		return 8 + max(0, len(want.cells)-old.change(want))
	}
	n, cost, gap := max(len(old.cells), len(want.cells)), 4, 8
	for i := range n {
		if i >= len(want.cells) && i < len(old.cells) {
			return cost + 6
		}
		if old.at(i).is(want.at(i)) {
			gap++
			continue
		}
		cost += 1 + min(gap, 6)
		gap = 0
	}
	return cost
}
