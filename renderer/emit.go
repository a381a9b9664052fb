package renderer

import (
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// emitter turns a plan into bytes and keeps the ledger true while it does: after each method the
// ledger says what the terminal shows.
type emitter struct {
	*ledger
	buf  []byte
	pen  Style
	link string

	addsRows        bool   // this frame makes new rows
	togglesCursor   bool   // this frame shows or hides the cursor
	movesRows       bool   // this frame moves rows, for a moment to where they do not stay
	careful         bool   // rows that are believed to exist may not: see Frame.Careful
	finalRows       int    // number of the frame's first rows that are final
	frameNumber     uint64 // counts frames
	eraseWhole      bool   // a row that gets shorter is erased as a whole: see Quirks.KeepsErased
	eraseAfterLines bool   // what stands after a final line is erased, see eraseAfterLine
	clearedFirst    bool   // the live region was erased before the final rows
	// no column is set by its number in the final row that is printed, see writeFinalRow
	noColumns   bool
	edgeColumn  int  // live text beyond this column is cut at the edge, see limitToEdge; 0: none is
	autowrapOff bool // see limitToEdge
	markActive  bool // the last mark said that what stands below is drawn again, see markLiveRegion
	avoidCHA    bool // columns are reached from the first one, see Quirks.AvoidCHA
	linksKnown  bool // links are written, see Config.Links
	// the alternate screen, which no terminal lays out again: unprinted blanks are stepped over
	altScreen bool
}

// runSteps carries out the steps. want is the picture to reach. Rows of want that a later step
// moves are addressed by where they stand now.
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

// paintRow paints shown row i as want[i]. If that row does not exist yet it is the next one, and a
// line feed or a wrap makes it.
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

// limitToEdge turns autowrap off if live row w, written up to column end, may reach the edge of the
// window that reads it. endLimit turns it on again. So each row takes one row at any width, and the
// way back up is as long as it is counted. An ordinary frame has all columns: text that may reach
// our own edge is not cut there, since without autowrap a combining mark would leave its letter.
func (e *emitter) limitToEdge(w *row, end int) {
	switch {
	case !e.careful && max(end, w.reach) >= e.cols:
		e.endLimit()
	case e.edgeColumn > 0 && end > e.edgeColumn && !e.autowrapOff:
		e.buf = append(e.buf, ansi.AutowrapOff...)
		e.autowrapOff = true
	}
}

// endLimit turns autowrap on again after limitToEdge.
func (e *emitter) endLimit() {
	if e.autowrapOff {
		e.buf = append(e.buf, ansi.AutowrapOn...)
		e.autowrapOff, e.cursor.Col = false, -1
	}
}

// clearWrapTargets prepares the rows to which the terminal's own wrap will lead from row i. It
// erases what they show beyond that line. A row that begins in a background, or stands where a
// resize has left rows, is made first, since a wrap that scrolls would fill it. Neither can be done
// within the line: an erasure there takes a cluster if the window has another width by then.
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

// writeFinalRow writes row i, which becomes final, from its beginning to its end, whatever stands
// there. The window may have another size by the time the terminal takes the frame. Then a part
// that was skipped, or set by its column, would be another part of the row, or of another row.
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

// eraseAfterLine erases what stands after final row w, a line of its own. In a window that has
// become narrower the end of w stands on the next row, and old text there would be read as that
// end. A wrap may be pending, and EL would take the last cell. So a blank is printed first, and
// erased last, in its column, which such a window has not. If it is not known where the row ends
// nothing is done, since the blank would stay.
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

// rewriteFrom writes live row i from column c on, the first one that changes. It erases everything
// after c, since nobody knows how far the old clusters really reach. Where the cells before c stand
// is known.
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

// writeChanges writes the cells in which row i differs from w. None of the old ones is doubtful. A
// blank between words is printed, not stepped over: at the end of a row of another width kitty
// (0.40 to 0.48) drops the cells that nobody has printed, and joins the words.
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

// cellStands reports whether r, a row on the terminal, shows column i of w already.
func (e *emitter) cellStands(r *row, i int, w *row) bool {
	if i >= len(r.cells) && !(e.altScreen && w.doubtfulCount == 0 && !r.mayWrap) {
		return false
	}
	return r.cellAt(i).equals(&w.cells[i])
}

// writeContinuation prints row i as the continuation of the row above. Both are final. The row
// above was just printed to its end, and the terminal's own wrap leads here.
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

// writeCells prints cells [from, to) of w at the cursor. It begins and ends at whole clusters.
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

// lineFeed goes to a new row under the last shown one, in the cursor's column. It sets the default
// pen first, since the new row takes the background of the pen.
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

// moveToRow goes to shown row i, which exists. The column stays or becomes 0. It goes down by line
// feeds: where a new size has cut rows off, line feeds make them again, but CUD would stop short,
// and the way back up would lead too far.
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

// moveToCol goes to column c of the cursor's row by the fewest bytes.
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

// moveToColAbs goes to column c, wherever the cursor is in its row.
func (e *emitter) moveToColAbs(c int) {
	if !e.avoidCHA {
		e.buf = ansi.AppendCHA(e.buf, c)
		return
	}
	e.buf = ansi.AppendCUF(append(e.buf, '\r'), c)
}

// setPen writes what changes the style and the link of the text that follows.
func (e *emitter) setPen(s Style, link string) {
	if e.linksKnown && e.link != link {
		e.buf = ansi.AppendLink(e.buf, link)
		e.link = link
	}
	e.buf = ansi.AppendSGR(e.buf, e.pen, s)
	e.pen = s
}
