package stress

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger is what the contract says must be true. Frame rows are counted from the first row that was written after the last start or rebase.
type ledger struct {
	rows    []*row // what must stand on the tape above the window
	waiting []*row // final rows handed over under an overlay
	epoch   int    // rows before it may have been changed by a resize of the terminal

	t      int  // the frame row on grid row 0
	known  bool // t is known; not between a resize and the frame after it
	c      int  // the highest t so far
	b      int  // rows below b are final
	origin int  // session rows before frame row 0

	due    []drawing // what the frame that is rendered must draw
	images int       // drawn so far

	handed  []renderer.Line // every final row of the session
	doubled int             // rows of the session that were handed over again, changed
	before  int             // Seam.Doubt of the sessions before this one
	doubt   int             // Seam.Doubt of this session
	rebased int             // Seam.Doubt at the last rebase
	// suspect: rows may have been left behind at the last resize, and the terminal may take the first row after them for their continuation,
	// which nobody can find out. Until that row is final another resize may leave it behind, too.
	suspect bool
}

// commit takes over the final rows of a frame: lines, of which the first is session row base.
func (l *ledger) commit(base int, lines []renderer.Line, overlay bool, cols, height int, m width.Model) {
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
	if overlay {
		return
	}
	for i, r := range l.waiting {
		n := len(l.rows)
		if p := r.line.Picture; p != nil && i+p.Rows <= len(l.waiting) {
			l.draw(l.waiting[i:i+p.Rows], height)
		}
		r.glue = n == l.epoch || n > 0 && l.rows[n-1].glue && l.rows[n-1].blank()
		if n > l.epoch {
			l.rows[n-1].join = l.rows[n-1].join && (r.blank() || l.rows[n-1].joins(r, cols))
		}
		r.loose = height == 1 && len(l.waiting) > 256 // they are written in portions, and one row has no room for a live one below
		l.rows = append(l.rows, r)
	}
	l.b += len(l.waiting)
	l.waiting = nil
}

// draw notes that a picture is drawn over rows: if they are on the grid, with one more below.
func (l *ledger) draw(rows []*row, height int) {
	d := drawing{rows: len(rows), there: len(rows) < height}
	if d.there {
		l.images++
		d.image = l.images
		rows[0].image = d
		for _, r := range rows {
			r.text = d.text()
			r.cells = []glyph{{text: r.text}}
		}
	}
	l.due = append(l.due, d)
}

// rewind marks the session rows from base on as replaced. Those that are in history stay; those on the grid may be written over.
func (l *ledger) rewind(base int) {
	n := len(l.handed) - base
	l.doubled += n
	l.handed = l.handed[:base:base]
	all := append(append([]*row(nil), l.rows...), l.waiting...)
	for i := len(all) - 1; i >= 0 && n > 0; i-- {
		if all[i].foreign || all[i].optional {
			continue
		}
		all[i].optional, all[i].loose = true, true
		if n--; i > 0 {
			all[i-1].loose = true
		}
	}
	if len(all) > 0 {
		all[len(all)-1].loose = true
	}
}

// relay lays rows that wait out anew after a change of the width: they are cut when they are written.
func (l *ledger) relay(cols int, m width.Model) {
	for _, r := range l.waiting {
		keep := *r
		*r = *newRow(r.line, cols, m)
		r.optional, r.loose = keep.optional, keep.loose
	}
}

func sameText(a, b renderer.Line) bool {
	return a.Wrapped == b.Wrapped && textOf(a) == textOf(b)
}

func textOf(l renderer.Line) string {
	s := ""
	for i := range l.Spans {
		s += l.Spans[i].Text
	}
	return s
}

// foreign notes rows that a shell wrote, or that were left behind as text.
func (l *ledger) foreign(rows ...*row) {
	l.loosen()
	for _, r := range rows {
		r.foreign, r.glue = true, len(l.rows) == l.epoch
	}
	l.rows = append(l.rows, rows...)
}

// loosen says that what follows the last row may be taken for its continuation, or not.
func (l *ledger) loosen() {
	if n := len(l.rows); n > 0 {
		l.rows[n-1].loose = true
	}
}

// start begins a session or goes on after a suspend: the cursor stands on grid row top.
func (l *ledger) start(top int) {
	l.rebase()
	l.t, l.c, l.known, l.suspect = -top, -top, true, false
}

// rebase makes the first live row frame row 0; t follows from the next frame.
func (l *ledger) rebase() {
	l.origin += l.b
	l.suspect = l.suspect && l.b == 0
	l.rebased = l.doubt
	l.b, l.known = 0, false
	l.loosen()
}

// resized notes a new width of the terminal.
func (l *ledger) resized(cols int) {
	for _, r := range l.rows {
		r.cols = min(r.cols, cols)
	}
	l.epoch = len(l.rows)
}

// frame moves t by the formula of the contract and returns how many rows must have left the grid: n rows are shown, hidden ones stand above.
func (l *ledger) frame(n, hidden, height int) (pushed int) {
	t := max(l.t, min(l.b, l.b+n+hidden-height))
	pushed = t - l.t
	l.t, l.c = t, max(l.c, t)
	return pushed
}

// anchor takes t from where the window stands after a resize: its first row is on grid row top.
func (l *ledger) anchor(top int) {
	l.t, l.known = l.b-top, true
	l.c = l.t
	l.suspect = l.suspect || l.doubt > l.rebased
}

// seam judges what the renderer says of itself.
func (l *ledger) seam(s renderer.Seam, live, height int, overlay bool) error {
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
	if l.known {
		most := l.origin + max(0, min(l.c, l.b))
		if s.Committed > most || l.doubled == 0 && s.Committed != most {
			return fmt.Errorf("Seam.Committed is %d with %d rows in history", s.Committed, most)
		}
	}
	return nil
}
