package stress

import (
	"fmt"
	"math"
	"slices"

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

	t      int  // the frame row on grid row 0
	known  bool // t is known; not between a resize and the frame after it
	vague  bool // the renderer does not know it, until the next resize
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
	// suspect: rows may have been left behind at the last resize, and the terminal may take the
	// first row after them for their continuation, which nobody can find out. Until that row is
	// final another resize may leave it behind, too.
	suspect bool
}

// commit takes over the final rows of a frame: lines, of which the first is session row base.
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
	laid := l.laid(cols, m)
	if overlay {
		return
	}
	for i, r := range laid {
		if r.join = r.join && !careful && i+1 < len(laid); !r.join {
			r.trim()
		}
		if careful && r.widest(m) > cols { // it is printed as plain text, and the terminal may have wrapped it
			l.known, l.vague = false, true
		}
	}
	line := 0 // rows of it so far
	for i, r := range laid {
		n := len(l.rows)
		if line++; line >= height {
			r.loose = true // the row that a wrap leads to cannot be made before
		}
		if !r.join {
			line = 0
		}
		if p := r.line.Picture; p != nil && i+p.Rows <= len(laid) {
			l.draw(laid[i:i+p.Rows], height)
		}
		r.continuesResidue = l.afterResidue()
		if n > l.epoch {
			l.rows[n-1].join = l.rows[n-1].join && (r.blank() || l.rows[n-1].joins(r, cols))
		}
		// they are written in portions, and one row has no room for a live one below
		r.loose = r.loose || (height == 1 || r.join) && len(laid) > 256
		l.rows = append(l.rows, r)
	}
	if l.vague { // what the terminal may have wrapped is judged by whole lines
		l.epoch = len(l.rows)
	}
	l.b += len(laid)
	l.origin -= len(laid) - len(l.waiting) // counts the rows that were handed over
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
		all[i].optional, all[i].loose = true, true
		if n--; i > 0 {
			all[i-1].loose = true
		}
	}
	if len(all) > 0 {
		all[len(all)-1].loose = true
	}
}

// laid are the rows that wait, as they are written at cols columns. Where that is not the width at
// which they were handed over their line is wrapped anew: nothing final is lost. Only what did not
// fit then is gone.
func (l *ledger) laid(cols int, m width.Model) []*row {
	var out []*row
	for from, to := 0, 0; from < len(l.waiting); from = to {
		for to = from + 1; to < len(l.waiting) && l.waiting[to-1].join &&
			l.waiting[to-1].cols == l.waiting[to].cols; to++ {
		}
		if l.waiting[from].cols == cols {
			out = append(out, l.waiting[from:to]...)
		} else {
			out = append(out, rewrapped(l.waiting[from:to], cols, m)...)
		}
	}
	return out
}

// rewrapped are the rows of one line at cols columns. A line with doubtful clusters is broken, each
// of which has the room that it may take.
func rewrapped(rows []*row, cols int, m width.Model) []*row {
	var cells []glyph
	optional, loose, doubtful := false, false, false
	for _, r := range rows {
		r = r.whole(m)
		cells = append(cells, r.cells...)
		optional, loose, doubtful = optional || r.optional, loose || r.loose, doubtful || r.doubtful
	}
	for n := len(cells) - 1; n >= 0; n-- {
		w := 1
		for ; cells[n].text == ""; n-- {
			w++
		}
		if w > cols { // it has no place in any row
			cells = slices.Delete(cells, n, n+w)
		}
	}
	if !rows[len(rows)-1].join {
		all := &row{cells: cells}
		all.trim()
		cells = all.cells
	}
	var out []*row
	add := func(n int) {
		r := &row{cells: slices.Clone(cells[:n]), cols: cols, cutTo: cols, optional: optional, loose: loose,
			doubtful: doubtful, join: !doubtful}
		cells = cells[n:]
		out = append(out, r)
	}
	n := 0
	for n < len(cells) {
		w, room := 1, 1
		for n+w < len(cells) && cells[n+w].text == "" {
			w++
		}
		if room = w; cells[n].doubtful {
			room = max(w, m.Widest(cells[n].text))
		}
		if n > 0 && n+room > cols {
			add(n)
			n = 0
		} else {
			n += w
		}
	}
	add(n)
	last := out[len(out)-1]
	last.line, last.join = rows[len(rows)-1].line, rows[len(rows)-1].join && len(last.cells) >= cols-1 &&
		len(last.cells) > 0
	for _, r := range out {
		if !r.join {
			r.trim()
		}
		r.atEdge(cols, m)
		r.read()
	}
	return out
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
	for i, r := range rows {
		if i > 0 { // as for rows that become final
			rows[i-1].join = rows[i-1].join && (r.blank() || rows[i-1].joins(r, r.cols))
		}
		r.foreign, r.continuesResidue = true, l.afterResidue()
		l.rows = append(l.rows, r)
	}
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
	l.vague = false
}

// rebase makes the first live row frame row 0; t follows from the next frame.
func (l *ledger) rebase() {
	l.origin += l.b
	l.suspect = l.suspect && l.b == 0
	l.rebased = l.doubt
	l.b, l.c, l.known = 0, math.MinInt, false
	l.loosen()
}

// resized notes a new width of the terminal.
func (l *ledger) resized(cols int) {
	for _, r := range l.rows {
		r.cols = min(r.cols, cols)
	}
	l.epoch = len(l.rows)
}

// frame moves t by the formula of the contract and returns how many rows must have left the grid: n
// rows are shown, hidden ones stand above.
func (l *ledger) frame(n, hidden, height int) (pushed int) {
	t := max(l.t, min(l.b, l.b+n+hidden-height))
	pushed = t - l.t
	l.t, l.c = t, max(l.c, t)
	return pushed
}

// anchor takes t from where the window stands after a resize: its first row is on grid row top.
func (l *ledger) anchor(top int) {
	l.t, l.known = l.b-top, true
	// what was in history stays there, also when a row that the terminal wrapped has moved the
	// window
	l.c = max(l.c, l.t)
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
		most := max(0, l.origin+max(0, min(l.c, l.b)))
		if s.Committed > most || l.doubled == 0 && !l.vague && s.Committed != most {
			return fmt.Errorf("Seam.Committed is %d with %d rows in history", s.Committed, most)
		}
	}
	return nil
}

// ends is how many rows of the session end a line and have been written.
func (l *ledger) ends() int {
	n := -len(l.waiting)
	for _, line := range l.handed {
		if !line.Wrapped {
			n++
		}
	}
	return n
}
