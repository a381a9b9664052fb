package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayByEnds lays all rows out anew at any new size, by whether each has ended its line: a blank
// row that has not is none, and behind a row that has there is one more, unless it was the last one
// of the grid. The grid ends with the last row, wherever the cursor is; one that has come to stand
// above the grid is on its last row (foot 1.13.1: grid_resize_and_reflow).
func relayByEnds(g *vt.Grid, cols, rows int) {
	if g.Saved == nil {
		g.Saved = new(vt.Place) // foot has one from the beginning, and it is tracked as the cursor is
	}
	top := g.History()
	g.Cursor.Y += top
	g.Saved.Y += top
	stops := []*vt.Place{&g.Cursor, g.Saved}
	f := byEndsWriter{tape: tape{cols: cols}, old: g.Cols, stops: []vt.Place{g.Cursor, *g.Saved}}
	f.marks = marks{current: append(stops, g.Marks...)}
	for _, p := range f.marks.current {
		f.marks.old = append(f.marks.old, *p)
	}
	f.next(false)
	for i, r := range g.Tape {
		f.add(r, i, i+1 < len(g.Tape))
	}
	for _, r := range f.rows {
		widowed(r)
	}
	f.fill(rows)
	g.Tape = f.rows
	for _, p := range stops {
		if p.Y -= len(g.Tape) - rows; p.Y < 0 || p.Y >= rows {
			p.Y = rows - 1
		}
		p.Pending = false
	}
}

// byEndsWriter writes rows into a tape of another width.
type byEndsWriter struct {
	tape
	marks marks
	old   int        // columns of the old rows
	stops []vt.Place // the cells that they are on are laid out, be they blank
	row   *vt.TapeRow
	x     int
}

func (w *byEndsWriter) next(goesOn bool) {
	if goesOn {
		w.row.Wrapped = true
	}
	w.row, w.x = w.push(), 0
	w.row.Continues = goesOn
}

// add lays row i of the old tape out.
func (w *byEndsWriter) add(src *vt.TapeRow, i int, more bool) {
	n := w.old
	for n > 0 && !src.Cells[n-1].HasText() && src.Cells[n-1].Part() != vt.SecondHalf {
		n--
	}
	if n > 0 && !src.Ended {
		n = w.old
	}
	var stop [2]int // behind the cells of the stops
	for k, p := range w.stops {
		if p.Y == i {
			stop[k] = p.X + 1
			n = max(n, p.X+1)
		}
	}
	w.move(i, 0, w.old)
	fresh := true // the cell is the first of those that are copied together
	for x := range n {
		if w.x == w.cols {
			w.next(true)
			fresh = true
		}
		if !fresh && w.x == w.cols-1 && x+1 < w.old && src.Cells[x+1].Part() == vt.SecondHalf {
			put(w.row, w.x, vt.TapeCell(0).WithPart(vt.LeftFree))
			w.next(true)
		}
		if x == 0 {
			copyMarks(w.row, src)
		}
		put(w.row, w.x, src.Cells[x])
		w.move(i, x, x+1)
		w.x++
		fresh = x+1 == stop[0] || x+1 == stop[1]
	}
	if src.Ended {
		w.row.Ended = true
		if more {
			w.next(false)
		}
	}
}

// move puts marks that were on columns from up to to of old row i where the next cell is written.
func (w *byEndsWriter) move(i, from, to int) {
	for k, p := range w.marks.current {
		if was := w.marks.old[k]; was.Y == i && was.X >= from && was.X < to {
			p.X, p.Y = min(w.x, w.cols-1), w.lastPushed()
		}
	}
}
