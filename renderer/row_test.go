package renderer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// texts that the rows of TestARowMadeOfAnotherIsThatRow are made of: each may be joined by what comes after it.
var texts = []string{"a", "word ", "  ", "e", "\u0301", "👩", "\u200d", "👧", "🇩", "🇪", "☁", "\ufe0f", "漢", "\u202e", "\x1b", "\t", "\u200b", "·", "⠋", "\r", "\n", "가", "\u1161", "\x80"}

// grown is l with a change that rows have from frame to frame: more text, less, other text, another style.
func grown(r *rand.Rand, l Line) Line {
	l.Spans = slices.Clone(l.Spans)
	style := Style{Fg: []Style{{}, {Fg: 1 << 24}}[r.IntN(2)].Fg}
	n := len(l.Spans)
	switch k := r.IntN(8); {
	case k == 0 || n == 0:
		l.Spans = append(l.Spans, Span{Text: texts[r.IntN(len(texts))], Style: style})
	case k == 1:
		l.Spans = l.Spans[:r.IntN(n)]
	case k == 2:
		l.Spans[r.IntN(n)].Style = style
	case k == 3:
		s := &l.Spans[r.IntN(n)]
		s.Text = s.Text[:r.IntN(len(s.Text)+1)]
	case k == 4:
		l.Spans[r.IntN(n)].Link = []string{"", "https://example.com/"}[r.IntN(2)]
	case k == 5:
		l.Wrapped = !l.Wrapped
	default:
		for range 1 + r.IntN(4) {
			l.Spans[n-1].Text += texts[r.IntN(len(texts))]
		}
	}
	return l
}

// However a row came about, from whatever was in it before, it is the row that is made of nothing; and what it says of its beginning is so.
func TestARowMadeOfAnotherIsThatRow(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	kept := 0
	for i := range 3000 {
		cols := 4 + rng.IntN(12)
		m := width.Model{Method: width.Method(rng.IntN(2)), Ambiguous: rng.IntN(4) == 0}
		var r, shown row
		var l Line
		shown.reset()
		for step := range 12 {
			if rng.IntN(6) == 0 {
				cols = 4 + rng.IntN(12)
			}
			l = grown(rng, l)
			var fresh row
			fresh.set(l, cols, m)
			if r.made.is(&l, cols, m) {
				r.again()
			} else {
				r.set(l, cols, m)
				r.stamp = uint64(step + 1)
			}
			kept += r.kept
			if !slices.Equal(r.cells, fresh.cells) || r.doubt != fresh.doubt || r.reach != fresh.reach || r.wrapped != fresh.wrapped || r.goes != fresh.goes || !r.known {
				t.Fatalf("seed %d, row %d, step %d, %d columns, %+v: %+v is\n%+v\nwant\n%+v", seed, i, step, cols, m, l.Spans, r, fresh)
			}
			n := shown.alike(&r)
			if n > len(shown.cells) || n > len(r.cells) || !slices.Equal(shown.cells[:n], r.cells[:n]) {
				t.Fatalf("seed %d, row %d, step %d: %d cells of\n%+v are said to be those of\n%+v", seed, i, step, n, shown, r)
			}
			if rng.IntN(3) > 0 {
				shown.take(&r)
			}
			if rng.IntN(10) == 0 {
				shown.reset()
			}
			if rng.IntN(10) == 0 && len(r.cells) > 0 { // as an overlay does
				r.alter()
				r.cells[0] = cell{text: "#", w: 1}
			}
		}
	}
	if kept < 3000 {
		t.Errorf("only %d cells were kept", kept)
	}
}
