package renderer

import (
	"bytes"
	"testing"
)

// A report that no terminal sends, or that nobody has asked for, is no answer. What an answer
// leaves in doubt is admitted.
func TestAReportFromNowhereIsNoAnswer(t *testing.T) {
	var b bytes.Buffer
	r := New(Config{Out: &b, Cols: 40, Rows: 10})
	if _, err := r.Render(Frame{Live: lines("one", "two")}); err != nil {
		t.Fatal(err)
	}
	refused := func(when string, rows ...int) {
		t.Helper()
		for _, row := range rows {
			if r.Anchor(r.resize.tag, row) {
				t.Errorf("%s: row %d is taken", when, row)
			}
		}
	}
	refused("no resize", 3)
	r.Resize(30, 8)
	refused("not asked", 3)
	if err := r.Ask(); err != nil {
		t.Fatal(err)
	}
	refused("outside", -1, 8, 9)
	if !r.Anchor(r.resize.tag, 3) {
		t.Error("the answer is not taken")
	}
	refused("answered", 3)
	if s, err := r.Render(Frame{Live: lines("one", "two")}); err != nil || s.Doubt != 2 {
		t.Errorf("%d rows are in doubt, %v", s.Doubt, err)
	}
}

// Where a cursor may have been stopped at an edge, at a size in between, no row above it is taken
// for a live one.
func TestAReportAfterSeveralResizesMayBeOfAStoppedCursor(t *testing.T) {
	var b bytes.Buffer
	r := New(Config{Out: &b, Cols: 40, Rows: 10})
	if _, err := r.Render(Frame{Live: lines("one", "two", "three"), Cursor: &Pos{Row: 2}}); err != nil {
		t.Fatal(err)
	}
	r.Resize(40, 8)
	live := r.maxLiveRows()
	for _, c := range []struct {
		changes   int
		overtaken bool
		minRows   int
		want      int
	}{{1, true, live - 1, 2}, {2, true, live, 0}, {2, false, live, 2}, {2, false, live - 1, 0}, {3, true, 1, 0}} {
		r.resize.changes, r.resize.overtaken, r.resize.minRows = c.changes, c.overtaken, c.minRows
		if got := r.rowsAbove(); got != c.want {
			t.Errorf("%+v: %d rows above the cursor", c, got)
		}
	}
}
