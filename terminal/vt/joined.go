package vt

// resizeJoined lays history and grid out anew in one go, so that a line that begins in history goes on there as far as its rows have room: grid rows may be
// taken into history, and nothing is pulled back. The grid begins with the first row that is needed behind the first one that the grid had, and what does not
// fit it is pushed (kitty 0.40 to 0.48: screen_resize, resize.c).
func (s *screen) resizeJoined(cols, rows int) {
	c, top := &s.cursor, s.top()
	reserved := s.reserve()
	content := s.rows // rows of the grid down to the last one that shows a character
	for content > 0 && !s.row(content-1).hasText() {
		content--
	}
	cursors := []*joinedCursor{{x: c.x, y: c.y}}
	if c.pending {
		cursors[0].x = s.cols
	}
	if s.saved != nil {
		cursors = append(cursors, &joinedCursor{x: s.saved.x, y: s.saved.y})
	}
	for _, t := range cursors {
		t.toX, t.toY = t.x, t.y
	}
	j := joining{screen: s, out: ring{cols: cols, buf: make([]row, s.ring.n+rows)}, rows: rows, grid: -1, cursors: cursors}
	for _, p := range s.pins {
		j.from = append(j.from, *p)
	}
	for i := range top + content {
		j.add(i, i-top)
	}
	last := min(j.rowOfCursors()+1, rows) // as kitty counts them
	if j.grid < 0 {
		j.grid = j.out.n
	}
	used := j.out.n
	for j.out.n < j.grid+rows {
		j.out.push(1 << 30)
	}
	for k, p := range s.pins { // on blank rows that are not laid out
		if i := j.from[k].y - s.dropped; i >= top+content {
			p.x, p.y = min(p.x, cols-1), s.dropped+min(j.out.n-1, used+i-top-content)
		}
	}
	beyond := content > 0 && c.y >= content
	s.ring, s.cols, s.rows, s.room = j.out, cols, rows, cols
	s.setKeep()
	s.trim()
	c.x, c.y, c.pending = min(cursors[0].toX, cols-1), min(cursors[0].toY, rows-1), false
	if beyond {
		if c.y = last; c.y == rows {
			c.y--
			s.push()
		}
	}
	if reserved {
		s.row(c.y).fill(0, 1, 0)
		c.x = 0
	}
	if s.saved != nil {
		sc := *s.saved
		sc.x, sc.y, sc.pending = min(cursors[1].toX, cols-1), min(cursors[1].toY, rows-1), false
		s.saved = &sc
	}
}

// reserve puts a character where the cursor is if it begins a line there that shows nothing in its first column, so that this row is laid out like others.
func (s *screen) reserve() bool {
	c := &s.cursor
	if c.x > 0 || c.pending || s.row(c.y).cells[0].hasText() || c.y > 0 && s.row(c.y-1).is(wrapped) {
		return false
	}
	s.row(c.y).put(0, '<')
	c.x++
	return true
}

// joinedCursor is a cursor on the old grid, and where it goes on the new one.
type joinedCursor struct{ x, y, toX, toY int }

// joining writes the rows of a screen into a ring of another width.
type joining struct {
	screen  *screen
	out     ring
	rows    int   // of the new grid
	grid    int   // the row of out that it begins with, -1 before that is written
	from    []pin // where the pins of the screen were
	cursors []*joinedCursor

	row    *row // that is being written
	x      int
	goesOn bool // the next row goes on with the line
}

// rowOfCursors is the row of the new grid that is being written. As long as that is one of history, kitty takes its number there.
func (j *joining) rowOfCursors() int {
	if j.grid < 0 {
		return max(0, j.out.n-1)
	}
	return min(j.out.n-1-j.grid, j.rows-1)
}

// next goes to the next row.
func (j *joining) next(inGrid bool) {
	if inGrid && j.grid < 0 {
		j.grid = j.out.n
	}
	if j.goesOn {
		j.row.set(wrapped, true)
	}
	j.row, _ = j.out.push(1 << 30)
	j.row.set(continuation, j.goesOn)
	j.x = 0
}

// add lays row i of the old ring out, which is row y of the old grid or, where y is below 0, of history.
func (j *joining) add(i, y int) {
	s := j.screen
	src := s.ring.at(i)
	if !j.goesOn {
		j.next(y >= 0)
	}
	j.goesOn = true
	j.row.flags |= src.flags & promptMask
	n := s.cols
	for n > 0 && !src.cells[n-1].hasText() && src.cells[n-1].width() != spacerTail {
		n--
	}
	j.movePins(i, 0, s.cols, min(j.x, j.out.cols-1))
	for x := 0; x < n; {
		w := 1
		if src.cells[x].width() == wide {
			w = 2
		}
		if w > j.out.cols {
			j.track(y, x, w, n)
			x += w
			continue
		}
		if j.x+w > j.out.cols {
			if j.x < j.out.cols {
				j.row.put(j.x, spacerHead)
			}
			j.next(y >= 0)
		}
		for k := range w {
			j.row.put(j.x+k, src.cells[x+k])
		}
		j.movePins(i, x, x+w, j.x)
		j.track(y, x, w, n)
		x, j.x = x+w, j.x+w
	}
	j.goesOn = src.is(wrapped)
}

// track moves cursors along that are on the w cells from column x on of old grid row y, which shows something in n columns, or behind all of these.
func (j *joining) track(y, x, w, n int) {
	for _, t := range j.cursors {
		if y >= 0 && t.y == y && x <= t.x && (t.x < x+w || t.x >= n) {
			t.toX, t.toY = min(j.x+t.x-x, j.out.cols), j.rowOfCursors()
		}
	}
}

// movePins moves the pins on columns from up to to of old row i so that the first of these is column x of the row that is being written.
func (j *joining) movePins(i, from, to, x int) {
	s := j.screen
	for k, p := range s.pins {
		if was := j.from[k]; was.y-s.dropped == i && was.x >= from && was.x < to {
			p.x, p.y = min(x+was.x-from, j.out.cols-1), s.dropped+j.out.n-1
		}
	}
}
