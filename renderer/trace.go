package renderer

import "fmt"

// Trace is what one frame did and what the ledger says after it, for a redraw log. Indices are
// frame rows. The frame row on grid row 0 lies within [TLow, THigh].
type Trace struct {
	Plan        []string // steps with their rows: paint, grow, insert, wipe, empty, remove, roll
	Bytes       int
	Commit      int // rows that became final
	Live        int // live rows on the grid
	Hidden      int
	Base        int // session row of frame row 0
	Seam        int // frame rows before it are final
	TLow, THigh int
	Cols, Rows  int
	Doubt       int
}

// String returns the name of the step for a log.
func (k stepKind) String() string {
	return [...]string{"paint", "grow", "insert", "wipe", "empty", "remove", "roll"}[k]
}

// reportTrace passes the frame in emit.buf to Config.Trace.
func (r *Renderer) reportTrace(commit int) {
	n := len(r.emit.buf) - headroom
	if n == 0 {
		return
	}
	l := &r.ledger
	t := Trace{
		Bytes: n, Commit: commit, Live: len(l.shown), Hidden: r.hiddenRows, Base: l.origin, Seam: l.seam,
		TLow: l.minTop, THigh: l.maxTop, Cols: l.cols, Rows: l.rows, Doubt: l.residue,
	}
	for _, s := range r.steps {
		t.Plan = append(t.Plan, fmt.Sprintf("%v %d+%d", s.kind, s.at, s.n))
	}
	r.config.Trace(t)
}
