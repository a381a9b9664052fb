package diffview

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Rows count as seen when all of their lines were in sight, in whatever order of the rows.
func TestRowsThatWereInSight(t *testing.T) {
	b := New([]Row{{Text: "one"}, {Text: strings.Repeat("long ", 12)}, {Text: "three"}, {Text: "four"}})
	s := tui.Space{Width: 20, Height: 2} // the second row has several lines
	look := func(want int) {
		t.Helper()
		b.View(s)
		if b.NoteSeen(s); b.Unseen() != want {
			t.Errorf("%d rows were not in sight, want %d", b.Unseen(), want)
		}
	}
	if b.Unseen() != 4 {
		t.Errorf("at first %d rows", b.Unseen())
	}
	look(3)
	b.End(s)
	look(1)
	b.Show(1)
	look(1) // its first lines again
	s.Width = 24
	look(1)
	s.Height = 1
	look(1)
	for range 5 { // line by line
		b.View(s)
		b.NoteSeen(s)
		b.topPlace.Row++
	}
	look(0)
	b.Replace([]Row{{Text: strings.Repeat("x", 100)}})
	b.cutLong = true
	look(1)
	b.cutLong, s.Height = false, 9
	look(0)
}
