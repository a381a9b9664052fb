package harness

import (
	"fmt"
	"math"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger holds what the terminal must show by the contract of the renderer. Its rows count from
// frame row 0, the first row that was written after the last start or rebase.
type ledger struct {
	rows []*row // rows that must stand on the tape above the live region
	// final rows that the renderer was given under an overlay or at an unknown size, and has not
	// written yet
	waiting []*row
	epoch   int // rows before this index may have been changed by a resize of the terminal
	wrapped int // rows before this index may have been wrapped anew or cut by the terminal

	top       int  // the frame row that stands on grid row 0; called T in the contract
	topKnown  bool // top is known; false between a resize and the next frame
	topUnsure bool // the renderer does not know top until the next resize
	maxTop    int  // the largest value of top so far
	finals    int  // number of final rows since frame row 0; called B in the contract
	origin    int  // number of the session's rows before frame row 0

	due    []drawing // pictures that the current frame must draw
	images int       // number of pictures that were drawn with their rows on the grid

	handed  []renderer.Line // all final rows that the renderer was given in this session
	doubled int             // number of rows that the renderer was given again with another text
	// sum of Seam.Doubt, the rows that the renderer admits to have left, of earlier sessions
	oldDoubt int
	// Seam.Doubt, the number of rows that the renderer admits to have left, in this session
	doubt   int
	rebased int // value of doubt at the last rebase
	// mayContinueResidue says that the last resize may have left old live rows above. The terminal
	// may take the first row after them for their continuation, and no check can detect that. Until
	// that row is final, another resize may leave it behind, too.
	mayContinueResidue bool
}

// commit adds the final rows of a frame to the ledger, laid out for the given width. The first of
// lines has index base in the session. Rows that the ledger has already are skipped if their texts
// are the same, and replaced otherwise. Under an overlay the rows only wait.
func (l *ledger) commit(base int, lines []renderer.Line, overlay, careful bool, cols, height int, m width.Model) {
	l.due = l.due[:0]
	for len(lines) > 0 && base < len(l.handed) {
		if !sameText(l.handed[base], lines[0]) {
			l.rewind(base)
			break
		}
		base, lines = base+1, lines[1:]
	}
	for _, line := range lines {
		l.handed = append(l.handed, line)
		r := newRow(line, cols, m)
		l.waiting = append(l.waiting, r)
	}
	laid := l.layOutWaiting(cols, m)
	if overlay {
		return
	}
	for i, r := range laid {
		if r.wraps = r.wraps && !careful && i+1 < len(laid); !r.wraps {
			r.trim()
		}
		if careful && r.maxWidth(m) > cols { // it is printed as plain text, and the terminal may have wrapped it
			l.topKnown, l.topUnsure = false, true
		}
	}
	line := 0 // rows of it so far
	for i, r := range laid {
		n := len(l.rows)
		if line++; line >= height {
			r.wrapUnsure = true // the row that a wrap leads to cannot be made before
		}
		if !r.wraps {
			line = 0
		}
		if p := r.line.Picture; p != nil && i+p.Rows <= len(laid) {
			l.noteDrawing(laid[i:i+p.Rows], height)
		}
		r.continuesResidue = l.afterResidue()
		if n > l.epoch {
			l.rows[n-1].wraps = l.rows[n-1].wraps && (r.blank() || l.rows[n-1].joins(r, cols))
		}
		// they are written in portions, and one row has no room for a live one below
		r.wrapUnsure = r.wrapUnsure || (height == 1 || r.wraps) && len(laid) > 256
		l.rows = append(l.rows, r)
	}
	if l.topUnsure { // what the terminal may have wrapped is judged by whole lines
		l.epoch = len(l.rows)
	}
	l.finals += len(laid)
	l.origin -= len(laid) - len(l.waiting) // counts the rows that were handed over
	l.waiting = nil
}

// noteDrawing records that the renderer must draw a picture over rows, if all of these rows and one
// more below fit a grid of the given height. Otherwise it records that nothing is drawn.
func (l *ledger) noteDrawing(rows []*row, height int) {
	d := drawing{rows: len(rows), there: len(rows) < height}
	if d.there {
		l.images++
		d.image = l.images
		rows[0].drawing = d
		for _, r := range rows {
			r.text = d.text()
			r.cells = []glyph{{text: r.text}}
		}
	}
	l.due = append(l.due, d)
}

// afterResidue reports whether the terminal may take the next row for a continuation of old rows
// that a resize has left above. That is possible for the first row after a resize, and after blank
// rows that follow it.
func (l *ledger) afterResidue() bool {
	n := len(l.rows)
	return n == l.epoch || n > 0 && l.rows[n-1].continuesResidue && l.rows[n-1].blank()
}

// rewind marks the session's rows from index base on as replaced. Copies of them may remain in
// history; on the grid the new rows may overwrite them.
func (l *ledger) rewind(base int) {
	n := len(l.handed) - base
	l.handed = l.handed[:base:base]
	unwritten := min(n, len(l.waiting))
	l.waiting = l.waiting[:len(l.waiting)-unwritten]
	for i, r := range l.waiting {
		if p := r.line.Picture; p != nil && i+p.Rows > len(l.waiting) {
			r.line.Picture = nil // its other rows are gone
		}
	}
	n -= unwritten
	l.doubled += n
	all := append(append([]*row(nil), l.rows...), l.waiting...)
	for i := len(all) - 1; i >= 0 && n > 0; i-- {
		if all[i].foreign || all[i].optional {
			continue
		}
		all[i].optional, all[i].wrapUnsure = true, true
		if n--; i > 0 {
			all[i-1].wrapUnsure = true
		}
	}
	if len(all) > 0 {
		all[len(all)-1].wrapUnsure = true
	}
}

// addForeign adds rows that the renderer has not made final: output of a shell, or live rows that a
// released session has left on the screen.
func (l *ledger) addForeign(rows ...*row) {
	l.openLastWrap()
	for i, r := range rows {
		if i > 0 { // as for rows that become final
			rows[i-1].wraps = rows[i-1].wraps && (r.blank() || rows[i-1].joins(r, r.cols))
		}
		r.foreign, r.continuesResidue = true, l.afterResidue()
		l.rows = append(l.rows, r)
	}
}

// openLastWrap marks the last row of the ledger as one whose soft wrap is not checked, since the
// terminal may take the next row for its continuation.
func (l *ledger) openLastWrap() {
	if n := len(l.rows); n > 0 {
		l.rows[n-1].wrapUnsure = true
	}
}

// start begins a session, or continues one after a suspend. gridRow is the grid row of the cursor.
func (l *ledger) start(gridRow int) {
	l.rebase()
	l.top, l.maxTop, l.topKnown, l.mayContinueResidue = -gridRow, -gridRow, true, false
	l.topUnsure = false
}

// endSession sets back all counters that count from the start of a session.
func (l *ledger) endSession() {
	l.oldDoubt += l.doubt
	l.doubt, l.doubled, l.origin, l.finals, l.handed = 0, 0, 0, 0, nil
}

// rebase counts frame rows anew from the first live row. top is not known until the next frame.
func (l *ledger) rebase() {
	l.origin += l.finals
	l.mayContinueResidue = l.mayContinueResidue && l.finals == 0
	l.rebased = l.doubt
	l.finals, l.maxTop, l.topKnown = 0, math.MinInt, false
	l.openLastWrap()
}

// noteWidth records that the terminal now has cols columns, so that it may have wrapped or cut all
// rows so far.
func (l *ledger) noteWidth(cols int) {
	for _, r := range l.rows {
		r.cols = min(r.cols, cols)
	}
	l.epoch = len(l.rows)
}

// advance computes the new top by the formula of the contract, for a grid of the given height. live
// is the number of live rows shown, hidden the number of live rows above them that do not fit.
// pushed is the number of rows that must have gone into history.
func (l *ledger) advance(live, hidden, height int) (pushed int) {
	newTop := max(l.top, min(l.finals, l.finals+live+hidden-height))
	pushed = newTop - l.top
	l.top, l.maxTop = newTop, max(l.maxTop, newTop)
	return pushed
}

// liveTop returns the grid row on which the live region begins. It is valid only while topKnown is
// true.
func (l *ledger) liveTop() int { return l.finals - l.top }

// setLiveTop sets top after a resize, when the cursor has shown that the live region begins on
// gridRow.
func (l *ledger) setLiveTop(gridRow int) {
	l.top, l.topKnown = l.finals-gridRow, true
	// what was in history stays there, also when a row that the terminal wrapped has moved the live
	// region
	l.maxTop = max(l.maxTop, l.top)
	l.mayContinueResidue = l.mayContinueResidue || l.doubt > l.rebased
}

// checkSeam compares s, the renderer's counts after a frame, with the ledger of expected rows. live
// is the number of live rows of the frame, height the number of rows on the grid. It stores
// Seam.Doubt.
func (l *ledger) checkSeam(s renderer.Seam, live, height int, overlay bool) error {
	if s.Pending != len(l.waiting) {
		return fmt.Errorf("Seam.Pending is %d with %d rows waiting", s.Pending, len(l.waiting))
	}
	shown := min(max(1, live), height)
	if !overlay && s.Live != shown || s.Live < shown || s.Live > height {
		return fmt.Errorf("Seam.Live is %d with %d live rows on %d", s.Live, live, height)
	}
	if want := max(0, live-s.Live); s.Hidden != want {
		return fmt.Errorf("Seam.Hidden is %d, want %d", s.Hidden, want)
	}
	if s.Doubt < l.doubt {
		return fmt.Errorf("Seam.Doubt fell from %d to %d", l.doubt, s.Doubt)
	}
	l.doubt = s.Doubt
	if s.Committed < 0 {
		return fmt.Errorf("Seam.Committed is %d", s.Committed)
	}
	if l.topKnown {
		inHistory := max(0, l.origin+max(0, min(l.maxTop, l.finals)))
		if s.Committed > inHistory || l.doubled == 0 && !l.topUnsure && s.Committed != inHistory {
			return fmt.Errorf("Seam.Committed is %d with %d rows in history", s.Committed, inHistory)
		}
	}
	return nil
}

// lineEnds returns how many lines of the session have been written to their end.
func (l *ledger) lineEnds() int {
	n := -len(l.waiting)
	for _, line := range l.handed {
		if !line.Wrapped {
			n++
		}
	}
	return n
}
