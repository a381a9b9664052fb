package vt

// carriageReturn moves the cursor to the left margin, or to column 0 if it is left of that margin.
func (t *Terminal) carriageReturn() {
	c := &t.active.cursor
	t.stretchRow()
	c.pending = false
	if t.modes.has(modeOrigin) || c.x >= t.margins.left {
		c.x = t.margins.left
	} else {
		c.x = 0
	}
}

// linefeed implements LF.
func (t *Terminal) linefeed() {
	t.noteLineEnd(t.active.cursor.y)
	t.stretchRow()
	if t.config.Personality.RowsHaveLengths && t.active.cursor.y == t.margins.bottom {
		t.active.resetWrap() // a resize may have cut off what followed; what scrolls in follows nothing
	}
	t.indexDown()
	if t.config.Personality.Wraps.onNext() {
		t.active.endContinuation(t.active.cursor.y) // IND does not do it
	}
	if t.modes.has(modeLinefeed) {
		t.carriageReturn()
	}
}

// indexDown moves the cursor down by one row. At the bottom margin it scrolls instead (Terminal.zig
// index).
func (t *Terminal) indexDown() {
	s := t.active
	c := &s.cursor
	c.pending = false
	m := &t.margins
	switch {
	case c.y < m.top || c.y > m.bottom:
		if c.y < t.rows-1 {
			c.y++
		}
	case c.y == m.bottom && c.x >= m.left && c.x <= m.right:
		if len(s.images.placements) == 0 {
			t.scrollOne()
			break
		}
		placed := t.beginImageScroll(-1)
		t.scrollOne()
		t.endImageScroll(placed)
	case c.y < m.bottom:
		c.y++
	}
	if c.semantic != output {
		t.continuePrompt()
	}
}

// scrollOne scrolls the rows between the margins up by one. The cursor is in the last of them.
func (t *Terminal) scrollOne() {
	s := t.active
	c, m := &s.cursor, &t.margins
	fullWidth := m.left == 0 && m.right == t.cols-1
	switch {
	case m.top == 0 && fullWidth:
		if s == t.alt && t.config.Personality.AltScreen == LeakingAlt {
			t.leakRow(s.row(0))
		}
		s.scrollAbove()
	case fullWidth && t.config.Personality.RegionBelowPushes && s == t.primary:
		s.pushRow(m.top, m.bottom)
	case !fullWidth || c.style.Bg != 0:
		t.scrollRowsUp(1)
	default:
		s.eraseRows(m.top, m.bottom)
	}
	if t.config.Personality.Wraps == WrapOnLastCell {
		// ghostty's has the flags of the row that it replaces, if that is not kept
		s.row(c.y).set(wrapped|continuation, false)
	}
}

// continuePrompt marks a new row as part of a shell prompt (OSC 133) if it begins inside of a
// prompt whose continuation lines have no marks of their own.
func (t *Terminal) continuePrompt() {
	c := &t.active.cursor
	if c.clearEOL {
		c.semantic, c.clearEOL = output, false
		return
	}
	r := t.active.row(c.y)
	r.flags = r.flags&^promptMask | promptMore
}

func (t *Terminal) reverseIndex() {
	c := &t.active.cursor
	if c.y != t.margins.top || c.x < t.margins.left || c.x > t.margins.right {
		t.cursorUp(1)
		return
	}
	t.scrollDown(1)
}

func (t *Terminal) cursorUp(n int) {
	c := &t.active.cursor
	c.pending = false
	rowsAbove := c.y
	if c.y >= t.margins.top {
		rowsAbove -= t.margins.top
	}
	c.y -= min(rowsAbove, max(n, 1))
}

func (t *Terminal) cursorDown(n int) {
	c := &t.active.cursor
	c.pending = false
	rowsBelow := t.rows - 1 - c.y
	if c.y <= t.margins.bottom {
		rowsBelow = t.margins.bottom - c.y
	}
	c.y += min(rowsBelow, max(n, 1))
}

func (t *Terminal) cursorRight(n int) {
	c := &t.active.cursor
	c.pending = false
	colsRight := t.cols - 1 - c.x
	if c.x <= t.margins.right {
		colsRight = t.margins.right - c.x
	}
	c.x += min(colsRight, max(n, 1))
}

// cursorLeft implements CUB and BS. With modes 45 and 1045 the cursor goes on at the end of the row
// above: with 45 only if that row is soft-wrapped, with 1045 always, and from the first row to the
// last (Terminal.zig cursorLeft).
func (t *Terminal) cursorLeft(n int) {
	c := &t.active.cursor
	n = max(n, 1)
	extended := t.modes.has(modeReverseWrapExtended)
	if !t.modes.has(modeWrap) || !extended && !t.modes.has(modeReverseWrap) {
		c.x -= min(n, c.x)
		c.pending = false
		return
	}
	if c.pending {
		n--
		c.pending = false
	}
	m := &t.margins
	left := m.left
	if c.x < left {
		left = 0
	}
	if c.x == left && !extended && c.y <= m.top {
		c.x, c.y = left, m.top
		return
	}
	// Going round the whole region leads back to the same place.
	if extended {
		if regionCells := (m.right - left + 1) * (m.bottom - m.top + 1); c.y >= m.top && c.y <= m.bottom &&
			n > regionCells {
			n = n%regionCells + regionCells
		}
	}
	for {
		step := min(c.x-left, n)
		n -= step
		c.x -= step
		if n == 0 {
			return
		}
		if c.y == m.top {
			if !extended {
				return
			}
			c.x, c.y = m.right, m.bottom
			n--
			continue
		}
		if c.y == 0 || !extended && !t.active.row(c.y-1).has(wrapped) {
			return
		}
		c.x = m.right
		c.y--
		n--
	}
}

// moveTo implements CUP. Row and column count from 1, from the margins in origin mode.
func (t *Terminal) moveTo(row, col int) {
	c := &t.active.cursor
	c.pending = false
	row, col = max(row, 1), max(col, 1)
	x1, y1 := t.cols, t.rows
	if t.modes.has(modeOrigin) {
		row += t.margins.top
		col += t.margins.left
		x1, y1 = t.margins.right+1, t.margins.bottom+1
	}
	c.x, c.y = min(x1, col)-1, min(y1, row)-1
}

// setRows implements DECSTBM.
func (t *Terminal) setRows(top, bottom int) {
	top = max(top, 1)
	if bottom == 0 || bottom > t.rows {
		bottom = t.rows
	}
	if top >= bottom {
		return
	}
	t.margins.top, t.margins.bottom = top-1, bottom-1
	t.moveTo(1, 1)
}

// setColumns implements DECSLRM.
func (t *Terminal) setColumns(left, right int) {
	if !t.modes.has(modeMargins) {
		return
	}
	left = max(left, 1)
	if right == 0 || right > t.cols {
		right = t.cols
	}
	if left >= right {
		return
	}
	t.margins.left, t.margins.right = left-1, right-1
	t.moveTo(1, 1)
}

func (t *Terminal) saveCursor() {
	c := &t.active.cursor
	if t.active.saved == nil {
		t.active.saved = new(savedCursor)
	}
	*t.active.saved = savedCursor{
		x: c.x, y: c.y, style: c.style, protected: c.protected, pending: c.pending, origin: t.modes.has(modeOrigin),
		charset: t.active.charset,
	}
}

// restoreCursor implements DECRC. If no cursor was saved it moves the cursor home and resets
// everything that DECSC saves.
func (t *Terminal) restoreCursor() {
	saved := savedCursor{}
	if t.active.saved != nil {
		saved = *t.active.saved
	}
	c := &t.active.cursor
	t.setStyle(saved.style)
	t.active.charset = saved.charset
	t.modes.set(modeOrigin, saved.origin)
	c.pending, c.protected = saved.pending, saved.protected
	c.x, c.y = min(saved.x, t.cols-1), min(saved.y, t.rows-1)
}

func (t *Terminal) setStyle(st Style) {
	t.active.cursor.style = st
	t.active.cursor.penKnown = false
}

func (t *Terminal) setProtection(p protection) {
	t.active.cursor.protected = p != unprotected
	if p != unprotected {
		t.active.protected = p
	}
}
