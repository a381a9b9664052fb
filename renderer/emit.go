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

	grows   bool   // the frame makes rows
	turned  bool   // the frame shows or hides the cursor
	lifts   bool   // the frame moves rows, for a moment to where they do not stay
	careful bool   // rows that are believed to exist may not: see Frame.Careful
	final   int    // rows of the frame that are final, from its first on
	frame   uint64 // counts frames
	keeps   bool   // see Quirks.Keeps
	tidies  bool   // what stands behind the end of a final line is erased, see tidy
	clear   bool   // what stood has been erased before the final rows
	plain   bool   // no column is named in the final row that is printed, see whole
	cuts    int    // live text beyond this column is cut at the edge, see cut; 0: none is
	off     bool   // autowrap is off, see cut
	redraws bool   // the last mark said that what stands below is drawn again, see markLive
	steps   bool   // columns are reached from the first one, see Quirks.Steps
	links   bool   // are written, see Config.Links
	skips   bool   // blanks that nobody has printed are stepped over: the alternate screen is laid out anew nowhere
}

// run carries out the steps, with want as the picture to reach. Rows of want that are shifted later
// are addressed by where they stand now.
func (e *emitter) run(steps []step, want []row) {
	for _, s := range steps {
		switch s.kind {
		case paint:
			for i := s.at; i < s.at+s.n; i++ {
				e.row(i, want)
			}
		case grow:
			e.to(len(e.shown) - 1)
			for range s.n {
				e.lineFeed()
			}
		case insert:
			e.setPen(Style{}, "") // then line feeds lead there, too
			e.to(s.at)
			e.col(0)
			e.buf = ansi.AppendIL(e.buf, s.n)
			e.lifts = true
			e.insert(s.at, s.n)
		case remove:
			e.setPen(Style{}, "")
			e.to(s.at)
			e.col(0)
			e.buf = ansi.AppendDL(e.buf, s.n)
			e.lifts = true
			e.delete(s.at, s.n)
		case empty:
			e.empty()
		case roll:
			e.setPen(Style{}, "")
			e.to(e.rows - 1)
			if e.cur.Col >= e.cols {
				e.col(0)
			}
			for range s.n {
				e.buf = append(e.buf, ansi.LF...)
			}
			e.delete(0, s.n)
		case wipe:
			for i := s.at; i < s.at+s.n; i++ {
				if r := &e.shown[i]; !r.known || r.inked() || r.mayWrap {
					e.to(i)
					e.eraseRow(i)
				}
			}
		}
	}
	e.mend()
}

// row paints shown row i as want[i]; if it does not exist yet, it is the next one and a line feed
// or a wrap makes it.
func (e *emitter) row(i int, want []row) {
	w := &want[i]
	if i < len(e.shown) && i < e.final && e.shown[i].frame == e.frame {
		return // it has been written, and moved since
	}
	if i > 0 && want[i-1].wrapped {
		e.join(i, w)
		return
	}
	if i == len(e.shown) {
		e.to(i - 1)
		e.lineFeed()
	}
	old := &e.shown[i]
	switch {
	case i < e.final:
		e.to(i) // before the rows below: where no report came the way up may end at the edge of the grid
		e.makeRoom(i, want)
		e.whole(i, w)
	case old.same(w):
		old.stamp = w.stamp
		return
	case !old.known || old.mayWrap:
		e.cut(w, len(w.cells))
		e.to(i)
		e.eraseRow(i)
		e.text(w, 0, len(w.cells))
	case old.uncertain(w):
		e.cut(w, len(w.cells))
		e.anew(i, w, old.change(w))
	default:
		e.diff(i, w)
	}
	old.take(w)
}

// cut makes what is written up to column end of live row w stop at the edge of the window that
// reads it, until mend: each row takes one at any width, and the way back up is as long as it is
// counted. In an ordinary frame, which has all columns, what may reach our own edge is not cut:
// without autowrap a mark would leave its letter.
func (e *emitter) cut(w *row, end int) {
	switch {
	case !e.careful && max(end, w.reach) >= e.cols:
		e.mend()
	case e.cuts > 0 && end > e.cuts && !e.off:
		e.buf = append(e.buf, ansi.AutowrapOff...)
		e.off = true
	}
}

// mend ends what cut began.
func (e *emitter) mend() {
	if e.off {
		e.buf = append(e.buf, ansi.AutowrapOn...)
		e.off, e.cur.Col = false, -1
	}
}

// makeRoom prepares the rows to which the terminal's own wrap will lead from row i: what they show
// beyond that line is erased, and one that begins in a background, or stands where a resize has
// left rows, is made, since a wrap that scrolls would fill it. Both cannot be done within the line:
// an erasure there takes a cluster where the window has another width by then.
func (e *emitter) makeRoom(i int, want []row) {
	for j := i + 1; j < i+e.rows && want[j-1].wrapped; j++ {
		w := &want[j]
		if (w.cells[0].style.Bg != 0 || e.dirty) && j >= len(e.shown) {
			e.to(len(e.shown) - 1)
			for j >= len(e.shown) {
				e.lineFeed()
			}
		}
		if j >= len(e.shown) {
			continue
		}
		switch old := &e.shown[j]; {
		case old.known && old.frame == e.frame:
			return
		case !old.known || old.mayWrap || !old.same(w) && old.uncertain(w):
			e.to(j)
			e.eraseRow(j)
		default:
			e.clearTail(j, len(w.cells))
		}
	}
}

// whole writes row i, which becomes final, from its beginning to its end, whatever stands there.
// The window may have another size by the time the terminal takes the frame: what is skipped, or
// reached by a column, would be another part of the row then, or of another row.
func (e *emitter) whole(i int, w *row) {
	old := &e.shown[i]
	e.to(i)
	// A column by its number is another one of the row in a narrower window, and what follows is
	// written over there. None is named where characters are as wide as we say, nor where the row
	// fits by any measure, and nothing of a longer one can stay behind it.
	e.plain = e.careful || e.model.Method == width.Leading ||
		e.clear && w.doubt > 0 && w.widest() < e.cols
	switch {
	case !old.known || old.mayWrap,
		e.keeps && (len(old.cells) > len(w.cells) || len(old.cells) == 0 && old.long > len(w.cells)):
		e.eraseRow(i)
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
	case e.careful || old.same(w):
		e.col(0)
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
	case old.uncertain(w):
		// Erased before anything is printed: in a window that has become as narrow as what stands
		// before, the erasure would take the last cluster of it.
		e.eraseFrom(i, old.change(w))
		e.col(0)
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
	default:
		e.clearTail(i, len(w.cells))
		e.col(0)
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
	}
	if e.plain && w.doubt > 0 {
		e.cur.Col = -1
	}
	if e.careful && w.doubt > 0 {
		e.thi = min(e.thi+(w.widest()-1)/e.cols, max(e.b+i, e.thi)) // the terminal may have wrapped it
	}
	e.plain = false
	old.frame = e.frame
	if e.tidies && i+1 < len(e.shown) {
		e.tidy(w)
	}
}

// tidy erases what stands behind final row w, a line of its own. A window that has become narrower
// has led its end onto the next row, and the rest of what stood there would be read as that end. A
// wrap may be pending, and EL would take the last cell: so a blank is printed first, and erased
// last, in its column, which such a window has not. Where it is not known for sure where the row
// ends, a blank would stay behind it.
func (e *emitter) tidy(w *row) {
	n := len(w.cells)
	if e.careful || w.wrapped || w.doubt > 0 || n == 0 || n+1 >= e.cols {
		return
	}
	e.setPen(Style{}, "")
	e.buf = append(e.buf, " "+ansi.EL0...)
	e.column(n)
	e.buf = append(e.buf, ansi.EL0...)
}

// anew writes live row i from column c on, which is where it changes: how far the old clusters
// really reach is not known, so that all behind it is erased. What stands before it is anchored.
func (e *emitter) anew(i int, w *row, c int) {
	if c == 0 {
		e.shown[i].wipe()
	}
	e.to(i)
	e.col(c)
	if w.room(c, e.cols) && !e.careful {
		// The first cluster over what stands there, then the erasure, where the cursor really is: a
		// reader does not miss it for a moment.
		first := &w.cells[c]
		e.setPen(first.style, first.link)
		e.buf = append(e.buf, first.text...)
		if c += int(first.w); first.doubt {
			e.cur.Col = -1
		} else {
			e.cur.Col = c
		}
	}
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ansi.EL0...)
	if c < len(w.cells) {
		e.col(c)
		e.text(w, c, len(w.cells))
	}
}

// diff writes the cells of row i in which it differs from w. None of the old ones is doubtful. A
// blank between words is printed, not stepped over: at the end of a row of another width kitty
// (0.40 to 0.48) forgets the cells that nobody has printed, and joins the words.
func (e *emitter) diff(i int, w *row) {
	old := &e.shown[i]
	n := len(w.cells)
	c, rest := old.alike(w)
	for c = min(c, n); c < n-rest; {
		if e.stands(old, c, w) {
			c++
			continue
		}
		for w.cells[c].w == 0 {
			c-- // a changed half: begin with its cluster
		}
		end := c // behind the last changed cell of the run
		// A few equal cells are written again, if that takes no more changes of the pen than a move
		// over them.
		for k, turned := c, false; k < n && k-end <= 4; k++ {
			o := &w.cells[k]
			changed := k == c || !e.stands(old, k, w)
			if (k > end || !changed) && !o.penned(&w.cells[k-1]) {
				if turned {
					break
				}
				turned = true
			}
			if changed {
				end, turned = k+1, false
			}
		}
		for end < n && w.cells[end].w == 0 {
			end++
		}
		e.cut(w, end)
		e.to(i)
		e.col(c)
		e.text(w, c, end)
		c = end
	}
	e.clearTail(i, n)
}

// stands reports whether what w wants in column i is there, on the row that shows r.
func (e *emitter) stands(r *row, i int, w *row) bool {
	if i >= len(r.cells) && !(e.skips && w.doubt == 0 && !r.mayWrap) {
		return false
	}
	return r.at(i).is(&w.cells[i])
}

// join prints row i as the continuation of the row above, both final: that was printed to its end
// just now, and the terminal's own wrap leads here.
func (e *emitter) join(i int, w *row) {
	if i == len(e.shown) {
		e.grow()
	} else {
		e.down(i)
	}
	e.cur = Pos{Row: i}
	old := &e.shown[i]
	e.text(w, 0, len(w.cells))
	old.take(w)
	old.frame = e.frame
}

// text prints cells [from, to) of w at the cursor. It begins and ends at whole clusters.
func (e *emitter) text(w *row, from, to int) {
	if from >= to {
		return
	}
	for i := from; i < to; i++ {
		c := &w.cells[i]
		if c.w == 0 {
			continue
		}
		if e.pen != c.style || !c.linked(e.link) {
			e.setPen(c.style, c.link)
		}
		// Near the edge a doubtful cluster could wrap where we do not expect it. What stands beside
		// it may: in a window that has become narrower while the frame was on its way, it would be
		// written over in the last column.
		guard := c.doubt && !w.wrapped && i+int(c.most) > e.cols && !e.plain && !e.off
		if guard {
			e.buf = append(e.buf, ansi.AutowrapOff...)
		}
		if len(c.text) == 1 { // as most have: no call
			e.buf = append(e.buf, c.text[0])
		} else {
			e.buf = append(e.buf, c.text...)
		}
		e.cur.Col += int(c.w)
		if guard {
			e.buf = append(e.buf, ansi.AutowrapOn...)
		}
		switch last := i+int(c.w) >= len(w.cells); {
		case e.plain:
		case c.doubt && !last:
			e.column(e.cur.Col)
		case guard:
			e.cur.Col = e.cols // unknown, and a wrap may be pending: CR comes first
		case c.doubt:
			e.cur.Col = -1 // the next move is absolute
		}
	}
}

// lineFeed goes to a new row under the last shown one, in the cursor's column. The pen is default:
// the new row takes its background.
func (e *emitter) lineFeed() {
	e.grows = true
	e.setPen(Style{}, "")
	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful || e.wraps == WrapsStretched { // a wrap may be pending
		e.col(0)
	}
	e.buf = append(e.buf, '\n')
	e.grow()
	e.cur.Row++
}

// to goes to shown row i, which exists; the column stays or becomes 0. Down it goes by line feeds:
// where a new size has cut rows off, they make them again, and CUD would stop short, so that the
// way back up led too far.
func (e *emitter) to(i int) {
	if e.cur.Row == i {
		return
	}
	// What a pending wrap becomes on a move differs by terminal. After a resize one may be pending.
	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful || e.wraps == WrapsStretched {
		e.col(0)
	}
	n := i - e.cur.Row
	fills := e.pen.Bg != 0 || e.pen.Attr&ansi.Inverse != 0
	switch {
	case n < 0:
		e.buf = ansi.AppendCUU(e.buf, -n)
	case e.skips && (n > 4 || fills): // the alternate screen, where nothing was cut off
		e.buf = ansi.AppendCUD(e.buf, n)
	default:
		if fills || e.careful || !e.shown[i].known {
			e.setPen(Style{}, "")
		}
		for range n {
			e.buf = append(e.buf, '\n')
		}
	}
	e.cur.Row = i
}

// col goes to column c of the cursor's row by the fewest bytes.
func (e *emitter) col(c int) {
	from := e.cur.Col
	e.cur.Col = c
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
		e.column(c)
	case c < from && from-c <= 3:
		for range from - c {
			e.buf = append(e.buf, '\b')
		}
	case c < from:
		if from-c >= 9 && c < 9 || from-c >= 99 && c < 99 {
			e.column(c)
		} else {
			e.buf = ansi.AppendCUB(e.buf, from-c)
		}
	default:
		e.buf = ansi.AppendCUF(e.buf, c-from)
	}
}

// column goes to column c wherever the cursor is in its row.
func (e *emitter) column(c int) {
	if !e.steps {
		e.buf = ansi.AppendCHA(e.buf, c)
		return
	}
	e.buf = ansi.AppendCUF(append(e.buf, '\r'), c)
}

func (e *emitter) setPen(s Style, link string) {
	if e.links && e.link != link {
		e.buf = ansi.AppendLink(e.buf, link)
		e.link = link
	}
	e.buf = ansi.AppendSGR(e.buf, e.pen, s)
	e.pen = s
}
