package renderer

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ledger records what the terminal is believed to show, and where the border between final and live
// rows is.
//
// Frame rows are numbered from the first row that was written after the last start or rebase. Rows
// above it belong to others and have negative numbers. The live row shown[i] is frame row seam+i.
type ledger struct {
	cols, rows int
	origin     int // The session index of frame row 0.
	era        int // Counts the rebases, and the changes that have widened [minTop, maxTop].
	seam       int // The first live row, as a frame row. All rows before it are final.
	immutable  int // Frame rows before this one are in history.
	// The number of final rows whose line ends in them. At any width each of them takes at least
	// one row.
	hardEnds int
	// The top is the frame row in the first row of the grid. It is one of [minTop, maxTop]. The two
	// are equal once a cursor report has told the start row, or the screen is full.
	minTop, maxTop int

	shown        []row // The live rows that the window shows, at least one.
	recent       lineLengths
	blankBelow   int   // The number of rows below the last live row that are known to be blank.
	dirtyBelow   bool  // The rows below the last live row may hold old live rows, which a resize has left there.
	mayHaveMarks bool  // Some row may have the OSC 133 mark of a live region, see Quirks.RedrawsPrompt.
	wraps        Wraps // see Quirks.Wraps
	model        width.Model

	// The cursor's position, with its row relative to shown. Col is cols while a wrap is pending,
	// and -1 while the column is not known.
	cursor       Pos
	caretVisible bool // The terminal shows the cursor.
	// The number of live rows that may stand in history, and of final rows that may stand there
	// twice.
	residue int
}

// forgetGrid records that the cursor's row is not known and that all rows above it belong to
// others.
func (l *ledger) forgetGrid() {
	l.rebase(1, -(l.rows - 1), 0)
	l.cursor = Pos{Col: -1}
	l.dirtyBelow, l.shown[0].mayWrap = false, false
}

// rebase starts a new numbering of frame rows: row 0 is the first one of the next paint. n is the
// number of live rows from there on, whose content is not known. The top is one of [minTop,
// maxTop].
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

// noteDown records that a line feed or a wrap has moved the cursor down to shown[i]. It returns
// true if the terminal has certainly scrolled.
func (l *ledger) noteDown(i int) (scrolled bool) {
	t := l.seam + i - (l.rows - 1)
	scrolled = t > l.maxTop
	l.minTop, l.maxTop = max(l.minTop, t), max(l.maxTop, t)
	return scrolled
}

// noteNewRow records that a line feed or a wrap has added a row below the last live row.
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

// noteInsert records an IL of n blank rows before shown[i]. The terminal pushes the last n live
// rows out of the live region. They were blank, or they were the last rows of the grid.
func (l *ledger) noteInsert(i, n int) {
	v := len(l.shown)
	rotate(l.shown[i:], v-i-n)
	for j := i; j < i+n; j++ {
		l.shown[j].reset()
	}
}

// noteDelete records a DL of n rows from shown[i] on: the rows below move up. If the live region
// reaches the last row of the grid, its last n rows are blank now. If it does not, an insertion of
// n rows has to follow.
func (l *ledger) noteDelete(i, n int) {
	rotate(l.shown[i:], n)
	for j := len(l.shown) - n; j < len(l.shown); j++ {
		l.shown[j].reset()
	}
}

// endsAtBottom reports whether the last live row is in the last row of the grid.
func (l *ledger) endsAtBottom() bool { return l.seam+len(l.shown)-l.rows == l.maxTop }

// commitRows makes the first k live rows final. Of the others it keeps those before index n: the
// rows from n on are blank and leave the live region.
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

// committed returns the number of session rows that are certainly in history. A row that was
// written twice counts when both copies are there.
func (l *ledger) committed() int { return max(0, l.origin+max(0, min(l.immutable, l.seam))) }

// check panics if fields of the ledger contradict each other. Tests call it after each frame.
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

// rotate moves the first k rows of s to its end, in order. Each row keeps its slice of cells.
func rotate(s []row, k int) {
	if k <= 0 || k >= len(s) {
		return
	}
	slices.Reverse(s[:k])
	slices.Reverse(s[k:])
	slices.Reverse(s)
}

// resizeRows returns s with n rows. Rows beyond the end keep their slices of cells for later use.
func resizeRows(s []row, n int) []row {
	return append(s[:cap(s)], make([]row, max(0, n-cap(s)))...)[:n]
}
