package stress

import (
	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// inDoubt reports whether rows are not for a careful frame: one holds a doubtful cluster, and is part of a longer line or too wide.
func (l *ledger) inDoubt(rows []*row, cols int, m width.Model) bool {
	joined := l.open
	for _, r := range rows {
		if r.holds() && (joined || r.join || r.reach(m) > carefulCols(cols)) {
			return true
		}
		joined = r.join
	}
	return false
}

// waits reports whether a careful frame would not write lines.
func (l *ledger) waits(lines []renderer.Line, cols int, m width.Model) bool {
	var rows []*row
	for _, line := range lines {
		rows = append(rows, newRow(line, cols, m))
	}
	return l.inDoubt(rows, cols, m)
}

// carefulCols is the width up to which careful frames show live rows.
func carefulCols(cols int) int { return max(cols/2-1, 1) }

// allShown reports whether no row stands between the last final row on the tape and the first one in the window.
func (w *world) allShown() bool {
	return w.seam.Hidden == 0 && w.shown.overlay == nil && len(w.l.waiting) == 0
}
