package vt

// rightLimit returns the first column that printing does not reach: the one behind the right
// margin, or behind the last column if the cursor is beyond that margin.
func (t *Terminal) rightLimit() int {
	if t.active.cursor.x > t.margins.right {
		return t.cols
	}
	return t.margins.right + 1
}

// plainPrinting reports whether a printed character only fills a cell before the edge. That is so
// unless a mode such as insert mode asks for more.
func (t *Terminal) plainPrinting() bool {
	return !t.statusLine && !t.modes.has(modeInsert) && t.active.charset.plain() && t.margins.left == 0 &&
		t.margins.right == t.cols-1
}

// Text prints ASCII. Runs are written directly into a row; everything unusual is left to printRune.
func (p *performer) Text(text []byte) {
	t := (*Terminal)(p)
	s := t.active
	c := &s.cursor
	if !t.plainPrinting() || t.printing.leadingWidths || !t.modes.has(modeWrap) {
		if !t.plainPrinting() || c.pending || len(text) > t.cols-c.x ||
			t.printing.leadingWidths && t.printing.prepended {
			for _, b := range text {
				t.printRune(rune(b))
			}
			return
		}
		t.printing.segment, t.printing.segmentValid = segment{}, true // for LeadingWidths
	}
	if !c.penKnown {
		t.internPen()
	}
	base := c.penCell()
	for {
		if c.pending {
			t.printWrap()
		}
		r, x := s.row(c.y), c.x
		run := text
		if room := t.cols - x; len(run) > room {
			run = text[:room]
		}
		dst := r.cells[x:]
		_ = dst[len(run)-1]
		if r.has(complexCells) && anyWide(dst[:len(run)]) {
			t.printRune(rune(text[0]))
			run = text[:1]
		} else {
			for i, b := range run {
				dst[i] = base | cell(b)
			}
			t.noteLineEnd(c.y)
			t.printing.last = rune(run[len(run)-1])
			x += len(run)
			r.used = max(r.used, x)
			if x == t.cols {
				t.noteEdgeWritten()
				x--
				c.pending = true
			}
			c.x = x
		}
		if len(run) == len(text) {
			return
		}
		text = text[len(run):]
	}
}

// printRunes prints decoded characters. Those that cannot join another one are written here if
// nothing unusual applies; the others are left to printRune.
func (t *Terminal) printRunes(rs []rune) {
	t.maybeSweep()
	if !t.plainPrinting() || t.printing.customWidths || t.printing.leadingWidths {
		for _, r := range rs {
			t.printRune(r)
		}
		return
	}
	s := t.active
	c := &s.cursor
	base := t.cursorCell()
	row, y := s.row(c.y), c.y
	prev := unknownClass // of the character before the cursor, if it was written here
	for _, r := range rs {
		props := propertiesOf(r)
		width, next := props.width(), props.class()
		if r <= 0xff {
			width = 1
		}
		if next == prepend {
			t.printing.prepended = true
		}
		joins := mayJoin[prev][next] || prev == unknownClass && t.printing.prepended
		if joins && r > 0xff || c.pending || c.x+width > t.cols || width == 0 {
			t.printRune(r)
			prev, y = unknownClass, -1
			continue
		}
		if y != c.y {
			row, y = s.row(c.y), c.y
		}
		x := c.x
		if row.cells[x]&wideMask|row.cells[x+width-1]&wideMask != 0 {
			t.printRune(r)
			prev = unknownClass
			continue
		}
		// Whether the next character is wide cannot be predicted, so that no branch depends on it.
		row.cells[x+width-1] = base | spacerTail
		row.cells[x] = base | cell(width-1)*wide | cell(r)
		row.flags |= rowFlags(width-1) * complexCells
		t.noteLineEnd(y)
		t.printing.last = r
		prev = next
		if x += width; x > row.used {
			row.used = x
		}
		if x == t.cols {
			t.noteEdgeWritten()
			x--
			c.pending = true
		}
		c.x = x
	}
}

func anyWide(cells []cell) bool {
	var all cell
	for _, c := range cells {
		all |= c
	}
	return all&wideMask != 0
}

// cursorCell returns a cell without text, with the style, link and protection of the cursor.
func (t *Terminal) cursorCell() cell {
	c := &t.active.cursor
	if !c.penKnown {
		t.internPen()
	}
	return c.penCell()
}

func (t *Terminal) internPen() {
	c := &t.active.cursor
	c.pen = t.pens.intern(&pen{c.style, c.link})
	c.penKnown = true
}

// penCell returns a cell without text, with the style, link and protection of a cursor whose pen
// index is known.
func (c *cursor) penCell() cell {
	b := cell(c.pen) << penShift
	if c.protected {
		b |= protectedBit
	}
	return b
}

// printRune prints one character (Terminal.zig print).
func (t *Terminal) printRune(r rune) {
	if t.statusLine {
		return
	}
	s := t.active
	c := &s.cursor
	limit := t.rightLimit()
	width := 1
	if t.printing.leadingWidths {
		done := false
		if done, width = t.joinLeading(r); done {
			return
		}
		t.clearUnderCursor()
		wraps := t.modes.has(modeWrap) && (c.pending || c.x+width > limit)
		if wraps { // then it is what stood before the edge that counts for the next character, by mistake
			x := t.cols - 1
			if row := s.row(c.y); row.cells[x].width() == spacerTail {
				x--
			}
			t.printing.segment = t.segmentOf(s.row(c.y).cells[x])
		}
		if !t.modes.has(modeWrap) && (c.pending || c.x+width > limit) {
			c.x, c.pending = limit-width, false
			t.clearUnderCursor()
		}
	} else if r > 0xff {
		props := propertiesOf(r)
		if props.class() == prepend {
			t.printing.prepended = true
		}
		if c.x > 0 && t.modes.has(modeGraphemes) && t.printJoined(r, props, limit) {
			return
		}
		if width = props.width(); t.printing.customWidths {
			width = t.runeWidth(r, width)
		}
		switch {
		case width < 0:
			return
		case width == 0:
			t.printZeroWidth(r)
			return
		}
	}
	t.printing.last = r
	if c.pending && t.modes.has(modeWrap) {
		t.printWrap()
	}
	if t.modes.has(modeInsert) && c.x+width < t.cols {
		t.insertBlanks(width)
	}
	switch {
	case width == 1:
		t.printCell(r, narrow)
	case limit-t.margins.left > 1:
		if c.x == limit-1 {
			if !t.modes.has(modeWrap) {
				return
			}
			if limit == t.cols {
				s.row(c.y).set(wrapped, true)
				if !t.printing.leadingWidths || !s.row(c.y).cells[c.x].HasText() &&
					s.row(c.y).cells[c.x].width() == narrow {
					// Else it stays as it is.
					t.printCell(0, spacerHead)
				}
			} else {
				t.printCell(0, narrow)
			}
			t.printWrap()
		}
		t.printCell(r, wide)
		c.x++
		t.printCell(0, spacerTail)
	default: // one column is no place for a wide character
		t.printCell(0, narrow)
	}
	if c.x == limit-1 {
		c.pending = true
		return
	}
	c.x++
}

// printZeroWidth adds r, which has no width, to the cell before the cursor. It is called without
// grapheme clusters, or if r cannot join by their rules.
func (t *Terminal) printZeroWidth(r rune) {
	s := t.active
	if t.config.Personality.MarksWrap {
		if s.cursor.pending && t.modes.has(modeWrap) {
			t.printWrap()
		}
		s.cursor.pending = false // without autowrap it has never been, and the mark is the last but one's
		if y := s.cursor.y - 1; s.cursor.x == 0 && y >= 0 && s.row(y).has(wrapped) {
			t.printMark(s.row(y), t.cols-1, r)
			return
		}
	}
	x := s.cursor.x - 1
	if s.cursor.pending && (t.modes.has(modeWrap) || t.config.Personality.NoGraphemeClusters) {
		x++ // the cursor stays on the last column, under which it is
	}
	if t.modes.has(modeGraphemes) || x < 0 {
		return
	}
	row := s.row(s.cursor.y)
	t.printMark(row, x, r)
}

// printMark adds r to the character in column x of row y.
func (t *Terminal) printMark(row *row, x int, r rune) {
	if w := row.cells[x].width(); x > 0 && (w == spacerTail || w == spacerHead) {
		x--
	}
	cl := row.cells[x]
	if !cl.HasText() {
		return
	}
	if r == vs15 || r == vs16 {
		if propertiesOf(t.clusters.firstRune(cl)).class() != pictographic {
			return
		}
	}
	row.cells[x] = t.clusters.appendRune(cl, r)
}

const (
	vs15 = '\ufe0e'
	vs16 = '\ufe0f'
)

// printJoined adds r to the cell before the cursor if both belong to one grapheme cluster (mode
// 2027). It returns false if they do not.
func (t *Terminal) printJoined(r rune, props properties, limit int) bool {
	s := t.active
	c := &s.cursor
	row := s.row(c.y)
	left := 1
	if t.modes.has(modeWrap) {
		if c.pending {
			left = 0
		}
	} else if c.x == limit-1 && t.clusters.firstRune(row.cells[c.x]) != 0 {
		// Without wrapping, the cursor stays on the last column: it is behind the character there
		// if there is one.
		left = 0
	}
	x := c.x - left
	if row.cells[x].width() == spacerTail {
		x--
	}
	prev := row.cells[x]
	if !prev.HasText() {
		return false
	}
	brk := t.clusters.breakerAfter(prev)
	if !mayJoin[brk.last][props.class()] || brk.breaks(props.class()) {
		return false
	}

	newWidth := prev.width()
	switch {
	case r == vs15 || r == vs16:
		if propertiesOf(t.clusters.lastRune(prev))&variationBase == 0 {
			return true
		}
		newWidth = narrow
		if r == vs16 {
			newWidth = wide
		}
	case props&zeroInCluster == 0:
		newWidth = wide
	}
	switch {
	case newWidth == wide && prev.width() != wide:
		if x = t.widenChar(x, limit); x < 0 {
			return true
		}
	case newWidth == narrow && prev.width() == wide:
		row.cells[x] = prev.withWidth(narrow)
		row.cells[x+1] = row.cells[x+1].withWidth(narrow)
		if c.x == limit-1 {
			c.pending = false
		} else {
			c.x--
		}
	}
	row = s.row(c.y)
	row.cells[x] = t.clusters.appendRune(row.cells[x], r)
	return true
}

// widenChar makes the character in column x of the cursor's row two columns wide, and moves the
// cursor behind it. At the right edge the character moves to the next row. It returns the
// character's column, or -1 if there is no place.
func (t *Terminal) widenChar(x, limit int) int {
	s := t.active
	c := &s.cursor
	c.x = x
	row := s.row(c.y)
	if x == limit-1 {
		if !t.modes.has(modeWrap) {
			return -1
		}
		prev := row.cells[x]
		edge := narrow
		if limit == t.cols {
			row.set(wrapped, true)
			edge = spacerHead
		}
		// A cluster takes its cell along to the next row, with the base drawn by the cursor's pen;
		// what stays behind keeps the old pen.
		if prev.tag() == tagCluster {
			row.setCell(x, prev.WithoutText().withWidth(edge))
		} else {
			t.printCell(0, edge)
		}
		t.printWrap()
		t.printCell(t.clusters.firstRune(prev), wide)
		row = s.row(c.y)
		x = c.x
		// The marks are taken from the row above, and are lost where a screen of one row has none.
		if prev.tag() == tagCluster && s.top()+c.y > 0 {
			row.cells[x] = row.cells[x]&^(contentMask|tagMask) | prev&(contentMask|tagMask)
		}
	} else {
		row.setCell(x, row.cells[x].withWidth(wide))
	}
	c.x++
	t.printCell(0, spacerTail)
	if c.x == limit-1 {
		c.pending = true
	} else {
		c.x++
	}
	return x
}

// printCell writes one cell at the cursor. If it replaces half of a wide character, the other half
// is erased (Terminal.zig printCell).
func (t *Terminal) printCell(r rune, w cell) {
	s := t.active
	c := &s.cursor
	r = s.charset.translate(r)
	row := s.row(c.y)
	if old := row.cells[c.x]; old.width() != w {
		switch old.width() {
		case wide:
			if c.x < t.cols-1 {
				used := row.used
				row.fill(c.x+1, c.x+2, c.style.blank())
				t.keepRowLength(row, used)
				if t.printing.leadingWidths && w == spacerTail {
					row.setCell(c.x+1, ' ')
				}
				t.clearSpacerHead()
			}
		case spacerTail:
			row.fill(max(c.x-1, 0), c.x, c.style.blank()) // a new width may have put the first one on the row above
			t.clearSpacerHead()
		}
	}
	row.setCell(c.x, t.cursorCell()|cell(r)|w)
	if w != spacerHead {
		t.noteLineEnd(c.y)
	}
	if c.x == t.cols-1 {
		t.noteEdgeWritten()
	}
}

// clearSpacerHead erases the blank that a wide character at the left edge has left at the end of
// the row above, because that character is being replaced.
func (t *Terminal) clearSpacerHead() {
	s := t.active
	if s.cursor.y > 0 && s.cursor.x <= 1 {
		prev := s.row(s.cursor.y - 1)
		if last := prev.cells[t.cols-1]; last.width() == spacerHead {
			prev.cells[t.cols-1] = last.withWidth(narrow)
		}
	}
}

// printWrap moves the cursor to the next row because this one is full. The row counts as
// soft-wrapped only at the edge of the screen, not at a right margin.
func (t *Terminal) printWrap() {
	s := t.active
	c := &s.cursor
	mark := c.x == t.cols-1
	if mark {
		s.row(c.y).set(wrapped, true)
		s.row(c.y).set(lineEnded, false)
	}
	semantic, clearEOL := c.semantic, c.clearEOL
	t.indexDown()
	c.x = t.margins.left
	c.semantic, c.clearEOL = semantic, clearEOL
	r := s.row(c.y)
	if semantic == prompt {
		r.flags = r.flags&^promptMask | promptMore
	}
	if mark {
		r.set(continuation, true)
	}
}
