package renderer

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// topReport is the place of the live region by the last cursor report outside of a change of size.
// The ledger does not believe it: a frame is right without it.
type topReport struct {
	questions []question // not answered yet, in order
	known     bool       // top was known in that era of the ledger
	top       int
	era       int
}

// question is the place of the cursor when a report was asked for: its frame row, its column, and
// the era of the ledger.
type question struct{ row, col, era int } // frame row, column, era of the ledger

// maxQuestions bounds the questions to a terminal that does not answer.
const maxQuestions = 4

// Top returns the grid row of the first live row, from 0. It is known once a report has told it or
// the screen has filled. [Seam.Live] rows stand from there on. It is not known between a change of
// size and the frame after it, nor while frames are careful.
func (r *Renderer) Top() (row int, known bool) {
	l := &r.ledger
	switch {
	case r.untouched || r.released || r.resize.active:
		return 0, false
	case l.minTop == l.maxTop:
		return l.seam - l.maxTop, true
	case r.topReport.known && r.topReport.era == l.era:
		// What has scrolled since has raised the bounds, and T with them.
		return l.seam - min(max(r.topReport.top, l.minTop), l.maxTop), true
	}
	return 0, false
}

// Locate writes a cursor position request if [Renderer.Top] is not known and no request is under
// way. It reports whether a request was written. The answer belongs to Anchor. The cursor stays
// where it is, and its column tells the answer from others.
func (r *Renderer) Locate() (asked bool, err error) {
	if _, known := r.Top(); known || r.untouched || r.released || r.resize.active {
		return false, nil
	}
	q := question{row: r.ledger.seam + r.ledger.cursor.Row, col: r.ledger.cursor.Col, era: r.ledger.era}
	n := len(r.topReport.questions)
	if q.col < 0 || q.col >= r.ledger.cols || n == maxQuestions || n > 0 && r.topReport.questions[n-1].era == q.era {
		return false, nil
	}
	r.topReport.questions = append(r.topReport.questions, q)
	r.emit.beginFrame()
	r.emit.buf = append(r.emit.buf, ansi.CPRRequest...)
	return true, r.emit.flush(r.config.Out, r.config.Sync)
}

// takeLocateReport takes a cursor report, and reports whether it answers Locate. A report that
// contradicts the ledger is dropped.
func (r *Renderer) takeLocateReport(col, row int) bool {
	p := &r.topReport
	i := slices.IndexFunc(p.questions, func(q question) bool { return q.col == col })
	if i < 0 {
		return false
	}
	q := p.questions[i]
	p.questions = slices.Delete(p.questions, 0, i+1)
	if t := q.row - row; q.era == r.ledger.era && row < r.ledger.rows && t <= r.ledger.maxTop {
		p.known, p.top, p.era = true, t, q.era
	}
	return true
}

// awaits reports whether an answer to Locate from column col may still come.
func (r *topReport) awaits(col int) bool {
	return slices.ContainsFunc(r.questions, func(q question) bool { return q.col == col })
}
