package renderer

import "fmt"

// Trace describes one frame, and the ledger after it, for a log. Row numbers are frame rows. The
// frame row in the first row of the grid is one of [TLow, THigh].
type Trace struct {
	Plan        []string // The steps with their rows: paint, grow, insert, wipe, empty, remove, roll.
	Bytes       int
	Commit      int // The number of rows that became final.
	Live        int // The number of live rows on the grid.
	Hidden      int
	Base        int // The session index of frame row 0.
	Seam        int // The first live row, as a frame row.
	TLow, THigh int
	Cols, Rows  int
	Doubt       int
}

// String returns the name of the operation in a trace.
func (k stepKind) String() string {
	return [...]string{"paint", "grow", "insert", "wipe", "empty", "remove", "roll"}[k]
}

// reportTrace calls Config.Trace for the frame that is about to be written. commit is its number of
// final rows. An empty frame is not traced.
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
