package vt

// resizeFromEnd fits scrollback and grid, which are one run of rows, to a new size from the end: the last row stays the last one, so that a higher
// window pulls rows back and a lower one pushes them wherever the cursor is, and blank rows below it are rows (GNU screen 4.9, ChangeWindowSize).
// Rows go from the end only if the line that the cursor is on would begin above the grid. marked says that a blank shows an attribute.
func (s *screen) resizeFromEnd(cols, rows int, marked func(cell) bool) {
	c := &s.cursor
	y := c.y
	f := fromEnd{ring: s.ring, cols: cols, rows: rows, marked: marked, x: c.x, y: s.top() + c.y}
	if cols == s.cols {
		f.keep(rows-s.rows+c.y, c.pending)
	} else {
		f.rewrap(c.pending)
	}
	above := rows - len(f.out) // of which there were never any
	s.ring = ring{cols: cols, buf: make([]row, max(rows, len(f.out)))}
	for range above {
		s.ring.push(1 << 30)
	}
	for i := range f.out {
		r, _ := s.ring.push(1 << 30)
		*r = f.out[len(f.out)-1-i]
	}
	s.cols, s.rows, s.room = cols, rows, cols
	s.setKeep()
	s.trim()
	for _, p := range s.pins {
		p.x, p.y = min(p.x, cols-1), min(p.y, s.dropped+s.ring.n-1)
	}
	c.x, c.y, c.pending = min(f.x, cols-1), min(f.y, rows-1), f.x >= cols
	if s.saved != nil {
		sc := *s.saved
		sc.x, sc.y, sc.pending = min(sc.x, cols-1), max(0, min(sc.y+c.y-y, rows-1)), false
		s.saved = &sc
	}
}

// fromEnd lays the rows of a ring out anew, the last one first.
type fromEnd struct {
	ring       ring
	cols, rows int
	out        []row // from the last one up
	marked     func(cell) bool
	x, y       int // the cursor: its row of the ring, then of the grid; column cols if a wrap is pending
}

// keep is for rows of the same width. The cursor goes to row y of the grid, or as much further down as it takes to show its line from the beginning.
func (f *fromEnd) keep(y int, pending bool) {
	down := -y
	for i := f.y; i > 0 && y+down < f.rows && f.ring.at(i-1).is(wrapped); i-- {
		down++
	}
	down = max(down, 0)
	for i := f.ring.n - 1 - down; i >= 0; i-- {
		f.out = append(f.out, *f.ring.at(i))
	}
	if f.y = y + down; pending {
		f.x++
	}
}

// rewrap is for rows of another width.
func (f *fromEnd) rewrap(pending bool) {
	was, at, x := f.ring.cols, f.y, f.x
	for i := f.ring.n - 1; i >= 0; {
		src := f.ring.at(i)
		from := f.length(src)
		if i == at {
			from = max(from, x+1)
		}
		left := from // cells of the line
		for k := i; k > 0 && f.ring.at(k-1).is(wrapped); k-- {
			left += was
		}
		to := (left-1)%f.cols + 1
		last := len(f.out)
		for fresh := true; left > 0; {
			if fresh {
				f.out = append(f.out, row{cells: make([]cell, f.cols)})
				f.out[len(f.out)-1].set(wrapped, len(f.out)-1 != last)
				fresh = false
			}
			n := min(from, to)
			dst := &f.out[len(f.out)-1]
			copy(dst.cells[to-n:to], src.cells[from-n:from])
			dst.used = max(dst.used, to)
			dst.flags |= src.flags & (promptMask | complexCells)
			if i == at && from-n <= x && x < from {
				f.x = x + to - from
				if pending {
					f.x++
				}
				f.show((left - n) / f.cols)
			}
			from, to, left = from-n, to-n, left-n
			if from == 0 {
				if from, i = was, i-1; i >= 0 {
					src = f.ring.at(i)
				}
			}
			if to == 0 {
				to, fresh = f.cols, true
			}
		}
	}
	for i := range f.out {
		f.out[i].rejoin()
		if i > 0 && f.out[i].is(wrapped) {
			f.out[i-1].set(continuation, true)
		}
	}
}

// show is the cursor on the row that was begun last, with so many rows of its line above: all that have room are shown, and rows at the end go. The row
// that is begun later where the line's last one was loses its mark (as in GNU screen).
func (f *fromEnd) show(above int) {
	k := len(f.out) - 1
	f.y = f.rows - 1 - k
	if n := min(above-f.y, k); n > 0 {
		f.out = append(f.out[:0], f.out[n:]...)
		f.y += n
	}
}

// length is the number of cells of a row that ends a line, at least 1.
func (f *fromEnd) length(r *row) int {
	n := len(r.cells)
	for n > 1 {
		if c := r.cells[n-1]; f.marked(c) || c.width() == spacerTail || c.hasText() && !(c.tag() == tagRune && c.content() == ' ') {
			break
		}
		n--
	}
	return n
}

// rejoin makes wide characters of halves that stand side by side, and blanks of those that do not.
func (r *row) rejoin() {
	for x := range r.cells[:r.used] {
		switch c := r.cells[x]; {
		case x > 0 && r.cells[x-1].width() == wide && !c.hasText():
			r.cells[x] = r.cells[x-1].withoutText() | spacerTail
		case c.width() == spacerTail:
			r.cells[x] = c.withoutText()
		case c.width() == spacerHead:
			r.cells[x] = 0
		}
	}
	for r.used > 0 && r.cells[r.used-1] == 0 {
		r.used--
	}
}
