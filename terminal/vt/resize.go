package vt

// Resize changes the size of the grid, as a window does. Soft-wrapped rows are wrapped anew,
// including those of the scrollback, and the cursor stays on its cell. A synchronized update ends,
// and with mode 2048 the application gets a report. Sizes below 1 count as 1.
func (t *Terminal) Resize(cols, rows int) {
	t.window.cols = min(max(cols, 1), maxSide)
	t.resize(t.window.cols, min(max(rows, 1), maxSide))
	t.modes.set(modeSync, false)
	if t.modes.has(modeInBandSize) {
		t.reportInBandSize()
	}
}

func (t *Terminal) resize(cols, rows int) {
	if cols == t.cols && rows == t.rows {
		return
	}
	tabs := cols != t.cols
	switch {
	case t.config.Personality.Relayout == nil:
		t.primary.resize(cols, rows, t.modes.has(modeWrap), t.redraw, t.config.Personality.ReflowCutsCursor)
		if t.alt != nil {
			t.alt.resize(cols, rows, false, redrawNone, false)
		}
	default:
		t.relayoutScreen(t.primary, cols, rows)
		if t.alt != nil {
			t.relayoutScreen(t.alt, cols, rows)
		}
	}
	t.cols, t.rows = cols, rows
	if tabs {
		t.resetTabs()
	}
	t.resetMargins()
}

// resize changes the size of a screen (Screen.zig resize). Without reflow, rows are cut or filled
// with blanks.
func (s *screen) resize(cols, rows int, reflow bool, prompt redraw, cutsCursor bool) {
	c := &s.cursor
	s.clearPrompt(prompt)
	cursorPin := s.pinAt(c.x, c.y)
	var savedPin *pin
	if s.saved != nil && s.saved.x < s.cols && s.saved.y < s.rows {
		savedPin = s.pinAt(s.saved.x, s.saved.y)
	}

	x, y := c.x, c.y
	switch {
	case !reflow || cols == s.cols:
		s.resizeColumns(cols)
		s.resizeRows(rows, y)
	case cols > s.cols:
		s.rewrap(cols, cursorPin, x, y, cutsCursor)
		s.resizeRows(rows, y)
	default:
		s.resizeRows(rows, y)
		s.rewrap(cols, cursorPin, x, y, cutsCursor)
	}
	if s.noHistory {
		s.clearHistory()
	}
	s.updateKeptRows()
	s.trimHistory()

	s.unpin(cursorPin)
	if px, py, ok := s.gridPlace(cursorPin); ok {
		c.x, c.y = px, py
	} else {
		c.x, c.y = 0, 0
	}
	if savedPin == nil {
		return
	}
	s.unpin(savedPin)
	sc := *s.saved
	px, py, ok := s.gridPlace(savedPin)
	switch {
	case !ok:
		sc.x, sc.y, sc.pending = 0, 0, false
	case sc.pending && px != cols-1:
		sc.x, sc.y, sc.pending = px+1, py, false
	default:
		sc.x, sc.y = px, py
	}
	s.saved = &sc
}

// pinAt returns a pin on a cell of the grid.
func (s *screen) pinAt(x, y int) *pin {
	p := &pin{x: x, y: s.dropped + s.top() + y}
	s.pins = append(s.pins, p)
	return p
}

func (s *screen) unpin(p *pin) {
	for i, q := range s.pins {
		if q == p {
			s.pins = append(s.pins[:i], s.pins[i+1:]...)
			return
		}
	}
}

// gridPlace returns the position of pin p in the grid.
func (s *screen) gridPlace(p *pin) (x, y int, ok bool) {
	y = p.y - s.dropped - s.top()
	return p.x, y, y >= 0 && y < s.rows
}

// hasPin reports whether row i of the ring has a pin, so that it is kept even if it is blank.
func (s *screen) hasPin(i int) bool {
	for _, p := range s.pins {
		if p.y-s.dropped == i {
			return true
		}
	}
	return false
}

// clearPrompt erases the shell prompt around the cursor, which the shell is going to draw again.
func (s *screen) clearPrompt(part redraw) {
	if s.cursor.semantic == output {
		return
	}
	switch part {
	case redrawLast:
		s.row(s.cursor.y).fill(0, s.cols, 0)
	case redrawAll:
		start, ok := s.promptStart(s.top() + s.cursor.y)
		if !ok {
			return
		}
		for i := start; i < s.ring.count; i++ {
			s.ring.at(i).fill(0, s.cols, 0)
		}
	}
}

// promptStart returns the first row of the prompt at or above row i of the ring (PageList.zig
// PromptIterator).
func (s *screen) promptStart(i int) (int, bool) {
	for ; i >= 0; i-- {
		switch r := s.ring.at(i); {
		case r.has(promptFirst):
			return i, true
		case r.has(promptMore):
			for j := i - 1; j >= 0; j-- {
				switch r := s.ring.at(j); {
				case r.has(promptFirst):
					return j, true
				case !r.has(promptMore):
					return j + 1, true
				}
			}
			return i, true
		}
	}
	return 0, false
}

// resizeColumns cuts every row, or fills it with blanks. Rows that become wider than ever before
// have to be copied, and a copied row is no longer soft-wrapped (PageList.zig
// resizeWithoutReflowGrowCols, page.zig clonePartialRowFrom). All rows have to be copied if one
// ends with the blank that a wide character has left.
func (s *screen) resizeColumns(cols int) {
	if cols == s.cols {
		return
	}
	copied := cols > s.memoryCols
	for i := 0; !copied && cols > s.cols && i < s.ring.count; i++ {
		copied = s.ring.at(i).cells[s.cols-1].width() == spacerHead
	}
	old := s.ring
	s.ring = ring{cols: cols, buf: make([]row, len(old.buf))}
	for i := range old.buf {
		src := old.at(i)
		if i >= old.count && (copied || !src.has(reusedRow)) {
			break
		}
		dst, _ := s.ring.push(len(old.buf))
		copy(dst.cells, src.cells)
		dst.used = min(src.used, cols)
		dst.flags = src.flags
		if copied {
			dst.flags &^= wrapped | continuation
			if last := dst.cells[s.cols-1]; last.width() == spacerHead {
				dst.cells[s.cols-1] = last.withWidth(narrow)
			}
		}
	}
	s.ring.count = old.count
	for _, p := range s.pins {
		p.x = min(p.x, cols-1)
	}
	s.cols = cols
	if copied {
		s.memoryCols = cols
	}
}

// resizeRows changes the number of rows (PageList.zig resizeWithoutReflow). If it becomes smaller,
// blank rows at the end are removed first, then rows at the top move into the history. If it
// becomes larger, rows come back from the history only if the cursor, in row y before the resize,
// was in the last row.
func (s *screen) resizeRows(rows, y int) {
	switch {
	case rows < s.rows:
		s.trimTrailingBlankRows(s.rows - rows)
		s.rows = rows
	case rows > s.rows:
		n := rows - s.rows
		if y == s.rows-1 {
			n = max(0, rows-s.ring.count)
		}
		s.rows = rows
		for range n {
			s.push()
		}
	}
}

// trimTrailingBlankRows removes up to limit blank rows from the end of the screen. It stops at a
// row that has text or a pin. Their old content returns when the grid grows again, as it does in
// ghostty.
func (s *screen) trimTrailingBlankRows(limit int) {
	for range limit {
		i := s.ring.count - 1
		if r := s.ring.at(i); r.hasText() || s.hasPin(i) {
			return
		}
		s.ring.at(i).flags |= reusedRow
		s.ring.pop()
	}
}
