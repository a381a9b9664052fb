package harness

import (
	"fmt"
	"math"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger holds what must be true by the contract of the renderer. Frame rows are counted from the
// first row that was written after the last start or rebase.
type ledger struct {
	rows    []*row // rows that must stand on the tape above the window
	waiting []*row // final rows that were handed over under an overlay or in doubt, and are not written yet
	epoch   int    // rows before this index may have been changed by a resize of the terminal
	wrapped int    // rows before this index may have been wrapped anew or cut

	top       int  // the frame row on grid row 0; T in the contract
	topKnown  bool // false between a resize and the next frame
	topUnsure bool // the renderer does not know top until the next resize
	maxTop    int  // the largest top so far
	finals    int  // number of final frame rows; B in the contract
	origin    int  // number of session rows before frame row 0

	due    []drawing // pictures that the current frame must draw
	images int       // number of pictures drawn so far

	handed   []renderer.Line // all final rows of the session
	doubled  int             // rows of the session that were handed over again with another text
	oldDoubt int             // Seam.Doubt of earlier sessions
	doubt    int             // Seam.Doubt of this session
	rebased  int             // Seam.Doubt at the last rebase
	// mayContinueResidue tells that rows may have been left behind at the last resize. The terminal
	// may take the first row after them for their continuation, which cannot be detected. Until
	// that row is final, another resize may leave it behind, too.
	mayContinueResidue bool
}

// commit enters the final rows of a frame; the first of lines is session row base.
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

// noteDrawing records that a picture is drawn over rows, if they are on the grid with one more row
// below.
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

// afterResidue reports whether the next row may be taken for a continuation of rows that were left
// above. This holds for the first row after a resize, and after blank rows of that kind.
func (l *ledger) afterResidue() bool {
	n := len(l.rows)
	return n == l.epoch || n > 0 && l.rows[n-1].continuesResidue && l.rows[n-1].blank()
}

// rewind marks the session rows from base on as replaced. Rows in history stay; rows on the grid
// may be overwritten.
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

// addForeign enters rows that a shell wrote, or that were left behind as text.
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

// openLastWrap records that what follows the last row may be taken for its continuation.
func (l *ledger) openLastWrap() {
	if n := len(l.rows); n > 0 {
		l.rows[n-1].wrapUnsure = true
	}
}

// start begins a session, or continues one after a suspend. The cursor is on gridRow.
func (l *ledger) start(gridRow int) {
	l.rebase()
	l.top, l.maxTop, l.topKnown, l.mayContinueResidue = -gridRow, -gridRow, true, false
	l.topUnsure = false
}

// endSession resets what is counted from the start of a session.
func (l *ledger) endSession() {
	l.oldDoubt += l.doubt
	l.doubt, l.doubled, l.origin, l.finals, l.handed = 0, 0, 0, 0, nil
}

// rebase makes the first live row frame row 0. top is known after the next frame.
func (l *ledger) rebase() {
	l.origin += l.finals
	l.mayContinueResidue = l.mayContinueResidue && l.finals == 0
	l.rebased = l.doubt
	l.finals, l.maxTop, l.topKnown = 0, math.MinInt, false
	l.openLastWrap()
}

// noteWidth records a new width of the terminal.
func (l *ledger) noteWidth(cols int) {
	for _, r := range l.rows {
		r.cols = min(r.cols, cols)
	}
	l.epoch = len(l.rows)
}

// advance computes top by the formula of the contract, and returns how many rows must have left the
// grid. live rows are shown, and hidden ones stand above.
func (l *ledger) advance(live, hidden, height int) (pushed int) {
	newTop := max(l.top, min(l.finals, l.finals+live+hidden-height))
	pushed = newTop - l.top
	l.top, l.maxTop = newTop, max(l.maxTop, newTop)
	return pushed
}

// liveTop returns the grid row on which the live region begins, if top is known.
func (l *ledger) liveTop() int { return l.finals - l.top }

// setLiveTop sets top after a resize, when it is seen that the live region begins on gridRow.
func (l *ledger) setLiveTop(gridRow int) {
	l.top, l.topKnown = l.finals-gridRow, true
	// what was in history stays there, also when a row that the terminal wrapped has moved the live
	// region
	l.maxTop = max(l.maxTop, l.top)
	l.mayContinueResidue = l.mayContinueResidue || l.doubt > l.rebased
}

// checkSeam compares the renderer's Seam with the ledger.
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

// lineEnds returns how many written rows of the session end a line.
func (l *ledger) lineEnds() int {
	n := -len(l.waiting)
	for _, line := range l.handed {
		if !line.Wrapped {
			n++
		}
	}
	return n
}
