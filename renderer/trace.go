package renderer

import "fmt"

// Trace is what one frame did and what the ledger says after it, for a redraw log. Indices are
// frame rows; T lies within [TLow, THigh].
type Trace struct {
	Plan        []string // steps with their rows: paint, grow, insert, wipe, empty, remove, roll
	Bytes       int
	Commit      int // rows that became final
	Live        int // live rows on the grid
	Hidden      int
	Base        int // session row of frame row 0
	Seam        int // B
	TLow, THigh int
	Cols, Rows  int
	Doubt       int
}

// String names the step for a log.
func (k stepKind) String() string {
	return [...]string{"paint", "grow", "insert", "wipe", "empty", "remove", "roll"}[k]
}

// trace reports the frame in e.buf.
func (r *Renderer) trace(commit int) {
	n := len(r.e.buf) - headroom
	if n == 0 {
		return
	}
	t := Trace{
		Bytes: n, Commit: commit, Live: len(r.l.shown), Hidden: r.hidden, Base: r.l.origin, Seam: r.l.b,
		TLow: r.l.tlo, THigh: r.l.thi, Cols: r.l.cols, Rows: r.l.rows, Doubt: r.l.residue,
	}
	for _, s := range r.steps {
		t.Plan = append(t.Plan, fmt.Sprintf("%v %d+%d", s.kind, s.at, s.n))
	}
	r.c.Trace(t)
}
