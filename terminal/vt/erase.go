package vt

// eraseLine implements EL and DECSEL: part is 0 for the right part, 1 for the left, 2 for all. With
// protected it leaves protected cells as they are.
func (t *Terminal) eraseLine(part int, protected bool) {
	s := t.active
	c := &s.cursor
	r := s.row(c.y)
	x0, x1 := 0, t.cols
	switch part {
	case 0:
		x0 = c.x
		if x0 > 0 && r.cells[x0].width() == spacerTail {
			x0--
		}
		t.noteErased(x0, c.y)
	case 1:
		x1 = c.x + 1
		if r.cells[c.x].width() == wide {
			x1++
		}
	case 2: // behind the pinned core, see the package documentation
		t.noteErased(0, c.y)
	}
	c.pending = false
	used := r.used
	s.fillCells(r, x0, x1, c.style.blank(), protected || s.protected == isoProtection)
	if x0 > 0 || x1 < t.cols {
		t.keepRowLength(r, used)
	}
}

// keepRowLength keeps the length of row r after an erasure, see [Personality.EraseKeepsLength].
func (t *Terminal) keepRowLength(r *row, used int) {
	if t.config.Personality.EraseKeepsLength {
		r.used = max(r.used, used)
	}
}

// eraseDisplay implements ED and DECSED. Part 22 moves the screen into the scrollback first.
func (t *Terminal) eraseDisplay(part int, protected bool) {
	s := t.active
	keep := protected || s.protected == isoProtection
	switch part {
	case 0:
		t.archiveAtHome()
		t.eraseLine(0, protected)
		if s.cursor.y+1 < t.rows && !t.config.Personality.Wraps.Stays() {
			s.resetWrap() // where an EL does not, the rows below do
		}
		last := s.row(t.rows-1).flags & lineEnded // which is cleared as the cursor's row is
		s.clearRows(s.cursor.y+1, t.rows-1, keep)
		s.row(t.rows - 1).flags |= last
		s.erasedRows = t.rows
	case 1:
		t.eraseLine(1, protected)
		s.clearRows(0, s.cursor.y-1, keep)
	case 2:
		t.eraseAll(keep)
	case 3:
		t.eraseScrollback()
	case 22:
		if t.config.Personality.Erase22Ignored {
			return
		}
		s.scrollClear()
		s.cursor.pending = false
		t.clearImages()
	}
}

// eraseAll implements ED 2. On the primary screen, if a shell is at its prompt, the screen is kept
// in the scrollback (Terminal.zig eraseDisplay).
func (t *Terminal) eraseAll(keep bool) {
	s := t.active
	if s == t.primary {
		switch archived := t.config.Personality.EraseAll; archived {
		case ArchiveDefault:
			if t.atPrompt() {
				s.scrollClear()
			}
		case ArchiveUsed, ArchiveScreen:
			t.archiveScreen(archived)
		}
	}
	s.clearRows(0, t.rows-1, keep)
	s.cursor.pending = false
	t.clearImages()
}

// atPrompt reports whether the last row of the grid belongs to a prompt.
func (t *Terminal) atPrompt() bool {
	return t.active.row(t.rows-1).flags&(promptFirst|promptMore) != 0
}

// eraseChars implements ECH.
func (t *Terminal) eraseChars(n int) {
	s := t.active
	c := &s.cursor
	colsRight := t.cols - c.x
	n = min(colsRight, max(n, 1))
	r := s.row(c.y)
	if n != colsRight && r.cells[c.x+n-1].width() == wide {
		n++
	}
	s.splitWide(c.x)
	s.splitWide(c.x + n)
	if !t.config.Personality.Wraps.Stays() {
		s.resetWrap()
	}
	used := r.used
	s.fillCells(r, c.x, c.x+n, c.style.blank(), s.protected == isoProtection)
	t.keepRowLength(r, used)
}

// insertBlanks implements ICH: cells move to the right, and those beyond the right margin are lost.
func (t *Terminal) insertBlanks(n int) {
	s := t.active
	c := &s.cursor
	c.pending = false
	if n == 0 || c.x < t.margins.left || c.x > t.margins.right {
		return
	}
	r := s.row(c.y)
	b := c.style.blank()
	if c.x > 0 && r.cells[c.x].width() == spacerTail {
		r.fill(c.x-1, c.x+1, b)
	}
	colsRight := t.margins.right - c.x + 1
	if r.cells[t.margins.right].width() == wide {
		r.fill(t.margins.right, t.margins.right+2, b)
	}
	n = min(n, colsRight)
	if moved := colsRight - n; moved > 0 {
		if last := c.x + moved - 1; r.cells[last].width() == wide {
			r.fill(last, last+2, b)
		}
		copy(r.cells[c.x+n:c.x+colsRight], r.cells[c.x:c.x+moved])
		if r.used > c.x {
			r.used = max(r.used, min(r.used+n, c.x+colsRight))
		}
	}
	r.fill(c.x, c.x+n, b)
}

// deleteChars implements DCH: cells move to the left, and blanks appear at the right margin.
func (t *Terminal) deleteChars(n int) {
	s := t.active
	c := &s.cursor
	if n == 0 || c.x < t.margins.left || c.x > t.margins.right {
		return
	}
	r := s.row(c.y)
	colsRight := t.margins.right - c.x + 1
	n = min(n, colsRight)
	s.splitWide(c.x)
	s.splitWide(c.x + n)
	s.splitWide(t.margins.right + 1)
	moved := colsRight - n
	copy(r.cells[c.x:c.x+moved], r.cells[c.x+n:c.x+colsRight])
	r.fill(c.x+moved, c.x+colsRight, c.style.blank())
	if !t.config.Personality.Wraps.Stays() {
		s.resetWrap()
	}
}

// alignmentTest implements DECALN: it fills the screen with E in the cursor's colours.
func (t *Terminal) alignmentTest() {
	s := t.active
	st := s.cursor.style
	t.setStyle(Style{Fg: st.Fg, Bg: st.Bg})
	t.resetMargins()
	t.modes.set(modeOrigin, false)
	t.moveTo(1, 1)
	s.clearRows(0, t.rows-1, false)
	e := cell(t.pens.intern(&pen{Style: s.cursor.style}))<<penShift | 'E'
	for y := range t.rows {
		s.row(y).fill(0, t.cols, e)
	}
}
