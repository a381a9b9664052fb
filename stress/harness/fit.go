package harness

import "github.com/scrollkeep/scrollkeep/stress/program"

// fitsWithoutReflow reports whether the live rows and the caret fit a window of that size without
// any row being wrapped anew.
func (h *harness) fitsWithoutReflow(cols, rows int) bool {
	at, _ := h.cursorPlace()
	if h.shown.overlay != nil || len(h.ledger.waiting) > 0 || cols == 1 || h.window.oneColumn ||
		h.residue.savedCursor && rows < h.window.rows || max(1, len(h.shown.live)) > rows || at.Col >= cols {
		return false
	}
	if h.blankRowsTakeRoom(rows) || h.mayBeLonger(cols) || h.pushesAboveCursor(rows) {
		return false
	}
	for _, l := range h.shown.live {
		if r := newRow(l, 1<<20, h.model); len(r.cells)+h.padding(r) >= cols || r.doubtful {
			return false
		}
	}
	return true
}

// mustFit reports whether a change to that size must leave no copy of a live row above the live
// region. how is the kind of answer that the renderer gets to its request for the cursor position,
// such as [program.Answered].
func (h *harness) mustFit(how, cols, rows int) bool {
	return how == program.Answered && h.fitsWithoutReflow(cols, rows) &&
		!(h.ledger.mayContinueResidue && h.ledger.finals == 0)
}

// isSecondHalf reports whether g is the second column of a wide character.
func isSecondHalf(g glyph) bool { return g.text == "" }

// padding returns the number of columns by which the terminal lengthens row r when it wraps it
// anew, see padsWide.
func (h *harness) padding(r *row) int {
	if !h.padsWide() {
		return 0
	}
	n := 0
	for _, g := range r.cells {
		if isSecondHalf(g) {
			n++
		}
	}
	return n
}
