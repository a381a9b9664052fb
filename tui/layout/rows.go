package layout

import "github.com/scrollkeep/scrollkeep/tui"

// Rows places components below one another. Items without a Weight have their own height, and the
// others share the remaining Height completely. If the Space has no height, all have their own
// height. The zero value is empty. The package documentation describes focus and mouse.
type Rows struct {
	Items []Item
	Gap   int // number of blank rows between two items

	group
}

// NewRows returns Rows in which the children have their own height.
func NewRows(children ...tui.Component) *Rows { return &Rows{Items: equalItems(children)} }

// View returns the rows of the children, at most the Height of s. If there is not enough space the
// last children get fewer rows, each at least one. Rows that still do not fit are left out at the
// end.
func (r *Rows) View(s tui.Space) tui.View {
	r.beginView(components(r.Items)...)
	gap := max(r.Gap, 0)
	return r.groupView(r.stackRows(s, r.rowHeights(s, r.Items, gap), gap))
}

// Components returns the children, so that a [tui.Submitter] can be found among them.
func (r *Rows) Components() []tui.Component { return components(r.Items) }

// Focusable reports whether any child takes keys.
func (r *Rows) Focusable() bool { return r.focusable(r.Components()...) }

// stackRows returns the rows of the children below one another, in the given heights and with gap
// blank rows between them. View of the children must have been called.
func (g *group) stackRows(s tui.Space, heights []int, gap int) []tui.Line {
	rows := 0
	for i, n := range heights {
		rows += max(n, g.childStates[i].rows) + gap
	}
	lines := make([]tui.Line, 0, rows)
	for i := range heights {
		if i > 0 && heights[i] > 0 && len(lines) > 0 {
			lines = append(lines, make([]tui.Line, gap)...)
		}
		g.placeChild(i, 0, len(lines))
		p := &g.childStates[i]
		for _, l := range p.view.Lines {
			lines = append(lines, insideLine(s, l))
		}
		for n := p.rows; n < heights[i]; n++ {
			lines = append(lines, tui.Line{})
		}
	}
	if s.Height > 0 && len(lines) > s.Height {
		lines = lines[:s.Height]
		for i := range g.childStates {
			p := &g.childStates[i]
			if excess := p.row + p.rows - s.Height; excess > 0 {
				p.rows, p.cut = max(p.rows-excess, 0), true
			}
		}
	}
	return lines
}

// rowHeights calls View of the children, first of those without a weight. It returns the number of
// rows for each.
func (g *group) rowHeights(s tui.Space, all []Item, gap int) []int {
	n := make([]int, len(all))
	weights := make([]int, len(all))
	freeRows := s.Height - gap*max(len(all)-1, 0)
	minRows := 0 // rows that those who were not asked yet need
	for i, it := range all {
		minRows += max(it.Min, 1)
		if s.Height > 0 {
			weights[i] = max(it.Weight, 0)
		}
	}
	for i, it := range all {
		if weights[i] > 0 {
			continue
		}
		minRows -= max(it.Min, 1)
		height := 0
		if s.Height > 0 {
			height = max(freeRows-minRows, 1)
		}
		n[i] = max(len(g.viewChild(i, s, s.Width, height).Lines), it.Min)
		freeRows -= n[i]
	}
	for i, it := range all { // a minimum comes first
		if weights[i] > 0 && splitByWeight(freeRows, weights)[i] < it.Min {
			n[i], weights[i] = it.Min, 0
			g.viewChild(i, s, s.Width, max(n[i], 1))
			freeRows -= n[i]
		}
	}
	for i, k := range splitByWeight(freeRows, weights) {
		if weights[i] > 0 {
			n[i] = max(k, 1)
			g.viewChild(i, s, s.Width, n[i])
		}
	}
	return n
}

// insideLine returns l, cut to the width of s and without an End.
func insideLine(s tui.Space, l tui.Line) tui.Line {
	l.End = 0
	if l.Picture != nil || plainFits(s, l.Spans) {
		return l
	}
	l.Spans, _ = fitSpans(s.Model, l.Spans, max(s.Width, 1))
	return l
}

// plainFits reports whether spans consist only of characters that are known to be one column wide,
// and fit in the width of s.
func plainFits(s tui.Space, spans []tui.Span) bool {
	n := 0
	for i := range spans {
		cols, ok := drawnColumns(s.Model, spans[i].Text)
		if !ok {
			return false
		}
		n += cols
	}
	return n <= s.Width
}
