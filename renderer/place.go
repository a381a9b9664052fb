package renderer

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// place is what the last report outside of a change of size has said of where the live region
// stands. The ledger does not believe it: a frame is right without it.
type place struct {
	asked []question // that are not answered yet, in order
	known bool       // T was
	t     int        // this
	era   int        // in this era of the ledger
}

// question is where the cursor was when a report was asked for.
type question struct{ row, col, era int } // frame row, column, era of the ledger

// mostAsked bounds the questions to a terminal that does not answer.
const mostAsked = 4

// Top returns the grid row of the first live row, 0-based, if that is known: a report has said it,
// or the screen has filled. [Seam.Live] rows stand from there on. It is not known between a change
// of size and the frame after it, nor while frames are careful.
func (r *Renderer) Top() (row int, known bool) {
	l := &r.l
	switch {
	case r.fresh || r.idle || r.resize.on:
		return 0, false
	case l.tlo == l.thi:
		return l.b - l.thi, true
	case r.place.known && r.place.era == l.era:
		// What has scrolled since has raised the bounds, and T with them.
		return l.b - min(max(r.place.t, l.tlo), l.thi), true
	}
	return 0, false
}

// Locate writes a cursor position request if [Renderer.Top] is not known and none is under way; the
// answer is given to Anchor. The cursor stays where it is, and its column tells the
// answer from others. asked: a request was written.
func (r *Renderer) Locate() (asked bool, err error) {
	if _, known := r.Top(); known || r.fresh || r.idle || r.resize.on {
		return false, nil
	}
	q := question{row: r.l.b + r.l.cur.Row, col: r.l.cur.Col, era: r.l.era}
	n := len(r.place.asked)
	if q.col < 0 || q.col >= r.l.cols || n == mostAsked || n > 0 && r.place.asked[n-1].era == q.era {
		return false, nil
	}
	r.place.asked = append(r.place.asked, q)
	r.e.begin()
	r.e.buf = append(r.e.buf, ansi.CPRRequest...)
	return true, r.e.flush(r.c.Out, r.c.Sync)
}

// located takes a cursor report, and reports whether it answers Locate. One that contradicts the
// ledger says nothing.
func (r *Renderer) located(col, row int) bool {
	p := &r.place
	i := slices.IndexFunc(p.asked, func(q question) bool { return q.col == col })
	if i < 0 {
		return false
	}
	q := p.asked[i]
	p.asked = slices.Delete(p.asked, 0, i+1)
	if t := q.row - row; q.era == r.l.era && row < r.l.rows && t <= r.l.thi {
		p.known, p.t, p.era = true, t, q.era
	}
	return true
}

// waits reports whether an answer to Locate from that column may still come.
func (p *place) waits(col int) bool {
	return slices.ContainsFunc(p.asked, func(q question) bool { return q.col == col })
}
