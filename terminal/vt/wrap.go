package vt

// WrapMark says where a terminal has the mark that a row is soft-wrapped, and so what removes it.
type WrapMark uint8

const (
	WrapOnRow WrapMark = iota // on the row that continues in the next: an EL 0 there removes it
	// The same, but the mark moves with the row, and IL and DL end the wraps into the rows that
	// they move.
	WrapMoves
	// in the last column of that row, so that a character that is written there removes it, too
	WrapOnLastCell
	// On that row, until a character is written anywhere in it, or a line feed comes in it. No
	// erasure ends it.
	WrapUntilPrinted
	WrapUntilClear // there, until all of it is erased, or all of the next row if that shows something
	// On that row, whatever is erased in it, until it is deleted or an ED 0 above removes it.
	WrapStays
	// on the row that continues it, with which it moves: an EL 0 from column 1 or a line feed onto
	// it removes it
	WrapOnNext
	// there, too: a line feed onto it, an ED 0 above it, or an IL or DL beside it removes it
	WrapOnNextFeed
)

// onNext reports whether the mark is on the row that continues the other.
func (m WrapMark) onNext() bool { return m >= WrapOnNext }

// onCells reports whether the mark moves with the wrapped row.
func (m WrapMark) onCells() bool {
	return m == WrapMoves || m == WrapStays || m == WrapOnLastCell || m == WrapUntilPrinted
}

// Stays reports whether no erasure in a row ends its wrap.
func (m WrapMark) Stays() bool { return m == WrapStays || m == WrapUntilPrinted }

// endContinuation notes that row y continues no row.
func (s *screen) endContinuation(y int) {
	s.row(y).set(continuation, false)
	if y+s.historyRows() > 0 {
		s.row(y-1).set(wrapped, false)
	}
}

// noteErased notes that row y was erased from column x on.
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

// noteShifted notes that IL or DL have moved rows of the grid from y on, with their marks; n of the
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

// noteEdgeWritten notes that a character was written to the last column of the cursor's row.
func (t *Terminal) noteEdgeWritten() {
	if s := t.active; t.config.Personality.Wraps == WrapOnLastCell && s.row(s.cursor.y).has(wrapped) {
		s.resetWrap()
	}
}

// noteLineEnd notes that a character was written in row y of the grid, or that a line feed came
// there.
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

// stretchRow makes the cursor's row as long as the cursor is to the right, see
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
