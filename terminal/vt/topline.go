package vt

// resizeTopLine lays history and grid, which are one run of rows, out anew so that the last row of the grid stays the last one, be it blank. The cursor
// goes to the first row of its line, in the column that it was in, and no higher than the grid. Without history rows are cut or padded, and those that
// the grid has no room for are lost at its end (urxvt 9.30: scr_reset).
func (s *screen) resizeTopLine(cols, rows int) {
	c := &s.cursor
	out := ring{cols: cols, buf: make([]row, s.ring.n+rows)}
	if s.history() == 0 {
		for y := range rows {
			dst, _ := out.push(1 << 30)
			if y < s.rows {
				src := s.row(y)
				copy(dst.cells, src.cells)
				dst.used, dst.flags = min(src.used, cols), src.flags
			}
		}
	} else {
		at, line := s.top()+c.y, -1
		for i := 0; i < s.ring.n; {
			first := out.n
			n, shown := s.joinLine(i, &out)
			if at >= i && at < i+shown {
				line = first
			}
			i += n
		}
		missing := max(0, rows-out.n) // rows from before there were any
		for range missing {
			out.push(1 << 30)
			out.rotateDown(0, out.n-1)
		}
		if line >= 0 { // else it is on a row that continues a line and shows nothing: there it stays on its row of the grid
			c.y = line + missing - (out.n - rows)
		}
	}
	for i := range out.n {
		out.at(i).widowed()
	}
	s.ring, s.cols, s.rows, s.room = out, cols, rows, cols
	s.setKeep()
	s.trim()
	for _, p := range s.pins {
		p.x, p.y = min(p.x, cols-1), min(p.y, s.dropped+s.ring.n-1)
	}
	c.x, c.y = min(c.x, cols-1), min(max(c.y, 0), rows-1)
	c.pending = c.pending && c.x == cols-1
}

// joinLine writes the line that begins in row i of the ring to out, and returns how many rows of the ring it takes, and how many of these show
// something, the first one included. All cells of rows that go on are taken,
// so that wide characters may be parted at the new edge, and the column that one of them has left free is kept.
func (s *screen) joinLine(i int, out *ring) (n, shown int) {
	n = 1
	for i+n < s.ring.n && s.ring.at(i+n-1).is(wrapped) {
		n++
	}
	last := s.ring.at(i + n - 1)
	end := last.used
	for end > 0 && !last.cells[end-1].hasText() && last.cells[end-1].width() != spacerTail {
		end--
	}
	dst, _ := out.push(1 << 30)
	dst.flags |= s.ring.at(i).flags & promptMask
	x := 0
	for k := range (n-1)*s.cols + end {
		if x == out.cols {
			dst.set(wrapped, true)
			dst, _ = out.push(1 << 30)
			dst.set(continuation, true)
			x = 0
		}
		c := s.ring.at(i + k/s.cols).cells[k%s.cols]
		if c == 0 {
			c = ' ' // urxvt knows no other blanks
		}
		dst.put(x, c)
		x++
	}
	if n > 1 && end == 0 {
		return n, n - 1
	}
	return n, n
}

// stretch makes the cursor's row as long as the cursor is to the right, as CR and LF do in urxvt (scr_add_lines).
func (t *Terminal) stretch() {
	c := &t.s.cursor
	if !t.cfg.Personality.ReflowTopLine || c.x == 0 {
		return
	}
	if r := t.s.row(c.y); r.used < c.x {
		r.put(c.x-1, ' ')
	}
}
