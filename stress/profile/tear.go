package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// behind is the offset of a cursor that stands behind the text of its row.
const behind = -1

// movedCells returns how many cells of r are laid out anew.
func (f *fitting) movedCells(r *vt.TapeRow) int {
	if f.lengths {
		return r.Used
	}
	return usedCells(r)
}

// cellsBefore returns how many cells of its line stand before p.
func (f *fitting) cellsBefore(p *vt.Place) int {
	i := p.Y
	if p.X >= f.movedCells(f.Tape[i]) {
		return behind
	}
	n := p.X
	for ; i > 0 && f.Tape[i-1].Wrapped; i-- {
		n += f.movedCells(f.Tape[i-1])
	}
	return n
}

// astray puts a cursor where tmux does after it has torn lines: it counts them, and knows of none
// that has become two (grid_unwrap_position).
func (f *fitting) astray(p *vt.Place, offset int, torn []int) {
	n := 0
	for _, y := range torn {
		if y < p.Y {
			n++
		}
	}
	if n == 0 {
		return
	}
	i := p.Y
	begin := func() {
		for i > 0 && f.Tape[i-1].Wrapped {
			i--
		}
	}
	begin()
	for ; n > 0 && i > 0; n-- {
		i--
		begin()
	}
	for f.Tape[i].Wrapped && (offset == behind || offset >= f.movedCells(f.Tape[i])) {
		if offset != behind {
			offset -= f.movedCells(f.Tape[i])
		}
		i++
	}
	if offset == behind {
		offset = f.movedCells(f.Tape[i])
	}
	p.X, p.Y = min(offset, f.Cols-1), i
	if i < f.History() {
		p.X, p.Y = 0, f.History()
	}
}

// hold counts the rows of history that tmux takes back into a higher grid (hscrolled) when a row of
// the new tape has got all that goes into it: where rows of the history were joined with those of
// the grid, none of that row is among them any more (grid_reflow_join).
func (r *reflower) hold() {
	if n := r.wholeRows; n > 0 {
		switch to := r.lastPushed(); {
		case r.scrolled > to+n:
			r.scrolled -= n
		case r.scrolled > to:
			r.scrolled = to
		}
	}
	r.wholeRows = 0
}
