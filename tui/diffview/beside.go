package diffview

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Beside is the width in columns from which on the two sides of a change stand beside each other
// (PANE-3).
const Beside = 140

// gapColumns is the number of columns between the sides.
const gapColumns = 3

// splitsSides reports whether the sides stand beside each other at this width. A body with one side
// only is never split.
func (b *Body) splitsSides(s tui.Space) bool {
	return s.Width >= Beside && b.digits[0] > 0 && b.digits[1] > 0
}

// mate returns the line on the other side that stands in the same terminal rows as rows[i]. The
// relation holds both ways, so that no line is shown twice or not at all.
func mate(rows []Row, i int) (int, bool) {
	if rows[i].Kind != Added && rows[i].Kind != Removed {
		return 0, false
	}
	j, ok := counterpart(rows, i)
	if !ok {
		return 0, false
	}
	k, ok := counterpart(rows, j)
	return j, ok && k == i
}

// pairedLines returns the lines of row i beside the lines of its mate: the old side on the left,
// the new one on the right. An added row that has a mate has no lines of its own.
func (b *Body) pairedLines(i int, p painter) []tui.Line {
	r := b.rows[i]
	if r.Kind == Hunk || r.Kind == File || r.Kind == Note {
		return b.paintRow(i, p)
	}
	j, mated := mate(b.rows, i)
	if mated && r.Kind == Added {
		return nil
	}
	var left, right []tui.Line
	half := p
	half.width = (p.width - gapColumns) / 2
	if r.Kind != Added {
		half.digits = [2]int{b.digits[0], 0}
		left = b.paintRow(i, half)
	}
	half.digits = [2]int{0, b.digits[1]}
	switch {
	case mated:
		right = b.paintRow(j, half)
	case r.Kind != Removed:
		right = b.paintRow(i, half)
	}
	lines := make([]tui.Line, 0, max(len(left), len(right)))
	for k := range max(len(left), len(right)) {
		var line tui.Line
		used := 0
		if k < len(left) {
			for _, s := range left[k].Spans {
				line.Spans = append(line.Spans, s)
				used += p.model.String(s.Text)
			}
		}
		if k < len(right) {
			line.Spans = append(line.Spans, tui.Span{Text: strings.Repeat(" ", max(half.width-used, 0)+gapColumns)})
			line.Spans = append(line.Spans, right[k].Spans...)
		}
		lines = append(lines, line)
	}
	return lines
}
