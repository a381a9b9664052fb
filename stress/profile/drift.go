package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// drift computes where the cursor goes in a terminal whose cursor does not stay with its text: when
// a line below it takes more rows, or fewer, the terminal moves the cursor as if that line stood
// above it (xterm.js 6, Buffer.ts _reflowSmaller, _reflowLarger).
//
// In a narrower window one line is cut and not wrapped. It is the line on which the moved cursor is
// when the terminal comes to that line, from the bottom up.
func (r *reflower) drift() {
	top := r.History()
	y := r.at.Y - top
	if r.cols > r.Cols {
		r.cutLine(top + y)
	}
	added, popped := 0, 0
	for to := len(r.Tape); to > 0; {
		from := to - 1
		for from > 0 && r.Tape[from-1].Wrapped {
			from--
		}
		rows := r.rowsOf(from, to) - (to - from)
		at := top + y
		switch {
		case r.cols > r.Cols:
			if from == r.cut[0] {
				rows = 0
			}
		case rows == 0 && to-from == 1:
		case at >= from && at < to:
			r.cut, rows = [2]int{from, to}, 0
		}
		added += rows
		for ; rows > 0; rows-- {
			switch {
			case top > 0:
				top = min(top+1, len(r.Tape)-popped+added-r.Rows)
			case y < r.Rows-1:
				y++
				popped++
			default:
				top++
			}
		}
		for ; rows < 0; rows++ {
			if top > 0 {
				top--
			} else {
				y = max(y-1, 0)
			}
		}
		to = from
	}
	r.Tape = r.Tape[:len(r.Tape)-popped]
	r.drifted = &vt.Place{X: min(r.old.X, r.cols-1), Y: y}
	if r.saved != nil {
		r.savedAt = vt.Place{X: min(r.saved.X, r.cols-1), Y: min(max(r.saved.Y+added, 0), top+r.Rows-1)}
	}
}

// rowsOf returns the number of rows that the line in rows [from, to) of the tape (history plus
// grid) takes at the new width.
func (r *reflower) rowsOf(from, to int) int {
	rows, x := 1, 0
	for i := from; i < to; i++ {
		src := r.Tape[i]
		n := r.Cols
		if i == to-1 {
			n = usedCells(src)
		}
		for _, c := range src.Cells[:n] {
			w := 1
			switch c.Part() {
			case vt.LeftFree, vt.SecondHalf:
				continue
			case vt.FirstHalf:
				w = 2
			}
			if x+w > r.cols {
				rows, x = rows+1, 0
			}
			x += w
		}
	}
	return rows
}
