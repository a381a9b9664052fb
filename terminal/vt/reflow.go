package vt

// rewrap joins soft-wrapped rows and wraps them anew at a new width, including the history
// (PageList.zig resizeCols). cursor is the cursor's pin; x and y are its position before the
// resize. cutsCursor is [Personality.ReflowCutsCursor].
func (s *screen) rewrap(cols int, cursor *pin, x, y int, cutsCursor bool) {
	if cols == s.cols {
		return
	}
	f := reflower{screen: s, cols: cols}
	if !cutsCursor {
		f.cursor = cursor
	} else if cursor = nil; x < cols && y < s.rows {
		cursor = s.pinAt(x, y)
		defer s.unpin(cursor)
	}
	// If the cursor was not on the last row, the rows below it shall stay below it: otherwise a
	// cleared screen would fill up with history.
	var rowsBelow, wraps int
	if cursor != nil {
		_, cursorRow, _ := s.gridPlace(cursor)
		rowsBelow = max(0, s.rows-y-1)
		wraps = s.continuations(cursorRow)
	}

	f.reflowAll()
	s.ring, s.cols, s.memoryCols, s.dropped = f.out, cols, cols, f.dropped
	for s.ring.count < s.rows {
		s.push()
	}
	if cursor == nil {
		return
	}
	_, cursorRow, ok := s.gridPlace(cursor)
	if !ok {
		return
	}
	need := rowsBelow - max(0, s.continuations(cursorRow)-wraps) - (s.rows - cursorRow - 1)
	for range need {
		s.push()
	}
}

// continuations returns how many rows of the grid, from the first one down to y, continue the row
// before them.
func (s *screen) continuations(y int) int {
	n := 0
	for ; y >= 0; y-- {
		if s.row(y).has(continuation) {
			n++
		}
	}
	return n
}

// reflower copies the rows of a screen into a new ring with another width.
type reflower struct {
	screen  *screen
	cols    int
	cursor  *pin // Blanks before the cursor count as text; nil: they do not.
	out     ring
	dropped int
	limit   int // The most rows of out.
	row     *row
	x       int

	pending bool // The last row is full: the next cell begins a new row, into which this one wraps.
	// The number of rows to begin before the next cell is written. At the end they are left out.
	rowsToBegin int
	moved       []bool
}

func (r *reflower) reflowAll() {
	s := r.screen
	sized := screen{cols: r.cols, historyLimit: s.historyLimit, widestCols: s.widestCols}
	sized.updateKeptRows()
	r.limit = sized.keptRows + s.rows
	r.out = ring{cols: r.cols, buf: make([]row, min(s.ring.count, r.limit)+1)}
	r.dropped = s.dropped
	r.moved = make([]bool, len(s.pins))
	r.newRow()
	for i := range s.ring.count {
		r.reflowRow(i)
	}
	for range r.rowsToBegin - 1 - s.rows { // as many blank rows as the grid has are no rows
		r.newRow()
	}
}

func (r *reflower) newRow() {
	pushed, dropped := r.out.push(r.limit)
	r.dropped += dropped
	r.row, r.x, r.pending = pushed, 0, false
}

// reflowRow copies row i of the old ring.
func (r *reflower) reflowRow(i int) {
	s := r.screen
	src := s.ring.at(i)
	n := s.cols
	if !src.has(wrapped) {
		n = src.length()
		if n == 0 && src.flags&promptMask != 0 {
			n = 1
		}
	}
	// A row with a pin on it is as long as the pin needs. Row 0 always has one in ghostty, that of
	// the viewport.
	if i == 0 {
		n = max(n, 1)
	}
	first, cursorEnd := len(s.pins), 0
	for k, p := range s.pins {
		if r.moved[k] || p.y-s.dropped != i {
			continue
		}
		first = min(first, k)
		if p == r.cursor {
			cursorEnd = p.x + 1
			continue
		}
		if p.x >= n {
			p.x = min(p.x, r.cols-1-r.x)
		}
		n = max(n, p.x+1)
	}
	n = max(n, cursorEnd)
	if n == 0 {
		if !src.has(continuation) { // such a row ends no line
			r.rowsToBegin++
		}
		return
	}
	for ; r.rowsToBegin > 0; r.rowsToBegin-- {
		r.newRow()
	}
	r.copyMark(src)
	for x := 0; x < n; {
		c := src.cells[x]
		if r.pending {
			r.row.set(wrapped, true)
			r.newRow()
			r.copyMark(src)
			r.row.set(continuation, true)
		}
		r.movePins(first, i, x)
		x += r.writeCell(c, first, i, x)
	}
	if !src.has(wrapped) {
		r.rowsToBegin++
	}
}

// movePins moves the pins on cell x of row i to the new place of that cell.
func (r *reflower) movePins(first, i, x int) {
	s := r.screen
	for k := first; k < len(s.pins); k++ {
		if p := s.pins[k]; !r.moved[k] && p.x == x && p.y-s.dropped == i {
			p.x, p.y = r.x, r.dropped+r.out.count-1
			r.moved[k] = true
		}
	}
}

// writeCell copies one cell, and returns how many cells of the old row it has used.
func (r *reflower) writeCell(c cell, first, i, x int) int {
	switch c.width() {
	case wide:
		switch {
		case r.cols == 1: // no place: it becomes a blank
			r.advance()
			r.movePins(first, i, x+1)
			return 2
		case r.x == r.cols-1:
			r.row.setCell(r.x, spacerHead)
			r.advance()
			return 0
		}
	case spacerTail:
		if r.cols == 1 {
			return 1
		}
	case spacerHead:
		return 1
	}
	if c != 0 {
		r.row.setCell(r.x, c)
	}
	r.advance()
	return 1
}

func (r *reflower) advance() {
	if r.x == r.cols-1 {
		r.pending = true
	} else {
		r.x++
	}
}

func (r *reflower) copyMark(src *row) {
	r.row.flags = r.row.flags&^promptMask | src.flags&promptMask
}
