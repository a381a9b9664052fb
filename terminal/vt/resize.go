package vt

// Resize changes the size of the grid, as the window would: soft-wrapped rows are wrapped anew, scrollback included, and the cursor stays on
// its cell. It ends synchronized output and sends the report of mode 2048 when that is on. Sizes below 1 count as 1.
func (t *Terminal) Resize(cols, rows int) {
	t.windowCols = min(max(cols, 1), maxSide)
	t.resize(t.windowCols, min(max(rows, 1), maxSide))
	if t.cfg.Personality.HoldSync == 0 {
		t.modes.set(modeSync, false)
	}
	if t.modes.has(modeInBandSize) {
		t.reportInBandSize()
	}
}

func (t *Terminal) resize(cols, rows int) {
	if cols == t.cols && rows == t.rows {
		return
	}
	tabs := cols != t.cols
	p := &t.cfg.Personality
	if p.AltShrinkBlanks && t.s == t.alt && rows < t.rows {
		t.primary.clearRows(0, t.rows-rows-1, false)
	}
	how := resizing{reflow: t.modes.has(modeWrap), redraw: t.redraw, personality: p}
	if p.ReflowAlways {
		how.reflow, how.redraw = true, redrawNone
	}
	how.reflow = how.reflow && p.Reflow != Cut
	var stay []int
	if p.ImagesStay && tabs {
		stay = t.primary.imageRows()
	}
	switch {
	case p.ReflowFromEnd:
		t.primary.resizeFromEnd(cols, rows, func(c cell) bool {
			s := &t.pens.list[c.pen()].Style
			return s.Attr&(Bold|Faint|Italic|Blink|Inverse) != 0 || s.Underline != NoUnderline
		})
	case p.ReflowRelays:
		t.primary.resizeRelaid(cols, rows)
	case p.ReflowTopLine:
		t.primary.resizeTopLine(cols, rows)
	case p.ReflowApart:
		t.primary.resizeApart(cols, rows)
	case p.ReflowJoined:
		t.primary.resizeJoined(cols, rows)
	default:
		t.primary.resize(cols, rows, how)
	}
	t.primary.placeImages(stay)
	if t.alt != nil {
		t.alt.resize(cols, rows, resizing{redraw: redrawNone, personality: p})
	}
	t.cols, t.rows = cols, rows
	if tabs {
		t.resetTabs()
	}
	t.resetMargins()
}

// resizing says how a screen is resized.
type resizing struct {
	reflow      bool
	redraw      redraw
	personality *Personality
}

// resize follows Screen.zig resize.
func (s *screen) resize(cols, rows int, how resizing) {
	c := &s.cursor
	s.clearPrompt(how.redraw)
	cursorPin := s.pinAt(c.x, c.y)
	var savedPin *pin
	if s.saved != nil && s.saved.x < s.cols && s.saved.y < s.rows {
		savedPin = s.pinAt(s.saved.x, s.saved.y)
	}

	x, y := c.x, c.y
	switch {
	case !how.reflow || cols == s.cols:
		s.resizeColumns(cols, how.personality)
		s.resizeRows(rows, y, cursorPin, how.personality)
	case cols > s.cols && !how.personality.ReflowDrifts && !how.personality.ReflowTears:
		s.rewrap(cols, x, y, cursorPin, savedPin, how.personality)
		s.resizeRows(rows, y, cursorPin, how.personality)
	default:
		s.resizeRows(rows, y, cursorPin, how.personality)
		s.rewrap(cols, x, y, cursorPin, savedPin, how.personality)
	}
	if s.noHistory {
		s.clearHistory()
	}
	if how.personality.Reflow == Cut { // what comes back from the history is cut for good
		for y := range s.rows {
			s.row(y).set(hiddenEnd, false)
		}
	}
	s.setKeep()
	s.trim()

	s.unpin(cursorPin)
	if px, py, ok := s.place(cursorPin); ok {
		c.x, c.y = px, py
	} else {
		c.x, c.y = 0, 0
	}
	if how.personality.ReflowPastEnd && c.pending && c.x < cols-1 {
		c.x, c.pending = c.x+1, false
	}
	if savedPin == nil {
		return
	}
	s.unpin(savedPin)
	sc := *s.saved
	px, py, ok := s.place(savedPin)
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

// pinAt pins a cell of the grid.
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

// place returns where p is in the grid.
func (s *screen) place(p *pin) (x, y int, ok bool) {
	y = p.y - s.dropped - s.top()
	return p.x, y, y >= 0 && y < s.rows
}

// pinned reports whether a pin is on row i of the ring that keeps it there though it is blank.
func (s *screen) pinned(i int) bool {
	for _, p := range s.pins {
		if p.y-s.dropped == i {
			return true
		}
	}
	return false
}

// clearPrompt blanks the prompt that the cursor is in, for the shell to draw again.
func (s *screen) clearPrompt(what redraw) {
	if s.cursor.semantic == output {
		return
	}
	switch what {
	case redrawLast:
		s.row(s.cursor.y).fill(0, s.cols, 0)
	case redrawAll:
		start, ok := s.promptStart(s.top() + s.cursor.y)
		if !ok {
			return
		}
		for i := start; i < s.ring.n; i++ {
			s.ring.at(i).fill(0, s.cols, 0)
		}
	}
}

// promptStart finds the first row of the prompt at or above row i of the ring (PageList.zig PromptIterator).
func (s *screen) promptStart(i int) (int, bool) {
	for ; i >= 0; i-- {
		switch r := s.ring.at(i); {
		case r.is(promptFirst):
			return i, true
		case r.is(promptMore):
			for j := i - 1; j >= 0; j-- {
				switch r := s.ring.at(j); {
				case r.is(promptFirst):
					return j, true
				case !r.is(promptMore):
					return j + 1, true
				}
			}
			return i, true
		}
	}
	return 0, false
}

// resizeColumns cuts or pads every row. Rows that grow beyond the widest that they have been must be copied, and a copied row is not soft-wrapped
// (PageList.zig resizeWithoutReflowGrowCols, page.zig clonePartialRowFrom); so must all when one ends in a blank left for a wide character.
func (s *screen) resizeColumns(cols int, p *Personality) {
	if cols == s.cols {
		return
	}
	if p.Reflow == Cut {
		s.cutColumns(cols)
		return
	}
	copied := cols > s.room
	for i := 0; !copied && cols > s.cols && i < s.ring.n; i++ {
		copied = s.ring.at(i).cells[s.cols-1].width() == spacerHead
	}
	old := s.ring
	s.ring = ring{cols: cols, buf: make([]row, len(old.buf))}
	for i := range old.buf {
		src := old.at(i)
		if i >= old.n && (copied || !src.is(stale)) {
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
	s.ring.n = old.n
	for _, p := range s.pins {
		p.x = min(p.x, cols-1)
	}
	s.cols = cols
	if copied {
		s.room = cols
	}
}

// cutColumns cuts or pads every row. Rows of the history keep what is cut off, out of sight, for when the window gets wider again (xterm 379).
func (s *screen) cutColumns(cols int) {
	old, history := s.ring, s.history()
	s.ring = ring{cols: cols, buf: make([]row, len(old.buf))}
	for i := range old.n {
		src := old.at(i)
		dst, _ := s.ring.push(len(old.buf))
		dst.flags = src.flags
		full := src.cells[:len(src.cells):len(src.cells)]
		if i < history && src.is(hiddenEnd) {
			full = src.cells[:cap(src.cells)]
		}
		if len(full) > cols && i < history {
			dst.cells = full[:cols]
		} else {
			copy(dst.cells, full)
		}
		dst.set(hiddenEnd, i < history && len(full) > cols)
		if n := len(full); n < cols && dst.cells[n-1].width() == spacerHead {
			dst.cells[n-1] = dst.cells[n-1].withWidth(narrow)
		}
		dst.used = cols
	}
	for _, p := range s.pins {
		p.x = min(p.x, cols-1)
	}
	s.cols, s.room = cols, cols
}

// resizeRows follows PageList.zig resizeWithoutReflow: a lower grid first loses blank rows at its end, then moves its top to the history; a
// higher one gets rows back from there only if the cursor, on row y before the resize began, was on the last row.
func (s *screen) resizeRows(rows, y int, cursor *pin, p *Personality) {
	switch {
	case rows < s.rows:
		n := s.rows - rows
		if p.ShrinkDropsBelow {
			s.dropBelow(n, cursor, p.Wraps)
		} else {
			s.popBlank(n)
		}
		s.rows = rows
		s.made = min(s.made, rows)
	case rows > s.rows:
		n := rows - s.rows
		if y == s.rows-1 || p.GrowPulls {
			n = max(0, rows-s.ring.n)
			if p.GrowPulls {
				n = max(0, rows-s.ring.n+max(0, s.sealed-s.dropped))
			}
		}
		s.rows = rows
		for range n {
			s.push()
		}
	}
}

// popBlank removes up to limit rows without text from the end; a row with a pin ends it. What was in them comes back when the grid grows
// again, as it does in ghostty.
func (s *screen) popBlank(limit int) {
	for range limit {
		i := s.ring.n - 1
		if r := s.ring.at(i); r.hasText() || s.pinned(i) {
			return
		}
		s.ring.at(i).flags |= stale
		s.ring.pop()
	}
}

// dropBelow removes up to limit rows from the end that are below the cursor.
func (s *screen) dropBelow(limit int, cursor *pin, mark WrapMark) {
	for range min(limit, s.ring.n-1-(cursor.y-s.dropped)) {
		s.ring.pop()
	}
	if mark.onNext() {
		s.ring.at(s.ring.n-1).set(wrapped, false)
	}
}
