package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// emitter turns a plan into bytes and keeps the ledger true while it does: after each method the ledger says what the terminal shows.
type emitter struct {
	*ledger
	buf  []byte
	pen  Style
	link string

	course  course
	lifts   bool // the frame moves rows, for a moment to where they do not stay
	careful bool // rows that are believed to exist may not: see Frame.Careful
	far     int  // the column behind all that the frame has printed
	final   int  // rows of the frame that are final, from its first on
	skips   bool // blanks that nobody has printed are stepped over: the alternate screen is laid out anew nowhere
}

// run carries out the steps, with want as the picture to reach. Rows of want that are shifted later are addressed by where they stand now.
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
			e.course.above += max(0, s.at+s.n-max(s.at, e.final))
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
				if r := &e.shown[i]; !r.known || r.inked() || r.mayWrap() || r.stale {
					e.to(i)
					e.eraseRow(i)
				}
			}
		}
	}
}

// row paints shown row i as want[i]; if it does not exist yet, it is the next one and a line feed or a wrap makes it.
func (e *emitter) row(i int, want []row) {
	w := &want[i]
	if a := e.above(i); a != nil && a.wants && (!a.wrapped || i < len(e.shown) && e.shown[i].afresh(w)) && len(w.cells) > 0 && !w.over {
		e.join(i, w, w.wrapped && i+1 < len(want) && !want[i+1].over)
		return
	}
	if i == len(e.shown) {
		e.to(i - 1)
		if e.shown[i-1].mayWrap() || e.cur.Col == e.cols {
			e.col(0)
		}
		e.lineFeed()
	}
	old := &e.shown[i]
	switch {
	case old.same(w):
		e.stays(i)
		old.wants, old.goes, old.stamp = w.wrapped, w.goes, w.stamp
		return
	case old.mayWrap() && !w.wrapped:
		e.end(i, w)
	case !old.known:
		e.to(i)
		e.eraseRow(i)
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
	case old.uncertain(w):
		e.anew(i, w)
	default:
		e.mark(i, w.mark)
		e.diff(i, w)
	}
	old.take(w)
	e.mark(i, w.mark)
}

// anew writes row i from the first change on: how far the old clusters really reach is not known, so that all behind it is erased. What stands before it
// is anchored.
func (e *emitter) anew(i int, w *row) {
	old := &e.shown[i]
	c := old.change(w)
	if c == 0 {
		old.wipe()
		if a := e.above(i); a != nil {
			a.doubtWrap()
		}
	}
	e.to(i)
	e.col(c)
	if c > 0 && w.mark == noMark && w.room(c, e.cols) && !e.careful {
		// The first cluster over what stands there, then the erasure, where the cursor really is: a reader does not miss it for a moment.
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
	old.doubtWrap()
	e.mark(i, w.mark)
	if c < len(w.cells) {
		e.col(c)
		e.text(w, c, len(w.cells))
	}
}

// diff writes the cells of row i in which it differs from w. None of the old ones is doubtful. A blank between words is printed, not stepped over: at the end
// of a row of another width kitty (0.40 to 0.48) forgets the cells that nobody has printed, and joins the words.
func (e *emitter) diff(i int, w *row) {
	old := &e.shown[i]
	n := len(w.cells)
	first := i < e.final // behind final text the edge may be, of a width that is not heard of yet: EL would take its last cluster
	if first {
		e.clearTail(i, n)
	}
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
		// A few equal cells are written again, if that takes no more changes of the pen than a move over them.
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
		e.to(i)
		e.col(c)
		e.text(w, c, end)
		if end == e.cols || e.wraps == WrapsPrinted {
			old.doubtWrap() // what is printed in the last column ends the wrap (kitty 0.40 to 0.48)
		}
		c = end
	}
	if !first {
		e.clearTail(i, n)
	}
}

// stands reports whether what w wants in column i is there, on the row that shows r.
func (e *emitter) stands(r *row, i int, w *row) bool {
	if i >= len(r.cells) && !(e.skips && w.doubt == 0 && !r.mayWrap()) {
		return false
	}
	return r.at(i).is(&w.cells[i])
}

// end paints row i, whose wrap ends with that. An EL from its column 0 does it where the row has the mark (ghostty, tmux), a line feed onto the next row
// where that one has it (xterm.js, kitty 0.26). But from column 0 the EL ends the wrap that leads here, too (tmux, xterm.js), and if what it continues
// is out of reach, nothing could make that again: then it is an EL behind the first cluster, and for tmux one from column 0 of the next row.
func (e *emitter) end(i int, w *row) {
	old := &e.shown[i]
	next := i+1 < len(e.shown) && e.wraps != WrapsStay
	e.to(i)
	if next && i == 0 && e.goesOn() && e.above(0) == nil && w.starts(e.cols) {
		e.col(0)
		k := int(w.cells[0].w)
		e.text(w, 0, k)
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.EL0...)
		e.text(w, k, len(w.cells))
		goes := e.shown[1].mayWrap()
		e.under(0)
		e.eraseRow(1)
		e.shown[1].maybe = goes // it has been erased, but the next one may have the mark
	} else {
		e.eraseRow(i)
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
		if next {
			e.under(i)
		}
	}
	old.wrapped, old.maybe = false, false
}

// under goes from row i to the next one, which exists, by a line feed.
func (e *emitter) under(i int) {
	e.col(0)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, '\n')
	e.cur.Row = i + 1
}

// join paints row i as the continuation of the row above: its last cluster is printed once more, then the terminal's own wrap leads here. on is
// whether a join of the next row will follow.
func (e *emitter) join(i int, w *row, on bool) {
	c := &w.cells[0]
	filled := int(max(c.w, c.most)) >= e.cols // by its first cluster: nothing can be erased behind it
	if (filled || !on) && i == len(e.shown) && e.dirty && e.rows > 1 && !e.careful {
		e.to(i - 1)
		e.lineFeed()
	}
	if i < len(e.shown) && !on && (e.shown[i].mayWrap() || (!e.shown[i].known || filled && c.doubt && len(e.shown[i].cells) > 0) && !e.careful) {
		goes := e.shown[i].mayWrap()
		e.to(i)
		e.eraseRow(i)
		if goes && i+1 < len(e.shown) {
			e.under(i)
		}
	}
	a := e.above(i)
	if !(e.cur.Row == i-1 && e.cur.Col == len(a.cells)) {
		last := a.last()
		e.to(i - 1)
		e.col(last)
		e.text(a, last, len(a.cells))
	}
	a.wrapped, a.maybe, a.stale = true, false, false
	stands := e.careful && (i < len(e.shown) || e.dirty) // on a row that a resize has left, with a mark that nothing has ended
	if i == len(e.shown) {
		e.grow()
	} else {
		e.down(i)
	}
	old := &e.shown[i]
	if stands && !old.known {
		old.stale, e.stale, old.maybe = true, true, false
	}
	e.cur = Pos{Row: i}
	clear := !old.known || len(old.cells) > len(w.cells) || old.doubt > 0 || w.doubt > 0
	// A wrap that scrolls fills the new row with the background of the pen, unless its first cluster does: it is erased again, or wraps before in another pen.
	fills := c.style.Bg != 0 && (c.doubt || int(c.w) < e.cols)
	if fills && (filled || e.careful) {
		e.setPen(Style{}, "")
		e.buf = append(e.buf, c.text...)
		for n := int(c.w); !c.doubt && n > 0; n-- { // back to its start, wherever the terminal has broken the line
			e.buf = append(e.buf, '\b')
		}
		if c.doubt {
			e.buf = append(e.buf, '\r')
		}
	}
	// Its first cluster, so that the wrap happens. At another width than ours the cursor may be pending then: EL would take a cell.
	clear = fills || clear && !(on && len(w.cells) >= e.cols && w.doubt == 0)
	clear = clear && !filled && !e.careful
	if c.doubt { // with autowrap, and all behind it is erased, where it is narrower than we think, too
		e.setPen(c.style, c.link)
		e.putWrapped(c)
		e.cur.Col = -1
	} else {
		e.text(w, 0, 1)
	}
	if clear {
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.EL0...)
		old.doubtWrap()
	}
	if e.cur.Col < 0 && int(c.w) < len(w.cells) {
		e.col(int(c.w))
	}
	k := 1
	for k < len(w.cells) && w.cells[k].w == 0 {
		k++
	}
	if e.text(w, k, len(w.cells)); len(w.cells) >= e.cols || e.wraps == WrapsPrinted {
		old.doubtWrap() // as in diff
	}
	old.take(w)
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
		// Near the edge a doubtful cluster could wrap where we do not expect it. What stands beside it may: in a window that has become narrower while the
		// frame was on its way, it would be written over in the last column.
		guard := c.doubt && !w.wrapped && i+int(c.most) > e.cols
		if guard {
			e.buf = append(e.buf, ansi.AutowrapOff...)
		}
		if len(c.text) == 1 { // as most have: no call
			e.buf = append(e.buf, c.text[0])
		} else {
			e.buf = append(e.buf, c.text...)
		}
		e.cur.Col += int(c.w)
		e.far = max(e.far, e.cur.Col)
		if guard {
			e.buf = append(e.buf, ansi.AutowrapOn...)
		}
		switch last := i+int(c.w) >= len(w.cells); {
		case c.doubt && !last:
			e.buf = ansi.AppendCHA(e.buf, e.cur.Col)
		case guard:
			e.cur.Col = e.cols // unknown, and a wrap may be pending: CR comes first
		case c.doubt:
			e.cur.Col = -1 // the next move is absolute
		}
	}
}

// lineFeed goes to a new row under the last shown one, in the cursor's column. The pen is default: the new row takes its background.
func (e *emitter) lineFeed() {
	e.setPen(Style{}, "")
	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful || e.wraps == WrapsStretched { // a wrap may be pending
		e.col(0)
	}
	e.buf = append(e.buf, '\n')
	e.grow()
	e.cur.Row++
}

// to goes to shown row i, which exists; the column stays or becomes 0.
func (e *emitter) to(i int) {
	if e.cur.Row == i {
		return
	}
	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful || e.wraps == WrapsStretched { // after a resize it may be pending, too
		e.col(0) // what a pending wrap becomes on a move differs by terminal
	}
	up, n := e.cur.Row-i, i-e.cur.Row
	switch {
	case up > 0:
		e.buf = ansi.AppendCUU(e.buf, up)
	case e.plain(e.cur.Row, i) && (n <= 4 && e.pen.Bg == 0 && e.pen.Attr&ansi.Inverse == 0 || e.careful || !e.shown[i].known):
		// The rows exist, so nothing scrolls; and if a resize has cut them off, a line feed makes them again where CUD would stop short: in the background of
		// the pen. Onto a row of which nothing is known it leads, too: some terminals may take that for a continuation.
		if e.careful || !e.shown[i].known {
			e.setPen(Style{}, "")
		}
		for range n {
			e.buf = append(e.buf, '\n')
		}
	default:
		e.buf = ansi.AppendCUD(e.buf, n)
		e.course.falls += n
	}
	e.cur.Row = i
}

// plain reports whether no row of [from, to) is wrapped: a line feed would take the flag away (xterm.js, kitty).
func (e *emitter) plain(from, to int) bool {
	for i := max(from, -1); i < to; i++ {
		if i < 0 && (e.before.mayWrap() || from < -1) || i >= 0 && e.shown[i].mayWrap() {
			return false
		}
	}
	return true
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
		e.buf = ansi.AppendCHA(e.buf, c)
	case c < from && from-c <= 3:
		for range from - c {
			e.buf = append(e.buf, '\b')
		}
	case c < from:
		if from-c >= 9 && c < 9 || from-c >= 99 && c < 99 {
			e.buf = ansi.AppendCHA(e.buf, c)
		} else {
			e.buf = ansi.AppendCUB(e.buf, from-c)
		}
	default:
		e.buf = ansi.AppendCUF(e.buf, c-from)
	}
}

func (e *emitter) setPen(s Style, link string) {
	if e.link != link {
		e.buf = ansi.AppendLink(e.buf, link)
		e.link = link
	}
	e.buf = ansi.AppendSGR(e.buf, e.pen, s)
	e.pen = s
}
