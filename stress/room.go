package stress

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// kind reports whether the live rows and the caret need no rewrapping at cols columns and fit rows rows.
func (w *world) kind(cols, rows int) bool {
	at, _ := w.rest()
	if w.shown.overlay != nil || len(w.l.waiting) > 0 || w.shown.tail || cols == 1 || w.single || w.saved && rows < w.rows || max(1, len(w.shown.live)) > rows || at.Col >= cols {
		return false
	}
	if (w.profile.Differs.ReflowFromEnd || w.profile.Differs.ReflowTopLine) && (!w.l.known || w.rows-w.l.b+w.l.t > rows) {
		return false // blank rows below take room, too
	}
	if w.longer(cols) {
		return false
	}
	if w.profile.Differs.ReflowRelays { // so does a blank one, if the live region does not end on the last row of the grid, and what was erased there
		bottom := w.l.known && w.l.b-w.l.t+w.seam.Live == w.rows && len(w.via) == 0
		if !w.l.known || !bottom && w.rows-w.l.b+w.l.t+1 > rows || bottom && rows < w.rows && w.seam.Live+2 > rows {
			return false
		}
	}
	if p := w.profile.Differs; at.Row < w.seam.Live-1 {
		n := len(w.shown.live)
		full := w.l.known && w.l.b-w.l.t+w.seam.Live == w.rows && rows <= w.rows && n > 0 && textOf(w.shown.live[n-1]) != "" // kitty takes a row that shows nothing for none
		switch {
		case !p.ReflowApart && !p.ReflowJoined && rows < w.rows && !p.ShrinkDropsBelow:
			return false // rows below the cursor are kept, others pushed, and the cursor is on another row of text then
		case p.ReflowJoined && w.config.Follow != renderer.FollowLayout:
			return false
		case p.ReflowApart && (w.config.Follow != renderer.FollowTwice || cols < w.cols && !full):
			return false // kitty may find the cursor again on a row below its text, see tracked in package vt; nobody can tell that from one row more above it
		}
	}
	for _, l := range w.shown.live {
		if r := newRow(l, 1<<20, w.model); len(r.cells)+w.pads(r) >= cols || r.doubtful || l.Wrapped {
			return false
		}
	}
	return true
}

// fits reports whether the live rows, which the terminal wraps anew, fit rows rows of cols columns as it does so, and whether all of that is known: how it
// wraps, where each line begins, on which of its pieces the cursor is. The live region ends on the last grid row, so that nothing is pushed for blanks.
func (w *world) fits(cols, rows int) bool {
	at, _ := w.rest()
	n := len(w.shown.live)
	if w.config.Reflow == renderer.ReflowUnknown || w.shown.overlay != nil || len(w.l.waiting) > 0 || w.shown.tail || w.shown.careful || w.single || cols == 1 || rows < w.rows {
		return false
	}
	if at.Col == 0 && n > 1 && w.shown.live[n-2].Wrapped {
		if r := newRow(w.shown.live[n-1], w.cols, w.model); r.doubtful || len(r.cells) > 1 && r.cells[1].text == "" {
			return false // and on which of its rows: a wide character leaves a column free, to which a width that nobody has told may take the cursor
		}
	}
	if w.longer(cols) {
		return false
	}
	if n == 0 || w.seam.Live != n || at.Row != n-1 || !w.l.known || w.l.b-w.l.t+n != w.rows {
		return false
	}
	p := w.profile.Differs
	if p.ReflowBlanks != profile.BlankIsFree && rows > w.rows {
		return false // the rows that the window gains are such blanks, if history does not fill them
	}
	height, line := 0, 0
	for i, l := range w.shown.live {
		r := newRow(l, w.cols, w.model)
		if (p.ReflowApart || p.ReflowFromEnd || p.ReflowPads || p.ReflowTopLine || p.ReflowRelays) && slices.ContainsFunc(r.cells, half) {
			return false // a wide character may be taken apart
		}
		if r.doubtful || r.join && !r.joins(newRow(w.shown.live[min(i+1, n-1)], w.cols, w.model), w.cols) {
			return false
		}
		if i == n-1 && at.Col >= len(r.cells) {
			return false
		}
		if line += len(r.cells); !r.join {
			height, line = height+1+line/max(1, cols-1), 0 // a wide character may leave a column free
		}
	}
	return height <= rows
}

// longer reports whether a live row may be longer for the terminal than its text is, and than cols columns: urxvt counts how far the caret has been on it, tmux
// what has been erased there.
func (w *world) longer(cols int) bool {
	p := w.profile.Differs
	for y := range w.seam.Live {
		if top := w.l.b - w.l.t; p.EraseKeepsLength && (!w.l.known || top+y < w.rows && w.term.Row(top+y).Used() >= cols) {
			return true
		}
	}
	return p.ReflowTopLine && cols < w.cols
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
