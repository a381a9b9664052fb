package renderer

// lineLengths records how long the last 16 final lines are, in columns.
type lineLengths struct {
	last     [16]int // A ring buffer.
	count    int     // The number of lines that were ever added.
	openCols int     // The length so far of a line that continues in the next row.
}

// add records the length of a row that has become final.
func (l *lineLengths) add(r *row) {
	l.openCols += len(r.cells)
	if r.continues {
		return
	}
	l.last[l.count%len(l.last)] = l.openCols
	l.count, l.openCols = l.count+1, 0
}

// has reports whether one of the recorded lines is n columns long.
func (l *lineLengths) has(n int) bool {
	for i := range min(l.count, len(l.last)) {
		if l.last[i] == n {
			return true
		}
	}
	return false
}

// restColumn returns the column behind the text of the first live row, where the hidden cursor
// rests, or 0 if it has to rest in column 0.
//
// After a change of width tmux puts the cursor behind its text again, or behind the text of another
// line. The column tells which of the two happened, provided that no final line nearby has the same
// length.
func (l *ledger) restColumn() int {
	r := &l.shown[0]
	if r.doubtfulCount > 0 || r.printedCols >= l.cols || l.recent.has(r.printedCols) {
		return 0
	}
	return r.printedCols
}

// padFirstRow prints blanks in an empty first live row, until no final line nearby has the same
// length: see restColumn. A row with text gets no blanks, since they would have to be erased
// visibly when the row becomes final.
func (e *emitter) padFirstRow() {
	r := &e.shown[0]
	n := max(r.printedCols, 1)
	for e.recent.has(n) {
		n++
	}
	if len(r.cells) > 0 || n == r.printedCols || n >= carefulCols(e.cols) {
		return
	}
	e.moveToRow(0)
	e.moveToCol(r.printedCols)
	e.setPen(Style{}, "")
	for range n - r.printedCols {
		e.buf = append(e.buf, ' ')
	}
	e.cursor.Col, r.printedCols = n, n
}

// lastRow returns how many rows the first n columns of r take in a window of cols columns. col is
// the column behind the text in the last of these rows, or cols if that row is full.
func (r *row) lastRow(n, cols int) (rows, col int) {
	rows = 1
	for i := range n {
		w := 1
		if i < len(r.cells) {
			w = int(r.cells[i].width)
		}
		if col+w > cols {
			rows, col = rows+1, 0
		}
		col += w
	}
	return rows, col
}

// liveTop returns the grid row of the first live row after a change of size. row is the reported
// row of the cursor. col is the column that the cursor had before it was moved for the report, or
// -1 if that is not known.
func (r *Renderer) liveTop(col, row int) int {
	z := &r.resize
	n, end := r.ledger.shown[0].lastRow(z.textEnd, r.ledger.cols)
	switch {
	case z.textEnd == 0:
		return r.textRow(row)
	case col == end || col == end-1 && end == r.ledger.cols: // tmux 3.3a says end
		return r.textRow(row - (n - 1))
	case z.floor.known:
		return r.textRow(row)
	}
	return r.ledger.rows - 1 // below everything that may be final
}
