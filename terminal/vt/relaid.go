package vt

// resizeRelaid lays all rows out anew at any new size, by whether each has ended its line: a blank row that has not is none, and behind a row that has
// there is one more, unless it was the last one of the grid. The grid ends with the last row, wherever the cursor is; one that has come to stand above the grid is on its last row (foot
// 1.13.1: grid_resize_and_reflow).
func (s *screen) resizeRelaid(cols, rows int) {
	c := &s.cursor
	if s.saved == nil {
		s.saved = new(savedCursor) // foot has one from the beginning, and it is tracked as the cursor is
	}
	at, saved := s.pinAt(c.x, c.y), s.pinAt(s.saved.x, s.saved.y)
	f := relaying{screen: s, out: ring{cols: cols, buf: make([]row, s.ring.n+rows)}, stops: []*pin{at, saved}}
	for _, p := range s.pins {
		f.from = append(f.from, *p)
	}
	f.next(false)
	for i := range s.ring.n {
		f.add(i)
	}
	for i := range f.out.n {
		f.out.at(i).widowed()
	}
	for f.out.n < rows {
		f.out.push(1 << 30)
	}
	s.ring, s.cols, s.rows, s.room = f.out, cols, rows, cols
	s.setKeep()
	s.trim()
	s.unpin(at)
	s.unpin(saved)
	c.x, c.y, c.pending = s.relaid(at)
	sc := *s.saved
	sc.x, sc.y, sc.pending = s.relaid(saved)
	s.saved = &sc
}

// relaid is where a cursor goes that was laid out there.
func (s *screen) relaid(p *pin) (x, y int, pending bool) {
	if _, y, ok := s.place(p); ok {
		return p.x, y, false
	}
	return p.x, s.rows - 1, false
}

// relaying writes the rows of a screen into a ring of another width.
type relaying struct {
	screen *screen
	out    ring
	stops  []*pin // the cells that they are on are laid out, be they blank
	from   []pin  // where the pins of the screen were
	row    *row
	x      int
}

func (f *relaying) next(goesOn bool) {
	if goesOn {
		f.row.set(wrapped, true)
	}
	f.row, _ = f.out.push(1 << 30)
	f.row.set(continuation, goesOn)
	f.x = 0
}

// add lays row i of the old ring out.
func (f *relaying) add(i int) {
	s := f.screen
	src := s.ring.at(i)
	n := s.cols
	for n > 0 && !src.cells[n-1].hasText() && src.cells[n-1].width() != spacerTail {
		n--
	}
	if n > 0 && !src.is(ended) {
		n = s.cols
	}
	var stop [2]int // behind the cells of the stops
	for k, p := range f.stops {
		if p := f.was(p); p.y-s.dropped == i {
			stop[k] = p.x + 1
			n = max(n, p.x+1)
		}
	}
	f.movePins(i, 0, s.cols)
	fresh := true // the cell is the first of those that are copied together
	for x := range n {
		if f.x == f.out.cols {
			f.next(true)
			fresh = true
		}
		if !fresh && f.x == f.out.cols-1 && x+1 < s.cols && src.cells[x+1].width() == spacerTail {
			f.row.put(f.x, spacerHead)
			f.next(true)
		}
		if x == 0 {
			f.row.flags = f.row.flags&^promptMask | src.flags&promptMask
		}
		f.row.put(f.x, src.cells[x])
		f.movePins(i, x, x+1)
		f.x++
		fresh = x+1 == stop[0] || x+1 == stop[1]
	}
	if src.is(ended) {
		f.row.set(ended, true)
		if i+1 < s.ring.n {
			f.next(false)
		}
	}
}

// widowed makes blanks of second halves without a first one. One in the first column has it in the row above.
func (r *row) widowed() {
	for x := 1; x < r.used; x++ {
		if c := r.cells[x]; c.width() == spacerTail && r.cells[x-1].width() != wide {
			r.cells[x] = c.withoutText()
		}
	}
	for r.used > 0 && r.cells[r.used-1] == 0 {
		r.used--
	}
}

// was is where a pin of the screen was before.
func (f *relaying) was(p *pin) pin {
	for k, q := range f.screen.pins {
		if p == q {
			return f.from[k]
		}
	}
	return *p
}

// movePins moves the pins on columns from up to to of old row i to where the next cell is written.
func (f *relaying) movePins(i, from, to int) {
	s := f.screen
	for k, p := range s.pins {
		if was := f.from[k]; was.y-s.dropped == i && was.x >= from && was.x < to {
			p.x, p.y = min(f.x, f.out.cols-1), s.dropped+f.out.n-1
		}
	}
}
