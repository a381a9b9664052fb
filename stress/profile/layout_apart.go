package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayApart lays the history out anew by itself, and the grid by itself: what does not fit is
// pushed, nothing is pulled back (kitty 0.26.5: screen_resize, linebuf_rewrap, rewrap_inner). A
// cursor goes to the grid row on which its text was laid out, and stays there when rows behind push
// that further up.
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

// tracked is a cursor that moves with its text. Its y is of the old grid before its row is laid out
// and of the new one from then on, so that kitty may find it a second time further down.
type tracked struct {
	x, y  int
	found bool
}

// apartWriter writes rows into a tape of another width.
type apartWriter struct {
	tape
	marks marks
	old   int // columns of the old rows

	cursors     []*tracked
	top, height int // of the new grid

	row   *vt.TapeRow // that is being written
	x     int
	ended bool // the next row begins a line
}

// find looks for the cursors that are on row y of the old grid.
func (w *apartWriter) find(y int) {
	for _, t := range w.cursors {
		t.found = t.y == y
	}
}

// add lays row i of a tape out, whose line may go on in the next row if that is before end.
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

// copy writes cells where the row has come to. kitty takes the halves of a wide character apart at
// the edge, and finds them again.
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
