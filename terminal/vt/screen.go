package vt

// screen is one of the two screens of a terminal, with its own rows, cursor, saved cursor,
// character sets, keyboard flags and images.
type screen struct {
	ring         ring
	cols, rows   int
	memoryCols   int // The number of columns for which the rows have memory, see resizeColumns.
	erasedRows   int // The number of rows at the top of the grid that an ED 0 has reached, see [Grid].
	historyLimit int // The most rows of history that are shown.
	widestCols   int // The largest number of columns that rows of the history have had.
	keptRows     int // The most rows of history in memory, see updateKeptRows.
	// The screen has no scrollback: a row that scrolls out of it is lost. Only scrolling a region,
	// or ED 22, moves rows into a hidden history, which lasts until the next resize.
	noHistory bool
	dropped   int // The number of rows that were ever dropped from the front of the ring. Pins count from there.
	// The number of rows up to the last one that an erasure has moved into the history, including
	// dropped rows: see [Grid].
	archivedRows int

	cursor    cursor
	saved     *savedCursor
	protected protection // The kind of protection that was requested last. It is never switched off again.
	charset   charset
	keyboard  keyboard
	images    images
	pins      []*pin
}

type cursor struct {
	x, y      int
	pending   bool // The last column was written: the next character wraps first.
	protected bool
	style     Style
	link      uint32
	pen       uint32 // The index of the cursor's style and link in pens, if penKnown is set.
	penKnown  bool
	shape     Shape
	semantic  semantic
	clearEOL  bool // The user's input ends with the line (OSC 133;I).
}

type savedCursor struct {
	x, y      int
	style     Style
	protected bool
	pending   bool
	origin    bool
	charset   charset
}

type protection uint8

const (
	unprotected protection = iota
	isoProtection
	decProtection
)

// semantic is the kind of text that is being printed: prompt, input or output (OSC 133).
type semantic uint8

const (
	output semantic = iota
	input
	prompt
)

// pin is a position that moves with its row. y counts from the first row that the screen ever had.
type pin struct{ x, y int }

func newScreen(cols, rows, limit int) *screen {
	s := &screen{ring: newRing(cols, rows), cols: cols, rows: rows, memoryCols: cols, historyLimit: limit,
		noHistory: limit == 0}
	s.updateKeptRows()
	return s
}

// reset resets the screen to the state of a new one. It keeps the rows of the history if
// keepHistory is set.
func (s *screen) reset(keepHistory bool) {
	initial := screen{ring: s.ring, cols: s.cols, rows: s.rows, memoryCols: s.memoryCols,
		historyLimit: s.historyLimit, noHistory: s.noHistory}
	switch {
	case keepHistory:
		initial.dropped, initial.widestCols = s.dropped, s.widestCols
		initial.clearRows(0, s.rows-1, false)
	case s.memoryCols != s.cols:
		initial.ring, initial.memoryCols = newRing(s.cols, s.rows), s.cols
	default:
		initial.ring.reset(s.rows)
	}
	initial.updateKeptRows()
	*s = initial
}

// updateKeptRows computes how many rows of history are kept. The limit is for rows of the largest
// width so far, so that a narrower window, which needs more rows for the same text, loses none of
// it. Like ghostty, which frees its memory page by page, it keeps up to a page more. That shows
// when rows join into fewer.
func (s *screen) updateKeptRows() {
	s.widestCols = max(s.widestCols, s.cols)
	s.keptRows = s.historyLimit*s.widestCols/s.cols + s.pageRows()
}

// historyRows returns the number of rows above the grid.
func (s *screen) historyRows() int { return s.ring.count - s.rows }

// row returns row y of the grid.
func (s *screen) row(y int) *row { return s.ring.at(s.ring.count - s.rows + y) }

// top returns the index of the grid's first row in the ring.
func (s *screen) top() int { return s.ring.count - s.rows }

// push appends a blank row to the ring, so that the grid's first row moves into the history.
func (s *screen) push() *row {
	r, dropped := s.ring.push(s.keptRows + s.rows)
	s.dropped += dropped
	return r
}

// trimHistory drops the oldest rows of the history beyond the limit.
func (s *screen) trimHistory() {
	if n := s.historyRows() - s.keptRows; n > 0 {
		s.ring.dropFront(n)
		s.dropped += n
	}
}

// clearHistory drops the rows above the grid. ghostty exchanges them with the rows of the grid and
// cuts them off the end of the page. It erases their cells but not their flags, and uses them again
// for the next rows, which may therefore be soft-wrapped (PageList.zig eraseRows, grow). Whole
// pages are freed without that effect.
func (s *screen) clearHistory() {
	s.widestCols = s.cols
	s.updateKeptRows()
	n := s.historyRows()
	s.dropped += n
	for _, p := range s.pins { // not lost with their rows, it seems by oversight
		if p.y < s.dropped {
			p.x, p.y = 0, s.dropped
		}
	}
	pages := n / s.pageRows() * s.pageRows()
	s.ring.dropFront(pages)
	n -= pages
	if n == 0 {
		return
	}
	for i := range s.rows {
		s.ring.swap(i, i+n)
	}
	for range n {
		r := s.ring.at(s.ring.count - 1)
		r.fill(0, s.cols, 0)
		r.flags = r.flags&^hiddenEnd | reusedRow
		s.ring.pop()
	}
}

// pageRows returns about the number of rows in one page of ghostty's memory: 215 rows of 215
// columns (page.zig std_capacity), or as many as fit there.
func (s *screen) pageRows() int { return 215 * 216 / (s.cols + 1) }

// fillCells sets cells of grid row y to b. If protected is set it leaves protected cells as they
// are.
func (s *screen) fillCells(r *row, x0, x1 int, b cell, protected bool) {
	if protected {
		r.fillUnprotected(x0, x1, b)
	} else {
		r.fill(x0, x1, b)
	}
}

// clearRows erases the grid rows y0 to y1, including both, and their flags.
func (s *screen) clearRows(y0, y1 int, protected bool) {
	b := s.cursor.style.blank()
	for y := y0; y <= y1; y++ {
		r := s.row(y)
		s.fillCells(r, 0, s.cols, b, protected)
		if !protected {
			r.flags = 0
		}
	}
}

// resetWrap ends the soft wrap of the cursor's row and its pending wrap (Screen.zig
// cursorResetWrap).
func (s *screen) resetWrap() {
	s.cursor.pending = false
	r := s.row(s.cursor.y)
	if !r.has(wrapped) {
		return
	}
	r.set(wrapped, false)
	if s.cursor.y+1 < s.rows {
		s.row(s.cursor.y+1).set(continuation, false)
	}
	if r.cells[s.cols-1].width() == spacerHead {
		r.fill(s.cols-1, s.cols, s.cursor.style.blank())
	}
}

// splitWide erases the wide character whose halves are in columns x-1 and x of the cursor's row,
// and the blank that it has left at the end of the row above (Screen.zig splitCellBoundary).
func (s *screen) splitWide(x int) {
	r := s.row(s.cursor.y)
	if !r.has(complexCells) && !r.has(continuation) {
		return
	}
	b := s.cursor.style.blank()
	if x == s.cols {
		if r.has(wrapped) && r.cells[x-1].width() == spacerHead {
			r.fill(x-1, x, b)
		}
		return
	}
	if x <= 1 && r.has(continuation) && r.cells[0].width() == wide {
		if i := s.top() + s.cursor.y - 1; i >= 0 {
			if prev := s.ring.at(i); prev.cells[s.cols-1].width() == spacerHead {
				prev.fill(s.cols-1, s.cols, b)
			}
		}
	}
	if x > 0 && r.cells[x-1].width() == wide {
		r.fill(x-1, x+1, b)
	}
}

// scrollAbove moves the rows from the first one down to the cursor's up by one. The first row moves
// into the history (Screen.zig cursorScrollAbove).
func (s *screen) scrollAbove() {
	y := s.cursor.y
	b := s.cursor.style.blank()
	if y == s.rows-1 && s.noHistory {
		if s.rows > 1 {
			s.eraseRow()
		} else {
			s.row(0).fill(0, s.cols, 0)
		}
	} else {
		s.push()
		if y < s.rows-1 {
			s.ring.rotateDown(s.top()+y, s.ring.count-1)
		}
	}
	if b != 0 {
		s.row(y).fill(0, s.cols, b)
	}
}

// pushRow moves grid row y to the end of the history. The rows below it, down to row bottom, move
// up.
func (s *screen) pushRow(y, bottom int) {
	s.push() // the grid is one row further down in the ring now, and its old first row is the last of the history
	top := s.top()
	s.ring.rotateDown(top-1, top-1+y)
	s.ring.rotateDown(top+bottom, s.ring.count-1)
	if b := s.cursor.style.blank(); b != 0 {
		s.row(bottom).fill(0, s.cols, b)
	}
}

// eraseRow removes the first row of the grid, and the others move up. The new last row is blank but
// has the flags of the removed one (PageList.zig eraseRow).
func (s *screen) eraseRow() {
	s.rotateUp(0, s.rows-1)
	for _, p := range s.pins { // one on the row that is lost stays on the first
		if p.y > s.dropped+s.top() {
			p.y--
		}
	}
}

// eraseRows does what eraseRow does, between two rows of the grid (PageList.zig eraseRowBounded).
func (s *screen) eraseRows(y0, y1 int) {
	s.rotateUp(y0, y1)
	top := s.dropped + s.top()
	for _, p := range s.pins {
		switch {
		case p.y < top+y0 || p.y > top+y1:
		case p.y == s.dropped:
			p.x = 0
		default:
			p.y--
		}
	}
}

// rotateUp removes grid row y0, moves the rows below it down to y1 up, and makes y1 a blank row
// with the flags of the removed one.
func (s *screen) rotateUp(y0, y1 int) {
	top := s.top()
	flags := s.row(y0).flags &^ complexCells
	s.ring.rotateUp(top+y0, top+y1)
	r := s.row(y1)
	r.fill(0, s.cols, 0)
	r.flags = flags
}

// loseYoungest removes the newest n rows of the history, or all if there are fewer.
func (s *screen) loseYoungest(n int) {
	for range min(n, s.historyRows()) {
		top := s.top()
		for _, p := range s.pins { // those on the grid stay on their rows of it
			if p.y >= s.dropped+top {
				p.y--
			}
		}
		s.ring.rotateUp(top-1, s.ring.count-1)
		s.ring.pop()
	}
}

// scrollClear moves all rows down to the last one with text or colour into the history.
func (s *screen) scrollClear() {
	n := 0
	for y := s.rows - 1; y >= 0; y-- {
		if !s.row(y).isBlank() {
			n = y + 1
			break
		}
	}
	for range n {
		s.push()
	}
	// The cursor stays on its row; when that left the grid it goes to the top.
	if s.cursor.y -= n; s.cursor.y < 0 {
		s.cursor.x, s.cursor.y = 0, 0
	}
}
