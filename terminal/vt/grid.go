package vt

// Relayout lays out the rows of a screen at a new size, for a terminal that differs from ghostty.
// It changes g, which is at the old size, in place. It is called for each screen at each change of
// the size, even if modes or prompts would keep ghostty from rewrapping.
type Relayout func(g *Grid, cols, rows int)

// Grid is a screen on its way to another size: its rows, and the places on them that move along. It
// belongs to the function that gets it until that returns.
type Grid struct {
	Cols, Rows int // the old size
	// History, then grid. At the end each row has as many cells as there are columns, and blank
	// rows are added if there are too few.
	Tape   []*TapeRow
	Limit  int  // rows of history that are kept, 0 on the alternate screen
	Alt    bool // this is the alternate screen
	Active bool // this is the screen that is shown

	Cursor Place    // Y is a row of the grid
	Saved  *Place   // DECSC, nil if there was none; Y is a row of the grid
	Marks  []*Place // the upper left corners of images; Y counts from the first row of the tape

	// The shell draws its prompt again, unless the last mark of a prompt (OSC 133) has denied it.
	Redraws bool

	Erased int // rows of the grid, from its top, that an ED 0 has reached
	// rows of the tape, from its beginning, that an erase has pushed there, and all before them
	Archived int

	pens *pens
}

// Place is a cell of a grid, or of a tape. Both count from 0.
type Place struct {
	X, Y    int
	Pending bool // X is the last column, and the next character goes to the next row
}

// TapeRow is a row of history or of the grid.
type TapeRow struct {
	Cells     []TapeCell // those between length and capacity are out of sight, and may come back
	Used      int        // cells from here on are zero
	Wrapped   bool       // soft-wrapped into the next row
	Continues bool       // the row before is soft-wrapped into this one
	Ended     bool       // a line ends here, even a blank one (only with WrapUntilPrinted)
	Prompt    PromptMark // several marks may be set
}

// Part says which part of a character a cell is.
type Part uint8

const (
	Whole      Part = iota
	FirstHalf       // of a wide character
	SecondHalf      // of a wide character
	LeftFree        // the last column, into which a wide character did not fit; the row wraps
)

// Part returns which part of a character the cell is.
func (c TapeCell) Part() Part { return Part(c.width() / wide) }

// WithPart makes the cell another part.
func (c TapeCell) WithPart(p Part) TapeCell { return c.withWidth(TapeCell(p) * wide) }

// IsSpace reports whether the cell shows a space.
func (c TapeCell) IsSpace() bool { return c.tag() == tagRune && c.content() == ' ' }

// IsProtected reports whether the cell is protected (DECSCA, SPA).
func (c TapeCell) IsProtected() bool { return c&protectedBit != 0 }

// Protect makes the cell a protected one.
func (c TapeCell) Protect() TapeCell { return c | protectedBit }

// Style returns the style of the characters of a cell.
func (g *Grid) Style(c TapeCell) Style { return g.pens.list[c.pen()].Style }

// History returns the number of rows above the grid.
func (g *Grid) History() int { return len(g.Tape) - g.Rows }

// relayoutScreen lays a screen out again by another terminal's rule.
func (t *Terminal) relayoutScreen(s *screen, cols, rows int) {
	g := t.makeGrid(s)
	t.config.Personality.Relayout(g, cols, rows)
	s.adoptGrid(g, cols, rows)
}

// makeGrid returns s as a Grid.
func (t *Terminal) makeGrid(s *screen) *Grid {
	c := &s.cursor
	g := &Grid{
		Cols: s.cols, Rows: s.rows, Limit: s.historyLimit, Alt: s == t.alt, Active: s == t.active,
		Cursor: Place{c.x, c.y, c.pending}, Erased: s.erasedRows, Archived: max(0, s.archivedRows-s.dropped),
		pens:    &t.pens,
		Redraws: t.redraw != redrawNone,
		Tape:    make([]*TapeRow, s.ring.count),
	}
	if s.saved != nil {
		g.Saved = &Place{s.saved.x, s.saved.y, s.saved.pending}
	}
	for _, p := range s.pins {
		g.Marks = append(g.Marks, &Place{X: p.x, Y: p.y - s.dropped})
	}
	rows := make([]TapeRow, s.ring.count)
	for i := range rows {
		r := s.ring.at(i)
		cells := r.cells
		if !r.has(hiddenEnd) {
			cells = cells[:len(cells):len(cells)]
		}
		rows[i] = TapeRow{
			Cells: cells, Used: r.used, Wrapped: r.has(wrapped), Continues: r.has(continuation),
			Ended:  r.has(lineEnded),
			Prompt: PromptMark(r.flags & promptMask / promptFirst),
		}
		g.Tape[i] = &rows[i]
	}
	return g
}

// adoptGrid takes the rows and the places from a grid that was laid out at a new size.
func (s *screen) adoptGrid(g *Grid, cols, rows int) {
	tape := ring{cols: cols, buf: make([]row, max(len(g.Tape), rows)), count: len(g.Tape)}
	for i, r := range g.Tape {
		if len(r.Cells) != cols {
			panic("vt: a row that was laid out anew is not as wide as the grid")
		}
		to := row{cells: r.Cells, used: r.Used, flags: rowFlags(r.Prompt) * promptFirst & promptMask}
		to.set(wrapped, r.Wrapped)
		to.set(continuation, r.Continues)
		to.set(lineEnded, r.Ended)
		to.set(hiddenEnd, cap(r.Cells) > cols)
		to.set(complexCells, anyWide(r.Cells[:r.Used]))
		tape.buf[i] = to
	}
	for tape.count < rows {
		tape.push(rows)
	}
	s.ring, s.cols, s.rows, s.memoryCols = tape, cols, rows, cols
	s.erasedRows, s.archivedRows = g.Erased, s.dropped+g.Archived
	for i, p := range s.pins {
		p.x, p.y = min(max(g.Marks[i].X, 0), cols-1), s.dropped+g.Marks[i].Y
	}
	s.updateKeptRows()
	s.trimHistory()
	c := &s.cursor
	c.x, c.y, c.pending = min(max(g.Cursor.X, 0), cols-1), min(max(g.Cursor.Y, 0), rows-1), g.Cursor.Pending
	if at := g.Saved; at != nil {
		if s.saved == nil {
			s.saved = new(savedCursor)
		}
		s.saved.x, s.saved.y, s.saved.pending = at.X, at.Y, at.Pending
	}
}
