package vt

// beyond is the offset of a cursor that stands behind the text of its row.
const beyond = -1

// extent is how many cells of r are laid out anew.
func (r *row) extent(p *Personality) int {
	if p.EraseKeepsLength {
		return r.used
	}
	return r.length()
}

// offset is how many cells of its line stand before p.
func (s *screen) offset(p *pin, how *Personality) int {
	i := p.y - s.dropped
	if p.x >= s.ring.at(i).extent(how) {
		return beyond
	}
	n := p.x
	for ; i > 0 && s.ring.at(i-1).is(wrapped); i-- {
		n += s.ring.at(i - 1).extent(how)
	}
	return n
}

// astray puts a cursor where tmux does after it has torn lines: it counts them, and knows of none that has become two (grid_unwrap_position).
func (s *screen) astray(p *pin, offset int, torn []int, how *Personality) {
	n := 0
	for _, y := range torn {
		if y < p.y {
			n++
		}
	}
	if n == 0 {
		return
	}
	i := p.y - s.dropped
	begin := func() {
		for i > 0 && s.ring.at(i-1).is(wrapped) {
			i--
		}
	}
	begin()
	for ; n > 0 && i > 0; n-- {
		i--
		begin()
	}
	for s.ring.at(i).is(wrapped) && (offset == beyond || offset >= s.ring.at(i).extent(how)) {
		if offset != beyond {
			offset -= s.ring.at(i).extent(how)
		}
		i++
	}
	if offset == beyond {
		offset = s.ring.at(i).extent(how)
	}
	p.x, p.y = min(offset, s.cols-1), s.dropped+i
	if i < s.top() {
		p.x, p.y = 0, s.dropped+s.top()
	}
}

// hold counts the rows of history that tmux takes back into a higher grid (hscrolled) when a row of the new ring has got all that goes into it: where rows
// of the history were joined with those of the grid, none of that row is among them any more (grid_reflow_join).
func (f *reflower) hold() {
	if n := f.whole; n > 0 {
		switch to := f.out.n - 1; {
		case f.scrolled > to+n:
			f.scrolled -= n
		case f.scrolled > to:
			f.scrolled = to
		}
	}
	f.whole = 0
}
