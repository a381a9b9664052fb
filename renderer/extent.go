package renderer

import (
	"math"
	"slices"
)

// The extent of the live region after a change of size: the grid rows that it takes above the cursor and below, and what may stand below it.

// rowsAbove is how many grid rows of the live region stand above the cursor at a width, and how many it may be at most. Where it is not known
// whether the terminal wraps anew, the smaller number is right: a live row is left behind then, a final one never overwritten.
func (r *Renderer) rowsAbove(cols int) (least, most int) {
	least, most = r.laidAbove(cols)
	if r.resize.met {
		least = min(least, r.leastAbove(cols))
	}
	return least - r.stopped(), most
}

// laidAbove is rowsAbove as it is if the cursor is on its text.
func (r *Renderer) laidAbove(cols int) (least, most int) {
	at, col := r.l.cur.Row, r.resize.col
	if r.c.Reflow == ReflowDrift {
		return r.drifted(0)
	}
	if r.c.Follow == FollowTop {
		return r.lineTop(0, cols)
	}
	if r.c.Reflow != ReflowNo && r.resize.lost && !r.resize.wrap { // the cursor may be anywhere in its line
		for least = at; least > 0 && r.l.shown[least-1].mayWrap(); {
			least--
		}
		return least, at
	}
	if r.c.Reflow == ReflowNo || !r.resize.wrap {
		least = at
		if own := &r.l.shown[at]; r.c.Reflow <= ReflowYes && col == 0 && at > 0 && r.l.shown[at-1].mayWrap() && len(own.cells) > 0 && max(own.cells[0].w, own.cells[0].most) > 1 {
			least-- // a width that nobody has told may have left it in the column that this character leaves free on the row above (ghostty)
		}
		return least, at
	}
	if r.c.Reflow == ReflowAbove {
		return r.keptLine(0, cols)
	}
	// The cursor may stand on a later piece of its row; behind the text terminals differ.
	own := &r.l.shown[at]
	w := r.wrapping(cols)
	if w.rowsOf(r.l.shown, 0, at, true); col < len(own.cells) && !r.resize.lost {
		w.cells(own.cells[:own.cluster(col)], true)
	} else if w.x > 0 {
		w.rows, w.x = w.start, 0
	}
	least = w.rows
	if w.x >= cols {
		least++
	}
	w = r.wrapping(cols)
	w.rowsOf(r.l.shown, 0, at, false)
	if r.resize.lost {
		col = max(col, len(own.cells))
	}
	w.cells(own.cells[:min(col, len(own.cells))], false)
	if col < len(own.cells) && w.x > cols-int(max(own.cells[col].w, own.cells[col].most)) { // the cursor's cell begins a row
		w.rows, w.x = w.rows+1, 0
	}
	most = w.rows + (w.x+max(0, col-len(own.cells)))/cols
	if r.c.Follow == FollowEnd {
		// At each size before, GNU screen 4.9 may have torn the line in two, as it does if the window cannot show all of it, or the request has lengthened it by
		// blanks up to the cursor.
		most += r.resize.steps - 1
	}
	if r.c.Follow == FollowRelaid && slices.ContainsFunc(r.l.shown[:at+1], func(s row) bool { return s.wide() }) {
		most += r.resize.steps - 1 // the column that a wide character has left free at a size before is a blank of the line
	}
	if r.c.Reflow == ReflowYes {
		return least, most
	}
	return min(at, least) - r.lifted(at+1), max(at, most) // it may be xterm.js
}

// keptLine is how many rows stand above the cursor from live row from on if the line that the cursor is on keeps its rows while those above are
// wrapped anew. Where that line begins may not be known.
func (r *Renderer) keptLine(from, cols int) (least, most int) {
	least = math.MaxInt
	r.lineStarts(from, cols, func(first, few, many int) {
		kept := r.l.cur.Row - first
		least, most = min(least, few+kept), max(most, many+kept)
	})
	return least, most
}

// lineStarts calls f for each row that the line which the cursor is on may begin with, and says how many rows the live ones from from on take above it,
// which are wrapped anew.
func (r *Renderer) lineStarts(from, cols int, f func(first, few, many int)) {
	for first := r.l.cur.Row; ; first-- {
		if first == from || !r.l.shown[first-1].wrapped {
			few, many := r.wrapping(cols), r.wrapping(cols)
			few.rowsOf(r.l.shown, from, first, true)
			many.rowsOf(r.l.shown, from, first, false)
			f(first, few.rows, many.rows)
		}
		if first == from || !r.l.shown[first-1].mayWrap() {
			return
		}
	}
}

// rowsBelow is how many grid rows the live region may take below the cursor's at a width.
func (r *Renderer) rowsBelow(cols int) int {
	at := r.l.cur.Row
	if r.c.Reflow == ReflowNo || !r.resize.wrap {
		if r.c.Follow == FollowTop {
			at, _ = r.lineTop(0, cols)
		}
		return len(r.l.shown) - 1 - at
	}
	if r.c.Follow == FollowTop {
		w := r.wrapping(cols)
		w.rowsOf(r.l.shown, 0, len(r.l.shown), false)
		top, _ := r.lineTop(0, cols)
		return w.rows + min(w.x, 1) - 1 - top
	}
	own := r.l.shown[at].cells
	col := r.l.shown[at].cluster(min(r.resize.col, len(own)))
	w := r.wrapping(cols)
	w.rowsOf(r.l.shown, 0, at, false)
	w.cells(own[:col], false)
	row := w.rows
	w.cells(own[col:], false)
	w.erased(&r.l.shown[at], false)
	if !r.l.shown[at].wrapped {
		w.rows, w.x = w.rows+1, 0
	}
	w.rowsOf(r.l.shown, at+1, len(r.l.shown), false)
	return w.rows + min(w.x, 1) - row - 1
}

// spare is how many blank rows may have come below the live region that terminals which take those for rows (tmux, alacritty) push as many others for in a
// narrower window: as many as the region was lower at a wider width, and those that a higher window has gained, unless history fills it.
func (r *Renderer) spare() int {
	if r.c.Reflow == ReflowNo {
		return 0
	}
	n, shown := 0, r.l.shown
	if r.c.Follow == FollowRelaid { // rows that were erased are still rows, and behind the last one there may be another
		return r.resize.blank + 1
	}
	if r.resize.turn > 0 {
		w := r.wrapping(r.resize.turn)
		w.rowsOf(shown, 0, len(shown), true)
		n = max(0, len(shown)-w.rows-min(w.x, 1))
	}
	if f := r.resize.floor; r.resize.steps > 1 && !f.known && (r.c.Blanks || r.c.Follow == FollowUnknown) {
		w := r.wrapping(r.resize.thin)
		w.rowsOf(shown, 0, len(shown), false)
		if more := w.rows + min(w.x, 1) - len(shown); more > 0 {
			n += f.below + (r.resize.steps-1)/2*more // what a wider window joins leaves blank rows, for which the next narrower one pushes again
		}
	}
	return n
}

// crowded is how many live rows those blank ones may have pushed at most: rows above the live region went first.
func (r *Renderer) crowded() int { return max(0, r.spare()-max(0, r.l.b-r.l.thi)) }
