package renderer

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A cluster of doubtful width that an overlay covers is not printed: the row reaches no further for
// it.
func TestWhatAnOverlayCoversReachesNowhere(t *testing.T) {
	const cols = 40
	m := width.Model{Method: width.Grapheme}
	for _, c := range []struct {
		name        string
		row         string
		over        Overlay
		doubt, ends int // ends: the last column that the clusters of the row may take, by any measure
	}{
		{"not covered", "ab 🏳️‍🌈 cd", Overlay{Col: 20, Lines: []Line{text("over")}}, 1, 7},
		{"covered", "ab 🏳️‍🌈 cd", Overlay{Col: 1, Lines: []Line{text("over")}}, 0, 0},
		{"covered by blanks", "ab 🏳️‍🌈 cd", Overlay{Col: 1, Width: 6, Lines: []Line{text("")}}, 0, 0},
		{"cut", "ab 🏳️‍🌈 cd", Overlay{Col: 4, Lines: []Line{text("over")}}, 0, 0},
		{"one of two covered", "🏳️‍🌈 ab 🏳️‍🌈", Overlay{Col: 4, Lines: []Line{text("over")}}, 1, 4},
		{"in the overlay", "ab", Overlay{Col: 10, Lines: []Line{text("🏳️‍🌈")}}, 1, 14},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := New(Config{Cols: cols, Rows: 10, Model: m})
			want := make([]row, 1)
			want[0].setLine(text(c.row), cols, m)
			r.composeOverlay(&c.over, want)
			if w := &want[0]; w.doubtfulCount != c.doubt || w.reach != c.ends {
				t.Errorf("%d doubtful, up to column %d; want %d and %d", w.doubtfulCount, w.reach, c.doubt, c.ends)
			}
		})
	}
}
