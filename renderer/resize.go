package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// resize is what is known between a change of size and the frame after it (preserve mode). Rows that were final belong to the terminal from
// then on, wrapped anew or cut as it likes; only the live region is painted again.
type resize struct {
	on   bool
	tag  int // the column that marks our cursor request, -1 for none
	next int // counts the requests
}

// Tags lie above every column that a modified F3 can look like (CSI 1;2 to 1;16 R).
const firstTag, lastTag = 17, 46

// Resize says that the terminal has a new size, in columns and rows. Until [Renderer.Anchor] or [Renderer.Predict] nothing should be rendered:
// wait for the size to settle, then Ask.
func (r *Renderer) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 || cols == r.l.cols && rows == r.l.rows && !r.resize.on {
		return
	}
	if r.fresh { // nothing of ours stands anywhere
		r.l.cols, r.l.rows = cols, rows
		r.l.start()
		return
	}
	r.resize.on, r.resize.tag = true, -1
	r.l.cols, r.l.rows = cols, rows
}

// Ask writes a cursor position request from a column that no other report will name; its answer is given to Anchor. A request made before
// is void. The cursor is put back into its column.
func (r *Renderer) Ask() error {
	if !r.resize.on || r.idle {
		return nil
	}
	r.e.begin()
	if top := min(lastTag, r.l.cols-1); top >= firstTag+2 {
		r.resize.tag = firstTag + r.resize.next%(top-firstTag+1)
		r.resize.next++
		r.e.buf = ansi.AppendCHA(r.e.buf, r.resize.tag)
	} else {
		r.resize.tag = anyColumn
	}
	r.e.buf = append(r.e.buf, ansi.CPRRequest...)
	if col := r.e.cur.Col; r.resize.tag != anyColumn && col >= 0 {
		r.e.buf = ansi.AppendCHA(r.e.buf, min(col, r.l.cols-1))
	}
	r.e.cur.Col = -1
	return r.e.flush(r.c.Out, r.c.Sync)
}

// anyColumn: the terminal is too narrow for tags.
const anyColumn = -2

// Anchor takes a cursor report (0-based) and says where the live region stands; false if it does not answer the last Ask.
func (r *Renderer) Anchor(col, row int) bool {
	if !r.resize.on || r.resize.tag == -1 || r.resize.tag != anyColumn && col != r.resize.tag || row < 0 || row >= r.l.rows {
		return false
	}
	above := r.rowsAbove()
	start := row - above
	if start < 0 {
		r.l.residue -= start
		start = 0
	}
	r.settled(row-start, -start, -start)
	return true
}

// Predict goes on without a report. The moves are relative and the terminal stops them at its edge, so only the number of rows in history
// stays unknown.
func (r *Renderer) Predict() {
	if !r.resize.on {
		return
	}
	above := min(r.rowsAbove(), r.l.rows-1)
	r.settled(above, above-(r.l.rows-1), 0)
}

// settled rebases: the live region begins above rows over the cursor's row.
func (r *Renderer) settled(above, tlo, thi int) {
	r.l.rebase(above+1, tlo, thi)
	r.l.cur = Pos{Row: above, Col: -1}
	r.resize.on = false
}

// rowsAbove is how many grid rows of the live region now stand above the cursor. Rows that were wrapped count together; where it is not
// known whether the terminal wraps anew, the smaller number is right: a live row is left behind then, a
// final one never overwritten.
func (r *Renderer) rowsAbove() int {
	height := func(cols int) int {
		sum, cells := 0, 0
		for i := range r.l.cur.Row {
			s := &r.l.shown[i]
			cells += len(s.cells)
			if s.wrapped {
				continue
			}
			sum += max(1, (cells+cols-1)/cols)
			cells = 0
		}
		if cells += max(r.l.cur.Col, 0); cells >= cols {
			sum += cells / cols // the cursor stands on a later piece of its row
		}
		return sum
	}
	flat := r.l.cur.Row
	switch r.c.Reflow {
	case ReflowNo:
		return flat
	case ReflowYes:
		return height(r.l.cols)
	}
	return min(flat, height(r.l.cols))
}
