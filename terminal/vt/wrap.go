package vt

// WrapMark says where a terminal stores that a row is soft-wrapped, and so what ends a soft wrap.
type WrapMark uint8

const (
	WrapOnRow WrapMark = iota // In the row that wraps into the next one: an EL 0 there removes it.
	// As WrapOnRow, but the mark moves with the row, and IL and DL remove the marks of rows beside
	// those that they move.
	WrapMoves
	// In the last cell of the row that wraps. A character that is written there removes it, too.
	WrapOnLastCell
	// In the row that wraps, until a character is written anywhere in it, or a line feed comes in
	// it. No erasure removes it.
	WrapUntilPrinted
	// In the row that wraps, until all of it is erased, or all of the next row if that shows
	// something.
	WrapUntilClear
	// In the row that wraps, whatever is erased there, until the row is deleted or an ED 0 above
	// removes it.
	WrapStays
	// In the row that continues the line, with which it moves. An EL 0 from column 1, or a line
	// feed into that row, removes it.
	WrapOnNext
	// In the row that continues the line. A line feed into it, an ED 0 above it, or an IL or DL
	// beside it removes it.
	WrapOnNextFeed
)

// onNext reports whether the mark is in the row that continues the line.
func (m WrapMark) onNext() bool { return m >= WrapOnNext }

// onCells reports whether the mark moves with the row that wraps.
func (m WrapMark) onCells() bool {
	return m == WrapMoves || m == WrapStays || m == WrapOnLastCell || m == WrapUntilPrinted
}

// Stays reports whether no erasure within a row ends its soft wrap.
func (m WrapMark) Stays() bool { return m == WrapStays || m == WrapUntilPrinted }

// endContinuation records that row y does not continue the row above.
func (s *screen) endContinuation(y int) {
	s.row(y).set(continuation, false)
	if y+s.historyRows() > 0 {
		s.row(y-1).set(wrapped, false)
	}
}

// noteErased updates the soft wraps after row y was erased from column x on.
func (t *Terminal) noteErased(x, y int) {
	s := t.active
	mark := t.config.Personality.Wraps
	s.cursor.pending = false
	if mark <= WrapOnLastCell || mark == WrapUntilClear && x == 0 {
		s.resetWrap()
	}
	if mark == WrapOnNext && x == 0 || mark == WrapUntilClear && x == 0 && s.row(y).used > 0 {
		s.endContinuation(y)
	}
}

// noteShifted updates the soft wraps after IL or DL has moved the grid rows from y on. n of these
// rows are new.
func (s *screen) noteShifted(y, bottom, n int, up bool, mark WrapMark) {
	if mark.onCells() {
		if mark == WrapMoves {
			s.row(bottom).set(wrapped, false)
			if y > 0 {
				s.row(y-1).set(wrapped, false)
			}
		}
		for i := y; i < s.rows; i++ {
			s.row(i).set(continuation, i+s.historyRows() > 0 && s.row(i-1).has(wrapped))
		}
		return
	}
	if !mark.onNext() {
		return
	}
	firstNew, moved := y, y+n
	if up {
		firstNew, moved = bottom-n+1, y
	}
	for i := range n {
		s.row(firstNew+i).set(continuation, false)
	}
	if mark == WrapOnNextFeed && moved < s.rows {
		s.row(moved).set(continuation, false)
	}
	for i := max(y-1, -s.historyRows()); i <= bottom; i++ {
		s.row(i).set(wrapped, i+1 < s.rows && s.row(i+1).has(continuation))
	}
}

// noteEdgeWritten updates the soft wraps after a character was written into the last column of the
// cursor's row.
func (t *Terminal) noteEdgeWritten() {
	if s := t.active; t.config.Personality.Wraps == WrapOnLastCell && s.row(s.cursor.y).has(wrapped) {
		s.resetWrap()
	}
}

// noteLineEnd updates the soft wraps after a character was written into grid row y, or a line feed
// has come there.
func (t *Terminal) noteLineEnd(y int) {
	if t.config.Personality.Wraps == WrapUntilPrinted {
		t.markLineEnd(y)
	}
}

func (t *Terminal) markLineEnd(y int) {
	r := t.active.row(y)
	if r.has(wrapped) && y+1 < t.rows {
		t.active.row(y+1).set(continuation, false)
	}
	r.flags = r.flags&^wrapped | lineEnded
}

// stretchRow makes the cursor's row as long as the cursor's column, see
// [Personality.RowsHaveLengths].
func (t *Terminal) stretchRow() {
	c := &t.active.cursor
	if !t.config.Personality.RowsHaveLengths || c.x == 0 {
		return
	}
	if r := t.active.row(c.y); r.used < c.x {
		r.setCell(c.x-1, ' ')
	}
}
