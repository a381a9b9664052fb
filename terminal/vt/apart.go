package vt

// resizeApart lays the history out anew by itself, and the grid by itself: what does not fit is pushed, nothing is pulled back (kitty 0.26.5: screen_resize,
// linebuf_rewrap, rewrap_inner). A cursor goes to the grid row on which its text was laid out, and stays there when rows behind push that further up.
func (s *screen) resizeApart(cols, rows int) {
	c, top := &s.cursor, s.top()
	content := s.rows // rows of the grid down to the last one that shows a character
	for content > 0 && !s.row(content-1).hasText() {
		content--
	}
	if top > 0 {
		s.ring.at(top-1).set(wrapped, false)
		s.row(0).set(continuation, false)
	}
	cursors := []*tracked{{x: c.x, y: c.y}}
	if c.pending {
		cursors[0].x = s.cols
	}
	if s.saved != nil {
		cursors = append(cursors, &tracked{x: s.saved.x, y: s.saved.y})
	}
	l := layout{out: ring{cols: cols, buf: make([]row, s.ring.n+rows)}, rows: rows, dropped: s.dropped, pins: s.pins, cols: s.cols}
	for _, p := range s.pins {
		l.from = append(l.from, *p)
	}
	for i := range top {
		l.add(&s.ring, i, top)
	}
	l.top, l.cursors, l.ended = l.out.n, cursors, true
	for y := range content {
		l.find(y)
		l.add(&s.ring, top+y, s.ring.n)
	}
	used := l.out.n - l.top
	for l.out.n < l.top+rows {
		l.out.push(1 << 30)
	}
	for k, p := range s.pins { // on blank rows that are not laid out
		if i := l.from[k].y - s.dropped; i >= top+content {
			p.x, p.y = min(p.x, cols-1), s.dropped+min(l.out.n-1, l.top+used+i-top-content)
		}
	}
	beyond := content > 0 && c.y >= content
	s.ring, s.cols, s.rows, s.room = l.out, cols, rows, cols
	s.setKeep()
	s.trim()
	c.x, c.y, c.pending = min(cursors[0].x, cols-1), min(cursors[0].y, rows-1), false
	if beyond {
		if c.y = min(used, rows); c.y == rows {
			c.y--
			s.push()
		}
	}
	if s.saved != nil {
		sc := *s.saved
		sc.x, sc.y, sc.pending = min(cursors[1].x, cols-1), min(cursors[1].y, rows-1), false
		s.saved = &sc
	}
}

// tracked is a cursor that moves with its text. Its y is of the old grid before its row is laid out and of the new one from then on, so that kitty may
// find it a second time further down.
type tracked struct {
	x, y  int
	found bool
}

// layout writes rows of a ring into another one of another width.
type layout struct {
	out     ring
	cols    int // of the old rows
	dropped int
	pins    []*pin
	from    []pin // where they were

	cursors   []*tracked
	top, rows int // the new grid: where it begins, and its height

	row   *row // that is being written
	x     int
	ended bool // the next row begins a line
}

// find looks for the cursors that are on row y of the old grid.
func (l *layout) find(y int) {
	for _, t := range l.cursors {
		t.found = t.y == y
	}
}

// add lays row i of a ring out, whose line may go on in the next row if that is before end.
func (l *layout) add(r *ring, i, end int) {
	src := r.at(i)
	if l.ended || l.row == nil {
		l.row, _ = l.out.push(1 << 30)
		l.x = 0
	}
	l.row.flags |= src.flags & promptMask
	goesOn := src.is(wrapped) && i+1 < end
	n := l.cols
	for !goesOn && n > 0 && !src.cells[n-1].hasText() {
		n--
	}
	for _, t := range l.cursors { // a blank row has no text that a cursor could go with
		if t.found && t.x >= n {
			t.x = max(1, n) - 1
		}
	}
	l.movePins(i, 0, l.cols, min(l.x, l.out.cols-1))
	for x := 0; x < n; {
		if l.x == l.out.cols {
			l.row.set(wrapped, true)
			l.row, _ = l.out.push(1 << 30)
			l.row.set(continuation, true)
			l.x = 0
		}
		k := min(l.cols-x, l.out.cols-l.x)
		l.copy(src.cells[x : x+k])
		l.movePins(i, x, x+k, l.x)
		for _, t := range l.cursors {
			if t.found && t.x >= x && t.x < x+k {
				if t.x > 0 { // kitty puts it behind the character that it was on
					t.x++
				}
				t.x, t.y = t.x-x+l.x, min(l.out.n-1-l.top, l.rows-1)
			}
		}
		x, l.x = x+k, l.x+k
	}
	l.ended = !goesOn
}

// copy writes cells where the row has come to. kitty takes the halves of a wide character apart at the edge, and finds them again.
func (l *layout) copy(cells []cell) {
	for i, c := range cells {
		x := l.x + i
		switch {
		case x > 0 && l.row.cells[x-1].width() == wide && !c.hasText():
			c = l.row.cells[x-1].withoutText() | spacerTail
		case c.width() == spacerTail:
			c = c.withoutText()
		case c.width() == spacerHead:
			c = 0
		}
		if c != 0 {
			l.row.put(x, c)
		}
	}
}

// movePins moves the pins on columns from up to to of old row i so that the first of these is column x of the row that is being written.
func (l *layout) movePins(i, from, to, x int) {
	for k, p := range l.pins {
		if was := l.from[k]; was.y-l.dropped == i && was.x >= from && was.x < to {
			p.x, p.y = min(x+was.x-from, l.out.cols-1), l.dropped+l.out.n-1
		}
	}
}
