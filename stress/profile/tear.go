package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// pastText is the offset of a cursor that stands behind the text of its row, see cellsBefore.
const pastText = -1

// movedCells returns the number of cells of r that are copied when it is wrapped anew.
func (f *gridFitter) movedCells(r *vt.TapeRow) int {
	if f.lengths {
		return r.Used
	}
	return usedCells(r)
}

// cellsBefore returns the number of cells between the beginning of the line and position p, or
// pastText if p is behind the text of its row.
func (f *gridFitter) cellsBefore(p *vt.Place) int {
	i := p.Y
	if p.X >= f.movedCells(f.Tape[i]) {
		return pastText
	}
	n := p.X
	for ; i > 0 && f.Tape[i-1].Wrapped; i-- {
		n += f.movedCells(f.Tape[i-1])
	}
	return n
}

// placeTornCursor puts a cursor where tmux does after it has broken lines. tmux finds the cursor's
// line by counting lines, and does not know that one line has become two (grid_unwrap_position).
// torn holds the rows at which lines were broken, offset the cursor's place in its line.
func (f *gridFitter) placeTornCursor(p *vt.Place, offset int, torn []int) {
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
	for f.Tape[i].Wrapped && (offset == pastText || offset >= f.movedCells(f.Tape[i])) {
		if offset != pastText {
			offset -= f.movedCells(f.Tape[i])
		}
		i++
	}
	if offset == pastText {
		offset = f.movedCells(f.Tape[i])
	}
	p.X, p.Y = min(offset, f.Cols-1), i
	if i < f.History() {
		p.X, p.Y = 0, f.History()
	}
}

// countScrolled updates r.scrolled when a row of the new tape is complete. It counts as tmux does
// (hscrolled): if old rows of the history were joined with rows of the grid in one row, that row no
// longer counts (grid_reflow_join).
func (r *reflower) countScrolled() {
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
