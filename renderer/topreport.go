package renderer

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// topReport holds what cursor reports outside of a change of size have told about the place of the
// live region. It does not change the ledger, since a frame is right without it.
type topReport struct {
	questions []question // The requests that were not answered yet, in order.
	known     bool       // A report has told top, while the ledger's era was era.
	top       int
	era       int
}

// question is a request for a cursor report: the cursor's frame row and column at that moment, and
// the era of the ledger.
type question struct{ row, col, era int }

// maxQuestions is the most requests that may be open at once in a terminal that does not answer.
const maxQuestions = 4

// Top returns the grid row of the first live row, from 0. [Seam.Live] rows follow from there. It is
// known once a report has told it or the screen has filled. It is not known between a change of
// size and the next frame, or while frames are careful.
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

// Locate requests a cursor report if [Renderer.Top] is not known and no request is open. asked
// tells whether it did. Pass the report to [Renderer.Anchor]. The cursor is not moved; its column
// tells the report from others.
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

// takeLocateReport returns true if a cursor report answers Locate, and stores it for Top. A report
// that contradicts the ledger is dropped.
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

// awaits reports whether a report for a request from column col may still come.
func (r *topReport) awaits(col int) bool {
	return slices.ContainsFunc(r.questions, func(q question) bool { return q.col == col })
}
