package harness

import (
	"fmt"
	"math"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger is what the contract says must be true. Frame rows are counted from the first row that was
// written after the last start or rebase.
type ledger struct {
	rows    []*row // what must stand on the tape above the window
	waiting []*row // final rows handed over under an overlay, or in doubt
	epoch   int    // rows before it may have been changed by a resize of the terminal
	wrapped int    // rows before it may have been wrapped anew or cut

	top      int  // the frame row on grid row 0: T of the contract
	topKnown bool // not between a resize and the frame after it
	topVague bool // the renderer does not know it, until the next resize
	maxTop   int  // the highest top so far
	finals   int  // frame rows below it are final: B of the contract
	origin   int  // session rows before frame row 0

	due    []drawing // what the frame that is rendered must draw
	images int       // drawn so far

	handed   []renderer.Line // every final row of the session
	doubled  int             // rows of the session that were handed over again, changed
	oldDoubt int             // Seam.Doubt of the sessions before this one
	doubt    int             // Seam.Doubt of this session
	rebased  int             // Seam.Doubt at the last rebase
	// suspect: rows may have been left behind at the last resize, and the terminal may take the
	// first row after them for their continuation, which nobody can find out. Until that row is
	// final another resize may leave it behind, too.
	suspect bool
}

// commit takes over the final rows of a frame; the first of lines is session row base.
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
			l.topKnown, l.topVague = false, true
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
	if l.topVague { // what the terminal may have wrapped is judged by whole lines
		l.epoch = len(l.rows)
	}
	l.finals += len(laid)
	l.origin -= len(laid) - len(l.waiting) // counts the rows that were handed over
	l.waiting = nil
}

// noteDrawing notes that a picture is drawn over rows: if they are on the grid, with one more
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

// afterResidue reports whether residue above may go on in the next row: the first one after a
// resize, or one behind such rows that are blank.
func (l *ledger) afterResidue() bool {
	n := len(l.rows)
	return n == l.epoch || n > 0 && l.rows[n-1].continuesResidue && l.rows[n-1].blank()
}

// rewind marks the session rows from base on as replaced. Those that are in history stay; those on
// the grid may be written over.
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

// addForeign notes rows that a shell wrote, or that were left behind as text.
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

// openLastWrap says that what follows the last row may be taken for its continuation, or not.
func (l *ledger) openLastWrap() {
	if n := len(l.rows); n > 0 {
		l.rows[n-1].wrapUnsure = true
	}
}

// start begins a session or goes on after a suspend: the cursor stands on gridRow.
func (l *ledger) start(gridRow int) {
	l.rebase()
	l.top, l.maxTop, l.topKnown, l.suspect = -gridRow, -gridRow, true, false
	l.topVague = false
}

// endSession forgets what is counted from the start of a session.
func (l *ledger) endSession() {
	l.oldDoubt += l.doubt
	l.doubt, l.doubled, l.origin, l.finals, l.handed = 0, 0, 0, 0, nil
}

// rebase makes the first live row frame row 0; top follows from the next frame.
func (l *ledger) rebase() {
	l.origin += l.finals
	l.suspect = l.suspect && l.finals == 0
	l.rebased = l.doubt
	l.finals, l.maxTop, l.topKnown = 0, math.MinInt, false
	l.openLastWrap()
}

// noteWidth notes a new width of the terminal.
func (l *ledger) noteWidth(cols int) {
	for _, r := range l.rows {
		r.cols = min(r.cols, cols)
	}
	l.epoch = len(l.rows)
}

// advance moves top by the formula of the contract and returns how many rows must have left the
// grid: n rows are shown, hidden ones stand above.
func (l *ledger) advance(n, hidden, height int) (pushed int) {
	t := max(l.top, min(l.finals, l.finals+n+hidden-height))
	pushed = t - l.top
	l.top, l.maxTop = t, max(l.maxTop, t)
	return pushed
}

// liveTop returns the grid row on which the live region begins, if it is known.
func (l *ledger) liveTop() int { return l.finals - l.top }

// anchor takes top from where the window stands after a resize: its first row is on gridRow.
func (l *ledger) anchor(gridRow int) {
	l.top, l.topKnown = l.finals-gridRow, true
	// what was in history stays there, also when a row that the terminal wrapped has moved the
	// window
	l.maxTop = max(l.maxTop, l.top)
	l.suspect = l.suspect || l.doubt > l.rebased
}

// checkSeam compares what the renderer says of itself with the book.
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
		most := max(0, l.origin+max(0, min(l.maxTop, l.finals)))
		if s.Committed > most || l.doubled == 0 && !l.topVague && s.Committed != most {
			return fmt.Errorf("Seam.Committed is %d with %d rows in history", s.Committed, most)
		}
	}
	return nil
}

// lineEnds returns how many rows of the session end a line and have been written.
func (l *ledger) lineEnds() int {
	n := -len(l.waiting)
	for _, line := range l.handed {
		if !line.Wrapped {
			n++
		}
	}
	return n
}
