package vt

// Relayout changes the rows of a screen for a new size, in a terminal that does it differently from
// ghostty. It changes g, which has the old size, in place. It is called for each screen at each
// change of size, even where modes or prompts would keep ghostty from wrapping rows anew.
type Relayout func(g *Grid, cols, rows int)

// Grid is a screen during a change of size: its rows, and the positions on them that move along. It
// belongs to the [Relayout] function until that returns.
type Grid struct {
	Cols, Rows int // the old size
	// The rows of the history, then those of the grid. At the end each row must have as many cells
	// as there are columns. Blank rows are added if there are too few.
	Tape   []*TapeRow
	Limit  int  // The most rows of history that are kept; 0 on the alternate screen.
	Alt    bool // It is the alternate screen.
	Active bool // It is the screen that is shown.

	Cursor Place    // Y is a row of the grid.
	Saved  *Place   // The cursor that DECSC has saved, or nil. Y is a row of the grid.
	Marks  []*Place // The upper left corners of images. Y counts from the first row of Tape.

	// The shell draws its prompt again, unless the last prompt mark (OSC 133) says that it does
	// not.
	Redraws bool

	Erased int // The number of rows at the top of the grid that an ED 0 has reached.
	// The number of rows at the beginning of Tape up to the last one that an erasure has moved
	// there.
	Archived int

	pens *pens
}

// Place is the position of a cell: column X and row Y, counted from 0.
type Place struct {
	X, Y    int
	Pending bool // X is the last column, and the next character wraps to the next row.
}

// TapeRow is a row of the history or of the grid, during a change of size.
type TapeRow struct {
	Cells     []TapeCell // Cells between length and capacity are not visible, and may become visible again.
	Used      int        // Cells from this index on are zero.
	Wrapped   bool       // The row is soft-wrapped into the next one.
	Continues bool       // The row before is soft-wrapped into this one.
	Ended     bool       // A line ends in this row, even if it is blank (only with WrapUntilPrinted).
	Prompt    PromptMark // Several marks may be set.
}

// Part says which part of a character a cell holds.
type Part uint8

const (
	Whole      Part = iota
	FirstHalf       // The first half of a wide character.
	SecondHalf      // The second half of a wide character.
	LeftFree        // The last column, into which a wide character did not fit. The row wraps.
)

// Part returns which part of a character the cell holds.
func (c TapeCell) Part() Part { return Part(c.width() / wide) }

// WithPart returns the cell as another part of a character.
func (c TapeCell) WithPart(p Part) TapeCell { return c.withWidth(TapeCell(p) * wide) }

// IsSpace reports whether the cell shows a space.
func (c TapeCell) IsSpace() bool { return c.tag() == tagRune && c.content() == ' ' }

// IsProtected reports whether the cell is protected (DECSCA, SPA).
func (c TapeCell) IsProtected() bool { return c&protectedBit != 0 }

// Protect returns the cell as a protected one.
func (c TapeCell) Protect() TapeCell { return c | protectedBit }

// Style returns the style of the text in a cell.
func (g *Grid) Style(c TapeCell) Style { return g.pens.list[c.pen()].Style }

// History returns the number of rows above the grid.
func (g *Grid) History() int { return len(g.Tape) - g.Rows }

// relayoutScreen changes the size of a screen by the rules of another terminal.
func (t *Terminal) relayoutScreen(s *screen, cols, rows int) {
	g := t.makeGrid(s)
	t.config.Personality.Relayout(g, cols, rows)
	s.adoptGrid(g, cols, rows)
}

// makeGrid returns screen s as a Grid.
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

// adoptGrid takes the rows and positions back from a Grid that a Relayout function has changed.
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
