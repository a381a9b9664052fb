package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayApart changes the size of g in the way of kitty 0.26.5: the history and the grid are each
// wrapped anew by themselves. Rows that do not fit the grid go into history, and no row comes back
// (screen_resize, linebuf_rewrap, rewrap_inner).
//
// A cursor goes to the grid row to which its text was copied. It stays on that row even if later
// rows push the text further up.
func relayApart(g *vt.Grid, cols, rows int) {
	c, top := &g.Cursor, g.History()
	if p := takePrompt(g); len(p.rows) > 0 { // nothing goes on there
		g.Tape[max(0, len(g.Tape)-len(p.rows)-1)].Wrapped = false
	}
	content := g.Rows // rows of the grid down to the last one that shows a character
	for content > 0 && !hasText(g.Tape[top+content-1]) {
		content--
	}
	if top > 0 {
		g.Tape[top-1].Wrapped = false
		g.Tape[top].Continues = false
	}
	cursors := []*tracked{{x: c.X, y: c.Y}}
	if c.Pending {
		cursors[0].x = g.Cols
	}
	if g.Saved != nil {
		cursors = append(cursors, &tracked{x: g.Saved.X, y: g.Saved.Y})
	}
	l := apartWriter{tape: tape{cols: cols}, old: g.Cols, height: rows, marks: marksOf(g)}
	for i := range top {
		l.add(g.Tape, i, top)
	}
	l.top, l.cursors, l.ended = len(l.rows), cursors, true
	for y := range content {
		l.find(y)
		l.add(g.Tape, top+y, len(g.Tape))
	}
	used := len(l.rows) - l.top
	l.fill(l.top + rows)
	l.marks.moveBlankRows(top+content, l.top+used, cols, len(l.rows))
	if beyond := content > 0 && c.Y >= content; beyond {
		if cursors[0].y = min(used, rows); cursors[0].y == rows {
			l.push()
		}
	}
	g.Tape = l.rows
	*c = vt.Place{X: min(cursors[0].x, cols-1), Y: min(cursors[0].y, rows-1)}
	if g.Saved != nil {
		*g.Saved = vt.Place{X: min(cursors[1].x, cols-1), Y: min(cursors[1].y, rows-1)}
	}
}

// tracked holds the position of a cursor that moves with its text. Before its row is wrapped anew,
// y is a row of the old grid, and afterwards of the new one. So a second row may match y later, as
// in kitty.
type tracked struct {
	x, y  int
	found bool
}

// apartWriter copies the rows of a tape (history plus grid) into a new tape of another width, for
// relayApart.
type apartWriter struct {
	tape
	marks marks
	old   int // number of columns before the change of size

	cursors     []*tracked
	top, height int // top is the index of the new grid's first row, height its number of rows

	row   *vt.TapeRow // the new row that is being written
	x     int
	ended bool // the line has ended, so that the next row begins another one
}

// find marks the cursors that are on row y of the old grid as found.
func (w *apartWriter) find(y int) {
	for _, t := range w.cursors {
		t.found = t.y == y
	}
}

// add copies row i of the tape (history plus grid) in from, wrapped to the new width. The row's
// line goes on in the next row if row i is soft-wrapped and i+1 is less than end.
func (w *apartWriter) add(from []*vt.TapeRow, i, end int) {
	src := from[i]
	if w.ended || w.row == nil {
		w.row, w.x = w.push(), 0
	}
	w.row.Prompt |= src.Prompt
	goesOn := src.Wrapped && i+1 < end
	n := w.old
	for !goesOn && n > 0 && !src.Cells[n-1].HasText() {
		n--
	}
	for _, t := range w.cursors { // a blank row has no text that a cursor could go with
		if t.found && t.x >= n {
			t.x = max(1, n) - 1
		}
	}
	w.marks.moveSegment(i, 0, w.old, min(w.x, w.cols-1), w.lastPushed(), w.cols)
	for x := 0; x < n; {
		if w.x == w.cols {
			w.row.Wrapped = true
			w.row, w.x = w.push(), 0
			w.row.Continues = true
		}
		k := min(w.old-x, w.cols-w.x)
		w.copy(src.Cells[x : x+k])
		w.marks.moveSegment(i, x, x+k, w.x, w.lastPushed(), w.cols)
		for _, t := range w.cursors {
			if t.found && t.x >= x && t.x < x+k {
				if t.x > 0 { // kitty puts it behind the character that it was on
					t.x++
				}
				t.x, t.y = t.x-x+w.x, min(w.lastPushed()-w.top, w.height-1)
			}
		}
		x, w.x = x+k, w.x+k
	}
	w.ended = !goesOn
}

// copy writes cells into the current row from the current column on. kitty separates the two halves
// of a wide character at the edge, and joins them when they come together again.
func (w *apartWriter) copy(cells []vt.TapeCell) {
	for i, c := range cells {
		x := w.x + i
		switch {
		case x > 0 && w.row.Cells[x-1].Part() == vt.FirstHalf && !c.HasText():
			c = w.row.Cells[x-1].WithoutText().WithPart(vt.SecondHalf)
		case c.Part() == vt.SecondHalf:
			c = c.WithoutText()
		case c.Part() == vt.LeftFree:
			c = 0
		}
		if c != 0 {
			put(w.row, x, c)
		}
	}
}
