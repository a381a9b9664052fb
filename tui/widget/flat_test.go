package widget_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// BenchmarkFrames moves through a widget of 1,000 rows and one of 1,000,000, turn by turn, and
// compares what a key and its frame cost. The ratio is that of the shortest rounds, which a busy
// machine disturbs least; it is to be below 1.2.
func BenchmarkFrames(b *testing.B) {
	type mover interface {
		tui.Component
		tui.EventHandler
	}
	for _, c := range []struct {
		name string
		of   func(n int) mover
	}{
		{"Table", func(n int) mover { return million(n) }},
		{"Viewport", func(n int) mover {
			line := func(int) string { return "a line of some words" }
			return &widget.Viewport{Len: func() int { return n }, Line: line}
		}},
		{"Tree", func(n int) mover {
			return &widget.Tree{Children: func(string) []widget.Node {
				all := make([]widget.Node, n)
				for i := range all {
					all[i] = widget.Node{ID: fmt.Sprint(i), Text: "a node", Branch: true}
				}
				return all
			}}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := tui.Space{Width: 80, Height: 24, Focused: true}
			few, many := c.of(1000), c.of(1_000_000)
			round := func(m mover) float64 {
				begin := time.Now()
				for _, code := range []rune{'j', 'j', 'G', 'k', 'g'} {
					m.HandleEvent(tui.Key{Code: code}, s)
					m.View(s)
				}
				return float64(time.Since(begin)) / 5
			}
			few.View(s)
			many.View(s)
			small, large := round(few), round(many)
			for b.Loop() {
				small, large = min(small, round(few)), min(large, round(many))
			}
			b.ReportMetric(small, "ns/frame-1e3")
			b.ReportMetric(large, "ns/frame-1e6")
			b.ReportMetric(large/small, "ratio")
			b.ReportMetric(testing.AllocsPerRun(100, func() { few.View(s) }), "allocs/frame-1e3")
			b.ReportMetric(testing.AllocsPerRun(100, func() { many.View(s) }), "allocs/frame-1e6")
		})
	}
}
