package vt

// drift is a reflow in which the cursor does not stay with its text: rows that lines below it take more, or less, count as if they stood above it
// (xterm.js 6, Buffer.ts _reflowSmaller, _reflowLarger). Where the window gets narrower, the line that is left as it is is the one on which the
// cursor has come to be when that line's turn comes, from the bottom up.
func (f *reflower) drift(x int) {
	s := f.screen
	top, y := s.top(), f.cursor.y-s.dropped-s.top()
	if f.cols > s.cols {
		f.cutLine(top + y)
	}
	added, popped := 0, 0
	for to := s.ring.n; to > 0; {
		from := to - 1
		for from > 0 && s.ring.at(from-1).is(wrapped) {
			from--
		}
		rows := f.rowsOf(from, to) - (to - from)
		at := top + y
		switch {
		case f.cols > s.cols:
			if from == f.cut[0] {
				rows = 0
			}
		case rows == 0 && to-from == 1:
		case at >= from && at < to:
			f.cut, rows = [2]int{from, to}, 0
		}
		added += rows
		for ; rows > 0; rows-- {
			switch {
			case top > 0:
				top = min(top+1, s.ring.n-popped+added-s.rows)
			case y < s.rows-1:
				y++
				popped++
			default:
				top++
			}
		}
		for ; rows < 0; rows++ {
			if top > 0 {
				top--
			} else {
				y = max(y-1, 0)
			}
		}
		to = from
	}
	for range popped {
		s.ring.pop()
	}
	f.drifted = &pin{x: min(x, f.cols-1), y: y}
	if f.saved != nil {
		f.savedAt = pin{x: min(f.saved.x, f.cols-1), y: min(max(f.saved.y-s.dropped+added, 0), top+s.rows-1)}
	}
}

// rowsOf is how many rows the line in rows [from, to) of the ring takes.
func (f *reflower) rowsOf(from, to int) int {
	s := f.screen
	rows, x := 1, 0
	for i := from; i < to; i++ {
		r := s.ring.at(i)
		n := s.cols
		if i == to-1 {
			n = r.length()
		}
		for k := 0; k < n; k++ {
			w := 1
			switch r.cells[k].width() {
			case spacerHead, spacerTail:
				continue
			case wide:
				w = 2
			}
			if x+w > f.cols {
				rows, x = rows+1, 0
			}
			x += w
		}
	}
	return rows
}
