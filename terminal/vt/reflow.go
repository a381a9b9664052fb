package vt

// rewrap joins soft-wrapped rows and splits them again at a new width, the history included (PageList.zig resizeCols). x and y are the
// cursor's place before the resize began.
func (s *screen) rewrap(cols, x, y int, cursor, saved *pin, p *Personality) {
	if cols == s.cols {
		return
	}
	// If the cursor was not on the last row, the rows below it shall stay below it: otherwise a cleared screen would fill up with history.
	var kept *pin
	var below, wraps int
	if x < cols && y < s.rows && !p.ReflowTears {
		kept = s.pinAt(x, y)
		below = s.rows - y - 1
		wraps = s.continuations(y)
	}

	f := reflower{screen: s, cols: cols, personality: p, cursor: cursor, saved: saved, scrolled: s.top() + s.dropped - max(s.sealed, s.dropped)}
	offset := s.offset(cursor, p)
	f.run(x)
	s.ring, s.cols, s.room, s.dropped = f.out, cols, cols, f.dropped
	for s.ring.n < s.rows {
		s.push()
	}
	if kept != nil {
		s.unpin(kept)
	}
	if d := f.drifted; d != nil {
		cursor.x, cursor.y = d.x, s.dropped+s.top()+min(d.y, s.rows-1)
		if saved != nil {
			saved.x, saved.y = f.savedAt.x, s.dropped+f.savedAt.y
		}
		return
	}
	if p.ReflowTears {
		f.hold()
		s.sealed = s.dropped + max(0, s.top()-f.scrolled)
	}
	if f.torn != nil {
		s.astray(cursor, offset, f.torn, p)
	}
	if kept == nil {
		return
	}
	_, ky, ok := s.place(kept)
	if !ok {
		return
	}
	need := below - max(0, s.continuations(ky)-wraps) - (s.rows - ky - 1)
	for range need {
		s.push()
	}
}

// continuations counts the rows of the grid down to y that continue the row before them.
func (s *screen) continuations(y int) int {
	n := 0
	for ; y >= 0; y-- {
		if s.row(y).is(continuation) {
			n++
		}
	}
	return n
}

// reflower writes the rows of a screen into a new ring of another width.
type reflower struct {
	screen  *screen
	cols    int
	out     ring
	dropped int
	limit   int // rows that out may have
	row     *row
	x       int

	personality *Personality
	cursor      *pin
	cut         [2]int // rows of the old ring, from and to, that keep their places: see RewrapButCursor
	drifted     *pin   // where the cursor of the grid is afterwards: see drift
	saved       *pin   // a saved cursor
	savedAt     pin    // where that is afterwards, as a row of the ring

	sum   int   // columns of the row, as [Personality.ReflowPads] counts them
	begun int   // the row of the old ring that the row begins in
	torn  []int // rows, counted with dropped ones, that no longer go on: see ReflowTears

	scrolled int // rows before this one are history that a higher grid takes back, as tmux counts them: see hold
	own      int // the row of the old ring that had a row of its own last
	whole    int // rows of the old ring that are all in this row, besides the first one

	pending bool // the row is full: the next cell starts a new one, to which this one wraps
	owed    int  // rows to begin before the next cell is written; those owed at the end are never written
	moved   []bool
}

func (f *reflower) run(x int) {
	s := f.screen
	sized := screen{cols: f.cols, limit: s.limit, widest: s.widest}
	sized.setKeep()
	f.limit = sized.keep + s.rows
	f.out = ring{cols: f.cols, buf: make([]row, min(s.ring.n, f.limit)+1)}
	f.dropped = s.dropped
	f.moved = make([]bool, len(s.pins))
	switch {
	case f.personality.ReflowDrifts:
		f.drift(x)
	case f.personality.Reflow == RewrapButCursor:
		f.cutLine(f.cursor.y - s.dropped)
	}
	free := f.free()
	f.newRow()
	for i := range s.ring.n {
		if i >= f.cut[0] && i < f.cut[1] {
			f.cutRow(i)
			continue
		}
		f.reflow(i)
	}
	for range f.owed - 1 - free {
		f.newRow()
	}
}

// free is how many of the blank rows at the end of the grid are no rows, at most: in ghostty all.
func (f *reflower) free() int {
	s := f.screen
	switch {
	case f.drifted != nil, f.personality.ReflowBlanks == BlankIsARow:
		return 0
	case f.personality.ReflowBlanks == ErasedIsARow:
		return s.rows - max(s.made, f.cursor.y-s.dropped-s.top()+1)
	}
	return s.rows
}

// cutLine keeps the line that row i of the ring is in from being wrapped anew.
func (f *reflower) cutLine(i int) {
	s := f.screen
	from, to := i, i+1
	for from > 0 && s.ring.at(from-1).is(wrapped) {
		from--
	}
	for to < s.ring.n && s.ring.at(to-1).is(wrapped) {
		to++
	}
	f.cut = [2]int{from, to}
}

// cutRow writes row i of the ring to a row of its own, as much as there is place for.
func (f *reflower) cutRow(i int) {
	s := f.screen
	src := s.ring.at(i)
	if f.owed == 0 && f.row.used > 0 {
		f.owed = 1 // the row before it is a blank one that continues another
	}
	for ; f.owed > 0; f.owed-- {
		f.newRow()
	}
	f.row.flags = src.flags
	f.row.used = min(src.used, f.cols)
	copy(f.row.cells, src.cells)
	if c := &f.row.cells[f.cols-1]; c.width() == wide {
		*c = 0
	}
	if f.cols > s.cols && f.row.cells[s.cols-1].width() == spacerHead {
		f.row.cells[s.cols-1] = f.row.cells[s.cols-1].withWidth(narrow)
	}
	for k, p := range s.pins {
		if !f.moved[k] && p.y-s.dropped == i {
			p.x, p.y = min(p.x, f.cols-1), f.dropped+f.out.n-1
			f.moved[k] = true
		}
	}
	f.owed++
}

func (f *reflower) newRow() {
	f.hold()
	r, dropped := f.out.push(f.limit)
	f.dropped += dropped
	f.row, f.x, f.sum, f.pending = r, 0, 0, false
}

// reflow writes row i of the ring.
func (f *reflower) reflow(i int) {
	s := f.screen
	src := s.ring.at(i)
	n := s.cols
	if !src.is(wrapped) || f.personality.ReflowTears {
		n = src.extent(f.personality)
		if n == 0 && src.flags&promptMask != 0 {
			n = 1
		}
	}
	// A row with a pin on it is as long as the pin needs. Row 0 always has one in ghostty, that of the viewport.
	if i == 0 && !f.personality.ReflowTears {
		n = max(n, 1)
	}
	if n == 0 && f.personality.ReflowTears && f.owed == 0 && src.is(continuation) && !src.is(wrapped) {
		f.keep(i)
		return
	}
	first := len(s.pins)
	for k, p := range s.pins {
		if f.moved[k] || p.y-s.dropped != i {
			continue
		}
		first = min(first, k)
		past := f.personality.ReflowPastEnd && p == f.cursor
		switch {
		case past && p.x == n && (f.column()+n)%f.cols != 0:
		case past && p.x >= n && n > 0:
			s.cursor.pending = p.x == n // behind a row that is full now
			p.x = n - 1
		case p.x >= n:
			p.x = min(p.x, f.cols-1-f.x)
		}
		n = max(n, p.x+1)
	}
	if n == 0 {
		if !src.is(continuation) || f.personality.ReflowDrifts { // in ghostty such a row ends no line; in xterm.js it does
			f.owed++
		}
		return
	}
	for ; f.owed > 0; f.owed-- {
		f.newRow()
		f.begun, f.own = i, i
	}
	f.copyMark(src)
	for x := 0; x < n; {
		c := src.cells[x]
		short := f.row.cells[f.cols-1].width() == spacerHead
		if f.overfull(c) {
			f.pending, short = true, c.width() == wide && f.sum == f.cols-1
			if c.width() == spacerTail {
				f.row.put(f.x, c|parted)
				c = orphan
			}
		}
		if f.pending {
			tears := f.personality.ReflowTears && x == 0 && !src.is(wrapped) && f.begun < i-1 && short
			if tears {
				f.row.cells[f.cols-1] = 0
				f.torn = append(f.torn, f.dropped+f.out.n-1)
			}
			f.row.set(wrapped, !tears)
			f.newRow()
			if x > 0 && f.own == i && i <= f.scrolled {
				f.scrolled++
			}
			f.begun, f.own = i, i
			f.copyMark(src)
			f.row.set(continuation, !tears)
		}
		f.movePins(first, i, x)
		x += f.write(c, first, i, x)
		f.sum += c.count()
	}
	if i > f.begun {
		f.whole++
	}
	if !src.is(wrapped) {
		f.owed++
	}
}

// keep gives a blank row that ends a line a row of its own, to which the one before it is wrapped, as tmux does (grid_reflow_join).
func (f *reflower) keep(i int) {
	f.row.set(wrapped, true)
	f.newRow()
	f.row.set(continuation, true)
	for k, p := range f.screen.pins {
		if !f.moved[k] && p.y-f.screen.dropped == i {
			p.x, p.y = 0, f.dropped+f.out.n-1
			f.moved[k] = true
		}
	}
	f.owed++
}

// column is where the next row of the ring goes on.
func (f *reflower) column() int {
	switch {
	case f.owed > 0:
		return 0
	case f.pending:
		return f.cols
	}
	return f.x
}

// movePins moves the pins on cell x of row i to where that cell is going to be.
func (f *reflower) movePins(first, i, x int) {
	s := f.screen
	for k := first; k < len(s.pins); k++ {
		if p := s.pins[k]; !f.moved[k] && p.x == x && p.y-s.dropped == i {
			p.x, p.y = f.x, f.dropped+f.out.n-1
			f.moved[k] = true
		}
	}
}

// write writes one cell and returns by how many cells to go on.
func (f *reflower) write(c cell, first, i, x int) int {
	switch c.width() {
	case wide:
		switch {
		case f.cols == 1: // no place: it becomes a blank
			f.forward()
			f.movePins(first, i, x+1)
			return 2
		case f.x == f.cols-1:
			f.row.put(f.x, spacerHead)
			f.forward()
			return 0
		}
	case spacerTail:
		if f.cols == 1 {
			return 1
		}
	case spacerHead:
		return 1
	}
	if c != 0 || f.personality.EraseKeepsLength {
		f.row.put(f.x, c)
	}
	f.forward()
	return 1
}

func (f *reflower) forward() {
	if f.x == f.cols-1 {
		f.pending = true
	} else {
		f.x++
	}
}

func (f *reflower) copyMark(src *row) {
	f.row.flags = f.row.flags&^promptMask | src.flags&promptMask
}
