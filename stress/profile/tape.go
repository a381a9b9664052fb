package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// tape holds new rows of a fixed width, while the rows of a resized grid are written.
type tape struct {
	cols int
	rows []*vt.TapeRow
	slab []vt.TapeCell // memory for cells that no row uses yet
}

const slabRows = 64

// push appends a blank row and returns it.
func (t *tape) push() *vt.TapeRow {
	if len(t.slab) < t.cols {
		t.slab = make([]vt.TapeCell, t.cols*slabRows)
	}
	r := &vt.TapeRow{Cells: t.slab[:t.cols:t.cols]}
	t.slab = t.slab[t.cols:]
	t.rows = append(t.rows, r)
	return r
}

// fill appends blank rows until there are at least n rows.
func (t *tape) fill(n int) {
	for len(t.rows) < n {
		t.push()
	}
}

// lastPushed returns the index of the last row.
func (t *tape) lastPushed() int { return len(t.rows) - 1 }

// put writes cell c to column x of row r, and extends the used part of r.
func put(r *vt.TapeRow, x int, c vt.TapeCell) {
	r.Cells[x] = c
	r.Used = max(r.Used, x+1)
}

// trim lowers r.Used to the last cell that is not empty, after cells were erased.
func trim(r *vt.TapeRow) {
	for r.Used > 0 && r.Cells[r.Used-1] == 0 {
		r.Used--
	}
}

// hasText reports whether any cell of the row shows a character.
func hasText(r *vt.TapeRow) bool {
	for _, c := range r.Cells[:r.Used] {
		if c.HasText() {
			return true
		}
	}
	return false
}

// usedCells returns the number of the row's cells up to the last one that is not blank.
func usedCells(r *vt.TapeRow) int {
	n := r.Used
	for n > 0 && r.Cells[n-1].IsBlank() {
		n--
	}
	return n
}

// rejoin makes two halves of a wide character that stand next to each other whole again, and blanks
// all other second halves.
func rejoin(r *vt.TapeRow) {
	for x := range r.Cells[:r.Used] {
		switch c := r.Cells[x]; {
		case x > 0 && r.Cells[x-1].Part() == vt.FirstHalf && !c.HasText():
			r.Cells[x] = r.Cells[x-1].WithoutText().WithPart(vt.SecondHalf)
		case c.Part() == vt.SecondHalf:
			r.Cells[x] = c.WithoutText()
		case c.Part() == vt.LeftFree:
			r.Cells[x] = 0
		}
	}
	trim(r)
}

// widowed blanks the second halves of wide characters whose first half is missing. A second half in
// the first column stays, since its first half is in the row above.
func widowed(r *vt.TapeRow) {
	for x := 1; x < r.Used; x++ {
		if c := r.Cells[x]; c.Part() == vt.SecondHalf && r.Cells[x-1].Part() != vt.FirstHalf {
			r.Cells[x] = c.WithoutText()
		}
	}
	trim(r)
}

// copyMarks copies the prompt marks (OSC 133) of src to dst.
func copyMarks(dst, src *vt.TapeRow) { dst.Prompt = src.Prompt }
