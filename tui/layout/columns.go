package layout

import "github.com/scrollkeep/scrollkeep/tui"

// Item is a component in [Columns] or [Rows] with its share of the place.
type Item struct {
	Of tui.Component
	// Weight is its share of what items without a weight leave: 2 has twice as much as 1. In
	// Columns 0 means exactly Min columns, or the share of 1 if there is no Min. In Rows 0 means as
	// many rows as it has.
	Weight int
	Min    int // the fewest columns, or rows, that it has
}

// items returns components with equal shares.
func items(children []tui.Component) []Item {
	all := make([]Item, len(children))
	for i, c := range children {
		all[i].Of = c
	}
	return all
}

// Columns is components side by side, from the left edge to the right one. If the window is too
// narrow for their minimums they stand one below the other. The zero value is empty; see the
// package for focus and mouse.
type Columns struct {
	Items []Item
	Gap   int // columns between two of them; 0 is 1, below 0 none

	group
}

// NewColumns returns Columns of equal shares.
func NewColumns(children ...tui.Component) *Columns { return &Columns{Items: items(children)} }

// View returns rows that are as high as the highest child, within the Height of s.
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

// Components returns the children, for who looks for one that takes lines, see [tui.Submitter].
func (c *Columns) Components() []tui.Component { return components(c.Items) }

// Focusable reports whether any child takes keys.
func (c *Columns) Focusable() bool { return c.focusable(c.Components()...) }

// stackNarrow calls the children, one below the other, for their views, and returns how many rows
// each has: its share of the height at most.
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

// gapOf returns the columns or rows of a field Gap.
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

// shareWidth gives each item of a row of total columns its width. It returns false if the minimums
// do not fit.
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

// splitByWeight divides total by weights. The sum of the parts is total if any weight is above 0.
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
