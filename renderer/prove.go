package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Ends holds the first and the last column that a cursor report after a row may tell.
type Ends struct{ First, Last int }

// Prove writes n live rows again, from the row with index from on, and asks after each of them
// where the cursor is. Each row is erased first and printed as plain text. No column is set by its
// number, so that all of the row stands there however wide the terminal draws a cluster.
//
// ends holds the columns of the answers, which come one row below the other, if the terminal draws
// the rows as they are believed to stand. Only clusters whose width is in doubt may differ. Nothing
// is written between a change of size and the frame after it.
func (r *Renderer) Prove(from, n int) (ends []Ends, err error) {
	if r.released || r.untouched || r.resize.active {
		return nil, nil
	}
	r.emit.beginFrame()
	ends = r.emit.proveRows(from, n)
	return ends, r.emit.flush(r.config.Out, r.config.Sync)
}

// Measure prints each sample at the beginning of the first live row, and writes the row again, all
// in one write. It asks where the cursor is before the first sample and after each: the columns of
// the answers are the widths of the samples on this terminal. A row of cols columns has to hold
// each of them. Nothing is written, and asked is 0, where there is no such row, or between a change
// of size and the frame after it.
func (r *Renderer) Measure(samples []string, cols int) (asked int, err error) {
	if r.released || r.untouched || r.resize.active || r.ledger.cols < cols {
		return 0, nil
	}
	e := &r.emit
	e.beginFrame()
	restPos, visible := Pos{Row: e.cursor.Row, Col: max(e.cursor.Col, 0)}, e.caretVisible
	e.moveToRow(0)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ansi.CR+ansi.CPRRequest...)
	for _, s := range samples {
		e.buf = append(append(append(e.buf, s...), ansi.CPRRequest...), ansi.CR...)
	}
	e.buf, e.cursor.Col = append(e.buf, ansi.EL0...), 0
	w := &e.shown[0]
	w.noteLineErased()
	e.writeCells(w, 0, len(w.cells))
	w.printedCols = max(len(w.cells), w.reach)
	e.placeCursor(restPos, visible)
	return len(samples) + 1, e.flush(r.config.Out, r.config.Sync)
}

// Prove does what [Renderer.Prove] does, for the rows of the alternate screen.
func (s *Screen) Prove(from, n int) (ends []Ends, err error) {
	if !s.started {
		return nil, nil
	}
	s.emit.beginFrame()
	ends = s.emit.proveRows(from, n)
	return ends, s.emit.flush(s.config.Out, s.config.Sync)
}

// proveRows does the work of Prove for the shown rows and puts the cursor back.
func (e *emitter) proveRows(from, n int) (ends []Ends) {
	restPos, visible := Pos{Row: e.cursor.Row, Col: max(e.cursor.Col, 0)}, e.caretVisible
	for i := max(from, 0); i < min(from+n, len(e.shown)); i++ {
		w := &e.shown[i]
		e.moveToRow(i)
		e.cursor.Col = -1 // so that it is column 0 whatever is believed
		e.moveToCol(0)
		e.buf = append(e.buf, ansi.EL0...)
		w.noteLineErased()
		e.noColumns = true
		e.writeCells(w, 0, len(w.cells))
		e.noColumns = false
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.CPRRequest...)
		w.printedCols, e.cursor.Col = max(len(w.cells), w.reach), -1
		ends = append(ends, w.reportEnds(e.cols))
	}
	e.placeCursor(restPos, visible)
	return ends
}

// reportEnds returns the columns in which the cursor may be after the row on a terminal of cols
// columns. A doubtful cluster takes one column at least. After a full row some terminals tell its
// last column, others the one after it.
func (r *row) reportEnds(cols int) Ends {
	e := Ends{First: len(r.cells), Last: min(r.maxWidth(), cols)}
	for i := range r.cells {
		if c := &r.cells[i]; c.doubtful {
			e.First -= int(c.width) - 1
		}
	}
	e.First = min(e.First, cols-1)
	return e
}
