package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// relayByEnds changes the size of g in the way of foot 1.13.1 (grid_resize_and_reflow): a row
// breaks the line only if it was ended by a line feed, as [vt.TapeRow] Ended says. A blank row that
// was not ended disappears. Behind an ended row another one begins, unless it was the last one of
// the grid.
//
// The grid then consists of the last rows, wherever the cursor is. A cursor that would be above the
// grid goes to its last row.
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

// byEndsWriter copies the rows of a tape (history plus grid) into a new tape of another width, for
// relayByEnds.
type byEndsWriter struct {
	tape
	marks marks
	old   int        // number of columns before the change of size
	stops []vt.Place // cells up to these positions are copied even if they are blank
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

// add copies src, row i of the old tape (history plus grid), wrapped to the new width. more says
// that other rows follow.
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

// move moves the marks that were on old row i, in columns from (included) to to (excluded), to the
// place where the next cell is written.
func (w *byEndsWriter) move(i, from, to int) {
	for k, p := range w.marks.current {
		if was := w.marks.old[k]; was.Y == i && was.X >= from && was.X < to {
			p.X, p.Y = min(w.x, w.cols-1), w.lastPushed()
		}
	}
}
