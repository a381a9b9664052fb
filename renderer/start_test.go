package renderer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// A line of the shell that has no end stays, however long it is, and the first row begins below it.
func TestAPartialLineStaysAboveTheFirstRow(t *testing.T) {
	for _, p := range profile.All() {
		for cols := 1; cols <= 9; cols++ {
			for n := 0; n <= cols; n++ {
				var out bytes.Buffer
				r := New(Config{Out: &out, Cols: cols, Rows: 6, Quirks: Known(p.Is)})
				if _, err := r.Render(Frame{Live: lines("s")}); err != nil {
					t.Fatal(err)
				}
				term := p.New(cols, 6, 100)
				term.Write([]byte("above\r\n"[:min(cols, 5)] + "\r\n" + strings.Repeat("x", n)))
				term.Write(out.Bytes())
				var got []string
				for i := range term.ScrollbackLen() {
					got = append(got, term.ScrollbackRow(i).Text())
				}
				for i := range 6 {
					got = append(got, strings.TrimRight(term.Row(i).Text(), " "))
				}
				want := []string{"above"[:min(cols, 5)]}
				if n > 0 {
					want = append(want, strings.Repeat("x", n))
				}
				want = append(want, "s")
				if got := trimBlank(got); strings.Join(got, "\n") != strings.Join(want, "\n") {
					t.Errorf("%s, %d of %d columns: %q, want %q", p.Name, n, cols, got, want)
				}
			}
		}
	}
}

// The first frame needs no blank for each column.
func TestAStartIsShort(t *testing.T) {
	s := newSession(Config{Cols: 200, Rows: 24})
	if got := s.frame(t, nil, "s", "i"); len(got) > 60 {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
