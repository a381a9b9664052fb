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

// A frame on its way when kitty's window gets narrower loses no words before a cluster near the edge it was made for.
func TestAFrameOnItsWayKeepsItsWordsInKitty(t *testing.T) {
	p, _ := profile.ByName("kitty-0.40")
	term := p.New(40, 8, 100)
	r := New(Config{Out: term, Cols: 40, Rows: 8, Model: width.Model{Method: width.Leading}})
	const begin, end = "0123456789 0123456789 four ", "two three "
	if _, err := r.Render(Frame{Live: lines(begin, "working", "draft")}); err != nil {
		t.Fatal(err)
	}
	term.Resize(20, 8)
	if _, err := r.Render(Frame{Live: lines(begin+end+"\U0001f44d\U0001f3fd", "working", "draft")}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(term.Lines(), "\n"); !strings.Contains(got, strings.TrimSpace(end)) {
		t.Errorf("%q is not in\n%s", end, got)
	}
}
