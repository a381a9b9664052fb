package diffview

import (
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
	few, many, none := tui.NewTheme(tui.Caps{Color: 16}), tui.NewTheme(tui.Caps{Color: 256, Dark: true}), tui.NewTheme(tui.Caps{})
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
