package vt

// scrollUp implements SU (Terminal.zig scrollUp).
func (t *Terminal) scrollUp(n int) {
	placed := t.beginImageScroll(-min(n, t.margins.bottom-t.margins.top+1))
	t.scrollRowsUp(n)
	t.endImageScroll(placed)
}

// scrollRowsUp moves the rows between the margins up. If the region is as wide as the screen and
// begins at its top, the rows go into the scrollback.
func (t *Terminal) scrollRowsUp(n int) {
	s := t.active
	saved := s.cursor
	m := &t.margins
	if m.top == 0 && m.left == 0 && m.right == t.cols-1 && !t.config.Personality.ScrollUpDrops {
		s.cursor.y = m.bottom
		for range min(n, m.bottom+1) {
			s.scrollAbove()
		}
	} else {
		s.cursor.x, s.cursor.y = m.left, m.top
		t.deleteLines(n)
	}
	s.cursor.x, s.cursor.y, s.cursor.pending = saved.x, saved.y, saved.pending
}

// scrollDown implements SD.
func (t *Terminal) scrollDown(n int) {
	c := &t.active.cursor
	x, y, pending := c.x, c.y, c.pending
	c.x, c.y = t.margins.left, t.margins.top
	placed := t.beginImageScroll(min(n, t.margins.bottom-t.margins.top+1))
	t.insertLines(n)
	t.endImageScroll(placed)
	c.x, c.y, c.pending = x, y, pending
}

// insertLines implements IL.
func (t *Terminal) insertLines(n int) {
	c, m := &t.active.cursor, &t.margins
	if t.config.Personality.InsertTakes && t.active == t.primary && c.y >= m.top && c.y <= m.bottom {
		t.active.loseYoungest(min(n, m.bottom-c.y+1))
	}
	t.shiftLines(n, false)
}

// deleteLines implements DL.
func (t *Terminal) deleteLines(n int) { t.shiftLines(n, true) }

// deleteLinesSequence executes the sequence DL. In some terminals the deleted rows go into the
// scrollback.
func (t *Terminal) deleteLinesSequence(n int) {
	s := t.active
	c := &s.cursor
	m := &t.margins
	where := t.config.Personality.DeleteLinesPushes
	inside := c.y >= m.top && c.y <= m.bottom && m.left == 0 && m.right == t.cols-1
	if !inside || s != t.primary || where == Nowhere || where == AtTop && c.y > 0 {
		t.deleteLines(n)
		return
	}
	for range min(n, m.bottom-c.y+1) {
		s.pushRow(c.y, m.bottom)
	}
	c.x, c.pending = 0, false
}

// shiftLines moves the rows from the cursor to the bottom margin up or down by n rows, and adds
// blank ones. The order of its steps is that of Terminal.zig insertLines and deleteLines, because
// the flags of the rows depend on it.
func (t *Terminal) shiftLines(n int, up bool) {
	s := t.active
	c := &s.cursor
	m := &t.margins
	if n == 0 || c.y < m.top || c.y > m.bottom || c.x < m.left || c.x > m.right {
		return
	}
	fullWidth := m.left == 0 && m.right == t.cols-1
	mark := t.config.Personality.Wraps
	wrapFlags := wrapped | continuation
	switch {
	case mark.onCells():
		wrapFlags = 0
	case mark.onNext():
		wrapFlags = wrapped
	}
	b := c.style.blank()
	count := m.bottom - c.y + 1
	n = min(n, count)
	for i := range count {
		y, from := c.y+i, c.y+i+n
		if !up {
			y = m.bottom - i
			from = y - n
		}
		dst := s.row(y)
		t.beforeShift(dst)
		if i >= count-n {
			dst.fill(m.left, m.right+1, b)
			if mark.onCells() && fullWidth {
				dst.flags &^= wrapped | continuation | lineEnded
			}
			if t.config.Personality.PromptsByRow && fullWidth {
				dst.flags &^= promptMask
			}
			continue
		}
		src := s.row(from)
		t.beforeShift(src)
		if fullWidth {
			src.flags &^= wrapFlags
			dst.flags &^= wrapFlags
			*src, *dst = *dst, *src
			continue
		}
		copy(dst.cells[m.left:m.right+1], src.cells[m.left:m.right+1])
		dst.used = max(dst.used, min(src.used, m.right+1))
		dst.flags |= src.flags & complexCells
		src.fill(m.left, m.right+1, 0)
	}
	s.noteShifted(c.y, m.bottom, n, up, mark)
	c.x = m.left
	c.pending = false
}

// beforeShift erases wide characters that the moving region would cut, and the blanks that wide
// characters in it have left.
func (t *Terminal) beforeShift(r *row) {
	if !r.has(complexCells) {
		return
	}
	m := &t.margins
	if m.right == t.cols-1 || m.left < 2 {
		if last := &r.cells[t.cols-1]; last.width() == spacerHead {
			*last = last.withWidth(narrow)
		}
	}
	if l := &r.cells[m.left]; l.width() == spacerTail {
		if m.left > 0 { // else the half before it was cut off by a new width
			r.cells[m.left-1] = r.cells[m.left-1].WithoutText()
		}
		*l = l.withWidth(narrow)
	}
	if e := &r.cells[m.right]; e.width() == wide {
		*e = e.WithoutText()
		if m.right < t.cols-1 { // a screen that was cut may end in the first half of a wide character
			r.cells[m.right+1] = r.cells[m.right+1].withWidth(narrow)
		}
	}
}
