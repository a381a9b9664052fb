package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// resize is what is known between a change of size and the frame after it. Rows that were final
// belong to the terminal from then on, wrapped anew or cut as it likes. The live region is painted
// again, from the row on which the cursor is reported: the cursor rests on the first live row.
type resize struct {
	on    bool
	skip  int  // line feeds before the next paint: the live region is left behind
	steps int  // changes of size
	thin  int  // the fewest columns since the last frame, the old ones included
	low   int  // the fewest rows
	met   bool // see Overtaken
	col   int  // the cursor's column before, -1 if a change of size has come since it was known
	tag   int  // the column that marks our cursor request, noTag or anyColumn
	next  int  // counts the requests
	floor floor
	// Where Quirks.Lines: how long the first live row is, if the cursor rests behind it, else 0.
	behind int
	said   Pos // the cursor's place before the request moved it to its tag, Col is -1 if it is not known
}

// Tags lie above every column that a modified F3 can look like (CSI 1;2 to 1;16 R).
const (
	firstTag, lastTag = 17, 46

	noTag     = -1
	anyColumn = -2 // the terminal is too narrow for tags
)

// Resize says that the terminal has a new size, in columns and rows. The same size again is news,
// too: there was another one in between, which came and went unheard. Until [Renderer.Anchor] or
// [Renderer.Predict] nothing should be rendered: wait for the size to settle, then Ask.
func (r *Renderer) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 {
		return
	}
	if r.fresh { // nothing of ours stands anywhere
		r.l.cols, r.l.rows = cols, rows
		r.l.start()
		return
	}
	r.sink(rows)
	z := &r.resize
	if !z.on {
		*z = resize{on: true, skip: z.skip, next: z.next, floor: z.floor, thin: r.l.cols, low: r.l.rows,
			col: max(r.l.cur.Col, 0)}
		if n := r.l.behind(); r.c.Lines && !r.l.visible && r.l.cur == (Pos{Col: n}) {
			z.behind = n
		}
	} else if cols != r.l.cols {
		z.col = -1
	}
	if cols == r.l.cols && rows == r.l.rows {
		z.col, z.steps = -1, z.steps+1 // there and back
	}
	z.thin, z.low, z.tag = min(z.thin, cols), min(z.low, rows), noTag
	z.steps++
	r.l.cols, r.l.rows = cols, rows
}

// Overtaken says, after [Renderer.Resize], that the terminal may have had its new size before it
// took the last frame: its moves were made for the old one.
func (r *Renderer) Overtaken() { r.resize.met = r.resize.on }

// Ask writes a cursor position request from a column that no other report will name; its answer is
// given to Anchor. A request made before is void. The cursor is put back into its column.
func (r *Renderer) Ask() error {
	z := &r.resize
	if !z.on || r.idle {
		return nil
	}
	r.e.begin()
	z.tag, z.said = anyColumn, Pos{Col: -1}
	if z.behind > 0 && r.l.cols > firstTag+2 { // the column says something, before it becomes the tag's
		r.e.buf = append(r.e.buf, ansi.CPRRequest...)
	}
	if top := min(lastTag, r.l.cols-1); top >= firstTag+2 {
		z.tag = firstTag + z.next%(top-firstTag+1)
		z.next++
		// Not the column where the text ends, nor that of an answer to Locate.
		_, end := r.l.shown[0].tail(z.behind, r.l.cols)
		for n := 0; n < 4 && (z.tag == end || r.place.waits(z.tag)); n++ {
			z.tag = firstTag + z.next%(top-firstTag+1)
			z.next++
		}
		r.e.column(z.tag)
	}
	r.e.buf = append(r.e.buf, ansi.CPRRequest...)
	if z.tag != anyColumn { // not DECRC: ghostty keeps rows for the sake of a saved cursor
		col := min(max(z.col, 0), r.l.cols-1)
		if z.behind > 0 {
			col = r.l.cols - 1
		}
		r.e.column(col)
	}
	r.e.cur.Col = -1
	return r.e.flush(r.c.Out, r.c.Sync)
}

// Anchor takes a cursor report (0-based) and says where the live region stands; false if it does
// not answer the last Ask. One that answers [Renderer.Locate] is for [Renderer.Top].
func (r *Renderer) Anchor(col, row int) bool {
	z := &r.resize
	if r.located(col, row) || !z.on || z.tag == noTag || row < 0 || row >= r.l.rows {
		return false
	}
	if z.tag != anyColumn && col != z.tag {
		z.said = Pos{Row: row, Col: col}
		return false
	}
	switch {
	case z.tag == anyColumn:
	case z.said.Row == row:
		col = z.said.Col
	default:
		col = -1
	}
	above := r.rowsAbove()
	r.l.residue += r.most()
	start := max(0, r.begins(col, row)-above)
	z.skip = max(0, start-row)
	r.l.residue += z.skip
	r.settled(max(0, row-start), -start, -start)
	return true
}

// Predict goes on without a report. The moves are relative and the terminal stops them at its edge,
// so only the number of rows in history stays unknown.
func (r *Renderer) Predict() {
	if !r.resize.on {
		return
	}
	above := min(r.rowsAbove(), r.l.rows-1)
	r.l.residue += r.most()
	r.settled(above, above-(r.l.rows-1), 0)
}

// settled rebases: the live region begins above rows over the cursor's row.
func (r *Renderer) settled(above, tlo, thi int) {
	r.l.rebase(above+1, tlo, thi)
	r.l.cur = Pos{Row: above, Col: -1}
	r.resize.on, r.joins = false, true
}

// rowsAbove returns the least number of grid rows that stand above the cursor from the first live
// row on. Each live row ends hard, so that it takes one row or more in every terminal and at every
// width: in doubt a live row is left behind, a final one never overwritten.
func (r *Renderer) rowsAbove() int {
	if z := &r.resize; z.steps > 1 && (z.met || r.most() > z.low) {
		return 0 // at a size in between the cursor may have been stopped at an edge
	}
	return r.l.cur.Row
}

// most returns the largest number of grid rows that the live region took: as many may be left above
// the new one, or in history.
func (r *Renderer) most() (n int) {
	for i := range r.l.shown {
		cells := max(len(r.l.shown[i].cells), r.l.shown[i].reach)
		n += 1 + cells/max(r.resize.thin-1, 1) // a wide character may leave a column free
	}
	return n
}

// anchor begins to write where the live region is, after a change of size.
func (r *Renderer) anchor() {
	r.e.begin()
	r.Predict()
	r.descend()
}

// descend goes down by as many rows as were found necessary.
func (r *Renderer) descend() {
	if r.resize.skip == 0 {
		return
	}
	r.e.col(0)
	for range r.resize.skip {
		r.e.buf = append(r.e.buf, '\n')
	}
	r.resize.skip = 0
}
