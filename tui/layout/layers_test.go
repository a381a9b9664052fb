package layout

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

func TestLayersStandOverWhatIsBelowAndCutWideClusters(t *testing.T) {
	below := &field{rows: []string{"日本語日本語", "plain text", "\ttab", "日本語日本語"}}
	l := &Layers{Of: below, Over: []Layer{
		{&field{rows: []string{"ab", "語"}}, tui.Place{Top: true, Width: 4, Margin: tui.Pos{Col: 3}}},
		{&field{rows: []string{"last"}}, tui.Place{Right: true}},
	}}
	want(t, l.View(tui.Space{Width: 12, Height: 4}), "日 ab   本語", "pla語  ext", "        tab", "日本語日last")
	// Without a height all of it is text.
	want(t, l.View(tui.Space{Width: 12}), "日本語日本語", "plain text", "        tab", "日本語日本語", "ab",
		"語", "last")
	if l.Over = nil; len(text(l.View(tui.Space{Width: 12, Height: 6}))) != 6 {
		t.Errorf("it is not as high as its space: %q", text(l.View(tui.Space{Width: 12, Height: 6})))
	}
}

func TestTheUppermostLayerHasKeysMouseAndCaretAndEscRemovesIt(t *testing.T) {
	s := tui.Space{Width: 20, Height: 6, Focused: true}
	below := &field{rows: []string{"below"}, caret: &tui.Pos{Col: 1}, wants: true}
	one := &field{rows: []string{"one"}, caret: &tui.Pos{}, wants: true}
	note := tui.NewText("note") // takes no key
	var closed []tui.Component
	l := &Layers{Of: below, OnClose: func(c Layer) { closed = append(closed, c.Of) }, Over: []Layer{
		{one, tui.Place{Top: true, Right: true, Width: 5}}, {note, tui.Place{Center: true}}}}
	press := func(k terminal.Key) { l.View(s); l.HandleEvent(k, s) }
	click := func(col, row int) { l.View(s); l.HandleEvent(tui.Mouse{Col: col, Row: row, Press: true}, s) }
	press(tui.Key{Code: 'x'})
	click(0, 0)
	click(16, 0)
	if v := l.View(s); v.Cursor != nil || below.keys+one.keys != "" || below.clicks != nil || one.clicks != nil ||
		below.space.Focused || one.space.Focused {
		t.Errorf("under a note: caret %v, keys %q, clicks %q %q", v.Cursor, below.keys+one.keys, below.clicks,
			one.clicks)
	}
	press(tui.Key{Code: terminal.KeyEscape})
	press(tui.Key{Code: 'y'})
	press(tui.Key{Code: terminal.KeyTab})
	click(0, 0)
	click(16, 0)
	if v := l.View(s); v.Cursor == nil || *v.Cursor != (tui.Pos{Col: 15}) || one.keys != "ytab" || below.keys != "" ||
		below.clicks != nil || strings.Join(one.clicks, " ") != "1,0" || below.space.Focused || !one.space.Focused {
		t.Errorf("in the layer: caret %v, keys %q and %q below, clicks %q and %q", v.Cursor, one.keys, below.keys,
			one.clicks, below.clicks)
	}
	l.Over = nil
	press(tui.Key{Code: 'z'})
	click(2, 0)
	if v := l.View(s); v.Cursor == nil || v.Cursor.Col != 1 || below.keys != "z" ||
		strings.Join(below.clicks, "") != "2,0" {
		t.Errorf("without layers: caret %v, keys %q, clicks %q", v.Cursor, below.keys, below.clicks)
	}
	if len(closed) != 1 || closed[0] != tui.Component(note) {
		t.Errorf("closed %v", closed)
	}
}

// Random text, cut at random columns, keeps its columns, and its clusters stand where they stood.
func TestCutColumnsStandWhereTheyStood(t *testing.T) {
	m := width.Model{Method: width.Grapheme}
	parts := []string{"a", "b ", "日", "é", "e\u0301", "👩‍👩‍👧", "🏳️‍🌈", "क्षि", "x"}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 5))
		var below []tui.Span
		for range rng.IntN(4) {
			s := tui.Span{}
			for range rng.IntN(6) {
				s.Text += parts[rng.IntN(len(parts))]
			}
			below = append(below, s)
		}
		below, all := fitSpans(m, below, 30)
		col, cols := rng.IntN(20), 1+rng.IntN(10)
		got, n := fitSpans(m, coverSpans(m, below, []tui.Span{{Text: "####################"}}, col, cols), 60)
		if n != max(all, col+cols) {
			t.Fatalf("seed %d: %d columns, want %d", seed, n, max(all, col+cols))
		}
		was, is := columnsOf(m, below, 60), columnsOf(m, got, 60)
		for i := range is {
			inside := i >= col && i < col+cols
			if inside && is[i] != "#" || !inside && is[i] != was[i] && is[i] != " " {
				t.Fatalf("seed %d: column %d shows %q instead of %q", seed, i, is[i], was[i])
			}
			if !inside && is[i] != was[i] && (i < col-1 || i > col+cols) {
				t.Fatalf("seed %d: column %d is lost, away from the edge", seed, i)
			}
		}
	}
}

// columnsOf returns the cluster of each column, "" for one after the first of a wide cluster.
func columnsOf(m width.Model, spans []tui.Span, cols int) []string {
	var out []string
	text := ""
	for _, s := range spans {
		text += s.Text
	}
	for text != "" {
		c, next, w := m.Next(text)
		out, text = append(out, c), next
		for range w - 1 {
			out = append(out, "")
		}
	}
	for len(out) < cols {
		out = append(out, " ")
	}
	return out
}
