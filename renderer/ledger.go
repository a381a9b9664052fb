package renderer

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger is what we believe the terminal shows. Frame rows are counted from the first row that was
// written after the last start or rebase; rows above it are foreign and have negative indices. The
// row with index i of shown is frame row b+i.
type ledger struct {
	cols, rows int
	origin     int // session index of frame row 0
	era        int // counts the times that it has begun anew, or that T has become less sure
	b          int // rows below b are final
	c          int // the highest T so far: rows below c are immutable
	ends       int // final rows, but for those that go on in the next: each is a row of the tape at any width
	// T, the frame row on grid row 0, lies within [tlo, thi]. The start row is unknown until a
	// report says it or the screen has filled.
	tlo, thi int

	shown  []row // from frame row b on: the live rows in the window, at least one
	recent recent
	below  int   // rows under the last shown row that are known to be blank
	dirty  bool  // rows under the last shown row may hold live rows of ours from before a resize
	marked bool  // rows may have a mark of a live region, see Quirks.Redraws
	wraps  Wraps // see Config
	model  width.Model

	cur     Pos  // the cursor, relative to shown; Col is cols when a wrap is pending, -1 when it is unknown
	visible bool // the caret is shown
	residue int  // live rows that a terminal pushed into history, and rows written twice
}

// start forgets the grid: nothing is known of the cursor's row, and everything above is foreign.
func (l *ledger) start() {
	l.rebase(1, -(l.rows - 1), 0)
	l.cur = Pos{Col: -1}
	l.dirty, l.shown[0].mayWrap = false, false
}

// rebase makes row 0 of the next paint frame row 0, with n unknown rows from there on and T within
// [tlo, thi].
func (l *ledger) rebase(n, tlo, thi int) {
	l.origin += l.b
	l.era++
	l.b, l.c = 0, 0
	l.tlo, l.thi = tlo, thi
	l.shown = resizeRows(l.shown, n)
	for i := range l.shown {
		l.shown[i].reset()
		l.shown[i].known, l.shown[i].mayWrap = false, l.wraps == WrapsStay
		l.shown[i].stale = l.marked
	}
	l.below = 0
	l.dirty = true
}

// down notes that the cursor went to shown index i by a line feed or a wrap, and reports whether
// that surely scrolled.
func (l *ledger) down(i int) (scrolled bool) {
	t := l.b + i - (l.rows - 1)
	scrolled = t > l.thi
	l.tlo, l.thi = max(l.tlo, t), max(l.thi, t)
	return scrolled
}

// grow adds the row under the last shown one, reached by a line feed or a wrap.
func (l *ledger) grow() {
	i := len(l.shown)
	scrolled := l.down(i)
	known := scrolled || l.below > 0
	if l.below > 0 {
		l.below--
	}
	l.shown = resizeRows(l.shown, i+1)
	l.shown[i].reset()
	l.shown[i].known, l.shown[i].mayWrap = known, !known && l.wraps == WrapsStay && l.dirty
	l.shown[i].stale = !scrolled && l.marked
}

// insert notes IL: n blank rows at index i, the last n shown rows gone over the edge of what we
// use. They were blank, made by grow or delete, or they stood on the last rows of the grid.
func (l *ledger) insert(i, n int) {
	v := len(l.shown)
	rotate(l.shown[i:], v-i-n)
	for j := i; j < i+n; j++ {
		l.shown[j].reset()
	}
}

// delete notes DL: rows [i, i+n) are gone, those below moved up. What stands at the end now is
// blank if the last shown row is the last one of the grid; if not, an insertion of as many rows has
// to follow, which takes it away again.
func (l *ledger) delete(i, n int) {
	rotate(l.shown[i:], n)
	for j := len(l.shown) - n; j < len(l.shown); j++ {
		l.shown[j].reset()
	}
}

// bottom reports whether the last shown row is the last one of the grid.
func (l *ledger) bottom() bool { return l.b+len(l.shown)-l.rows == l.thi }

// settle makes the first k shown rows final and forgets the blank rows from index n on.
func (l *ledger) settle(k, n int) {
	for i := range k {
		if !l.shown[i].goesOn {
			l.ends++
		}
		l.recent.add(&l.shown[i])
	}
	l.below += len(l.shown) - n
	l.shown = l.shown[:n]
	rotate(l.shown, k)
	l.shown = l.shown[:n-k]
	l.b += k
	l.cur.Row -= k
	l.c = max(l.c, l.tlo)
}

// committed returns the number of session rows that are in history for sure. Rows that were written
// twice count for less until both copies are there.
func (l *ledger) committed() int { return max(0, l.origin+max(0, min(l.c, l.b))) }

// check panics if the ledger contradicts itself. Tests call it after each frame.
func (l *ledger) check() {
	switch {
	case l.tlo > l.thi:
		panic("renderer: T range is empty")
	case l.thi > l.b:
		panic("renderer: a live row is in history")
	case len(l.shown) == 0 || len(l.shown) > l.rows:
		panic("renderer: live region does not fit the grid")
	case l.cur.Row < 0 || l.cur.Row >= len(l.shown):
		panic("renderer: cursor outside the live region")
	case l.b+len(l.shown)-l.rows > l.tlo:
		panic("renderer: live region ends below the grid")
	case l.c > l.b:
		panic("renderer: committed beyond the seam")
	}
}

// rotate moves the first k rows of s behind the others. Rows keep their cells' storage.
func rotate(s []row, k int) {
	if k <= 0 || k >= len(s) {
		return
	}
	slices.Reverse(s[:k])
	slices.Reverse(s[k:])
	slices.Reverse(s)
}

// resizeRows makes s n rows long; storage beyond its length is kept for reuse.
func resizeRows(s []row, n int) []row {
	return append(s[:cap(s)], make([]row, max(0, n-cap(s)))...)[:n]
}
