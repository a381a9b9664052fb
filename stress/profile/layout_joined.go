package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayJoined changes the size of g in the way of kitty 0.40 to 0.48 (screen_resize, resize.c):
// history and grid are wrapped anew in one go. If a line begins in history, its text on the grid
// first fills the last row there. No row comes back from the history.
//
// The new grid begins with the first row that is begun for text of the old grid. Rows that do not
// fit go into history.
func relayJoined(g *vt.Grid, cols, rows int) {
	c, top := &g.Cursor, g.History()
	reserved := reserve(g)
	prompt := takePrompt(g)
	content := g.Rows // rows of the grid down to the last one that shows a character
	for content > 0 && !hasText(g.Tape[top+content-1]) {
		content--
	}
	cursors := []*joinedCursor{{x: c.X, y: c.Y}}
	if c.Pending {
		cursors[0].x = g.Cols
	}
	if g.Saved != nil {
		cursors = append(cursors, &joinedCursor{x: g.Saved.X, y: g.Saved.Y})
	}
	for _, t := range cursors {
		t.toX, t.toY = t.x, t.y
	}
	j := joinedWriter{tape: tape{cols: cols}, old: g.Cols, height: rows, grid: -1, cursors: cursors, marks: marksOf(g)}
	for i := range top + content {
		j.add(g.Tape[i], i, i-top)
	}
	last := min(j.cursorRow()+1, rows) // as kitty counts them
	if j.grid < 0 {
		j.grid = len(j.rows)
	}
	used := len(j.rows)
	j.fill(j.grid + rows)
	j.marks.moveBlankRows(top+content, used, cols, len(j.rows))
	beyond := content > 0 && c.Y >= content
	*c = vt.Place{X: min(cursors[0].toX, cols-1), Y: min(cursors[0].toY, rows-1)}
	if beyond {
		if c.Y = last; c.Y == rows {
			c.Y--
			j.push()
		}
	}
	g.Tape = j.rows
	if reserved {
		r := g.Tape[len(g.Tape)-rows+c.Y]
		r.Cells[0] = 0
		widowed(r)
		c.X = 0
	}
	prompt.putBack(g, cols, rows)
	if g.Saved != nil {
		*g.Saved = vt.Place{X: min(cursors[1].toX, cols-1), Y: min(cursors[1].toY, rows-1)}
	}
}

// reserve puts a character at the cursor if the cursor is in the first column of a row that begins
// a line and shows nothing there. So that row is copied like others. It reports whether it has put
// the character.
func reserve(g *vt.Grid) bool {
	c, i := &g.Cursor, g.History()+g.Cursor.Y
	if c.X > 0 || c.Pending || g.Tape[i].Cells[0].HasText() || c.Y > 0 && g.Tape[i-1].Wrapped {
		return false
	}
	put(g.Tape[i], 0, '<')
	c.X++
	return true
}

// joinedCursor holds the position of a cursor on the old grid (x, y) and on the new one (toX, toY).
type joinedCursor struct{ x, y, toX, toY int }

// joinedWriter copies the rows of a tape (history plus grid) into a new tape of another width, for
// relayJoined.
type joinedWriter struct {
	tape
	marks   marks
	old     int // number of columns before the change of size
	height  int // number of rows of the new grid
	grid    int // index of the new grid's first row; -1 before that row is written
	cursors []*joinedCursor

	row    *vt.TapeRow // the new row that is being written
	x      int
	goesOn bool // the next row continues the line of the current one
}

// cursorRow returns the grid row of the row that is being written. Before the grid begins it
// returns the row's index in history, because kitty takes that number for the cursor's row.
func (j *joinedWriter) cursorRow() int {
	if j.grid < 0 {
		return max(0, j.lastPushed())
	}
	return min(j.lastPushed()-j.grid, j.height-1)
}

// next begins a new row. inGrid says that it takes text of the old grid.
func (j *joinedWriter) next(inGrid bool) {
	if inGrid && j.grid < 0 {
		j.grid = len(j.rows)
	}
	if j.goesOn {
		j.row.Wrapped = true
	}
	j.row, j.x = j.push(), 0
	j.row.Continues = j.goesOn
}

// add copies src, row i of the old tape, wrapped to the new width. y is its row on the old grid; it
// is negative for a row of history.
func (j *joinedWriter) add(src *vt.TapeRow, i, y int) {
	if !j.goesOn {
		j.next(y >= 0)
	}
	j.goesOn = true
	j.row.Prompt |= src.Prompt
	n := j.old
	for n > 0 && !src.Cells[n-1].HasText() && src.Cells[n-1].Part() != vt.SecondHalf {
		n--
	}
	j.marks.moveSegment(i, 0, j.old, min(j.x, j.cols-1), j.lastPushed(), j.cols)
	for x := 0; x < n; {
		w := 1
		if src.Cells[x].Part() == vt.FirstHalf {
			w = 2
		}
		if w > j.cols {
			j.track(y, x, w, n)
			x += w
			continue
		}
		if j.x+w > j.cols {
			if j.x < j.cols {
				put(j.row, j.x, vt.TapeCell(0).WithPart(vt.LeftFree))
			}
			j.next(y >= 0)
		}
		for k := range w {
			put(j.row, j.x+k, src.Cells[x+k])
		}
		j.marks.moveSegment(i, x, x+w, j.x, j.lastPushed(), j.cols)
		j.track(y, x, w, n)
		x, j.x = x+w, j.x+w
	}
	j.goesOn = src.Wrapped
}

// track moves the cursors that are on old grid row y, on the w cells from column x on, to the place
// where these cells are written. It also moves the cursors behind the row's n cells with text.
func (j *joinedWriter) track(y, x, w, n int) {
	for _, t := range j.cursors {
		if y >= 0 && t.y == y && x <= t.x && (t.x < x+w || t.x >= n) {
			t.toX, t.toY = min(j.x+t.x-x, j.cols), j.cursorRow()
		}
	}
}
