package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// resize is what is known between a change of size and the frame after it. From then on final rows
// belong to the terminal, which wraps or cuts them as it likes. The live region is painted again
// from the row on which the cursor is reported, since the cursor rests on the first live row.
type resize struct {
	active bool // a size has changed since the last frame
	// line feeds before the next paint: so many rows of the live region are left behind
	leftRows int
	changes  int // number of changes of size
	minCols  int // the fewest columns since the last frame, the old ones included
	minRows  int // the fewest rows
	// the terminal may have had its new size before it took the last frame, see Overtaken
	overtaken bool
	cursorCol int // the cursor's column before, -1 if it is not known
	tag       int // the column that tells our cursor request from others, noTag or anyColumn
	requests  int // counts the requests
	floor     floor
	// With Quirks.CountsLines: the length of the first live row, if the cursor rests after it, else
	// 0.
	textEnd int
	// the cursor's place before the request moved it to its tag; Col is -1 if it is not known
	untagged Pos
}

// Tags lie above every column that a modified F3 can look like (CSI 1;2 to 1;16 R).
const (
	firstTag, lastTag = 17, 46

	noTag     = -1
	anyColumn = -2 // the terminal is too narrow for tags
)

// Resize tells the renderer the new size of the terminal, in columns and rows. The same size again
// counts, too: there was another one in between, which nobody reported. Render nothing before
// [Renderer.Anchor] or [Renderer.Predict]: wait until the size settles, then Ask.
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

// Overtaken says, after [Renderer.Resize], that the terminal may have had its new size before it
// took the last frame, whose moves were made for the old one.
func (r *Renderer) Overtaken() { r.resize.overtaken = r.resize.active }

// Ask writes a cursor position request from a column that no other report will name. Its answer is
// given to Anchor. An earlier request is void. The cursor is put back into its column.
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

// Anchor takes a cursor report (0-based), which tells where the live region stands. It returns
// false if the report does not answer the last Ask. A report that answers [Renderer.Locate] is used
// by [Renderer.Top].
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

// Predict replaces a report that does not come. The next moves are relative, and the terminal stops
// them at its edge, so that only the number of rows in history stays unknown.
func (r *Renderer) Predict() {
	if !r.resize.active {
		return
	}
	above := min(r.rowsAbove(), r.ledger.rows-1)
	r.ledger.residue += r.maxLiveRows()
	r.rebaseAround(above, above-(r.ledger.rows-1), 0)
}

// rebaseAround rebases the ledger: the live region begins above rows over the cursor's row.
func (r *Renderer) rebaseAround(above, minTop, maxTop int) {
	r.ledger.rebase(above+1, minTop, maxTop)
	r.ledger.cursor = Pos{Row: above, Col: -1}
	r.resize.active, r.firstRowMayJoin = false, true
}

// rowsAbove returns the least number of grid rows from the first live row to the cursor. Each live
// row ends hard, so that it takes one row or more in every terminal and at every width. In doubt a
// live row is left behind, but no final row is overwritten.
func (r *Renderer) rowsAbove() int {
	if z := &r.resize; z.changes > 1 && (z.overtaken || r.maxLiveRows() > z.minRows) {
		return 0 // at a size in between the cursor may have been stopped at an edge
	}
	return r.ledger.cursor.Row
}

// maxLiveRows returns the largest number of grid rows that the live region took. So many may be
// left above the new one, or in history.
func (r *Renderer) maxLiveRows() (n int) {
	for i := range r.ledger.shown {
		cells := max(len(r.ledger.shown[i].cells), r.ledger.shown[i].reach)
		n += 1 + cells/max(r.resize.minCols-1, 1) // a wide character may leave a column free
	}
	return n
}

// settleResize begins a frame on the first row of the live region, after a change of size.
func (r *Renderer) settleResize() {
	r.emit.beginFrame()
	r.Predict()
	r.skipLeftRows()
}

// skipLeftRows goes down by resize.leftRows.
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
