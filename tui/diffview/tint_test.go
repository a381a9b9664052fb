package diffview

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

func TestWordsAndClassesAreDrawnOnRowsInSight(t *testing.T) {
	asked := 0
	b := New(append(append([]Row(nil), lexer...), numbered(1000)...))
	b.Compare = func(old, now string) (inOld, inNow []Range) {
		i, j := strings.Index(old, ">="), strings.Index(now, "==")
		return []Range{{i, i + 2}}, []Range{{j, j + 2}}
	}
	b.Tints = func(r Row) []Tint {
		asked++
		if i := strings.Index(r.Text, "if"); i >= 0 {
			return []Tint{{Range{i, i + 2}, 7}}
		}
		return nil
	}
	b.Style = func(_ *tui.Theme, k Kind, class uint8) tui.Style {
		if class == 7 {
			return tui.Style{Fg: tui.Indexed(99)}
		}
		return tui.Style{}
	}
	style := func(theme *tui.Theme, row int, text string) tui.Style {
		t.Helper()
		s := space(60, 10)
		s.Theme = theme
		for _, sp := range b.View(s).Lines[row].Spans {
			if strings.Contains(sp.Text, text) {
				return sp.Style
			}
		}
		t.Fatalf("no %q in row %d", text, row)
		return tui.Style{}
	}
	few, many, none := tui.NewTheme(tui.Caps{Color: 16}), tui.NewTheme(tui.Caps{Color: 256, Dark: true}),
		tui.NewTheme(tui.Caps{})
	if got := style(few, 2, "if"); got.Fg != tui.Indexed(99) {
		t.Errorf("a keyword is drawn as %+v", got)
	}
	if got := style(many, 3, "=="); got != many.AddedLine.With(tui.Bold|tui.Underline) || got.Bg == 0 {
		t.Errorf("a word that differs is drawn as %+v", got)
	}
	if got := style(many, 3, "+"); got != many.Added {
		t.Errorf("the marker is drawn as %+v", got)
	}
	if asked > 40 {
		t.Errorf("%d rows were asked for", asked)
	}
	asked = 0
	if got := style(none, 2, "if"); got != (tui.Style{}) || asked > 0 {
		t.Errorf("without colours a keyword is drawn as %+v, %d rows were asked for", got, asked)
	}
	if got := style(none, 2, ">="); got.Attr != tui.Bold|tui.Underline {
		t.Errorf("without colours the word that differs is drawn as %+v", got)
	}
}

// An indentation on a ground is written with the pen of the word behind it, if nobody can see that.
func TestBlanksTakeThePenOfWhatFollows(t *testing.T) {
	ground, word := tui.Style{Fg: tui.Indexed(252), Bg: tui.Indexed(22)},
		tui.Style{Fg: tui.Indexed(153), Bg: tui.Indexed(22), Attr: tui.Bold}
	for _, c := range []struct {
		name        string
		text        string
		blank, next tui.Style
		want        tui.Style
	}{
		{"blanks before a word", "    ", ground, word, word},
		{"text before a word", "  x ", ground, word, ground},
		{"blanks that are underlined", "    ", ground.With(tui.Underline), word, ground.With(tui.Underline)},
		{"blanks before an underlined word", "    ", ground, word.With(tui.Underline), ground},
		{"blanks before an inverse word", "    ", ground, word.With(tui.Inverse), ground},
		{"blanks before another ground", "    ", ground, tui.Style{Bg: tui.Indexed(52)}, ground},
		{"blanks without a ground", "    ", tui.Style{Fg: tui.Indexed(1)}, tui.Style{Fg: tui.Indexed(2)},
			tui.Style{Fg: tui.Indexed(2)}},
	} {
		spans := []tui.Span{{Text: "+ "}, {Text: c.text, Style: c.blank}, {Text: "if", Style: c.next}}
		if lendStyle(spans); spans[1].Style != c.want || spans[0].Style != (tui.Style{}) || spans[2].Style != c.next {
			t.Errorf("%s: %+v", c.name, spans)
		}
	}
	b := New([]Row{{Kind: Added, New: 1, Text: "\tif x {"}})
	b.Tints = func(Row) []Tint { return []Tint{{Range{1, 3}, 7}} }
	b.Style = func(*tui.Theme, Kind, uint8) tui.Style { return tui.Style{Fg: tui.Indexed(153)} }
	for _, cut := range []bool{false, true} {
		b.cutLong = cut
		s := space(60, 10)
		s.Theme = tui.NewTheme(tui.Caps{Color: 256, Dark: true})
		spans := b.View(s).Lines[0].Spans
		i := slices.IndexFunc(spans, func(sp tui.Span) bool { return sp.Text == "if" })
		if i < 1 || spans[i-1].Style != spans[i].Style {
			t.Errorf("cut %v: %+v", cut, spans)
		}
	}
}
