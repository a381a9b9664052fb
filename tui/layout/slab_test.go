package layout_test

import (
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// numbered is a component whose text is another one each time.
type numbered struct {
	n     int
	lines []tui.Line
}

func (c *numbered) View(s tui.Space) tui.View {
	c.n++
	for i := range c.lines {
		c.lines[i].Spans[0].Text = numbers[c.n%len(numbers)]
	}
	return tui.View{Lines: c.lines}
}

var numbers = [...]string{"zero", "one", "two", "three", "four"}

// panes returns boxes side by side and one below the other, with rows rows in each.
func panes(rows int) tui.Component {
	box := func() tui.Component {
		c := &numbered{}
		for range rows {
			c.lines = append(c.lines, tui.Line{Spans: make([]tui.Span, 1)})
		}
		return &layout.Box{Of: &layout.Pad{Of: c, Left: 1}, Title: "x", Fill: true}
	}
	return layout.NewRows(layout.NewColumns(box(), box()), &layout.Align{Of: box()})
}

func TestRowsOfALayoutStayUntilTheViewAfterTheNext(t *testing.T) {
	c := panes(3)
	s := tui.Space{Width: 40}
	var before, copied []tui.Line
	for range 10 {
		v := c.View(s)
		for i := range before {
			if !slices.Equal(before[i].Spans, copied[i].Spans) {
				t.Fatalf("row %d was %v and is %v", i, copied[i].Spans, before[i].Spans)
			}
		}
		before, copied = v.Lines, nil
		for _, l := range v.Lines {
			copied = append(copied, tui.Line{Spans: slices.Clone(l.Spans)})
		}
	}
}

func TestALayoutAllocatesNoSpansOnceItHasHadItsSize(t *testing.T) {
	s := tui.Space{Width: 80}
	perView := func(rows int) float64 {
		c := panes(rows)
		c.View(s)
		c.View(s)
		return testing.AllocsPerRun(20, func() { c.View(s) })
	}
	if few, many := perView(5), perView(50); many > few {
		t.Errorf("%.0f allocations a view with 5 rows, %.0f with 50", few, many)
	}
}
