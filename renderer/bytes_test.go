package renderer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// caret stands for ESC [ in expected bytes, as in the design's worked examples; _ is CR LF.
var caret = strings.NewReplacer("\x1b[", "^", "\r\n", "_", "\r", "CR", "\n", "LF")

// text returns one plain row.
func text(s string) Line { return Line{Spans: []Span{{Text: s}}} }

func lines(ss ...string) []Line {
	var out []Line
	for _, s := range ss {
		out = append(out, text(s))
	}
	return out
}

// session drives a Renderer as a program does: rows are final or live, the caret stands in column 2
// of the second live row.
type session struct {
	r    *Renderer
	out  bytes.Buffer
	base int
}

func newSession(c Config) *session {
	s := &session{}
	c.Out = &s.out
	s.r = New(c)
	return s
}

// frame renders and returns the bytes.
func (s *session) frame(t testing.TB, commit []Line, live ...string) string {
	t.Helper()
	s.out.Reset()
	if _, err := s.r.Render(Frame{Base: s.base, Commit: commit, Live: lines(live...), Cursor: &Pos{2, 1}}); err != nil {
		t.Fatal(err)
	}
	s.r.ledger.check()
	s.base += len(commit)
	return caret.Replace(s.out.String())
}

// The letters are those of the worked examples: 24x80, live region s / i / t, caret in column 3 of
// i.
func TestWorkedExamplesAsBytes(t *testing.T) {
	s := newSession(Config{Cols: 80, Rows: 24, Sync: true})
	s.frame(t, nil, "s", "i", "t")
	if got := s.frame(t, nil, "s", "i", "t"); got != "" {
		t.Errorf("an unchanged frame: %q", got)
	}
	// B: one final row.
	if got, want := s.frame(t, lines("r0"), "s", "i", "t"),
		"^?2026h^BLF^3ACR^Lr0^3B^3G^?2026l"; len(got) > len(want)+5 {
		t.Errorf("B: %q, at most as long as %q", got, want)
	}
	t.Logf("B %q", s.frame(t, lines("r1"), "s", "i", "t"))
	t.Logf("C %q", s.frame(t, lines("r3"), "s", "i", "t", "f4", "f5"))
	t.Logf("D %q", s.frame(t, nil, "s", "i", "t"))
	var many []Line
	for i := range 50 {
		many = append(many, text(fmt.Sprintf("x%d", i)))
	}
	t.Logf("E %q", s.frame(t, many, "s", "i", "t"))
	p := strings.Repeat("abcdefghi ", 20)
	w := []Line{{Spans: []Span{{Text: p[:80]}}, Wrapped: true}, {Spans: []Span{{Text: p[80:160]}}, Wrapped: true},
		text(p[160:])}
	t.Logf("F %q", s.frame(t, w, "s", "i", "t"))
	t.Logf("F streamed %q", s.frame(t, w[:1], "s", "i", "t"))
	t.Logf("F streamed %q", s.frame(t, w[1:], "s", "i", "t"))
	t.Logf("tick %q", s.frame(t, nil, "S", "i", "t"))
	s.out.Reset()
	s.r.Release(false)
	t.Logf("I %q", caret.Replace(s.out.String()))
}

// Live rows end hard, whatever their Wrapped says: a terminal must not join them at another width.
func TestLiveRowsEndHard(t *testing.T) {
	s := newSession(Config{Cols: 20, Rows: 10})
	s.out.Reset()
	full := Line{Spans: []Span{{Text: strings.Repeat("abcd", 5)}}, Wrapped: true}
	if _, err := s.r.Render(Frame{Live: []Line{full, text("rest")}}); err != nil {
		t.Fatal(err)
	}
	if got := caret.Replace(s.out.String()); !strings.Contains(got, "abcd_^Krest") {
		t.Errorf("%q", got)
	}
}

// A live region that is taller than the screen and grows by a row costs about that row, where rows
// may be deleted; else all of it is written anew.
func TestATallLiveRegionGrowsByARow(t *testing.T) {
	row := func(i int) string {
		return fmt.Sprintf("%04d %s", i*7919%10000, strings.Repeat(string(rune('a'+i%26)), 70))
	}
	for _, c := range []struct {
		where    Delete
		del      string
		min, max int
	}{{DeleteNever, "", 24 * 30, 24 * 90}, {DeleteBelow, "^M", 80, 230}, {DeleteClean, "^M", 70, 150}} {
		s := newSession(Config{Cols: 80, Rows: 24, Sync: true, Quirks: Quirks{Delete: c.where}})
		var live []string
		for i := range 40 {
			live = append(live, row(i))
		}
		s.frame(t, nil, append(live, "status", "> ")...)
		for i := 40; i < 60; i++ {
			live = append(live, row(i))
			got := s.frame(t, nil, append(live, "status", "> ")...)
			if strings.Contains(got, "^M") != (c.del != "") || len(got) < c.min || len(got) > c.max {
				t.Fatalf("delete %d, row %d: %d bytes, want %d to %d\n%s", c.where, i, len(got), c.min, c.max, got)
			}
		}
	}
}

// Of a row that changes, only the runs of cells that differ are written.
func TestARowIsWrittenWhereItHasChanged(t *testing.T) {
	s := newSession(Config{Cols: 80, Rows: 24, Sync: true})
	s.frame(t, nil, "a counter that stands at 41 of 99, and 7 errors", "> ")
	got := s.frame(t, nil, "a counter that stands at 42 of 99, and 8 errors", "> ")
	if want := "^A^24C2^12C8LF^3G"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
