package renderer

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A frame ends with a status request if it may and another window may wrap what it prints, or final rows depend on it: four bytes, no more.
func TestFramesThatMatterAreMarked(t *testing.T) {
	s := newSession(Config{Cols: 80, Rows: 24, Sync: true})
	s.frame(t, nil, "text", "status", "draft")
	for _, c := range []struct {
		name   string
		commit []Line
		first  string
		mark   bool
		want   bool
	}{
		{"a tick", nil, "texts", true, false},
		{"a word far to the right", nil, "texts" + strings.Repeat(" ", 20) + "far", true, true},
		{"the same", nil, "texts" + strings.Repeat(" ", 20) + "far", true, false},
		{"a final row", lines("f"), "texts" + strings.Repeat(" ", 20) + "far", true, true},
		{"not to be marked", lines("f"), strings.Repeat("x", 70), false, false},
	} {
		s.out.Reset()
		seam, err := s.r.Render(Frame{Base: s.base, Commit: c.commit, Live: lines(c.first, "status", "draft"), Cursor: &Pos{2, 1}, Mark: c.mark})
		if err != nil {
			t.Fatal(err)
		}
		s.base += len(c.commit)
		if got := strings.Contains(s.out.String(), ansi.StatusRequest); got != c.want || seam.Marked != c.want {
			t.Errorf("%s: %q, and Seam.Marked is %v", c.name, s.out.String(), seam.Marked)
		}
	}
	if n := len(s.r.flights); n != 2 {
		t.Errorf("%d are in flight", n)
	}
	s.r.Landed()
	s.r.Landed()
	s.r.Landed() // of before a hand-over
	if n := len(s.r.flights); n != 0 {
		t.Errorf("%d are in flight when all have landed", n)
	}
}

func TestAWalkEndsWhereTheTerminalTakesTheCursor(t *testing.T) {
	for _, c := range []struct {
		bytes          string
		x, y, top, low int
		mayHaveBeenCut bool
	}{
		{"abc", 5, 0, 0, 0, false},
		{"12345678", 10, 0, 0, 0, false},    // a wrap is pending
		{"12345678\n9", 10, 1, 0, 1, false}, // which a move ends
		{"123456789", 1, 1, 0, 1, false},    // or it has come
		{"\x1b[?7l123456789\x1b[?7h", 10, 0, 0, 0, false},
		{"1234567\u65e5", 2, 1, 0, 1, false}, // no room for a wide character
		{"\n\x1b[3A\x1b[20Cx\r\n\n", 0, 0, -2, 1, false},
		{"\n\x1b[2A\x1b[2B", 2, 1, -1, 1, false}, // where it has been
		{"\n\x1b[2A\x1b[3B", 2, 2, -1, 1, true},  // the window may end before that
		{"\x1b[94m\x1b]8;;https://x/\x1b\\a\x1b]8;;\x1b\\\x1b[m\x1b[L\x1b[5n", 3, 0, 0, 0, false},
		{"\x1b[4G\x1b[D\b\b\b\b", 0, 0, 0, 0, false},
		{"\x1bDa", 3, 1, 0, 1, false},
	} {
		w := walk{x: 2, cols: 10, wraps: true, model: width.Model{}}
		w.take([]byte(c.bytes))
		if w.x != c.x || w.y != c.y || w.top != c.top || w.low != c.low || w.stops != c.mayHaveBeenCut {
			t.Errorf("%q: %d,%d, from %d to %d, %v; want %+v", c.bytes, w.x, w.y, w.top, w.low, w.stops, c)
		}
	}
}
