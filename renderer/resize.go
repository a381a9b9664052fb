package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// resize is the state between a change of size and the next frame. Once the size has changed, the
// terminal may wrap or cut final rows in its own way, and they are not touched again. The live
// region is painted again from the row that the terminal reports for the cursor, since the cursor
// rests in the first live row.
type resize struct {
	active bool // The size has changed since the last frame.
	// The number of line feeds before the next paint. So many rows of the live region are left
	// behind.
	leftRows int
	changes  int // The number of changes of size.
	minCols  int // The smallest number of columns since the last frame, including that of the last frame.
	minRows  int // The smallest number of rows, likewise.
	// The terminal may have had its new size before it read the last frame, see Overtaken.
	overtaken bool
	cursorCol int // The column of the cursor before the change, or -1 if it is not known.
	// The column from which the cursor report was requested, which tells it from other reports; or
	// noTag, or anyColumn.
	tag      int
	requests int // The number of requests so far.
	floor    floor
	// With Quirks.CountsLines: the length of the first live row, if the cursor rests behind its
	// text, otherwise 0.
	textEnd int
	// The reported position of the cursor before it was moved to the column tag; Col is -1 if it
	// was not reported.
	untagged Pos
}

// Tags are columns from which Ask requests a report. They are larger than every number that a
// modified F3 key sends in their place (CSI 1;2 to 1;16 R).
const (
	firstTag, lastTag = 17, 46

	noTag     = -1
	anyColumn = -2 // The terminal is too narrow for tags.
)

// Resize tells r the new size of the terminal, in columns and rows. Call it for the same size, too:
// there was another one in between. Do not render before [Renderer.Anchor] or [Renderer.Predict] is
// called: wait until the size settles, and call [Renderer.Ask].
func (r *Renderer) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 {
		return
	}
	if r.untouched { // nothing of ours stands anywhere
		r.ledger.cols, r.ledger.rows = cols, rows
		r.ledger.forgetGrid()
		return
	}
	r.noteHeight(rows)
	z := &r.resize
	if !z.active {
		l := &r.ledger
		*z = resize{active: true, leftRows: z.leftRows, requests: z.requests, floor: z.floor, minCols: l.cols,
			minRows: l.rows, cursorCol: max(l.cursor.Col, 0)}
		if n := l.restColumn(); r.config.CountsLines && !l.caretVisible && l.cursor == (Pos{Col: n}) {
			z.textEnd = n
		}
	} else if cols != r.ledger.cols {
		z.cursorCol = -1
	}
	if cols == r.ledger.cols && rows == r.ledger.rows {
		z.cursorCol, z.changes = -1, z.changes+1 // there and back
	}
	z.minCols, z.minRows, z.tag = min(z.minCols, cols), min(z.minRows, rows), noTag
	z.changes++
	r.ledger.cols, r.ledger.rows = cols, rows
}

// Overtaken tells r, after [Renderer.Resize], that the terminal may have had its new size before it
// read the last frame, which was made for the old size.
func (r *Renderer) Overtaken() { r.resize.overtaken = r.resize.active }

// Ask requests a cursor report, to find the live region after a change of size. Pass the report to
// [Renderer.Anchor]. The request is sent from a column that tells its report from others. A new
// request replaces an earlier one. The cursor is put back into its column.
func (r *Renderer) Ask() error {
	z := &r.resize
	if !z.active || r.released {
		return nil
	}
	r.emit.beginFrame()
	z.tag, z.untagged = anyColumn, Pos{Col: -1}
	if z.textEnd > 0 && r.ledger.cols > firstTag+2 { // the column says something, before it becomes the tag's
		r.emit.buf = append(r.emit.buf, ansi.CPRRequest...)
	}
	if top := min(lastTag, r.ledger.cols-1); top >= firstTag+2 {
		z.tag = firstTag + z.requests%(top-firstTag+1)
		z.requests++
		// Not the column where the text ends, nor that of an answer to Locate.
		_, end := r.ledger.shown[0].lastRow(z.textEnd, r.ledger.cols)
		for n := 0; n < 4 && (z.tag == end || r.topReport.awaits(z.tag)); n++ {
			z.tag = firstTag + z.requests%(top-firstTag+1)
			z.requests++
		}
		r.emit.moveToColAbs(z.tag)
	}
	r.emit.buf = append(r.emit.buf, ansi.CPRRequest...)
	if z.tag != anyColumn { // not DECRC: ghostty keeps rows for the sake of a saved cursor
		col := min(max(z.cursorCol, 0), r.ledger.cols-1)
		if z.textEnd > 0 {
			col = r.ledger.cols - 1
		}
		r.emit.moveToColAbs(col)
	}
	r.emit.cursor.Col = -1
	return r.emit.flush(r.config.Out, r.config.Sync)
}

// Anchor uses a cursor report (column and row from 0) to find the live region. It returns false if
// the report does not answer the last Ask. A report for [Renderer.Locate] is stored for
// [Renderer.Top].
func (r *Renderer) Anchor(col, row int) bool {
	z := &r.resize
	if r.takeLocateReport(col, row) || !z.active || z.tag == noTag || row < 0 || row >= r.ledger.rows {
		return false
	}
	if z.tag != anyColumn && col != z.tag {
		z.untagged = Pos{Row: row, Col: col}
		return false
	}
	switch {
	case z.tag == anyColumn:
	case z.untagged.Row == row:
		col = z.untagged.Col
	default:
		col = -1
	}
	above := r.rowsAbove()
	r.ledger.residue += r.maxLiveRows()
	start := max(0, r.liveTop(col, row)-above)
	z.leftRows = max(0, start-row)
	r.ledger.residue += z.leftRows
	r.rebaseAround(max(0, row-start), -start, -start)
	return true
}

// Predict replaces a cursor report that does not come. The next frame uses relative moves, which
// the terminal stops at its edges, so that only the number of rows in history stays unknown.
func (r *Renderer) Predict() {
	if !r.resize.active {
		return
	}
	above := min(r.rowsAbove(), r.ledger.rows-1)
	r.ledger.residue += r.maxLiveRows()
	r.rebaseAround(above, above-(r.ledger.rows-1), 0)
}

// rebaseAround starts a new numbering of rows in the ledger. The live region begins above rows over
// the row of the cursor.
func (r *Renderer) rebaseAround(above, minTop, maxTop int) {
	r.ledger.rebase(above+1, minTop, maxTop)
	r.ledger.cursor = Pos{Row: above, Col: -1}
	r.resize.active, r.firstRowMayJoin = false, true
}

// rowsAbove returns the smallest number of grid rows that can lie between the first live row and
// the cursor. Each live row ends with a hard line break, so that it takes at least one row in every
// terminal at every width. In doubt the number is too small: a live row is left behind, but no
// final row is overwritten.
func (r *Renderer) rowsAbove() int {
	if z := &r.resize; z.changes > 1 && (z.overtaken || r.maxLiveRows() > z.minRows) {
		return 0 // at a size in between the cursor may have been stopped at an edge
	}
	return r.ledger.cursor.Row
}

// maxLiveRows returns the largest number of grid rows that the live region can have taken. So many
// rows of it may be left above the new one, or in history.
func (r *Renderer) maxLiveRows() (n int) {
	for i := range r.ledger.shown {
		cells := max(len(r.ledger.shown[i].cells), r.ledger.shown[i].reach)
		n += 1 + cells/max(r.resize.minCols-1, 1) // a wide character may leave a column free
	}
	return n
}

// settleResize begins a frame. After a change of size it moves the cursor to the first row of the
// live region.
func (r *Renderer) settleResize() {
	r.emit.beginFrame()
	r.Predict()
	r.skipLeftRows()
}

// skipLeftRows writes the line feeds of resize.leftRows.
func (r *Renderer) skipLeftRows() {
	if r.resize.leftRows == 0 {
		return
	}
	r.emit.moveToCol(0)
	for range r.resize.leftRows {
		r.emit.buf = append(r.emit.buf, '\n')
	}
	r.resize.leftRows = 0
}
