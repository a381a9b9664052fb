package renderer

// lineLengths holds the lengths of the last final lines, in columns.
type lineLengths struct {
	last     [16]int // a ring
	count    int     // lines that were added
	openCols int     // columns so far of a line that continues in the next row
}

// add adds r, which has become final.
func (l *lineLengths) add(r *row) {
	l.openCols += len(r.cells)
	if r.continues {
		return
	}
	l.last[l.count%len(l.last)] = l.openCols
	l.count, l.openCols = l.count+1, 0
}

// has reports whether one of the lines is n columns long.
func (l *lineLengths) has(n int) bool {
	for i := range min(l.count, len(l.last)) {
		if l.last[i] == n {
			return true
		}
	}
	return false
}

// restColumn returns the column after the text of the first live row, in which the cursor rests, or
// 0 if it cannot rest there. At another width tmux puts the cursor after that text again, or after
// the text of another line if it has lost its own. The column tells which, if no final line near it
// has the same length.
func (l *ledger) restColumn() int {
	r := &l.shown[0]
	if r.doubtfulCount > 0 || r.printedCols >= l.cols || l.recent.has(r.printedCols) {
		return 0
	}
	return r.printedCols
}

// padFirstRow prints blanks on a first live row that shows nothing, until no final line near it has
// the same length. A row with text gets none: it would have to be erased in view when it becomes
// final.
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

// lastRow returns the number of rows that n columns take in a window of cols columns, and the
// column after the last one (cols if that row is full).
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

// liveTop returns the grid row of the first live row. row is the reported row of the cursor, and
// col its column before it was asked for, -1 if that is not known.
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
