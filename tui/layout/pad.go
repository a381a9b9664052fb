package layout

import "github.com/scrollkeep/scrollkeep/tui"

// Pad adds blank columns and rows around a component. It omits those that would leave no column or
// row for the component. The zero value is empty.
type Pad struct {
	Of                       tui.Component
	Top, Right, Bottom, Left int // numbers of blank columns and rows

	group
}

// View returns the rows of the component with the blanks.
func (p *Pad) View(s tui.Space) tui.View {
	p.beginView(p.Of)
	s.Width = max(s.Width, 1)
	top, right, bottom, left := max(p.Top, 0), max(p.Right, 0), max(p.Bottom, 0), max(p.Left, 0)
	if left+right >= s.Width {
		left, right = 0, 0
	}
	height := s.Height
	if height > 0 {
		if height -= top + bottom; height < 1 {
			top, bottom, height = 0, 0, s.Height
		}
	}
	p.viewChild(0, s, s.Width-left-right, height)
	p.placeChild(0, left, top)
	lines := make([]tui.Line, 0, top+p.childStates[0].rows+bottom)
	lines = append(lines, make([]tui.Line, top)...)
	lines = append(lines, p.shiftedRows(s, left)...)
	return p.groupView(append(lines, make([]tui.Line, bottom)...))
}

// Components returns the child, so that a [tui.Submitter] can be found in it.
func (p *Pad) Components() []tui.Component { return []tui.Component{p.Of} }

// Focusable reports whether the child takes keys.
func (p *Pad) Focusable() bool { return p.focusable(p.Components()...) }

// shiftedRows returns the rows of the only child, moved leftCols columns to the right.
func (g *group) shiftedRows(s tui.Space, leftCols int) []tui.Line {
	p := &g.childStates[0]
	lines, all := make([]tui.Line, p.rows), g.spanStore.next()
	for i := range lines {
		start := len(all)
		spans, n := appendFitting(blanks(all, leftCols), s.Model, p.view.Lines[i].Spans, p.width)
		if n > 0 {
			all = spans
		}
		lines[i].Spans = rowFrom(all, start)
		lines[i].Prompt = p.view.Lines[i].Prompt
	}
	g.spanStore.keep(all)
	return lines
}
