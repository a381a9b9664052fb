package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// tape is rows that are being written.
type tape struct {
	cols int
	rows []*vt.TapeRow
	slab []vt.TapeCell // cells not yet given to a row
}

const slabRows = 64

// push appends a blank row.
func (t *tape) push() *vt.TapeRow {
	if len(t.slab) < t.cols {
		t.slab = make([]vt.TapeCell, t.cols*slabRows)
	}
	r := &vt.TapeRow{Cells: t.slab[:t.cols:t.cols]}
	t.slab = t.slab[t.cols:]
	t.rows = append(t.rows, r)
	return r
}

// fill appends blank rows until there are n.
func (t *tape) fill(n int) {
	for len(t.rows) < n {
		t.push()
	}
}

// lastPushed returns the number of the row that was pushed last.
func (t *tape) lastPushed() int { return len(t.rows) - 1 }

// put writes one cell.
func put(r *vt.TapeRow, x int, c vt.TapeCell) {
	r.Cells[x] = c
	r.Used = max(r.Used, x+1)
}

// trim updates Used after a change of cells.
func trim(r *vt.TapeRow) {
	for r.Used > 0 && r.Cells[r.Used-1] == 0 {
		r.Used--
	}
}

// hasText reports whether any cell shows a character.
func hasText(r *vt.TapeRow) bool {
	for _, c := range r.Cells[:r.Used] {
		if c.HasText() {
			return true
		}
	}
	return false
}

// usedCells returns the number of cells up to the last one that is not blank.
func usedCells(r *vt.TapeRow) int {
	n := r.Used
	for n > 0 && r.Cells[n-1].IsBlank() {
		n--
	}
	return n
}

// rejoin joins halves of wide characters that stand side by side, and blanks all other halves.
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

// widowed blanks second halves without a first one. The first half of one in the first column is in
// the row above.
func widowed(r *vt.TapeRow) {
	for x := 1; x < r.Used; x++ {
		if c := r.Cells[x]; c.Part() == vt.SecondHalf && r.Cells[x-1].Part() != vt.FirstHalf {
			r.Cells[x] = c.WithoutText()
		}
	}
	trim(r)
}

// copyMarks copies the prompt marks of a row to another one.
func copyMarks(dst, src *vt.TapeRow) { dst.Prompt = src.Prompt }
