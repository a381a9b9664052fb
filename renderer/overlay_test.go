package renderer

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
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
			want := make([]row, 1)
			want[0].setLine(text(c.row), cols, m)
			composeOverlay(&c.over, want, new(row), cols, m)
			if w := &want[0]; w.doubtfulCount != c.doubt || w.reach != c.ends {
				t.Errorf("%d doubtful, up to column %d; want %d and %d", w.doubtfulCount, w.reach, c.doubt, c.ends)
			}
		})
	}
}

// drawn returns the texts of the cells of r, a dot for a column that a wide cluster takes besides
// its first one.
func drawn(r *row) (s string) {
	for i := range r.cells {
		if r.cells[i].width == 0 {
			s += "."
		}
		s += r.cells[i].text
	}
	return s
}

// A wide cluster at the edge of an overlay is a blank, whole clusters beside it stay with their
// links, and so do those of a lower overlay.
func TestAnOverlayCutsWideClustersAtItsEdges(t *testing.T) {
	const cols = 12
	m := width.Model{Method: width.Grapheme}
	under := Line{Spans: []Span{{Text: "日本語日本語", Link: "https://example.org/"}}}
	for _, c := range []struct {
		name  string
		over  []Overlay
		want  string
		links string // of each column
	}{
		{"at both edges", []Overlay{{Col: 3, Width: 4, Lines: []Line{text("ab")}}}, "日. ab   本.語.", "hh      hhhh"},
		{"between clusters", []Overlay{{Col: 2, Width: 4, Lines: []Line{text("日b")}}}, "日.日.b 日.本.語.", "hh    hhhhhh"},
		{"at the left edge", []Overlay{{Width: 1, Lines: []Line{text("a")}}}, "a 本.語.日.本.語.", "  hhhhhhhhhh"},
		{"at the right edge", []Overlay{{Col: 11, Lines: []Line{text("a")}}}, "日.本.語.日.本. a", "hhhhhhhhhh  "},
		{"wider than its place", []Overlay{{Col: 10, Width: 5, Lines: []Line{text("日本")}}},
			"日.本.語.日.本.日.", "hhhhhhhhhh  "},
		{"over another one", []Overlay{{Col: 2, Width: 6, Lines: []Line{text("日本語")}},
			{Col: 5, Width: 2, Lines: []Line{text("ab")}}}, "日.日. ab 本.語.", "hh      hhhh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := make([]row, 1)
			want[0].setLine(under, cols, m)
			for i := range c.over {
				composeOverlay(&c.over[i], want, new(row), cols, m)
			}
			links := ""
			for i := range want[0].cells {
				if want[0].cells[i].link == "" {
					links += " "
				} else {
					links += "h"
				}
			}
			if got := drawn(&want[0]); got != c.want || links != c.links {
				t.Errorf("%q with links %q, want %q with %q", got, links, c.want, c.links)
			}
		})
	}
}

// Nothing of a picture stands under an overlay, nor to the right of it, where its cells would
// continue what is covered. A shade leaves its colour, which is its id.
func TestAPictureDoesNotShineThroughAnOverlay(t *testing.T) {
	m := width.Model{Method: width.Grapheme}
	first := pictureCell + "\u0305\u0305"
	id := Style{Fg: ansi.RGB(1, 2, 3)}
	line := Line{Spans: []Span{{Text: first + strings.Repeat(pictureCell, 4), Style: id}, {Text: "ab"}}}
	want := make([]row, 1)
	want[0].setLine(line, 20, m)
	composeOverlay(&Overlay{Col: 2, Width: 1, Lines: []Line{text("x")}, Shade: true}, want, new(row), 20, m)
	if got := drawn(&want[0]); got != first+pictureCell+"x  ab" {
		t.Errorf("%q", got)
	}
	for i, style := range []Style{id, id, {}, {}, {}, {Attr: ansi.Faint}, {Attr: ansi.Faint}} {
		if got := want[0].cells[i].style; got != style {
			t.Errorf("column %d is in %v, want %v", i, got, style)
		}
	}
}
