package renderer

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A cluster of several characters stays one where kitty would take it apart: behind a wrap.
func TestClustersStayWholeInKitty(t *testing.T) {
	p, _ := profile.ByName("kitty-0.40")
	model := width.Model{Method: width.Leading}
	for _, cluster := range []string{"\U0001f1e9\U0001f1ea", "\U0001f469\u200d\U0001f467", "\u1112\u1161\u11ab", "\u0e01\u0e33", "\u2764\ufe0f", "\u261d\U0001f3fd"} {
		for _, style := range []Style{{}, {Bg: 0x1000001}} {
			head := "0123456789"
			term := p.New(10, 4, 100)
			r := New(Config{Out: term, Cols: 10, Rows: 4, Model: model})
			rest := Line{Spans: []Span{{Text: cluster, Style: style}, {Text: " end"}}}
			if _, err := r.Render(Frame{Commit: []Line{{Spans: []Span{{Text: head}}, Wrapped: true}, rest}, Live: lines("live")}); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(term.Lines()[0]); got != head+cluster+" end" {
				t.Errorf("the line is %+q, want %+q", got, head+cluster+" end")
			}
		}
	}
}
