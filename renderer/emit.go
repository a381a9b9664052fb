package renderer

import (
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// emitter writes the escape sequences that carry out a plan. It updates the ledger with each
// sequence, so that after each method the ledger says what the terminal shows.
type emitter struct {
	*ledger
	buf  []byte
	pen  Style
	link string

	addsRows      bool // The current frame adds rows to the terminal.
	togglesCursor bool // The current frame shows or hides the cursor.
	// The current frame moves rows. Between two of its bytes a row can stand in a wrong place.
	movesRows bool
	// The size of the terminal is in doubt, so that rows of the ledger may not exist: see
	// Frame.Careful.
	careful         bool
	finalRows       int    // The number of final rows in the current frame. They are its first rows.
	frameNumber     uint64 // The number of the current frame, from 1.
	eraseWhole      bool   // A row that gets shorter is erased from column 0 on: see Quirks.KeepsErased.
	eraseAfterLines bool   // Text behind the end of a final line is erased, see eraseAfterLine.
	clearedFirst    bool   // The plan of the current frame erases the live region before it writes final rows.
	// The final row that is being printed may not use absolute columns (CHA), see writeFinalRow.
	noColumns bool
	// The column from which on live text is printed without autowrap, see limitToEdge; 0: autowrap
	// stays on.
	edgeColumn  int
	autowrapOff bool // limitToEdge has turned autowrap off.
	// The last OSC 133 mark told the terminal that the text below it is going to be drawn again,
	// see markLiveRegion.
	markActive bool
	avoidCHA   bool // Columns are reached by CR and CUF instead of CHA, see Quirks.AvoidCHA.
	linksKnown bool // The terminal knows hyperlinks, so that links are written: see Config.Links.
	// The emitter writes to the alternate screen. No terminal wraps its rows anew at another width,
	// so that the cursor may skip blanks that were never printed.
	altScreen bool
}

// runSteps writes the sequences of all steps of a plan. want holds the rows of the new frame. An
// index of a step is the position of its row at the moment when the step begins, because an earlier
// step may have moved rows.
func (e *emitter) runSteps(steps []step, want []row) {
	for _, s := range steps {
		switch s.kind {
		case paintStep:
			for i := s.at; i < s.at+s.n; i++ {
				e.paintRow(i, want)
			}
		case growStep:
			e.moveToRow(len(e.shown) - 1)
			for range s.n {
				e.lineFeed()
			}
		case insertStep:
			e.setPen(Style{}, "") // then line feeds lead there, too
			e.moveToRow(s.at)
			e.moveToCol(0)
			e.buf = ansi.AppendIL(e.buf, s.n)
			e.movesRows = true
			e.noteInsert(s.at, s.n)
		case deleteStep:
			e.setPen(Style{}, "")
			e.moveToRow(s.at)
			e.moveToCol(0)
			e.buf = ansi.AppendDL(e.buf, s.n)
			e.movesRows = true
			e.noteDelete(s.at, s.n)
		case eraseAllStep:
			e.eraseLiveRegion()
		case scrollStep:
			e.setPen(Style{}, "")
			e.moveToRow(e.rows - 1)
			if e.cursor.Col >= e.cols {
				e.moveToCol(0)
			}
			for range s.n {
				e.buf = append(e.buf, ansi.LF...)
			}
			e.noteDelete(0, s.n)
		case eraseStep:
			for i := s.at; i < s.at+s.n; i++ {
				if r := &e.shown[i]; !r.known || r.hasPrinted() || r.mayWrap {
					e.moveToRow(i)
					e.eraseRow(i)
				}
			}
		}
	}
	e.endLimit()
}

// paintRow makes live row i look like want[i]. If row i is the first one that does not exist yet, a
// line feed creates it, or the wrap of the row above.
func (e *emitter) paintRow(i int, want []row) {
	w := &want[i]
	if i < len(e.shown) && i < e.finalRows && e.shown[i].writtenIn == e.frameNumber {
		return // it has been written, and moved since
	}
	if i > 0 && want[i-1].wrapped {
		e.writeContinuation(i, w)
		return
	}
	if i == len(e.shown) {
		e.moveToRow(i - 1)
		e.lineFeed()
	}
	old := &e.shown[i]
	switch {
	case i < e.finalRows:
		e.moveToRow(i) // before the rows below: where no report came the way up may end at the edge of the grid
		e.clearWrapTargets(i, want)
		e.writeFinalRow(i, w)
	case old.shows(w):
		old.stamp = w.stamp
		return
	case !old.known || old.mayWrap:
		e.limitToEdge(w, len(w.cells))
		e.moveToRow(i)
		e.eraseRow(i)
		e.writeCells(w, 0, len(w.cells))
	case old.needsErasure(w):
		e.limitToEdge(w, len(w.cells))
		e.rewriteFrom(i, w, old.firstChange(w))
	default:
		e.writeChanges(i, w)
	}
	old.copyFrom(w)
}

// limitToEdge turns autowrap off before live row w is written up to column end, if the text could
// reach the edge of a window that has become narrower meanwhile. endLimit turns it on again. So a
// live row takes one row at any width, and the cursor finds its way back up by counting rows.
//
// In an ordinary frame, text that may reach the last column of the known width is not cut: without
// autowrap a combining mark there would leave its letter.
func (e *emitter) limitToEdge(w *row, end int) {
	switch {
	case !e.careful && max(end, w.reach) >= e.cols:
		e.endLimit()
	case e.edgeColumn > 0 && end > e.edgeColumn && !e.autowrapOff:
		e.buf = append(e.buf, ansi.AutowrapOff...)
		e.autowrapOff = true
	}
}

// endLimit turns autowrap on if limitToEdge has turned it off.
func (e *emitter) endLimit() {
	if e.autowrapOff {
		e.buf = append(e.buf, ansi.AutowrapOn...)
		e.autowrapOff, e.cursor.Col = false, -1
	}
}

// clearWrapTargets prepares the rows below row i into which the terminal will wrap the line that
// begins in row i. It erases the old text there that the line does not cover.
//
// If such a row begins in a background colour, or stands where a resize has left text, the row is
// first created by a line feed: a wrap that scrolls would fill the row with that colour. Both
// happen before the line is printed. An erasure in the middle of the line would delete a cluster if
// the window has another width by then.
func (e *emitter) clearWrapTargets(i int, want []row) {
	for j := i + 1; j < i+e.rows && want[j-1].wrapped; j++ {
		w := &want[j]
		if (w.cells[0].style.Bg != 0 || e.dirtyBelow) && j >= len(e.shown) {
			e.moveToRow(len(e.shown) - 1)
			for j >= len(e.shown) {
				e.lineFeed()
			}
		}
		if j >= len(e.shown) {
			continue
		}
		switch old := &e.shown[j]; {
		case old.known && old.writtenIn == e.frameNumber:
			return
		case !old.known || old.mayWrap || !old.shows(w) && old.needsErasure(w):
			e.moveToRow(j)
			e.eraseRow(j)
		default:
			e.clearTail(j, len(w.cells))
		}
	}
}

// writeFinalRow prints all of row i, which becomes final with this frame, even the cells that the
// terminal shows already. The window may have another width when the terminal reads the frame. At
// that width a skipped cell, or an absolute column, would be in another part of the row, or in
// another row.
func (e *emitter) writeFinalRow(i int, w *row) {
	old := &e.shown[i]
	e.moveToRow(i)
	// In a narrower window a column that is set by its number is another one of the row, and text
	// would be written over there. No column is set where characters are as wide as we say. None is
	// set either where the row fits in any terminal and nothing of a longer one can stay after it.
	e.noColumns = e.careful || e.model.Method == width.Leading ||
		e.clearedFirst && w.doubtfulCount > 0 && w.maxWidth() < e.cols
	switch {
	case !old.known || old.mayWrap,
		e.eraseWhole && (len(old.cells) > len(w.cells) || len(old.cells) == 0 && old.printedCols > len(w.cells)):
		e.eraseRow(i)
		e.writeMark(i, w.mark)
		e.writeCells(w, 0, len(w.cells))
	case e.careful || old.shows(w):
		e.moveToCol(0)
		e.writeMark(i, w.mark)
		e.writeCells(w, 0, len(w.cells))
	case old.needsErasure(w):
		// Erased before anything is printed: in a window that has become as narrow as what stands
		// before, the erasure would take the last cluster of it.
		e.eraseFrom(i, old.firstChange(w))
		e.moveToCol(0)
		e.writeMark(i, w.mark)
		e.writeCells(w, 0, len(w.cells))
	default:
		e.clearTail(i, len(w.cells))
		e.moveToCol(0)
		e.writeMark(i, w.mark)
		e.writeCells(w, 0, len(w.cells))
	}
	if e.noColumns && w.doubtfulCount > 0 {
		e.cursor.Col = -1
	}
	if e.careful && w.doubtfulCount > 0 {
		e.maxTop = min(e.maxTop+(w.maxWidth()-1)/e.cols, max(e.seam+i, e.maxTop)) // the terminal may have wrapped it
	}
	e.noColumns = false
	old.writtenIn = e.frameNumber
	if e.eraseAfterLines && i+1 < len(e.shown) {
		e.eraseAfterLine(w)
	}
}

// eraseAfterLine erases the old text behind the end of final row w. A window that has become
// narrower shows the end of w on the next row, where old text would look like a part of w.
//
// After a full row a wrap may be pending, and EL would delete the last cell. So the method prints a
// blank, and erases it last, at its absolute column, which a narrower window does not have. It does
// nothing if the row's last column is not known, since the blank would stay.
func (e *emitter) eraseAfterLine(w *row) {
	n := len(w.cells)
	if e.careful || w.wrapped || w.doubtfulCount > 0 || n == 0 || n+1 >= e.cols {
		return
	}
	e.setPen(Style{}, "")
	e.buf = append(e.buf, " "+ansi.EL0...)
	e.moveToColAbs(n)
	e.buf = append(e.buf, ansi.EL0...)
}

// rewriteFrom writes live row i from column c on, where it begins to differ from w. It erases
// everything behind c first, because the real width of the old clusters there is not known. The
// cells before c have known columns.
func (e *emitter) rewriteFrom(i int, w *row, c int) {
	if c == 0 {
		e.shown[i].noteLineErased()
	}
	e.moveToRow(i)
	e.moveToCol(c)
	if w.hasRoomAfter(c, e.cols) && !e.careful {
		// The first cluster over what stands there, then the erasure, where the cursor really is: a
		// reader does not miss it for a moment.
		first := &w.cells[c]
		e.setPen(first.style, first.link)
		e.buf = append(e.buf, first.text...)
		if c += int(first.width); first.doubtful {
			e.cursor.Col = -1
		} else {
			e.cursor.Col = c
		}
	}
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ansi.EL0...)
	if c < len(w.cells) {
		e.moveToCol(c)
		e.writeCells(w, c, len(w.cells))
	}
}

// writeChanges prints the cells in which live row i differs from w. The width of all its old
// clusters is certain. Blanks between words are printed and never skipped: at another width kitty
// (0.40 to 0.48) drops cells that were not printed at the end of a row, and joins the words.
func (e *emitter) writeChanges(i int, w *row) {
	old := &e.shown[i]
	n := len(w.cells)
	c, sameTail := old.equalEnds(w)
	for c = min(c, n); c < n-sameTail; {
		if e.cellStands(old, c, w) {
			c++
			continue
		}
		for w.cells[c].width == 0 {
			c-- // a changed half: begin with its cluster
		}
		end := c // after the last changed cell of the run
		// A few equal cells are written again, if that takes no more changes of the pen than a move
		// over them.
		for k, penChanged := c, false; k < n && k-end <= 4; k++ {
			o := &w.cells[k]
			changed := k == c || !e.cellStands(old, k, w)
			if (k > end || !changed) && !o.samePen(&w.cells[k-1]) {
				if penChanged {
					break
				}
				penChanged = true
			}
			if changed {
				end, penChanged = k+1, false
			}
		}
		for end < n && w.cells[end].width == 0 {
			end++
		}
		e.limitToEdge(w, end)
		e.moveToRow(i)
		e.moveToCol(c)
		e.writeCells(w, c, end)
		c = end
	}
	e.clearTail(i, n)
}

// cellStands reports whether r, a row on the terminal, already shows the cell that w has in column
// i.
func (e *emitter) cellStands(r *row, i int, w *row) bool {
	if i >= len(r.cells) && !(e.altScreen && w.doubtfulCount == 0 && !r.mayWrap) {
		return false
	}
	return r.cellAt(i).equals(&w.cells[i])
}

// writeContinuation prints row i as the continuation of the line in the row above. Both rows become
// final. The row above has just been printed up to its last column, so that the terminal wraps into
// row i by itself.
func (e *emitter) writeContinuation(i int, w *row) {
	if i == len(e.shown) {
		e.noteNewRow()
	} else {
		e.noteDown(i)
	}
	e.cursor = Pos{Row: i}
	old := &e.shown[i]
	e.writeCells(w, 0, len(w.cells))
	old.copyFrom(w)
	old.writtenIn = e.frameNumber
}

// writeCells prints the cells w[from:to] at the cursor. Both limits are at the edges of clusters.
func (e *emitter) writeCells(w *row, from, to int) {
	if from >= to {
		return
	}
	for i := from; i < to; i++ {
		c := &w.cells[i]
		if c.width == 0 {
			continue
		}
		if e.pen != c.style || !c.hasLink(e.link) {
			e.setPen(c.style, c.link)
		}
		// Near the edge a doubtful cluster could wrap where we do not expect it. What stands beside
		// it may: in a window that has become narrower while the frame was on its way, it would be
		// written over in the last column.
		guard := c.doubtful && !w.wrapped && i+int(c.maxWidth) > e.cols && !e.noColumns && !e.autowrapOff
		if guard {
			e.buf = append(e.buf, ansi.AutowrapOff...)
		}
		if len(c.text) == 1 { // as most have: no call
			e.buf = append(e.buf, c.text[0])
		} else {
			e.buf = append(e.buf, c.text...)
		}
		e.cursor.Col += int(c.width)
		if guard {
			e.buf = append(e.buf, ansi.AutowrapOn...)
		}
		switch last := i+int(c.width) >= len(w.cells); {
		case e.noColumns:
		case c.doubtful && !last:
			e.moveToColAbs(e.cursor.Col)
		case guard:
			e.cursor.Col = e.cols // unknown, and a wrap may be pending: CR comes first
		case c.doubtful:
			e.cursor.Col = -1 // the next move is absolute
		}
	}
}

// lineFeed adds a row below the last live row and moves the cursor there, in the same column. It
// resets the style first, because the terminal fills the new row with the current background.
func (e *emitter) lineFeed() {
	e.addsRows = true
	e.setPen(Style{}, "")
	// A wrap may be pending.
	if e.cursor.Col == e.cols || e.cursor.Col < 0 || e.careful || e.wraps == WrapsStretched {
		e.moveToCol(0)
	}
	e.buf = append(e.buf, '\n')
	e.noteNewRow()
	e.cursor.Row++
}

// moveToRow moves the cursor to live row i, which must exist. The column stays the same or becomes
// 0. The way down is by line feeds, not by CUD: if a new size has cut rows off, line feeds create
// them again, where CUD would stop at the last row, and the way back up would lead too far.
func (e *emitter) moveToRow(i int) {
	if e.cursor.Row == i {
		return
	}
	// What a pending wrap becomes on a move differs by terminal. After a resize one may be pending.
	if e.cursor.Col == e.cols || e.cursor.Col < 0 || e.careful || e.wraps == WrapsStretched {
		e.moveToCol(0)
	}
	n := i - e.cursor.Row
	fills := e.pen.Bg != 0 || e.pen.Attr&ansi.Inverse != 0
	switch {
	case n < 0:
		e.buf = ansi.AppendCUU(e.buf, -n)
	case e.altScreen && (n > 4 || fills): // the alternate screen, where nothing was cut off
		e.buf = ansi.AppendCUD(e.buf, n)
	default:
		if fills || e.careful || !e.shown[i].known {
			e.setPen(Style{}, "")
		}
		for range n {
			e.buf = append(e.buf, '\n')
		}
	}
	e.cursor.Row = i
}

// moveToCol moves the cursor to column c of its row, by the sequence with the fewest bytes.
func (e *emitter) moveToCol(c int) {
	from := e.cursor.Col
	e.cursor.Col = c
	switch {
	case from == c:
	case c == 0:
		e.buf = append(e.buf, '\r')
	case from < 0 || from >= e.cols:
		if from >= e.cols {
			e.buf = append(e.buf, '\r')
			e.buf = ansi.AppendCUF(e.buf, c)
			return
		}
		e.moveToColAbs(c)
	case c < from && from-c <= 3:
		for range from - c {
			e.buf = append(e.buf, '\b')
		}
	case c < from:
		if from-c >= 9 && c < 9 || from-c >= 99 && c < 99 {
			e.moveToColAbs(c)
		} else {
			e.buf = ansi.AppendCUB(e.buf, from-c)
		}
	default:
		e.buf = ansi.AppendCUF(e.buf, c-from)
	}
}

// moveToColAbs moves the cursor to column c of its row. It works even if the current column is not
// known.
func (e *emitter) moveToColAbs(c int) {
	if !e.avoidCHA {
		e.buf = ansi.AppendCHA(e.buf, c)
		return
	}
	e.buf = ansi.AppendCUF(append(e.buf, '\r'), c)
}

// setPen sets the style (SGR) and the link (OSC 8) of the text that follows. It writes only what
// differs from the current ones.
func (e *emitter) setPen(s Style, link string) {
	if e.linksKnown && e.link != link {
		e.buf = ansi.AppendLink(e.buf, link)
		e.link = link
	}
	e.buf = ansi.AppendSGR(e.buf, e.pen, s)
	e.pen = s
}
