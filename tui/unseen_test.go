package tui

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

func TestNoRowHoldsACharacterThatIsNotSeen(t *testing.T) {
	all := unseen.Text()
	s := Space{Width: 40}
	rows := map[string][]Line{
		"a row that is cut":            {s.Cut(Span{Text: all})},
		"prose":                        Layout{Width: 40}.Append(nil, 0, Span{Text: all}),
		"text that the terminal wraps": Layout{Width: 40, Native: true}.Append(nil, 0, Span{Text: all}),
		"a fill":                       s.Fill(Span{Text: all}),
	}
	for _, r := range unseen.Points() { // each at the beginning of a row, too
		rows["each"] = append(rows["each"], s.Cut(Span{Text: string(r) + "x"}))
		rows["each"] = Layout{Width: 40}.Append(rows["each"], 0, Span{Text: "漢" + string(r) + "字"})
	}
	for name, lines := range rows {
		var b strings.Builder
		for _, l := range lines {
			for _, sp := range l.Spans {
				b.WriteString(sp.Text)
			}
		}
		if r := unseen.In(b.String()); r != 0 {
			t.Errorf("%s holds U+%04X", name, r)
		}
		if !strings.Contains(b.String(), "<U+") {
			t.Errorf("%s shows no token", name)
		}
	}
	if got := (Layout{Width: 40}).Append(nil, 0, Span{Text: "plot ⠀⠀⢀⡀⠀⠀ 👩\u200d👧 ❤\ufe0f"}); len(got) != 1 ||
		strings.Contains(got[0].Spans[0].Text, "<U+") {
		t.Errorf("a picture of cells, or an emoji, is %v", got)
	}
}
