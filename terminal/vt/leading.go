package vt

// A terminal with LeadingWidths breaks text by UAX #29 alone, gives a cluster the columns of its
// first character, and takes the cell before the cursor for the cluster that goes on, wherever the
// cursor came from.

// segment is the state of the test for cluster boundaries in terminals with LeadingWidths.
type segment struct {
	last        class
	conjunct    bool // The text ends with a consonant of an Indic script and what may follow it in its cluster.
	afterLinker bool // That text contains a virama.
	// After an emoji and its marks; the same before the last character.
	emoji, emojiBefore bool
	noJoin             bool // The last cell has no text, so that nothing joins it.
	afterHalfFlag      bool // The text ends with the first half of a flag.
}

// joins reports whether a character of class next belongs to the last cluster, and updates the
// state for it.
func (s *segment) joins(next class) bool {
	extends := next.extends() || next == modifier
	joins := extends || next == zwj || next == spacingMark || s.last == prepend ||
		s.afterLinker && next == conjunctConsonant ||
		s.last == zwj && s.emojiBefore && next.emoji() || s.afterHalfFlag && next == regionalIndicator
	switch s.last {
	case hangulL:
		joins = joins || next == hangulL || next == hangulV || next == hangulLV || next == hangulLVT
	case hangulLV, hangulV:
		joins = joins || next == hangulV || next == hangulT
	case hangulLVT, hangulT:
		joins = joins || next == hangulT
	}
	joins = joins && !s.noJoin
	// a flag behind a cell without text is two characters.
	s.afterHalfFlag = next == regionalIndicator && !s.afterHalfFlag && !s.noJoin
	s.noJoin = false
	stays := next == conjunctLinker || next == conjunctExtend || next == modifier || next == zwj
	s.afterLinker = s.conjunct && (next == conjunctLinker || s.afterLinker && stays)
	s.conjunct = next == conjunctConsonant || s.conjunct && stays
	s.emoji, s.emojiBefore = next.emoji() || s.emoji && extends, s.emoji
	s.last = next
	return joins
}

// segmentOf returns the state after the text of cell c.
func (t *Terminal) segmentOf(c cell) (g segment) {
	switch c.tag() {
	case tagRune:
		g.joins(propertiesOf(rune(c.content())).class())
		g.noJoin = c.content() == 0
	case tagCluster:
		for _, r := range t.clusters.list[c.content()].runes {
			g.joins(propertiesOf(r).class())
		}
	default:
		g.noJoin = true
	}
	return g
}

// charBefore returns the column and the grid row of the character before the cursor. It is in the
// row above if that row wraps into this one. y is negative if there is none.
func (t *Terminal) charBefore() (x, y int) {
	c := &t.active.cursor
	switch {
	case c.pending:
		x, y = c.x, c.y
	case c.x > 0:
		x, y = c.x-1, c.y
	case c.y > 0 && t.active.row(c.y-1).has(wrapped):
		x, y = t.cols-1, c.y-1
	default:
		return 0, -1
	}
	if x > 0 && t.active.row(y).cells[x].width() == spacerTail {
		x--
	}
	return x, y
}

// joinLeading adds r to the cluster before the cursor if it belongs there or has no width. done is
// false if it does not; r then takes width columns by itself.
func (t *Terminal) joinLeading(r rune) (done bool, width int) {
	props := propertiesOf(r)
	t.printing.prepended = t.printing.prepended || props.class() == prepend // ASCII is looked at from now on, too
	x, y := t.charBefore()
	g := segment{}
	if t.printing.segmentValid {
		g = t.printing.segment
	} else if y >= 0 {
		g = t.segmentOf(t.active.row(y).cells[x])
	}
	joins := g.joins(props.class()) && y >= 0
	t.printing.segment, t.printing.segmentValid = g, true
	width = t.runeWidth(r, props.width())
	switch props.class() { // by themselves
	case spacingMark:
		if r != 0xe33 && r != 0xeb3 { // Thai and Lao am, which are letters
			width = 0
		}
	case hangulV, hangulT:
		width = 1
	}
	if !joins && width > 0 {
		return width > t.cols, width
	}
	if y < 0 || !t.active.row(y).cells[x].HasText() {
		return true, 0
	}
	row := t.active.row(y)
	last := t.clusters.lastRune(row.cells[x])
	row.cells[x] = t.clusters.appendRune(row.cells[x], r)
	switch emoji := propertiesOf(last)&variationBase != 0; {
	case r == vs16 && row.cells[x].width() == narrow && (emoji || propertiesOf(last).class() == modifier):
		t.widenLeading(x, y)
	case r == vs15 && row.cells[x].width() == wide && (emoji || last >= 0x1f000 && last <= 0x1ffff):
		row.setCell(x, row.cells[x].withWidth(narrow))
		row.fill(x+1, x+2, 0)
		if c := &t.active.cursor; c.pending {
			c.pending = false
		} else if c.x > 0 {
			c.x--
		}
		t.printing.segmentValid = false
	}
	return true, 0
}

// widenLeading makes the narrow character in column x of grid row y two columns wide. At the right
// edge it moves to the next row. Then the row that it has left is no longer wrapped, since the mark
// for that was in its cell.
func (t *Terminal) widenLeading(x, y int) {
	s := t.active
	c := &s.cursor
	row := s.row(y)
	cl := row.cells[x]
	if x+1 < t.cols {
		if w := row.cells[x+1].width(); w == wide && x+2 < t.cols {
			row.fill(x+2, x+3, 0)
		}
		row.setCell(x+1, cl.WithoutText().withWidth(spacerTail))
		row.setCell(x, cl.withWidth(wide))
		if x+1 == t.cols-1 {
			t.noteEdgeWritten()
		}
		if c.x++; c.x == t.cols {
			c.x--
			c.pending = true
		}
		return
	}
	if t.cols < 2 {
		return
	}
	c.x, c.y = x, y
	row.fill(x, x+1, 0)
	at := t.cols - 2
	if t.modes.has(modeWrap) {
		t.printWrap()
		s.endContinuation(c.y)
		at = 0
	}
	c.pending = false
	row = s.row(c.y)
	for i := at; i < at+2; i++ { // what is left of a wide character there
		if row.cells[i].width() == spacerTail && i > 0 {
			row.fill(i-1, i, 0)
		}
		if row.cells[i].width() == wide && i+1 < t.cols {
			row.fill(i+1, i+2, 0)
		}
	}
	row.setCell(at, cl.withWidth(wide))
	row.setCell(at+1, cl.WithoutText().withWidth(spacerTail))
	if c.x = at + 2; c.x >= t.cols {
		c.x = t.cols - 1
		c.pending = true
	}
	t.printing.segmentValid = false
}

// clearUnderCursor erases the wide character under the cursor, even if the next character will not
// fit there. If the cursor is on its second half, blanks are left.
func (t *Terminal) clearUnderCursor() {
	c := &t.active.cursor
	row := t.active.row(c.y)
	switch {
	case c.pending:
	case row.cells[c.x].width() == wide:
		row.fill(c.x, c.x+2, 0)
	case row.cells[c.x].width() == spacerTail:
		row.setCell(c.x-1, ' ')
		row.setCell(c.x, ' ')
	}
}

// lastRune returns the last code point of a cell that has text.
func (cs *clusters) lastRune(c cell) rune {
	if c.tag() == tagCluster {
		runes := cs.list[c.content()].runes
		return runes[len(runes)-1]
	}
	return rune(c.content())
}
