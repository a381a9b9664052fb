package renderer

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// texts that the rows of TestARowMadeOfAnotherIsThatRow are made of: each may be joined by what
// comes after it.
var texts = []string{"a", "word ", "  ", "e", "\u0301", "👩", "\u200d", "👧", "🇩", "🇪", "☁", "\ufe0f", "漢", "\u202e",
	"\x1b", "\t", "\u200b", "·", "⠋", "\r", "\n", "가", "\u1161", "\x80"}

// tame are texts that rows hold byte by byte.
var tame = []string{"a", "word ", "7", "7", "·", "⠋", "漢", "e\u0301"}

// joining are texts of which the next one may become a part.
var joining = []string{"🇩", "🇪", "🇩🇪", "a", "☁", "☁\ufe0f", "☁\u200d", "漢", "7", " ", "\u0600"}

// grown returns l with a change that rows have from frame to frame: more text, less, other text,
// another style.
func grown(r *rand.Rand, texts []string, l Line) Line {
	l.Spans = slices.Clone(l.Spans)
	style := Style{Fg: []Style{{}, {Fg: 1 << 24}}[r.IntN(2)].Fg}
	n := len(l.Spans)
	switch k := r.IntN(12); {
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
	case k <= 8: // in the middle, often by as many bytes
		s := &l.Spans[r.IntN(n)]
		i := r.IntN(len(s.Text) + 1)
		t := texts[r.IntN(len(texts))]
		gone := len(t) + max(r.IntN(4)-2, 0)
		s.Text = s.Text[:i] + t + s.Text[min(i+gone, len(s.Text)):]
	default:
		for range 1 + r.IntN(4) {
			l.Spans[n-1].Text += texts[r.IntN(len(texts))]
		}
	}
	return l
}

// However a row came about, from whatever was in it before, it is the row that is made of nothing;
// and what it says of its beginning is so.
func TestARowMadeOfAnotherIsThatRow(t *testing.T) {
	const seed = 7
	rng := rand.New(rand.NewPCG(seed, 0))
	kept, rest := 0, 0
	for i := range 6000 {
		cols := 4 + rng.IntN(40)
		m := width.Model{Method: width.Method(rng.IntN(2)), Ambiguous: rng.IntN(4) == 0, MarksWrap: rng.IntN(4) == 0}
		texts := [][]string{texts, tame, joining}[rng.IntN(3)]
		var r, shown row
		l := text("⠋ · 777 tok")
		shown.reset()
		for step := range 12 {
			if rng.IntN(6) == 0 {
				cols = 4 + rng.IntN(40)
			}
			for l = grown(rng, texts, l); rng.IntN(4) == 0; {
				l = grown(rng, texts, l)
			}
			var fresh row
			fresh.setLine(l, cols, m)
			if r.source.matches(&l, cols, m) {
				r.reuse()
			} else {
				r.setLine(l, cols, m)
				r.stamp = uint64(step + 1)
			}
			kept += r.sameHead
			if !slices.Equal(r.cells, fresh.cells) || r.doubtfulCount != fresh.doubtfulCount ||
				r.reach != fresh.reach ||
				r.wrapped != fresh.wrapped || r.continues != fresh.continues || !r.known {
				t.Fatalf("seed %d, row %d, step %d, %d columns, %+v: %+v is\n%+v\nwant\n%+v", seed, i, step, cols, m,
					l.Spans, r, fresh)
			}
			first, last := shown.equalEnds(&r)
			rest += last
			if n := len(shown.cells); first > n || first > len(r.cells) ||
				!slices.Equal(shown.cells[:first], r.cells[:first]) ||
				last > 0 && (n != len(r.cells) || last > n-first ||
					!slices.Equal(shown.cells[n-last:], r.cells[n-last:])) {
				t.Fatalf("seed %d, row %d, step %d: %d and %d cells of\n%+v are said to be those of\n%+v", seed, i,
					step, first, last, shown, r)
			}
			if rng.IntN(3) > 0 {
				shown.copyFrom(&r)
			}
			if rng.IntN(10) == 0 {
				shown.reset()
			}
			if rng.IntN(10) == 0 && len(r.cells) > 0 { // as an overlay does
				r.detachSource()
				r.cells[0] = cell{text: "#", width: 1}
			}
		}
	}
	if kept < 3000 || rest < 500 {
		t.Errorf("only %d cells were kept at the start, %d at the end", kept, rest)
	}
}

// forget takes from r all that it knows of rows beside their cells.
func forget(r *Renderer) {
	for i := range r.want[:cap(r.want)] {
		r.want[:cap(r.want)][i].detachSource()
	}
	for i := range r.ledger.shown {
		r.ledger.shown[i].stamp = 0
	}
}

// What a renderer remembers of its rows saves work and nothing else: one that forgets it before
// every frame writes the same bytes.
func TestMemoryOfRowsChangesNoByte(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var outs [2]bytes.Buffer
		var rs [2]*Renderer
		cols, rows := 6+rng.IntN(20), 3+rng.IntN(8)
		for i := range rs {
			rs[i] = New(Config{Out: &outs[i], Cols: cols, Rows: rows, Sync: true,
				Quirks: Quirks{Delete: Delete(seed % 3)}, Links: true, Marks: seed%2 == 0})
		}
		var live []Line
		var commit []Line
		base := 0
		for frame := range 60 {
			commit = nil
			for range 1 + rng.IntN(3) {
				switch n := len(live); rng.IntN(8) {
				case 6: // a line that the terminal wraps, and what it goes on with
					at := rng.IntN(n + 1)
					live = slices.Insert(slices.Clone(live), at,
						Line{Wrapped: true, Spans: []Span{{Text: strings.Repeat("w", cols)}}},
						Line{Spans: []Span{{Text: "x"}}})
				case 0:
					live = slices.Insert(live, rng.IntN(n+1), grown(rng, texts, Line{Prompt: rng.IntN(4) == 0}))
				case 1:
					if n > 0 {
						at := rng.IntN(n)
						live = slices.Delete(slices.Clone(live), at, at+1)
					}
				case 2:
					k := rng.IntN(n + 1)
					commit, live = append(commit, live[:k]...), slices.Clone(live[k:])
				default:
					if n > 0 {
						at := rng.IntN(n)
						live = slices.Clone(live)
						live[at] = grown(rng, texts, live[at])
					}
				}
			}
			f := Frame{Base: base, Commit: commit, Live: live, Careful: rng.IntN(8) == 0}
			base += len(commit)
			if rng.IntN(5) == 0 {
				f.Overlay = &Overlay{Lines: []Line{grown(rng, texts, Line{}), grown(rng, texts, Line{})},
					Col: rng.IntN(3), Width: 2 + rng.IntN(3)}
			}
			if rng.IntN(12) == 0 {
				cols, rows = 6+rng.IntN(20), 3+rng.IntN(8)
			}
			for i, r := range rs {
				if r.ledger.cols != cols || r.ledger.rows != rows {
					r.Resize(cols, rows)
				}
				if i == 1 {
					forget(r)
				}
				if _, err := r.Render(f); err != nil {
					t.Fatal(err)
				}
			}
			if a, b := outs[0].String(), outs[1].String(); a != b {
				t.Fatalf("seed %d, frame %d:\n%q\nwithout memory\n%q", seed, frame, a, b)
			}
			outs[0].Reset()
			outs[1].Reset()
		}
	}
}

// kitty (0.40 to 0.48) forgets cells at the end of a row that nobody has printed when it lays the
// row out anew: words that are apart by such a blank become one.
func TestABlankBetweenWordsIsPrinted(t *testing.T) {
	p, _ := profile.ByName("kitty-0.40")
	term := p.New(20, 5, 100)
	r := New(Config{Out: term, Cols: 20, Rows: 5, Quirks: Quirks{RedrawsPrompt: true}})
	for _, s := range []string{"nine rows", "nine rows of", "nine rows of text"} {
		if _, err := r.Render(Frame{Live: lines(s)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Render(Frame{Commit: lines("nine rows of text"), Live: lines("live")}); err != nil {
		t.Fatal(err)
	}
	for _, cols := range []int{13, 10, 20} {
		term.Resize(cols, 5)
	}
	if got := term.Row(0).Text(); got != "nine rows of text" {
		t.Errorf("after two other widths kitty shows %q", got)
	}
}
