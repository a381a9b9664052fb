package diffview

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Beside is the minimum width in columns at which the old and the new side of a change are shown
// side by side (PANE-3).
const Beside = 140

// gapColumns is the number of columns between the two sides.
const gapColumns = 3

// splitsSides reports whether the two sides are shown side by side in s. A body with only one side
// is never split.
func (b *Body) splitsSides(s tui.Space) bool {
	return s.Width >= Beside && b.numberDigits[0] > 0 && b.numberDigits[1] > 0
}

// mateOf returns the index of the line on the other side that is shown beside rows[i]. The relation
// is symmetric, so that no line is shown twice or not at all. It returns false if there is none.
func mateOf(rows []Row, i int) (int, bool) {
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

// pairedLines returns the terminal rows of row i side by side with those of its mate: the old side
// on the left, the new one on the right. An added row that has a mate has no terminal rows of its
// own.
func (b *Body) pairedLines(i int, p painter) []tui.Line {
	r := b.rows[i]
	if r.Kind == Hunk || r.Kind == File || r.Kind == Note {
		return b.paintRow(i, p)
	}
	j, mated := mateOf(b.rows, i)
	if mated && r.Kind == Added {
		return nil
	}
	var left, right []tui.Line
	half := p
	half.width = (p.width - gapColumns) / 2
	if r.Kind != Added {
		half.digits = [2]int{b.numberDigits[0], 0}
		left = b.paintRow(i, half)
	}
	half.digits = [2]int{0, b.numberDigits[1]}
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
