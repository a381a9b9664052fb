package stress

import "github.com/scrollkeep/scrollkeep/stress/profile"

// fitsWithoutReflow reports whether the live rows and the caret need no rewrapping at cols columns
// and fit rows rows.
func (w *world) fitsWithoutReflow(cols, rows int) bool {
	at, _ := w.rest()
	if w.shown.overlay != nil || len(w.l.waiting) > 0 || cols == 1 || w.single || w.saved && rows < w.rows ||
		max(1, len(w.shown.live)) > rows || at.Col >= cols {
		return false
	}
	if w.profile.Differs.Layout.In(profile.LayoutFromEnd, profile.LayoutTopLine) &&
		(!w.l.known || w.rows-w.l.b+w.l.t > rows) {
		return false // blank rows below take room, too
	}
	if w.longer(cols) {
		return false
	}
	// so does a blank one, if the live region does not end on the last row of the grid, and what
	// was erased there
	if w.profile.Differs.Layout == profile.LayoutByEnds {
		bottom := w.l.known && w.l.b-w.l.t+w.seam.Live == w.rows && len(w.via) == 0
		if !w.l.known || !bottom && w.rows-w.l.b+w.l.t+1 > rows || bottom && rows < w.rows && w.seam.Live+2 > rows {
			return false
		}
	}
	if p := w.profile.Differs; at.Row < w.seam.Live-1 && !w.config.Redraws &&
		(p.Layout.In(profile.LayoutApart, profile.LayoutJoined) || rows < w.rows && !p.ShrinkDropsBelow) {
		return false // rows below the cursor are kept, others pushed, and the cursor is on another row of text then
	}
	for _, l := range w.shown.live {
		if r := newRow(l, 1<<20, w.model); len(r.cells)+w.pads(r) >= cols || r.doubtful {
			return false
		}
	}
	return true
}

// longer reports whether a live row may be longer for the terminal than its text is, and than cols
// columns: urxvt counts how far the caret has been on it, tmux what has been erased there.
func (w *world) longer(cols int) bool {
	p := w.profile.Differs
	for y := range w.seam.Live {
		if top := w.l.b - w.l.t; p.EraseKeepsLength &&
			(!w.l.known || top+y < w.rows && w.term.Row(top+y).Used() >= cols) {
			return true
		}
	}
	return p.Layout == profile.LayoutTopLine && cols < w.cols
}

// half reports whether g is the second half of a wide character.
func half(g glyph) bool { return g.text == "" }

// pads is by how many columns r is longer where it is laid out anew.
func (w *world) pads(r *row) int {
	if !w.profile.Differs.ReflowPads {
		return 0
	}
	n := 0
	for _, g := range r.cells {
		if half(g) {
			n++
		}
	}
	return n
}
