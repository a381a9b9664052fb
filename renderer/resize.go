package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// resize is what is known between a change of size and the frame after it (preserve mode). Rows that were final belong to the terminal from
// then on, wrapped anew or cut as it likes; only the live region is painted again.
type resize struct {
	on    bool
	col   int  // the cursor's column before
	high  int  // the rows of the grid before
	low   int  // the fewest it has had since
	wrap  bool // the width has changed, or it may have for a moment, which would join rows (unsure)
	thin  int  // the fewest columns it has had since, the old ones included
	wide  int  // the most, the old ones included
	turn  int  // the most that were followed by fewer; 0 if none were
	moved bool // a request has moved the cursor within a row that had been wrapped anew
	lost  bool // the column of the cursor in its row is not known: the width has changed again since
	steps int  // changes of size
	skip  int  // line feeds before the next paint, see pass
	tag   int  // the column that marks our cursor request, -1 for none
	next  int  // counts the requests
	row   int  // the row of the grid on which the cursor is reported, -1 if it is not
	blank int  // rows below the live region, at most
	past  bool // there may have been history: the grid was full, or more lines are final than it has rows
	drift drift
	floor floor
	met   bool // see Overtaken
	late  int  // marked frames that met the change, see Overtaken
}

// Overtaken says, after [Renderer.Resize], that the terminal may have had its new size before it took the last frame, unless that was careful. If marks is
// not 0 it had it before it took the marked frames that have not landed, of which there are so many, and it has taken those since.
func (r *Renderer) Overtaken(marks int) { r.resize.met, r.resize.late = r.resize.on, marks }

// Tags lie above every column that a modified F3 can look like (CSI 1;2 to 1;16 R).
const firstTag, lastTag = 17, 46

// Resize says that the terminal has a new size, in columns and rows. The same size again is news, too: there was another one in between, which
// came and went unheard. Until [Renderer.Anchor] or [Renderer.Predict] nothing should be rendered: wait for the size to settle, then Ask.
func (r *Renderer) Resize(cols, rows int) {
	if cols <= 0 || rows <= 0 {
		return
	}
	r.widen(cols)
	if r.fresh { // nothing of ours stands anywhere
		r.l.cols, r.l.rows = cols, rows
		r.l.start()
		return
	}
	r.sink(cols, rows)
	if !r.resize.on {
		r.resize.col = max(r.e.cur.Col, 0)
		again := cols == r.l.cols && rows == r.l.rows
		r.resize.high, r.resize.low, r.resize.wrap, r.resize.thin = r.l.rows, rows, cols == r.l.cols && r.unsure(), r.l.cols
		r.resize.moved, r.resize.lost, r.resize.steps, r.resize.met = false, again, 0, false
		r.resize.past = r.l.tlo < r.l.thi || r.l.b+len(r.l.shown)-r.l.tlo >= r.l.rows || r.l.ends >= r.l.rows
		r.resize.wide, r.resize.turn, r.resize.blank = r.l.cols, 0, r.l.rows-(r.l.b+len(r.l.shown)-r.l.thi)
		r.resize.drift = drift{vague: again, at: -1}
		if r.l.tlo == r.l.thi {
			r.resize.drift.at = r.l.b + r.l.cur.Row - r.l.tlo
		}
	}
	if r.c.Reflow == ReflowDrift {
		r.step(cols, rows)
	}
	if r.resize.wide = max(r.resize.wide, cols); cols < r.resize.wide {
		r.resize.turn = r.resize.wide
	}
	r.resize.steps++
	r.resize.thin = min(r.resize.thin, cols)
	r.resize.wrap = r.resize.wrap || cols != r.l.cols
	r.resize.lost = r.resize.lost || r.resize.moved && cols != r.l.cols
	r.resize.low = min(r.resize.low, rows)
	r.resize.on, r.resize.tag = true, -1
	r.l.cols, r.l.rows = cols, rows
}

// unsure reports whether the terminal, wrapping rows anew at the width that they have, might join some that it shows apart, or have taken the cursor
// into final text. All others take as many rows as before then.
func (r *Renderer) unsure() bool {
	if r.l.goesOn() && (!r.l.before.wrapped || r.c.Follow == FollowTwice || r.l.cur.Row < r.firstLine() || !wraps(&r.l.before, &r.l.shown[0], r.l.cols)) {
		return true
	}
	for i := range r.l.shown {
		s := &r.l.shown[i]
		if s.maybe || s.wrapped && i+1 < len(r.l.shown) && !wraps(s, &r.l.shown[i+1], r.l.cols) { // as below an overlay
			return true
		}
	}
	return false
}

// Ask writes a cursor position request from a column that no other report will name; its answer is given to Anchor. A request made before
// is void. The cursor is put back into its column.
func (r *Renderer) Ask() error {
	if !r.resize.on || r.idle {
		return nil
	}
	r.e.begin()
	if top := min(lastTag, r.l.cols-1); top >= firstTag+2 {
		r.resize.tag = firstTag + r.resize.next%(top-firstTag+1)
		r.resize.next++
		r.e.buf = ansi.AppendCHA(r.e.buf, r.resize.tag)
		r.e.buf = append(r.e.buf, ansi.CPRRequest...)
		back := min(r.resize.col, r.l.cols-1)
		if r.joined() && r.l.cur.Row < r.firstLine() {
			back = r.l.cols - 1 // further left there may be final text now, and the next lower window would drop what is below the cursor
		}
		r.e.buf = ansi.AppendCHA(r.e.buf, back) // not DECRC: ghostty keeps rows for the sake of a saved cursor
	} else {
		r.resize.tag = anyColumn
		r.e.buf = append(r.e.buf, ansi.CPRRequest...)
	}
	r.e.cur.Col = -1
	r.resize.moved = r.resize.wrap
	return r.e.flush(r.c.Out, r.c.Sync)
}

// anyColumn: the terminal is too narrow for tags.
const anyColumn = -2

// Anchor takes a cursor report (0-based) and says where the live region stands; false if it does not answer the last Ask.
func (r *Renderer) Anchor(col, row int) bool {
	if !r.resize.on || r.resize.tag == -1 || r.resize.tag != anyColumn && col != r.resize.tag || row < 0 || row >= r.l.rows {
		return false
	}
	r.resize.row = row
	if r.resize.met && r.resize.late == len(r.flights) && r.takeBack(row) {
		r.flights = r.flights[:0]
		return true
	}
	r.flights = r.flights[:0]
	if r.cutOff(row) {
		r.goOn(row)
		return true
	}
	if r.joined() {
		r.pass(row)
		return true
	}
	above, most := r.rowsAbove(r.l.cols)
	text, known := r.sunk(row), r.c.Follow.text()
	if r.c.Follow.layout() {
		text, known = r.textRow(row, above)
	} else if r.c.Follow == FollowRelaid {
		known = r.resize.steps == 1 && !r.resize.lost && !r.offText(row)
	}
	if r.resize.met {
		text = max(text, row) // where the old rows would have come to lie says nothing
	}
	start, glued, apart := min(max(0, text-above), r.l.rows), false, false // below the last row if a lower window may have taken all that is live
	if rest, ok := r.torn(above - text); ok && r.onItsText(text, above, most, known) {
		start = max(start, rest)
		apart = above > text // whole lines are gone: what is first now continues none
		r.l.residue += max(0, above-text) + max(0, text-row)
	} else {
		behind := r.leftBehind(row, above, most) + max(0, text-row)
		r.l.residue += behind
		glued = behind > 0 && r.split()
	}
	r.begins(start, row)
	r.l.glued = !apart && (r.l.glued || glued)
	return true
}

// onItsText reports whether the text that the cursor was on is surely on that row, and it is known how many live rows stand above. known says that the
// terminal has told where it is.
func (r *Renderer) onItsText(row, above, most int, known bool) bool {
	_, m := r.rowsAbove(r.resize.thin)
	once, below := r.resize.steps == 1, r.rowsBelow(r.resize.thin)
	high := max(m, most) + 1 + below + r.spare()
	if r.c.Follow == FollowTop {
		high += r.resize.blank
	}
	switch {
	case r.c.Reflow == ReflowUnknown, r.resize.lost, above != most:
		return false
	case !once && high > r.resize.low: // at a size in between the cursor may have been stopped at an edge
		return false
	case row == 0 && r.crowded() > 0:
		return false
	case !r.c.Follow.layout() && row == 0 && (r.resize.low < r.resize.high || most+below > len(r.l.shown)-1): // here, too, see leftBehind
		return false
	}
	for i := range r.l.cur.Row {
		if r.l.shown[i].maybe {
			return false
		}
	}
	// Where the cursor does not follow, rows that are pushed out move the text under it.
	return known || r.c.Follow == FollowUnknown && once && !r.resize.wrap && r.l.b-r.l.tlo+high <= r.resize.low
}

// torn is how many grid rows at the top go on with a live line whose beginning is in history, if gone grid rows of the live region are; ok says that
// it is none that the cursor is on. Such a line stays as the terminal has torn it: a row that is written over its end would be one line with its
// beginning for the terminal.
func (r *Renderer) torn(gone int) (rest int, ok bool) {
	if gone <= 0 || r.c.Reflow == ReflowNo {
		return 0, true
	}
	first := r.l.cur.Row // of the cursor's line
	for first > 0 && r.l.shown[first-1].wrapped {
		first--
	}
	w := r.wrapping(r.l.cols)
	for i := range first {
		begin := w.start
		if r.resize.wrap {
			w.rowsOf(r.l.shown, i, i+1, true)
		} else if w.rows++; !r.l.shown[i].wrapped {
			w.start = w.rows
		}
		if w.start >= gone && begin < gone {
			return w.start - gone, true
		}
	}
	return 0, w.start >= gone
}

// Predict goes on without a report. The moves are relative and the terminal stops them at its edge, so only the number of rows in history
// stays unknown.
func (r *Renderer) Predict() {
	if !r.resize.on {
		return
	}
	r.resize.row, r.flights = -1, r.flights[:0]
	if r.cutOff(-1) {
		r.goOn(-1)
		return
	}
	if r.joined() {
		r.pass(-1)
		return
	}
	above, most := r.rowsAbove(r.l.cols)
	behind := r.leftBehind(-1, above, most)
	r.l.residue += behind
	glued := behind > 0 && r.split()
	if r.resize.skip = min(max(0, -above), r.l.rows); r.resize.skip > 0 { // line feeds, since a move would end on the last row, which may be final
		r.settled(0, -(r.l.rows - 1), 0)
	} else {
		above = min(above, r.l.rows-1)
		r.settled(above, above-(r.l.rows-1), 0)
	}
	r.l.glued = r.l.glued || glued
}

// split reports whether a live row may take more than one grid row since the resize, or be one of several that the terminal takes for one line: if
// some of it was left behind, the live region may begin in its middle, and goes on with it for the terminal whatever is written there.
func (r *Renderer) split() bool {
	if r.c.Reflow == ReflowNo {
		return false
	}
	for i := range r.l.shown {
		if s := &r.l.shown[i]; s.mayWrap() || r.resize.wrap && max(len(s.cells), s.longest) > r.resize.thin {
			return true
		}
	}
	return r.resize.lost && !r.resize.wrap // at a width that nobody has told
}

// joined reports whether the first live row may go on in the middle of a line whose beginning is final, and which has been wrapped anew, or printed at
// the new width by a frame on its way. One column
// has no room for a wide character: ghostty leaves a blank row, and if that was the end of a line it takes what comes next for its continuation.
func (r *Renderer) joined() bool {
	return (r.c.Reflow != ReflowNo || r.resize.met) && (r.resize.wrap || r.c.Follow == FollowTop && r.l.cur.Row < r.firstLine()) && (r.l.goesOn() || r.resize.thin == 1)
}

// pass leaves the first line of the live region behind: nobody knows at which column its final part ends now. If the cursor is in that line,
// line feeds lead out of it before the next paint. row is where the cursor is reported, -1 if it is not.
func (r *Renderer) pass(row int) {
	at, line, behind := r.l.cur.Row, r.firstLine(), 0
	for i := range line {
		s := &r.l.shown[i]
		if behind += max(len(s.cells), s.reach); i == at {
			behind = max(len(s.cells), s.reach)
			if !r.resize.lost {
				behind = max(0, behind-r.resize.col)
			}
			if r.resize.lost || r.resize.col >= len(s.cells) { // behind its text, or put there: a size in between may have taken it to the beginning of the row that this was then (ghostty)
				behind += r.resize.wide - 1
			}
		}
	}
	least, most := r.rowsAbove(r.l.cols)
	if r.resize.thin == 1 {
		least = 0 // of the live rows, too, any may have been joined with the next
	}
	pushed := r.leftBehind(row, least, most)
	r.l.residue += line + pushed
	glued := pushed > 0 && r.split()
	above := 0
	if at >= line {
		w := r.wrapping(r.l.cols)
		w.rowsOf(r.l.shown, line, at, true)
		if own := &r.l.shown[at]; !r.resize.lost && r.resize.col < len(own.cells) {
			w.cells(own.cells[:own.cluster(r.resize.col)], true)
			if w.x >= w.cols { // the cursor's cell begins a row
				w.rows++
			}
		}
		above = w.rows
		if r.resize.lost && w.x > 0 {
			above = w.start
		}
		switch r.c.Reflow {
		case ReflowUnknown:
			above = min(above, at-line) - r.lifted(at+1)
		case ReflowAbove:
			above, _ = r.keptLine(line, r.l.cols)
		}
		if r.resize.thin == 1 {
			above = 0
		}
		if r.c.Reflow == ReflowDrift {
			above, _ = r.drifted(line)
		}
		if r.c.Follow == FollowTop {
			above, _ = r.lineTop(line, r.l.cols)
		}
	} else {
		if r.c.Follow == FollowTop { // on the first row of the final part
			behind = r.lineFromTop(line)
		}
		r.resize.skip = max(1+(r.l.cols-1+behind)/r.l.cols, line-at)
		if r.c.Follow == FollowTop && len(r.l.shown[at].cells) == 0 {
			r.resize.skip = max(r.resize.skip, r.l.rows) // on a row that shows nothing it stays on its row of the grid, wherever the text goes
		}
		r.l.residue += r.resize.skip // blank rows, if it was fewer
		if r.c.Reflow == ReflowDrift || r.c.Reflow == ReflowUnknown {
			above = -r.lifted(line)
		}
	}
	above -= r.stopped()
	if r.resize.met {
		above = min(above, r.leastAbove(r.l.cols)-line)
	}
	r.l.residue += max(0, -above)
	if row < 0 {
		r.settled(min(above, r.l.rows-1), -(r.l.rows - 1), 0)
	} else {
		r.begins(max(0, r.sunk(row)-above)+r.resize.skip, row)
	}
	r.l.glued = glued
}

// goOn begins a new live region below the cursor, which may be on any text.
func (r *Renderer) goOn(row int) {
	least, most := r.rowsAbove(r.l.cols)
	r.l.residue += len(r.l.shown) + r.leftBehind(row, least, most)
	if r.resize.skip = 1; row < 0 {
		r.settled(0, -(r.l.rows - 1), 0)
	} else {
		r.begins(row+1, row)
	}
	r.l.glued = false
}

// lineFromTop is how many cells the line has that begins in final text and goes on in the first line rows of the live region, at most.
func (r *Renderer) lineFromTop(line int) (cells int) {
	if !r.l.before.known {
		return r.l.rows * r.resize.wide // as far as the end of the grid
	}
	for i := range line {
		cells += max(len(r.l.shown[i].cells), r.l.shown[i].reach)
	}
	return cells + r.l.tail*r.resize.wide
}

// firstLine is how many live rows the terminal may take for the line of the first one. ghostty joins a row that continues another and is blank
// with the next one, too, when it wraps anew.
func (r *Renderer) firstLine() int {
	n, goesOn := 1, true
	for ; n < len(r.l.shown); n++ {
		last := &r.l.shown[n-1]
		if !last.mayWrap() && !(goesOn && len(last.cells) == 0) {
			break
		}
		goesOn = last.mayWrap()
	}
	return n
}

// leaveLine goes down by as many rows as were found necessary. What is passed may be final text, which keeps its wraps; the row where it ends begins anew.
func (r *Renderer) leaveLine() {
	if r.resize.skip > 0 {
		r.e.col(0)
		for range r.resize.skip - 1 {
			r.e.buf = append(r.e.buf, ansi.IND...)
		}
		r.e.buf = append(r.e.buf, ansi.LF...)
		r.resize.skip = 0
	}
}

// leftBehind is how many live rows may stand above the new live region, or in history, if the cursor is reported on that row, -1 if it is not:
// an upper bound, since terminals differ.
func (r *Renderer) leftBehind(row, above, most int) int {
	flat := len(r.l.shown) - 1 - r.l.cur.Row
	below := r.rowsBelow(r.resize.thin)
	if _, m := r.rowsAbove(r.resize.thin); row < 0 || m > most {
		most = max(most, m)
	}
	gone, off := 0, row
	if row < 0 {
		// A lower window takes blank rows away first, but not those for the sake of which ghostty keeps a saved cursor.
		gone = r.resize.high - r.resize.low - max(0, r.l.b-r.l.thi)
		fits := most+1+below <= r.resize.low && r.crowded() == 0 && gone <= 0
		stays := flat == 0 || r.resize.high == r.resize.low && (r.c.Follow.text() || !r.resize.wrap)
		if most == above && above == r.l.cur.Row && below == flat && fits && stays {
			return 0 // nothing needs more room, and no terminal takes the cursor off its row
		}
		row, off = 0, r.l.rows-1
	}
	// Live rows that do not fit are pushed, or dropped below the cursor. A terminal that pushes though rows are below the cursor may leave the
	// cursor where it is on the screen, on another row of text then (kitty, foot), or take its own row along (ghostty).
	n := max(0, above-row, most+1+below+r.spare()-r.resize.low, r.crowded(), gone,
		min(below, r.resize.high-r.resize.low+max(0, most+below-len(r.l.shown)+1)))
	if row == 0 {
		// The cursor may have been stopped there: by a lower window that keeps blank rows below it, or by a narrower one that takes them for
		// rows (tmux).
		n = max(n, min(r.resize.high-r.resize.low, above+1+below), above+below-flat)
		if r.resize.steps > 1 && most+1+below > r.resize.low {
			n = max(n, above+1+below) // or several times, each at other text
		}
	}
	if !r.c.Follow.text() && (r.resize.wrap || r.resize.low < r.resize.high) {
		n = max(n, max(0, above-row)+below) // the cursor may be on any row below its text
	}
	if r.offText(off) || r.c.Follow == FollowRelaid && r.resize.steps > 1 && below+r.spare() >= r.resize.low {
		n = max(n, above+1+below) // all that it had on the grid, and the cursor is below it
	}
	if r.c.Follow == FollowTop && r.resize.steps > 1 && most+1+below+r.resize.blank > r.resize.low {
		n = max(n, above+1+below) // it may have been stopped at the top, at one of the sizes
	}
	return n + most - above
}

// begins says that the live region begins at that grid row, or as many rows below the last one; the cursor is on row, and line feeds lead down.
func (r *Renderer) begins(at, row int) {
	start := min(at, r.l.rows-1)
	r.resize.skip = max(0, at-row)
	r.settled(max(0, row-start), -start, -start)
}

// settled rebases: the live region begins above rows over the cursor's row.
func (r *Renderer) settled(above, tlo, thi int) {
	r.l.rebase(max(above, 0)+1, tlo, thi)
	r.l.cur = Pos{Row: above, Col: -1}
	r.resize.on = false
}

// Back says that the alternate screen was shown in between: tmux forgets there which rows of the grid were wrapped, so the live ones are joined
// again by the next frame.
func (r *Renderer) Back() {
	r.flights = r.flights[:0]
	r.l.before.doubtWrap()
	for i := range r.l.shown {
		r.l.shown[i].doubtWrap()
	}
}
