package renderer

// recent holds the lengths of the last final lines, in columns.
type recent struct {
	lengths [16]int
	n       int // lines that were counted
	open    int // columns of a line that goes on in the next row
}

// add counts r, which has become final.
func (t *recent) add(r *row) {
	t.open += len(r.cells)
	if r.goesOn {
		return
	}
	t.lengths[t.n%len(t.lengths)] = t.open
	t.n, t.open = t.n+1, 0
}

// has reports whether one of the lines is n columns long.
func (t *recent) has(n int) bool {
	for i := range min(t.n, len(t.lengths)) {
		if t.lengths[i] == n {
			return true
		}
	}
	return false
}

// behind returns the column in which the cursor rests behind the text of the first live row, 0 if
// there is no such column. tmux puts a cursor there behind the text again at another width, or
// behind the text of another line if it has lost its own. The column tells which, if no final line
// near it is as long.
func (l *ledger) behind() int {
	r := &l.shown[0]
	if r.doubt > 0 || r.long >= l.cols || l.recent.has(r.long) {
		return 0
	}
	return r.long
}

// lengthen prints blanks on a first live row that shows nothing, until no final line near it is as
// long. A text gets none: the row would have to be erased when it becomes final, in view.
func (e *emitter) lengthen() {
	r := &e.shown[0]
	n := max(r.long, 1)
	for e.recent.has(n) {
		n++
	}
	if len(r.cells) > 0 || n == r.long || n >= carefulCols(e.cols) {
		return
	}
	e.to(0)
	e.col(r.long)
	e.setPen(Style{}, "")
	for range n - r.long {
		e.buf = append(e.buf, ' ')
	}
	e.cur.Col, r.long = n, n
}

// tail returns the number of rows that n columns take in a window of cols columns, and the column
// after the last one (cols if that row is full).
func (r *row) tail(n, cols int) (rows, col int) {
	rows = 1
	for i := range n {
		w := 1
		if i < len(r.cells) {
			w = int(r.cells[i].w)
		}
		if col+w > cols {
			rows, col = rows+1, 0
		}
		col += w
	}
	return rows, col
}

// begins returns the grid row of the first live row, if the cursor is reported on row, and stood in
// column col before it was asked for, -1 if that is not known.
func (r *Renderer) begins(col, row int) int {
	z := &r.resize
	n, end := r.l.shown[0].tail(z.behind, r.l.cols)
	switch {
	case z.behind == 0:
		return r.sunk(row)
	case col == end || col == end-1 && end == r.l.cols: // tmux 3.3a says end
		return r.sunk(row - (n - 1))
	case z.floor.known:
		return r.sunk(row)
	}
	return r.l.rows - 1 // below everything that may be final
}
