package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// rewrap joins the soft-wrapped rows of grid and history, and wraps them anew at the given width.
// It does nothing if the width stays the same.
func (f *gridFitter) rewrap(cols int) {
	if cols == f.Cols {
		return
	}
	// If the cursor was not on the last row, the rows below it shall stay below it: otherwise a
	// cleared screen would fill up with history.
	var kept *vt.Place
	var below, wraps int
	if f.old.X < cols && f.old.Y < f.Rows && !f.ReflowTears {
		kept = &vt.Place{X: f.old.X, Y: f.History() + f.old.Y}
		f.places = append(f.places, kept)
		below = f.Rows - f.old.Y - 1
		wraps = f.continuations(f.old.Y)
	}

	r := reflower{gridFitter: f, tape: tape{cols: cols}, scrolled: f.History() - f.Archived}
	offset := f.cellsBefore(f.at)
	r.run()
	r.fill(f.Rows)
	f.Tape, f.Cols = r.rows, cols
	if d := r.drifted; d != nil {
		f.at.X, f.at.Y = d.X, f.History()+min(d.Y, f.Rows-1)
		if f.saved != nil {
			*f.saved = r.savedAt
		}
		return
	}
	if f.ReflowTears {
		r.countScrolled()
		f.Archived = max(0, f.History()-r.scrolled)
	}
	if r.torn != nil {
		f.placeTornCursor(f.at, offset, r.torn)
	}
	if kept == nil {
		return
	}
	y := kept.Y - f.History()
	if y < 0 || y >= f.Rows {
		return
	}
	f.push(below - max(0, f.continuations(y)-wraps) - (f.Rows - y - 1))
}

// continuations returns the number of grid rows, from the top down to row y, that continue the row
// before them.
func (f *gridFitter) continuations(y int) int {
	n := 0
	for _, r := range f.Tape[f.History():][:y+1] {
		if r.Continues {
			n++
		}
	}
	return n
}

// reflower copies the rows of a grid into a new tape (history plus grid) of another width, wrapped
// anew.
type reflower struct {
	*gridFitter
	tape
	row *vt.TapeRow
	x   int

	cut     [2]int    // rows of the old tape, [from, to), that are cut and not wrapped anew: see RewrapButCursor
	drifted *vt.Place // new position of the cursor on the grid: see drift
	savedAt vt.Place  // new position of a saved cursor, with Y as an index of the tape

	sum   int   // columns of the current row, as ReflowPads counts them
	begun int   // the old row with whose text the current row begins
	torn  []int // new rows whose line was broken: see ReflowTears

	scrolled   int // number of the history's rows, as tmux counts them, that a higher grid takes back
	lastOwnRow int // the last old row for which a new row was begun
	wholeRows  int // number of old rows that are in the current row as a whole, besides the first one

	pending bool // the current row is full: the next cell begins another one, to which this one wraps
	// number of rows to begin before the next cell is written; those left at the end are never
	// begun
	owed  int
	moved []bool
}

func (r *reflower) run() {
	r.moved = make([]bool, len(r.places))
	switch {
	case r.ReflowDrifts:
		r.drift()
	case r.Reflow == RewrapButCursor:
		r.cutLine(r.at.Y)
	}
	free := r.freeRows()
	r.newRow()
	for i := range r.Tape {
		if i >= r.cut[0] && i < r.cut[1] {
			r.cutRow(i)
			continue
		}
		r.reflow(i)
	}
	for range r.owed - 1 - free {
		r.newRow()
	}
}

// freeRows returns the largest number of blank rows at the end of the grid that are dropped at the
// new width.
func (r *reflower) freeRows() int {
	switch {
	case r.drifted != nil, r.ReflowBlanks == BlankIsARow:
		return 0
	case r.ReflowBlanks == ErasedIsARow:
		return r.Rows - max(r.Erased, r.at.Y-r.History()+1)
	}
	return r.Rows
}

// cutLine selects the line with row i of the tape (history plus grid) as the one that is cut and
// not wrapped anew.
func (r *reflower) cutLine(i int) {
	from, to := i, i+1
	for from > 0 && r.Tape[from-1].Wrapped {
		from--
	}
	for to < len(r.Tape) && r.Tape[to-1].Wrapped {
		to++
	}
	r.cut = [2]int{from, to}
}

// cutRow copies row i of the tape (history plus grid) to a new row, cut at the new width.
func (r *reflower) cutRow(i int) {
	src := r.Tape[i]
	if r.owed == 0 && r.row.Used > 0 {
		r.owed = 1 // the row before it is a blank one that continues another
	}
	r.begin()
	cells := r.row.Cells
	*r.row = *src
	r.row.Cells, r.row.Used = cells, min(src.Used, r.cols)
	copy(cells, src.Cells)
	if last := &cells[r.cols-1]; last.Part() == vt.FirstHalf {
		*last = 0
	}
	if r.cols > r.Cols && cells[r.Cols-1].Part() == vt.LeftFree {
		cells[r.Cols-1] = cells[r.Cols-1].WithPart(vt.Whole)
	}
	for k, p := range r.places {
		if !r.moved[k] && p.Y == i {
			r.moveTo(k, min(p.X, r.cols-1))
		}
	}
	r.owed++
}

// begin starts the new rows that r.owed counts.
func (r *reflower) begin() {
	for ; r.owed > 0; r.owed-- {
		r.newRow()
	}
}

func (r *reflower) newRow() {
	r.countScrolled()
	r.row, r.x, r.sum, r.pending = r.tape.push(), 0, 0, false
}

// reflow copies row i of the old tape (history plus grid), wrapped to the new width.
func (r *reflower) reflow(i int) {
	src := r.Tape[i]
	n := r.Cols
	if !src.Wrapped || r.ReflowTears {
		n = r.movedCells(src)
		if n == 0 && src.Prompt != 0 {
			n = 1
		}
	}
	// A row with a place on it is as long as that needs. Row 0 always has one, that of the
	// viewport.
	if i == 0 && !r.ReflowTears {
		n = max(n, 1)
	}
	if n == 0 && r.ReflowTears && r.owed == 0 && src.Continues && !src.Wrapped {
		r.keepRow(i)
		return
	}
	first, after, end := len(r.places), -1, n
	for k, p := range r.places {
		if r.moved[k] || p.Y != i {
			continue
		}
		first = min(first, k)
		past := p == r.at
		switch {
		case past && r.ReflowTears && p.X >= n && n > 0:
			after = k // and stays behind the text, wherever it was behind it
			continue
		case past && p.X == n && (r.nextColumn()+n)%r.cols != 0:
		case past && p.X >= n && n > 0:
			r.Cursor.Pending = p.X == n // behind a row that is full now
			p.X = n - 1
		case p.X >= n:
			p.X = min(p.X, r.cols-1-r.x)
		}
		n = max(n, p.X+1)
	}
	if n == 0 {
		// in xterm.js and alacritty a row ends a line that continues one and shows nothing
		if !src.Continues || r.ReflowDrifts || r.BlankEndsLine {
			r.owed++
		}
		return
	}
	for ; r.owed > 0; r.owed-- {
		r.newRow()
		r.begun, r.lastOwnRow = i, i
	}
	copyMarks(r.row, src)
	for x := 0; x < n; {
		if after >= 0 && x == end {
			r.moveTo(after, r.x)
		}
		c := src.Cells[x]
		short := r.row.Cells[r.cols-1].Part() == vt.LeftFree
		if r.overfull(c) {
			r.pending, short = true, c.Part() == vt.FirstHalf && r.sum == r.cols-1
			if c.Part() == vt.SecondHalf {
				put(r.row, r.x, c.Protect())
				c = ' '
			}
		}
		if r.pending {
			tears := r.ReflowTears && x == 0 && !src.Wrapped && r.begun < i-1 && short
			if tears {
				r.row.Cells[r.cols-1] = 0
				r.torn = append(r.torn, r.lastPushed())
			}
			r.row.Wrapped = !tears
			r.newRow()
			if x > 0 && r.lastOwnRow == i && i <= r.scrolled {
				r.scrolled++
			}
			r.begun, r.lastOwnRow = i, i
			copyMarks(r.row, src)
			r.row.Continues = !tears
		}
		r.movePlaces(first, i, x)
		x += r.write(c, first, i, x)
		r.sum += extraColumns(c)
	}
	if after >= 0 && !r.moved[after] {
		r.Cursor.Pending = r.pending
		r.moveTo(after, r.x)
	}
	if i > r.begun {
		r.wholeRows++
	}
	if !src.Wrapped {
		r.owed++
	}
}

// keepRow copies a blank row that ends a line as a row of its own. The row before it becomes
// soft-wrapped, as in tmux (grid_reflow_join).
func (r *reflower) keepRow(i int) {
	r.row.Wrapped = true
	r.newRow()
	r.row.Continues = true
	for k, p := range r.places {
		if !r.moved[k] && p.Y == i {
			r.moveTo(k, 0)
		}
	}
	r.owed++
}

// nextColumn returns the column of the new tape (history plus grid) at which the next old row
// begins.
func (r *reflower) nextColumn() int {
	switch {
	case r.owed > 0:
		return 0
	case r.pending:
		return r.cols
	}
	return r.x
}

// movePlaces moves the tracked positions on cell x of old row i to the place where that cell is
// written. It looks at the positions from index first on.
func (r *reflower) movePlaces(first, i, x int) {
	for k := first; k < len(r.places); k++ {
		if p := r.places[k]; !r.moved[k] && p.X == x && p.Y == i {
			r.moveTo(k, r.x)
		}
	}
}

// moveTo moves tracked position k to column x of the row that is being written.
func (r *reflower) moveTo(k, x int) {
	r.places[k].X, r.places[k].Y = x, r.lastPushed()
	r.moved[k] = true
}

// write copies cell c, which is cell x of old row i, to the current column. It returns the number
// of old cells to advance: 0 if the cell has to be written once more in the next row. first is the
// index of the first tracked position that may be on row i.
func (r *reflower) write(c vt.TapeCell, first, i, x int) int {
	switch c.Part() {
	case vt.FirstHalf:
		switch {
		case r.cols == 1: // no place: it becomes a blank
			r.forward()
			r.movePlaces(first, i, x+1)
			return 2
		case r.x == r.cols-1:
			put(r.row, r.x, vt.TapeCell(0).WithPart(vt.LeftFree))
			r.forward()
			return 0
		}
	case vt.SecondHalf:
		if r.cols == 1 {
			return 1
		}
	case vt.LeftFree:
		return 1
	}
	if c != 0 || r.lengths {
		put(r.row, r.x, c)
	}
	r.forward()
	return 1
}

func (r *reflower) forward() {
	if r.x == r.cols-1 {
		r.pending = true
	} else {
		r.x++
	}
}
