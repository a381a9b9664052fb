package layout

import "github.com/scrollkeep/scrollkeep/tui"

// Item is a component in [Columns] or [Rows], with its share of the space.
type Item struct {
	Of tui.Component
	// Weight is its share of the space that items without a weight leave over: an item with 2 gets
	// twice as much as one with 1. In Columns, 0 means exactly Min columns, or if Min is 0 the same
	// as 1. In Rows, 0 means as many rows as the component has.
	Weight int
	Min    int // minimum number of columns or rows
}

// equalItems returns an Item for each child, with equal shares.
func equalItems(children []tui.Component) []Item {
	all := make([]Item, len(children))
	for i, c := range children {
		all[i].Of = c
	}
	return all
}

// Columns places components side by side, across the full width. If the space is too narrow for
// their minimum widths they are placed below one another. The zero value is empty. The package
// documentation describes focus and mouse.
type Columns struct {
	Items []Item
	Gap   int // number of columns between two items; 0: 1; negative: none

	group
}

// NewColumns returns Columns in which the children have equal shares.
func NewColumns(children ...tui.Component) *Columns { return &Columns{Items: equalItems(children)} }

// View returns as many rows as the highest child has, within the Height of s.
func (c *Columns) View(s tui.Space) tui.View {
	c.beginView(components(c.Items)...)
	gap := gapOf(c.Gap)
	widths, ok := shareWidth(c.Items, max(s.Width, 1), gap)
	if !ok {
		return c.groupView(c.stackRows(s, c.stackNarrow(s), 0))
	}
	for i, w := range widths {
		c.viewChild(i, s, w, s.Height)
	}
	return c.groupView(c.joinRows(s.Model, widths, gap))
}

// Components returns the children, so that a [tui.Submitter] can be found among them.
func (c *Columns) Components() []tui.Component { return components(c.Items) }

// Focusable reports whether any child takes keys.
func (c *Columns) Focusable() bool { return c.focusable(c.Components()...) }

// stackNarrow calls View of the children for a layout below one another. It returns the number of
// rows of each, which is at most its share of the height.
func (c *Columns) stackNarrow(s tui.Space) []int {
	weights := make([]int, len(c.Items))
	for i, it := range c.Items {
		weights[i] = max(it.Weight, 1)
	}
	n := make([]int, len(c.Items))
	freeRows := s.Height
	for i := range c.Items {
		height := 0
		if s.Height > 0 {
			height = max(splitByWeight(freeRows, weights[i:])[0], 1)
		}
		n[i] = len(c.viewChild(i, s, s.Width, height).Lines)
		freeRows = max(freeRows-n[i], 0)
	}
	return n
}

// gapOf returns the number of columns or rows for the value n of a field Gap.
func gapOf(n int) int {
	if n == 0 {
		return 1
	}
	return max(n, 0)
}

func components(all []Item) []tui.Component {
	out := make([]tui.Component, len(all))
	for i, it := range all {
		out[i] = it.Of
	}
	return out
}

// shareWidth divides a width of total columns among items, with gap columns between them. ok is
// false if the minimum widths do not fit.
func shareWidth(all []Item, total, gap int) (widths []int, ok bool) {
	n := len(all)
	freeCols := total - gap*max(n-1, 0)
	widths = make([]int, n)
	weights := make([]int, n) // 0: its width is settled
	minCols := 0
	for i, it := range all {
		minCols += max(it.Min, 1)
		switch {
		case it.Weight > 0:
			weights[i] = it.Weight
		case it.Min > 0:
			widths[i] = it.Min
		default:
			weights[i] = 1
		}
	}
	if freeCols < minCols {
		return nil, false
	}
	for changed := true; changed; { // who would have less than its minimum has that, and the others share the rest
		changed = false
		remaining := freeCols
		for _, w := range widths {
			remaining -= w
		}
		shares := splitByWeight(remaining, weights)
		for i, it := range all {
			if weights[i] > 0 && shares[i] < max(it.Min, 1) {
				widths[i], weights[i], changed = max(it.Min, 1), 0, true
			}
		}
		if !changed {
			for i := range widths {
				widths[i] += shares[i]
			}
		}
	}
	return widths, true
}

// splitByWeight divides total in proportion to weights. The parts add up to total if any weight is
// above 0.
func splitByWeight(total int, weights []int) []int {
	sum, weightSoFar, used := 0, 0, 0
	for _, w := range weights {
		sum += w
	}
	parts := make([]int, len(weights))
	for i, w := range weights {
		if w == 0 || sum == 0 {
			continue
		}
		weightSoFar += w
		end := max(total, 0) * weightSoFar / sum
		parts[i], used = end-used, end
	}
	return parts
}
