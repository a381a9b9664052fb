package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Ends are the columns, from the first to the last, that a cursor report behind a row may tell.
type Ends struct{ First, Last int }

// Prove writes n live rows anew, from the one with index from on, and asks behind each of them
// where the cursor is. Each row is erased first and printed as plain text, so that all of it stands
// there however wide the terminal draws a cluster: no column is named, to which it would go back.
// ends is where the answers are, one row below the other, if the terminal draws the rows as they
// are believed to stand, but for clusters whose width is in doubt. Nothing is written between a
// change of size and the frame after it.
func (r *Renderer) Prove(from, n int) (ends []Ends, err error) {
	if r.idle || r.fresh || r.resize.on {
		return nil, nil
	}
	r.e.begin()
	ends = r.e.prove(from, n)
	return ends, r.e.flush(r.c.Out, r.c.Sync)
}

// Prove does what [Renderer.Prove] does, for the rows of the alternate screen.
func (s *Screen) Prove(from, n int) (ends []Ends, err error) {
	if !s.started {
		return nil, nil
	}
	s.e.begin()
	ends = s.e.prove(from, n)
	return ends, s.e.flush(s.c.Out, s.c.Sync)
}

// prove is Prove. The cursor goes back to where it rests.
func (e *emitter) prove(from, n int) (ends []Ends) {
	at, visible := Pos{Row: e.cur.Row, Col: max(e.cur.Col, 0)}, e.visible
	for i := max(from, 0); i < min(from+n, len(e.shown)); i++ {
		w := &e.shown[i]
		e.to(i)
		e.cur.Col = -1 // so that it is column 0 whatever is believed
		e.col(0)
		e.buf = append(e.buf, ansi.EL0...)
		w.wipe()
		e.plain = true
		e.text(w, 0, len(w.cells))
		e.plain = false
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.CPRRequest...)
		w.long, e.cur.Col = max(len(w.cells), w.reach), -1
		ends = append(ends, w.ends(e.cols))
	}
	e.rest(at, visible)
	return ends
}

// ends returns where the cursor may be behind the row on a terminal of cols columns. A doubtful
// cluster takes one column at least. Behind a full row some terminals tell its last column, others
// the one behind it.
func (r *row) ends(cols int) Ends {
	e := Ends{First: len(r.cells), Last: min(r.widest(), cols)}
	for i := range r.cells {
		if c := &r.cells[i]; c.doubt {
			e.First -= int(c.w) - 1
		}
	}
	e.First = min(e.First, cols-1)
	return e
}
