package vt

// WrapMark is where a terminal keeps that a row is soft-wrapped, and so what ends that.
type WrapMark uint8

const (
	WrapOnRow WrapMark = iota // on the row that goes on: an EL 0 there takes it away
	// The same, but the mark moves with the row, and IL and DL end the wraps into the rows that
	// they move.
	WrapMoves
	WrapOnLastCell // there, in its last column, so that a character that is written there takes it away, too
	// There, until a character is written anywhere in it, or a line feed comes in it; nothing that
	// is erased ends it.
	WrapUntilPrinted
	WrapUntilClear // there, too, until all of it is erased, or of the next row if that shows something
	WrapStays      // there, with the row, whatever is erased in it, until it is deleted or an ED 0 above takes it away
	WrapOnNext     // on the row that continues, with which it moves: an EL 0 from column 1, a line feed onto it
	WrapOnNextFeed // there, too: a line feed onto it, an ED 0 above it, an IL or DL beside it
)

// onNext reports whether the row that continues has the mark.
func (m WrapMark) onNext() bool { return m >= WrapOnNext }

// onCells reports whether the mark moves with the row that goes on.
func (m WrapMark) onCells() bool {
	return m == WrapMoves || m == WrapStays || m == WrapOnLastCell || m == WrapUntilPrinted
}

// Stays reports whether nothing that is erased in a row ends its wrap.
func (m WrapMark) Stays() bool { return m == WrapStays || m == WrapUntilPrinted }

// part says that row y continues nothing.
func (s *screen) part(y int) {
	s.row(y).set(continuation, false)
	if y+s.history() > 0 {
		s.row(y-1).set(wrapped, false)
	}
}

// erased says that row y was erased from column x on.
func (t *Terminal) erased(x, y int) {
	s := t.s
	mark := t.cfg.Personality.Wraps
	s.cursor.pending = false
	if mark <= WrapOnLastCell || mark == WrapUntilClear && x == 0 {
		s.resetWrap()
	}
	if mark == WrapOnNext && x == 0 || mark == WrapUntilClear && x == 0 && s.row(y).used > 0 {
		s.part(y)
	}
}

// shifted says that rows of the grid from y on were moved by IL or DL, and their marks with them; n
// are new ones.
func (s *screen) shifted(y, bottom, n int, up bool, mark WrapMark) {
	if mark.onCells() {
		if mark == WrapMoves {
			s.row(bottom).set(wrapped, false)
			if y > 0 {
				s.row(y-1).set(wrapped, false)
			}
		}
		for i := y; i < s.rows; i++ {
			s.row(i).set(continuation, i+s.history() > 0 && s.row(i-1).is(wrapped))
		}
		return
	}
	if !mark.onNext() {
		return
	}
	fresh, moved := y, y+n
	if up {
		fresh, moved = bottom-n+1, y
	}
	for i := range n {
		s.row(fresh+i).set(continuation, false)
	}
	if mark == WrapOnNextFeed && moved < s.rows {
		s.row(moved).set(continuation, false)
	}
	for i := max(y-1, -s.history()); i <= bottom; i++ {
		s.row(i).set(wrapped, i+1 < s.rows && s.row(i+1).is(continuation))
	}
}

// edgeWritten says that a character was written to the last column of the cursor's row.
func (t *Terminal) edgeWritten() {
	if s := t.s; t.cfg.Personality.Wraps == WrapOnLastCell && s.row(s.cursor.y).is(wrapped) {
		s.resetWrap()
	}
}

// ends says that a character was written in row y of the grid, or a line feed came there.
func (t *Terminal) ends(y int) {
	if t.cfg.Personality.Wraps == WrapUntilPrinted {
		t.endLine(y)
	}
}

func (t *Terminal) endLine(y int) {
	r := t.s.row(y)
	if r.is(wrapped) && y+1 < t.rows {
		t.s.row(y+1).set(continuation, false)
	}
	r.flags = r.flags&^wrapped | ended
}

// stretch makes the cursor's row as long as the cursor is to the right, see
// [Personality.RowsHaveLengths].
func (t *Terminal) stretch() {
	c := &t.s.cursor
	if !t.cfg.Personality.RowsHaveLengths || c.x == 0 {
		return
	}
	if r := t.s.row(c.y); r.used < c.x {
		r.put(c.x-1, ' ')
	}
}
