package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// emitter turns a plan into bytes and keeps the ledger true while it does: after each method the ledger says what the terminal shows.
type emitter struct {
	*ledger
	buf  []byte
	pen  Style
	link string

	careful bool // rows that are believed to exist may not: see Frame.Careful
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
			e.insert(s.at, s.n)
		case remove:
			e.setPen(Style{}, "")
			e.to(s.at)
			e.col(0)
			e.buf = ansi.AppendDL(e.buf, s.n)
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
				if r := &e.shown[i]; !r.known || len(r.cells) > 0 || r.mayWrap() {
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
		e.join(i, w)
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
		old.wants, old.goes, old.stamp = w.wrapped, w.goes, w.stamp
		return
	case !old.known, old.mayWrap() && !w.wrapped:
		e.to(i)
		if !old.known || len(old.cells) > 0 || old.mayWrap() {
			e.eraseRow(i)
		} else {
			e.col(0)
		}
		e.mark(i, w.mark)
		e.text(w, 0, len(w.cells))
	case old.uncertain(w):
		// How far the old clusters really reach is not known: from the first change on the row is erased and written anew. What stands
		// before it is anchored.
		c := old.change(w)
		if c == 0 {
			old.mark = noMark
			if a := e.above(i); a != nil {
				a.doubtWrap()
			}
		}
		e.to(i)
		e.col(c)
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.EL0...)
		old.doubtWrap()
		e.mark(i, w.mark)
		e.col(c)
		e.text(w, c, len(w.cells))
	default:
		e.mark(i, w.mark)
		e.diff(i, w)
	}
	old.take(w)
	e.mark(i, w.mark)
}

// diff writes the cells of row i in which it differs from w. None of the old ones is doubtful.
func (e *emitter) diff(i int, w *row) {
	old := &e.shown[i]
	n := len(w.cells)
	// Where a wide cluster did not fit, the terminal has left a blank in the pen of that time.
	spacer := len(old.cells) == e.cols-1 && old.mayWrap()
	soiled := 0 // the column behind the last one that a doubtful cluster may cover that this frame prints: what stands there is written, too
	for c := min(old.alike(w), n); c < n; {
		if old.at(c).is(&w.cells[c]) && !(spacer && c == e.cols-1) && c >= soiled {
			c++
			continue
		}
		for w.cells[c].w == 0 {
			c-- // a changed half: begin with its cluster
		}
		end := c + 1 // behind the last changed cell of the run
		// A few equal cells are written again, if that takes no more changes of the pen than a move over them.
		for k, turned := c, false; k < n && k-end <= 4; k++ {
			turns, changed := k > c && !w.cells[k].inked(&w.cells[k-1]), k == c || k < soiled || !old.at(k).is(&w.cells[k])
			if turns && turned {
				break
			}
			turned = turned || turns
			if changed {
				end, turned = k+1, false
				soiled = max(soiled, k+int(w.cells[k].most))
			}
		}
		for end < n && w.cells[end].w == 0 {
			end++
		}
		e.to(i)
		e.col(c)
		e.text(w, c, end)
		c = end
	}
	if len(old.cells) > n {
		e.to(i)
		e.col(n)
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.EL0...)
		old.doubtWrap()
		if n == 0 {
			old.mark = noMark
		}
	}
}

// join paints row i as the continuation of the row above: its last cluster is printed once more, then the terminal's own wrap leads here.
func (e *emitter) join(i int, w *row) {
	filled := int(w.cells[0].w) >= e.cols // by its first cluster: nothing can be erased behind it
	if filled && i == len(e.shown) && e.dirty && e.rows > 1 && !e.careful {
		e.to(i - 1)
		e.lineFeed()
	}
	if i < len(e.shown) && !w.wrapped && (e.shown[i].mayWrap() || filled && !e.shown[i].known && !e.careful) {
		e.to(i)
		e.eraseRow(i) // from column 0: the only erasure that ends a wrap everywhere
	}
	a := e.above(i)
	if !(e.cur.Row == i-1 && e.cur.Col == len(a.cells)) {
		last := a.last()
		e.to(i - 1)
		e.col(last)
		e.text(a, last, len(a.cells))
	}
	a.wrapped, a.maybe = true, false
	if i == len(e.shown) {
		e.grow()
	} else {
		e.down(i)
	}
	old := &e.shown[i]
	e.cur = Pos{Row: i}
	clear := !old.known || len(old.cells) > len(w.cells) || old.doubt > 0 || w.doubt > 0
	if w.cells[0].style.Bg != 0 { // a wrap that scrolls fills the new row with the background of the pen
		e.setPen(Style{}, "")
		e.buf = append(e.buf, w.cells[0].text...)
		for n := int(w.cells[0].w); e.careful && n > 0 && n < e.cols; n-- { // back to its start, wherever the terminal has broken the line
			e.buf = append(e.buf, '\b')
		}
		if !e.careful || int(w.cells[0].w) >= e.cols {
			e.buf = append(e.buf, '\r')
		}
	}
	e.text(w, 0, 1)                                // its first cluster, so that the wrap happens
	if clear && e.cur.Col < e.cols && !e.careful { // at another width than ours the cursor may be pending: EL would take a cell
		e.setPen(Style{}, "")
		e.buf = append(e.buf, ansi.EL0...)
		old.doubtWrap()
	}
	k := 1
	for k < len(w.cells) && w.cells[k].w == 0 {
		k++
	}
	e.text(w, k, len(w.cells))
	old.take(w)
}

// text prints cells [from, to) of w at the cursor. It begins and ends at whole clusters.
func (e *emitter) text(w *row, from, to int) {
	if from >= to {
		return
	}
	// Near the edge a doubtful cluster could wrap where we do not expect it.
	guard := w.reach > e.cols && !w.wrapped && w.doubtful(from, to)
	if guard {
		e.buf = append(e.buf, ansi.AutowrapOff...)
	}
	for i := from; i < to; i++ {
		c := &w.cells[i]
		if c.w == 0 {
			continue
		}
		if e.pen != c.style || e.link != c.link {
			e.setPen(c.style, c.link)
		}
		e.buf = append(e.buf, c.text...)
		e.cur.Col += int(c.w)
		if c.doubt && i+int(c.w) < len(w.cells) {
			e.buf = ansi.AppendCHA(e.buf, e.cur.Col)
		}
	}
	if w.cells[to-1].doubt || w.doubt > 0 && to == len(w.cells) && w.cells[w.last()].doubt {
		e.cur.Col = -1 // the next move is absolute
	}
	if guard {
		e.buf = append(e.buf, ansi.AutowrapOn...)
		e.cur.Col = e.cols // unknown, and a wrap may be pending: CR comes first
	}
}

// eraseRow leaves the cursor in column 0 of the cursor's row, all of which is blank. An EL from there also ends the wrap that led to the row
// (tmux).
func (e *emitter) eraseRow(i int) {
	if a := e.above(i); a != nil {
		a.doubtWrap()
	}
	e.col(0)
	e.setPen(Style{}, "")
	e.buf = append(e.buf, ansi.EL0...)
	e.shown[i].reset()
}

// empty erases the live region and all below it: ED0 from its second row on, since from grid row 0 it would archive the screen (tmux, GNU screen).
func (e *emitter) empty() {
	e.to(0)
	e.eraseRow(0)
	if len(e.shown) == 1 {
		e.lineFeed()
	} else {
		e.to(1)
	}
	e.buf = append(e.buf, ansi.ED0...)
	for i := 1; i < len(e.shown); i++ {
		e.shown[i].reset()
	}
	e.dirty = false
	e.to(0)
}

// lineFeed goes to a new row under the last shown one, in the cursor's column. The pen is default: the new row takes its background.
func (e *emitter) lineFeed() {
	e.setPen(Style{}, "")
	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful { // a wrap may be pending
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
	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful { // after a resize it may be pending, too
		e.col(0) // what a pending wrap becomes on a move differs by terminal
	}
	up, n := e.cur.Row-i, i-e.cur.Row
	switch {
	case up > 0:
		e.buf = ansi.AppendCUU(e.buf, up)
	case n <= 4 && e.plain(e.cur.Row, i) && e.pen == (Style{}), e.careful:
		// The rows exist, so nothing scrolls; and if a resize has cut them off, a line feed makes them again where CUD would stop short.
		e.setPen(Style{}, "")
		for range n {
			e.buf = append(e.buf, '\n')
		}
	default:
		e.buf = ansi.AppendCUD(e.buf, n)
	}
	e.cur.Row = i
}

// plain reports whether no row of [from, to) is wrapped: a line feed would take the flag away (tmux).
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
