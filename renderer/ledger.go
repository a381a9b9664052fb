package renderer

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger is what we believe the terminal shows. Frame rows are counted from the first row that was
// written after the last start or rebase. Rows above it are foreign and have negative indices. The
// row shown[i] is frame row seam+i.
type ledger struct {
	cols, rows int
	origin     int // session index of frame row 0
	era        int // counts the rebases, and the times that the top has become less sure
	seam       int // frame rows before it are final
	immutable  int // frame rows before it have left the grid for good
	// final rows that do not continue in the next: each is a row of the tape at any width
	hardEnds int
	// The top is the frame row on grid row 0. It lies within [minTop, maxTop]. The start row is
	// unknown until a report tells it or the screen has filled.
	minTop, maxTop int

	shown        []row // the live rows in the window, at least one
	recent       lineLengths
	blankBelow   int   // rows under the last shown row that are known to be blank
	dirtyBelow   bool  // rows under the last shown row may hold live rows of ours from before a resize
	mayHaveMarks bool  // rows may have a mark of a live region, see Quirks.RedrawsPrompt
	wraps        Wraps // see Quirks.Wraps
	model        width.Model

	// Relative to shown. Col is cols when a wrap is pending, and -1 when it is unknown.
	cursor       Pos
	caretVisible bool // the caret is shown
	residue      int  // live rows that a terminal pushed into history, and rows written twice
}

// forgetGrid notes that the cursor's row is not known and that everything above it is foreign.
func (l *ledger) forgetGrid() {
	l.rebase(1, -(l.rows - 1), 0)
	l.cursor = Pos{Col: -1}
	l.dirtyBelow, l.shown[0].mayWrap = false, false
}

// rebase starts a new count of frame rows with row 0 of the next paint. The n rows from there on
// are unknown, and the top lies within [minTop, maxTop].
func (l *ledger) rebase(n, minTop, maxTop int) {
	l.origin += l.seam
	l.era++
	l.seam, l.immutable = 0, 0
	l.minTop, l.maxTop = minTop, maxTop
	l.shown = resizeRows(l.shown, n)
	for i := range l.shown {
		l.shown[i].reset()
		l.shown[i].known, l.shown[i].mayWrap = false, l.wraps == WrapsStay
		l.shown[i].mayHaveLiveMark = l.mayHaveMarks
	}
	l.blankBelow = 0
	l.dirtyBelow = true
}

// noteDown notes that a line feed or a wrap has led the cursor to shown[i]. It reports whether that
// surely scrolled.
func (l *ledger) noteDown(i int) (scrolled bool) {
	t := l.seam + i - (l.rows - 1)
	scrolled = t > l.maxTop
	l.minTop, l.maxTop = max(l.minTop, t), max(l.maxTop, t)
	return scrolled
}

// noteNewRow adds the row under the last shown one, to which a line feed or a wrap has led.
func (l *ledger) noteNewRow() {
	i := len(l.shown)
	scrolled := l.noteDown(i)
	known := scrolled || l.blankBelow > 0
	if l.blankBelow > 0 {
		l.blankBelow--
	}
	l.shown = resizeRows(l.shown, i+1)
	l.shown[i].reset()
	l.shown[i].known, l.shown[i].mayWrap = known, !known && l.wraps == WrapsStay && l.dirtyBelow
	l.shown[i].mayHaveLiveMark = !scrolled && l.mayHaveMarks
}

// noteInsert notes an IL of n blank rows at index i. The last n shown rows go over the edge of what
// we use. They were blank, made by noteNewRow or noteDelete, or they stood on the last rows of the
// grid.
func (l *ledger) noteInsert(i, n int) {
	v := len(l.shown)
	rotate(l.shown[i:], v-i-n)
	for j := i; j < i+n; j++ {
		l.shown[j].reset()
	}
}

// noteDelete notes a DL: rows [i, i+n) are gone and those below have moved up. The rows at the end
// are blank now if the last shown row is the last one of the grid. If not, an insertion of as many
// rows has to follow, which removes them.
func (l *ledger) noteDelete(i, n int) {
	rotate(l.shown[i:], n)
	for j := len(l.shown) - n; j < len(l.shown); j++ {
		l.shown[j].reset()
	}
}

// endsAtBottom reports whether the last shown row is the last one of the grid.
func (l *ledger) endsAtBottom() bool { return l.seam+len(l.shown)-l.rows == l.maxTop }

// commitRows makes the first k shown rows final and drops the blank rows from index n on.
func (l *ledger) commitRows(k, n int) {
	for i := range k {
		if !l.shown[i].continues {
			l.hardEnds++
		}
		l.recent.add(&l.shown[i])
	}
	l.blankBelow += len(l.shown) - n
	l.shown = l.shown[:n]
	rotate(l.shown, k)
	l.shown = l.shown[:n-k]
	l.seam += k
	l.cursor.Row -= k
	l.immutable = max(l.immutable, l.minTop)
}

// committed returns the number of session rows that are in history for sure. A row that was written
// twice counts once both copies are there.
func (l *ledger) committed() int { return max(0, l.origin+max(0, min(l.immutable, l.seam))) }

// check panics if the ledger contradicts itself. Tests call it after each frame.
func (l *ledger) check() {
	switch {
	case l.minTop > l.maxTop:
		panic("renderer: T range is empty")
	case l.maxTop > l.seam:
		panic("renderer: a live row is in history")
	case len(l.shown) == 0 || len(l.shown) > l.rows:
		panic("renderer: live region does not fit the grid")
	case l.cursor.Row < 0 || l.cursor.Row >= len(l.shown):
		panic("renderer: cursor outside the live region")
	case l.seam+len(l.shown)-l.rows > l.minTop:
		panic("renderer: live region ends below the grid")
	case l.immutable > l.seam:
		panic("renderer: committed beyond the seam")
	}
}

// rotate moves the first k rows of s to its end. Rows keep the storage of their cells.
func rotate(s []row, k int) {
	if k <= 0 || k >= len(s) {
		return
	}
	slices.Reverse(s[:k])
	slices.Reverse(s[k:])
	slices.Reverse(s)
}

// resizeRows makes s n rows long and keeps the storage after its end for reuse.
func resizeRows(s []row, n int) []row {
	return append(s[:cap(s)], make([]row, max(0, n-cap(s)))...)[:n]
}
