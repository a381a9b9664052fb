package renderer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

func TestScreenShowsWhatItIsGivenWhateverStoodThere(t *testing.T) {
	eachSeed(t, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 5))
		cols, rows := 20+rng.IntN(60), 2+rng.IntN(30)
		term := vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: 100})
		var out bytes.Buffer
		term.Write([]byte("shell\r\n" + ansi.AltEnter))
		s := NewScreen(Config{Out: &out, Cols: cols, Rows: rows, Model: width.Model{Method: width.Grapheme},
			AltScroll: seed%2 == 0})
		w := &world{tb: t, rng: rng, r: New(Config{Model: width.Model{Method: width.Grapheme}}), cols: cols}
		var body []Line
		for range 200 {
			body = append(body, w.line(cols))
		}
		top := 0
		for step := range 60 {
			switch rng.IntN(6) {
			case 0, 1:
				top = max(0, min(len(body)-rows, top+rng.IntN(7)-3))
			case 2:
				top = max(0, min(len(body)-rows, top+rows-2))
			case 3:
				body[rng.IntN(len(body))] = w.line(cols)
			case 4:
				p := w.paragraph(2)
				copy(body[rng.IntN(len(body)-3):], p)
			case 5:
				if rng.IntN(4) == 0 {
					cols, rows = 20+rng.IntN(60), 2+rng.IntN(30)
					w.cols = cols
					term.Resize(cols, rows)
					s.Resize(cols, rows)
				}
			}
			lines := append([]Line{text(fmt.Sprintf("title %d", top))}, body[top:top+rows-2]...)
			lines = append(lines, text("[y]es [n]o"))
			out.Reset()
			if err := s.Render(lines, nil); err != nil {
				t.Fatal(err)
			}
			term.Write(out.Bytes())
			for i, l := range lines {
				var want row
				want.setLine(l, cols, s.config.Model)
				var b strings.Builder
				for _, c := range want.cells {
					b.WriteString(c.text)
				}
				if got, want := term.Row(i).Text(), strings.TrimRight(b.String(), " "); got != want {
					t.Fatalf("step %d, row %d of %d: %q, want %q\n%q", step, i, rows, got, want, out.String())
				}
			}
			if out.Reset(); s.Render(lines, nil) != nil || out.Len() > 0 {
				t.Fatalf("an unchanged picture wrote %q", out.String())
			}
		}
		term.Write([]byte(ansi.AltLeave))
		if got := term.Tape(); len(got) != 1 || got[0] != "shell" {
			t.Fatalf("the normal screen is %q", got)
		}
	})
}

func TestScrollingAPaneByARowCostsAboutARow(t *testing.T) {
	var out counter
	s := NewScreen(Config{Out: &out, Cols: 100, Rows: 30, Sync: true})
	var body []Line
	for i := range 500 {
		body = append(body,
			Line{Spans: []Span{{Text: fmt.Sprintf("r%06d ", i)},
				{Text: strings.Repeat("x", 40), Style: Style{Fg: ansi.Indexed(2)}}}})
	}
	show := func(top int) {
		lines := append([]Line{text("a title")}, body[top:top+28]...)
		if err := s.Render(append(lines, text("keys")), nil); err != nil {
			t.Fatal(err)
		}
	}
	show(0)
	for _, step := range []int{1, -1} {
		top := 100
		show(top)
		out.n = 0
		for range 50 {
			top += step
			show(top)
		}
		if perRow := out.n / 50; perRow > 100 {
			t.Errorf("%d bytes for a row of 56", perRow)
		}
	}
}

// A row that stays is not laid out again, also beside one that changes and one that a layer covers.
func TestAScreenKeepsTheRowsThatStay(t *testing.T) {
	var out bytes.Buffer
	s := NewScreen(Config{Out: &out, Cols: 20, Rows: 4})
	render := func(over *Overlay, rows ...string) (stamps []uint64) {
		t.Helper()
		if err := s.RenderLayers(lines(rows...), over, nil); err != nil {
			t.Fatal(err)
		}
		for i := range s.want {
			stamps = append(stamps, s.want[i].stamp)
		}
		return stamps
	}
	first := render(nil, "one", "two", "three")
	out.Reset()
	if again := render(nil, "one", "two", "three"); !slices.Equal(again, first) || out.Len() > 0 {
		t.Errorf("the same rows: stamps %v, then %v, and %q", first, again, out.String())
	}
	changed := render(nil, "one", "TWO", "three")
	if changed[0] != first[0] || changed[1] == first[1] || changed[2] != first[2] {
		t.Errorf("one row has changed: stamps %v, then %v", first, changed)
	}
	over := &Overlay{Lines: lines("over"), Up: 1, Col: 2}
	if covered := render(over, "one", "TWO", "three"); covered[0] != first[0] || covered[2] != 0 {
		t.Errorf("one row is covered: stamps %v, then %v", changed, covered)
	}
	out.Reset()
	render(nil, "one", "TWO", "three")
	if got := out.String(); !strings.Contains(got, "re") || strings.Contains(got, "one") {
		t.Errorf("without the layer: %q", got)
	}
}
