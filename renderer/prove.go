package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Ends is the range of columns that the terminal may report for the cursor behind the text of a
// row.
type Ends struct{ First, Last int }

// Prove finds out how wide the terminal draws live rows. It prints n rows again, from row index
// from on, and requests a cursor report after each of them. Each row is erased first, and printed
// without absolute columns, so that all of its text is there however wide the terminal draws a
// cluster.
//
// ends holds, for each report in order, the columns that it should tell if the terminal draws the
// row as the width model says. Only clusters of doubtful width can cause a difference. Between a
// change of size and the next frame Prove writes nothing and returns nil.
func (r *Renderer) Prove(from, n int) (ends []Ends, err error) {
	if r.released || r.untouched || r.resize.active {
		return nil, nil
	}
	r.emit.beginFrame()
	ends = r.emit.proveRows(from, n)
	return ends, r.emit.flush(r.config.Out, r.config.Sync)
}

// Measure finds out how wide the terminal draws the samples. It prints each at the beginning of the
// first live row and then restores the row, all in one Write. A cursor report is requested before
// the first sample and behind each of them: the reported columns are the widths of the samples.
// asked is the number of requests.
//
// cols is the width of the widest sample. Measure writes nothing and returns 0 if the terminal is
// narrower, and between a change of size and the next frame.
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

// Prove works like [Renderer.Prove], for rows of the alternate screen.
func (s *Screen) Prove(from, n int) (ends []Ends, err error) {
	if !s.started {
		return nil, nil
	}
	s.emit.beginFrame()
	ends = s.emit.proveRows(from, n)
	return ends, s.emit.flush(s.config.Out, s.config.Sync)
}

// proveRows prints the rows again with a request behind each, as Prove describes, and puts the
// cursor back.
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

// reportEnds returns the columns in which the cursor may be behind r on a terminal of cols columns.
// A cluster of doubtful width takes at least one column. Behind a full row some terminals report
// its last column, others the next one.
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
