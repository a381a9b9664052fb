package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Prove writes n live rows anew, from the one with index from on, and asks behind each of them
// where the cursor is. Each row is erased first and printed as plain text: no column is named that
// would hide how wide the terminal has drawn a cluster. cols are the columns that the answers tell,
// one row below the other, if the terminal draws the rows as they are believed to stand; of a full
// row an answer may also tell the column before. Nothing is written between a change of size and
// the frame after it.
func (r *Renderer) Prove(from, n int) (cols []int, err error) {
	if r.idle || r.fresh || r.resize.on {
		return nil, nil
	}
	r.e.begin()
	cols = r.e.prove(from, n)
	return cols, r.e.flush(r.c.Out, r.c.Sync)
}

// Prove is that of [Renderer], for the rows of the alternate screen.
func (s *Screen) Prove(from, n int) (cols []int, err error) {
	if !s.started {
		return nil, nil
	}
	s.e.begin()
	cols = s.e.prove(from, n)
	return cols, s.e.flush(s.c.Out, s.c.Sync)
}

// prove is Prove. The cursor goes back to where it rests.
func (e *emitter) prove(from, n int) (cols []int) {
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
		cols = append(cols, len(w.cells))
	}
	e.rest(at, visible)
	return cols
}
