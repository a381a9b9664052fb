package renderer

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// body returns a live region: two fixed rows, a body of n rows from row top of something long, two
// fixed rows.
func body(top, n int) []string {
	live := []string{"", "a title"}
	for i := top; i < top+n; i++ {
		live = append(live, fmt.Sprintf("%04d %s", i*7919%10000, strings.Repeat(string(rune('a'+i%26)), 60)))
	}
	return append(live, "keys: [y]es [n]o", "a status")
}

// shifts are IL and DL in bytes as caret prints them, deletes are DL.
var shifts, deletes = regexp.MustCompile(`\^[0-9]*[LM]`), regexp.MustCompile(`\^[0-9]*M`)

// A body of live rows that scrolls costs the rows that come into sight, where rows may be deleted,
// wherever the live region stands. Where they may not, rows still go down on the last rows of the
// grid: what is pushed over its edge by an insertion is gone everywhere.
func TestABodyThatScrollsCostsItsNewRows(t *testing.T) {
	const row = 65
	for _, c := range []struct {
		name     string
		dl       Delete
		above    int // final rows above the live region, of a grid of 24 rows
		n        int // rows of the body
		up, down int // bytes at most for a row; 0: it may cost all
	}{
		{name: "clean, at the bottom", dl: DeleteClean, above: 40, n: 12, up: row + 72, down: row + 72},
		{name: "clean, rows below", dl: DeleteClean, above: 3, n: 12, up: row + 72, down: row + 72},
		{name: "clean, start not known, nothing above", dl: DeleteClean, above: 0, n: 12, up: row + 72, down: row + 72},
		{name: "clean, all of the grid", dl: DeleteClean, above: 40, n: 20, up: row + 72, down: row + 72},
		{name: "below row 0, at the bottom", dl: DeleteBelow, above: 40, n: 12, up: row + 72, down: row + 72},
		{name: "below row 0, all of the grid", dl: DeleteBelow, above: 40, n: 20, up: row + 72, down: row + 72},
		{name: "never, at the bottom", dl: DeleteNever, above: 40, n: 12, down: row + 100},
		{name: "never, rows below", dl: DeleteNever, above: 3, n: 12},
	} {
		s := newSession(Config{Cols: 80, Rows: 24, Sync: true, Quirks: Quirks{Delete: c.dl}})
		var final []Line
		for i := range c.above {
			final = append(final, text(fmt.Sprintf("final %d", i)))
		}
		s.frame(t, final, body(100, c.n)...)
		for _, by := range []int{1, -1, 2, -3, 5, -4} {
			top := 100
			s.frame(t, nil, body(top, c.n)...)
			got := s.frame(t, nil, body(top+by, c.n)...)
			most, n := c.up, by
			if by < 0 {
				most, n = c.down, -by
			}
			moved := shifts.MatchString(got)
			switch {
			case most == 0 && moved:
				t.Errorf("%s, by %d: rows are moved: %s", c.name, by, got)
			case most > 0 && (!moved || len(got) > most+(n-1)*(row+3)):
				t.Errorf("%s, by %d: %d bytes\n%s", c.name, by, len(got), got)
			case c.dl == DeleteNever && deletes.MatchString(got):
				t.Errorf("%s, by %d: rows are deleted: %s", c.name, by, got)
			}
		}
	}
}

// A region that loses rows in its middle, and rows that changed while they moved.
func TestRowsMoveUpWhereOthersWent(t *testing.T) {
	s := newSession(Config{Cols: 80, Rows: 24, Quirks: Quirks{Delete: DeleteClean}})
	term := vt.New(vt.Config{Cols: 80, Rows: 24, Scrollback: 100})
	show := func(live []string) string {
		got := s.frame(t, nil, live...)
		term.Write(s.out.Bytes())
		for i, want := range live {
			if got := term.Row(i).Text(); got != want {
				t.Fatalf("row %d reads %q, want %q", i, got, want)
			}
		}
		if got := term.Row(len(live)).Text(); got != "" {
			t.Fatalf("below stands %q", got)
		}
		return got
	}
	live := body(1, 16)
	show(live)
	shorter := append(append([]string{}, live[:4]...), live[7:]...)
	if got := show(shorter); len(got) > 60 {
		t.Errorf("three rows of twenty went: %d bytes %s", len(got), got)
	}
	show(live)
	scrolled := body(3, 16)
	scrolled[1], scrolled[8] = "a title!", "0000"+scrolled[8][4:]
	if got := show(scrolled); len(got) > 220 {
		t.Errorf("two rows came, two changed: %d bytes %s", len(got), got)
	}
}

func TestScrollingAllocatesNothing(t *testing.T) {
	var pictures [2][]Line
	for i := range pictures {
		pictures[i] = lines(body(i, 20)...)
	}
	r := New(Config{Out: &counter{}, Cols: 100, Rows: 30, Quirks: Quirks{Delete: DeleteClean}})
	n := 0
	step := func() {
		if _, err := r.Render(Frame{Live: pictures[n%2]}); err != nil {
			panic(err)
		}
		n++
	}
	step()
	step()
	step()
	if n := testing.AllocsPerRun(200, step); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// A page of code that is scrolled: what it takes to find that its rows moved.
func BenchmarkScrolling(b *testing.B) {
	for _, rows := range []int{30, 60} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			var pictures [2][]Line
			for i := range pictures {
				pictures[i] = lines(body(i, rows-6)...)
			}
			var out counter
			r := New(Config{Out: &out, Cols: 100, Rows: rows, Quirks: Quirks{Delete: DeleteClean}, Sync: true})
			b.ReportAllocs()
			for i := range b.N {
				if _, err := r.Render(Frame{Live: pictures[i%2]}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(out.n)/float64(b.N), "bytes/frame")
		})
	}
}
