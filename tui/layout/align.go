package layout

import "github.com/scrollkeep/scrollkeep/tui"

// Side says where a component is placed within the space of an [Align].
type Side uint8

// The sides: left or top, middle, right or bottom.
const (
	Start Side = iota
	Middle
	End
)

// Align places a component at one side or in the middle of its space. The component is treated as a
// block that is as wide as its widest row. The zero value is empty.
type Align struct {
	Of         tui.Component
	Horizontal Side
	Vertical   Side // applies if the Space has a height; unless it is Start, all of that height is used

	group
}

// View returns the rows of the component, moved by blanks.
func (a *Align) View(s tui.Space) tui.View {
	a.beginView(a.Of)
	s.Width = max(s.Width, 1)
	a.viewChild(0, s, s.Width, s.Height)
	p := &a.childStates[0]
	wide, row := 0, []tui.Span(nil)
	for _, l := range p.view.Lines {
		n := 0
		row, n = appendFitting(row[:0], s.Model, l.Spans, s.Width)
		wide = max(wide, n)
	}
	if c := p.view.Cursor; c != nil {
		wide = max(wide, min(c.Col+1, s.Width)) // the caret behind the text belongs to it
	}
	leftCols, top := blanksBefore(a.Horizontal, s.Width-wide), 0
	if s.Height > 0 {
		top = blanksBefore(a.Vertical, s.Height-p.rows)
	}
	a.placeChild(0, leftCols, top)
	p.width = max(s.Width-leftCols, 1)
	lines := append(make([]tui.Line, top), a.shiftedRows(s, leftCols)...)
	for a.Vertical != Start && len(lines) < s.Height {
		lines = append(lines, tui.Line{})
	}
	return a.groupView(lines)
}

// Components returns the child, so that a [tui.Submitter] can be found in it.
func (a *Align) Components() []tui.Component { return []tui.Component{a.Of} }

// Focusable reports whether the child takes keys.
func (a *Align) Focusable() bool { return a.focusable(a.Components()...) }

// blanksBefore returns how many of the free columns or rows precede the component.
func blanksBefore(side Side, free int) int {
	switch side {
	case Middle:
		return max(free/2, 0)
	case End:
		return max(free, 0)
	}
	return 0
}
