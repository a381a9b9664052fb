// Package renderer turns frames into bytes that never touch a row of the terminal's history.
//
// # Three parts
//
// The ledger (ledger.go) is what we believe the terminal shows: which rows are final, which of them
// are in history, and the cells of the live rows. The plan (plan.go) is a pure step from the ledger
// and the wanted rows to a few operations. The emitter (emit.go) turns operations into bytes and
// keeps the ledger true. A bug is a wrong belief, a wrong plan or wrong bytes.
//
// # What is promised
//
// Each row that was handed over in [Frame.Commit] stands in the terminal's history or on its grid
// exactly once and in order. Ordinary frames use relative moves only and no erasure reaches beyond
// the live region, so that a reader who has scrolled back is never moved. Rows leave the grid only
// by a line feed or a wrap on its last row, and only when they are final.
package renderer

import (
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Config holds the settings that a Renderer starts with. The zero value of each field works with
// every terminal.
type Config struct {
	// Receives each frame with one Write. It must write all of it, and must not keep the bytes.
	Out        io.Writer
	Cols, Rows int // The size of the terminal; 0: 80 columns, 24 rows.
	Model      width.Model
	Sync       bool // The terminal is known to support synchronized updates (DEC 2026).
	Mux        bool // The terminal is tmux or GNU screen.
	Quirks
	Strict bool // Reset never erases the terminal's scrollback.
	// Rows of the alternate screen may be scrolled, because a row that leaves it at the top gets
	// into no history. Only a Screen uses it.
	AltScroll bool
	Links     bool        // The terminal supports hyperlinks (OSC 8), see Span.Link.
	Marks     bool        // The terminal supports prompt marks (OSC 133), see Line.Prompt.
	Trace     func(Trace) // Called after each frame that has written something; nil: no trace.
}

// Renderer shows frames on one terminal: it compares each with what the terminal shows, plans the
// changes and writes them. It is not safe for concurrent use.
type Renderer struct {
	config    Config
	emit      emitter
	ledger    ledger
	history   history
	marks     marks
	costs     costs
	steps     []step
	want      []row  // The rows of the new frame, and one spare row at the end.
	lastStamp uint64 // The newest stamp, see row.stamp.
	pending   pending
	untouched bool // Nothing was written since the start, so that the cursor's column is not known.
	released  bool // Release was called, and Restart was not called since.
	resize    resize
	// A change of size may have left a row above the first live row that the terminal takes for the
	// beginning of the same line.
	firstRowMayJoin bool
	topReport       topReport
	hiddenRows      int // The number of live rows for which the window has no room.
	overlayRow      row // Kept for its slice of cells.
}

// New returns a Renderer that draws on the normal screen, from the row of the cursor on. It writes
// nothing before the first Render.
func New(c Config) *Renderer {
	if c.Cols <= 0 {
		c.Cols = 80
	}
	if c.Rows <= 0 {
		c.Rows = 24
	}
	r := &Renderer{config: c}
	r.emit.ledger = &r.ledger
	r.ledger.cols, r.ledger.rows = c.Cols, c.Rows
	r.ledger.caretVisible = true
	r.ledger.model = c.Model
	r.SetLinks(c.Links)
	r.SetQuirks(c.Quirks)
	r.Restart()
	return r
}

// SetSync sets whether frames are written as synchronized updates (DEC 2026), from the next frame
// on.
func (r *Renderer) SetSync(on bool) { r.config.Sync = on }

// SetLinks sets whether hyperlinks (OSC 8) are written, from the next frame on.
func (r *Renderer) SetLinks(on bool) { r.emit.linksKnown = on }

// SetMarks sets whether prompt marks (OSC 133) are written, from the next frame on.
func (r *Renderer) SetMarks(on bool) { r.config.Marks = on }

// SetQuirks sets the quirks of the terminal, from the next frame or change of size on.
func (r *Renderer) SetQuirks(q Quirks) {
	r.config.Quirks, r.ledger.wraps, r.emit.eraseWhole, r.emit.avoidCHA = q, q.Wraps, q.KeepsErased, q.AvoidCHA
}

// SetModel sets the width model, from the next frame on. Final rows stay as they are.
func (r *Renderer) SetModel(m width.Model) { r.config.Model, r.ledger.model = m, m }

// CaretShown reports whether the last frame has left the cursor visible.
func (r *Renderer) CaretShown() bool { return r.ledger.caretVisible }

// Restart makes r draw from the present row of the cursor on, as New does. It is called after other
// programs have used the terminal, such as after a suspend. Final rows stay final.
func (r *Renderer) Restart() {
	r.ledger.forgetGrid()
	r.untouched, r.released, r.resize.active, r.resize.leftRows = true, false, false, 0
}

// Render shows f. It makes at most one Write, plus one for each picture, and none if the terminal
// shows f already. If it is called between Resize and Anchor, it uses the predicted place of the
// live region. After Release it does nothing.
func (r *Renderer) Render(f Frame) (Seam, error) {
	if r.released {
		return r.seam(), nil
	}
	r.settleResize()
	r.emit.edgeColumn = r.config.edgeColumn(&f)
	if r.emit.careful = f.Careful; f.Careful {
		r.ledger.era++
	}
	commit := r.takeCommit(f)
	for {
		n, picture := untilPicture(commit)
		if n == len(commit) && picture == nil {
			break
		}
		part := f
		part.Live, part.Cursor = nil, nil // all rows of a picture have to be on the grid
		r.paintRows(part, commit[:n])
		commit = commit[n:]
		if picture == nil {
			continue
		}
		if err := r.drawPicture(picture); err != nil {
			return r.seam(), err
		}
	}
	n := r.paintRows(f, commit)
	r.placeCursor(f, n)
	if r.config.Trace != nil {
		r.reportTrace(len(f.Commit))
	}
	s := r.seam()
	if s.Asked = f.Status && len(r.emit.buf) > headroom; s.Asked {
		r.emit.buf = append(r.emit.buf, ansi.StatusRequest...)
	}
	return s, r.emit.flush(r.config.Out, r.config.Sync)
}

// chunkEnd returns how many rows of commit are painted next: as many as whole lines fit in maxRows.
// A line of more than maxRows rows is parted after maxRows.
func chunkEnd(commit []Line) int {
	for n := maxRows; n > 0; n-- {
		if !commit[n-1].Wrapped {
			return n
		}
	}
	return maxRows
}

// maxRows is the most final rows that are painted at once. It bounds the memory that a large Commit
// takes.
const maxRows = 256

// paintRows writes the rows of commit as final rows and the live rows of f below them. It returns
// the number of rows in the live region.
func (r *Renderer) paintRows(f Frame, commit []Line) int {
	k := len(commit)
	n := r.layOutFrame(f, commit)
	want := r.want[:n]
	if r.untouched {
		if n == 1 && len(want[0].cells) == 0 {
			return 1 // nothing to show: the cursor stays where the shell left it
		}
		r.startInline()
	}
	if r.emit.markActive && countColumns(want[:k]) > maxMarkedColumns {
		r.emit.endLiveMark()
	}
	// Without synchronized updates a reader would see what is erased and written again.
	r.costs.deleteRule, r.costs.clearsFirst = r.config.Delete, r.config.ResizeOvertakes && r.config.Sync
	r.emit.finalRows, r.emit.clearedFirst = k, r.costs.clearsFirst
	r.emit.eraseAfterLines = r.config.ResizeOvertakes && !r.config.Sync
	r.steps = plan(&r.ledger, want, k, f.Careful, &r.costs, r.steps[:0])
	r.emit.runSteps(r.steps, want)
	if r.ledger.dirtyBelow {
		r.clearBelow()
	}
	r.ledger.commitRows(k, n)
	r.firstRowMayJoin = r.firstRowMayJoin && k == 0
	return n - k
}

// takeCommit adds the final rows of f to the history of the session, and returns those that have to
// be written now. With an overlay they wait in r.pending until it closes.
//
// If f.Base is less than the number of known rows, the frame is a rewind. The rows that are equal
// to the known ones are skipped. From the first difference on all rows are written again below the
// old ones: a row may stand there twice, but none is lost.
func (r *Renderer) takeCommit(f Frame) []Line {
	commit := f.Commit
	for base := f.Base; base < r.history.n && len(commit) > 0; base++ {
		if !r.history.holds(base, commit[0]) {
			duplicates := r.history.n - base
			duplicates -= r.pending.drop(duplicates) // those have not been written yet
			r.ledger.residue += duplicates
			r.ledger.origin -= duplicates
			r.history.truncate(base)
			break
		}
		commit = commit[1:]
	}
	for _, l := range commit {
		r.history.push(l)
	}
	if f.Overlay != nil {
		r.pending.add(commit, r.ledger.cols, r.config.Model)
		return nil
	}
	if len(r.pending.lines) > 0 {
		rows := r.pending.layOut(r.ledger.cols, r.config.Model)
		r.ledger.origin -= len(rows) - len(r.pending.lines) // counts session rows, as they were handed over
		commit = append(rows, commit...)
		r.pending.clear()
	}
	return commit
}

// layOutFrame fills r.want with the rows of commit and the live rows of f, with the overlays drawn
// over them. It returns their number.
func (r *Renderer) layOutFrame(f Frame, commit []Line) int {
	live := len(f.Live)
	waiting := r.pending.layOut(r.ledger.cols, r.config.Model)
	if f.Careful && f.Overlay == nil { // shown as live rows they would be what the next size pushes out
		waiting = nil
	}
	rows := max(1, len(waiting)+live) // an empty live region is one blank row, on which the cursor rests
	for o := f.Overlay; o != nil; o = o.Over {
		rows = max(rows, len(o.Lines)+o.Up)
	}
	liveRows := min(rows, r.ledger.rows)
	r.hiddenRows = max(0, live-liveRows)
	k := len(commit)
	n := k + liveRows
	r.want = resizeRows(r.want, n+1)
	cols := r.ledger.cols
	if f.Careful {
		cols = carefulCols(cols)
	}
	for i := range liveRows { // from the bottom up: live rows, rows that wait, blank rows
		w := &r.want[n-1-i]
		switch j := live - 1 - i; {
		case j >= 0:
			line := f.Live[j]
			line.Wrapped = false
			r.layOutRow(n-1-i, &line, cols, n-1-i)
		case len(waiting)+j >= 0:
			line := waiting[len(waiting)+j]
			line.Wrapped = false
			r.layOutRow(n-1-i, &line, cols, n-1-i)
		default:
			w.reset()
		}
	}
	for i := range commit {
		r.layOutRow(i, &commit[i], r.ledger.cols, 0)
		if m := r.marks.nextMark(commit[i]); r.config.Marks {
			r.want[i].mark = m
		}
	}
	for o := f.Overlay; o != nil; o = o.Over {
		composeOverlay(o, r.want[:n], &r.overlayRow, r.ledger.cols, r.config.Model)
	}
	dropUnsoundWraps(r.want[:k], r.ledger.cols, r.ledger.rows)
	for i := range k {
		r.want[i].wrapped = r.want[i].wrapped && !f.Careful
	}
	return n
}

// layOutRow fills want[i] with the cells of l. To save work it reuses the cells of a row that was
// made from the same line: want[i] itself, the spare row, or one of the first nearRows rows.
func (r *Renderer) layOutRow(i int, l *Line, cols, nearRows int) {
	w, spare := &r.want[i], &r.want[len(r.want)-1]
	if w.source.matches(l, cols, r.config.Model) {
		w.reuse()
		return
	}
	k := w.findKept(l.Spans, cols, r.config.Model)
	if 2*(k.headCells+k.tailCells) < len(w.cells) || len(w.cells) == 0 {
		// It has not just changed a little, and may be wanted elsewhere.
		j := nearRows - 1
		for j >= 0 && !r.want[j].source.matches(l, cols, r.config.Model) {
			j--
		}
		switch {
		case spare.source.matches(l, cols, r.config.Model):
			*w, *spare = *spare, *w
			w.reuse()
			return
		case j >= 0:
			*w, r.want[j] = r.want[j], *w
			w.reuse()
			return
		case len(w.cells) > 0:
			*w, *spare = *spare, *w
			k = w.findKept(l.Spans, cols, r.config.Model)
		}
	}
	w.setLineKeeping(*l, k, cols, r.config.Model)
	r.lastStamp++
	w.stamp = r.lastStamp
}

// placeCursor moves the cursor to the caret of f, or hides it. n is the number of rows in the live
// region.
func (r *Renderer) placeCursor(f Frame, n int) {
	if r.untouched { // nothing was written and nothing is wanted: the cursor stays where the shell left it
		return
	}
	if r.config.RedrawsPrompt {
		r.emit.markLiveRegion()
	}
	caret, row := f.Cursor, n-len(f.Live)
	top := f.Overlay.uppermost()
	if top != nil {
		caret, row = top.Cursor, n-top.Up-len(top.Lines)
	}
	if caret == nil {
		r.emit.ensurePrinted(0)
		if r.config.CountsLines {
			r.emit.padFirstRow()
		}
		r.emit.placeCursor(r.restPosition(), false)
		return
	}
	pos := Pos{Col: caret.Col, Row: min(max(row+caret.Row, 0), n-1)}
	if top != nil {
		pos.Col += top.Col
	}
	pos.Col = min(max(pos.Col, 0), r.ledger.cols-1)
	if f.Careful {
		pos.Col = min(pos.Col, len(r.ledger.shown[pos.Row].cells))
	}
	if r.config.RedrawsPrompt {
		r.emit.clearStaleMarks(pos.Row)
	}
	if r.firstRowMayJoin && pos.Row > 0 {
		// In ghostty a blank row that continues another takes no row: rowsAbove would count it.
		r.emit.ensurePrinted(0)
	}
	r.emit.ensurePrinted(pos.Row)
	r.emit.placeCursor(pos, true)
}

// restPosition returns the position of the cursor while it is hidden. It is in the first live row.
func (r *Renderer) restPosition() Pos {
	if r.config.CountsLines {
		return Pos{Col: r.ledger.restColumn()}
	}
	return Pos{}
}

// startInline moves the cursor to column 0 of an empty row. If a shell has left a partial line in
// the cursor's row, that line stays above.
//
// It prints blanks, and skips most of a row by CUF. From column 0 this ends in the last column of
// the same row, which stays empty. From any other column CUF stops at the last column, and the last
// blank wraps into a new row.
func (r *Renderer) startInline() {
	const blanks = "   "
	if r.ledger.cols > len(blanks) {
		r.emit.buf = append(r.emit.buf, blanks[:1]...)
		r.emit.buf = ansi.AppendCUF(r.emit.buf, r.ledger.cols-len(blanks))
		r.emit.buf = append(r.emit.buf, blanks[1:]...)
	} else {
		r.emit.buf = append(r.emit.buf, blanks[:r.ledger.cols]...)
	}
	r.emit.buf = append(r.emit.buf, '\r')
	r.emit.cursor.Col = 0
	r.untouched = false
}

// clearBelow erases the text that a resize may have left below the live region. It never uses ED 0
// in the first row of the grid, since tmux and conhost move the screen into history then.
func (r *Renderer) clearBelow() {
	last := len(r.ledger.shown) - 1
	w := &r.ledger.shown[last]
	r.emit.moveToRow(last)
	r.ledger.dirtyBelow = false
	if r.ledger.seam+last <= r.ledger.maxTop {
		if r.ledger.seam+last-r.ledger.minTop >= r.ledger.rows-1 { // it may be the last grid row, too
			if last+1 < r.ledger.rows {
				r.emit.moveToCol(0)
				r.emit.lineFeed() // then a row scrolls that is not ours to lose
				r.emit.eraseBelow()
				r.ledger.shown[last+1].reset()
			}
			return
		}
		r.emit.moveToCol(0)
		r.emit.setPen(Style{}, "")
		r.emit.buf = ansi.AppendCUD(r.emit.buf, 1)
		r.emit.eraseBelow()
		r.emit.buf = ansi.AppendCUU(r.emit.buf, 1)
		r.ledger.blankBelow = 0
		return
	}
	end := len(w.cells)
	// A doubtful cluster at the end may reach the edge, too.
	full := end >= r.ledger.cols || end > 0 && w.cells[w.lastCluster()].doubtful
	if full {
		end = w.lastCluster() // erased, and printed again
	}
	if r.emit.cursor.Col < end || full || w.doubtfulCount > 0 {
		r.emit.moveToCol(end)
	}
	r.emit.setPen(Style{}, "")
	r.emit.buf = append(r.emit.buf, ansi.ED0...)
	r.ledger.blankBelow = 0
	if full {
		r.emit.writeCells(w, end, len(w.cells))
	}
}

// seam returns the counts of the ledger as a [Seam].
func (r *Renderer) seam() Seam {
	return Seam{
		Committed: r.ledger.committed(),
		Live:      len(r.ledger.shown),
		Hidden:    r.hiddenRows,
		Pending:   len(r.pending.lines),
		Doubt:     r.ledger.residue,
	}
}

// Release ends the session on the terminal. It writes the final rows that wait for an overlay. Then
// it erases the live region, or leaves it as text if keep is set. The cursor is visible and in
// column 0 of the row below. Nothing more is written until Restart.
func (r *Renderer) Release(keep bool) error {
	if r.released {
		return nil
	}
	if len(r.pending.lines) > 0 {
		if _, err := r.Render(Frame{Base: r.history.n}); err != nil {
			return err
		}
	}
	r.settleResize()
	if !r.untouched {
		r.leaveLiveRows(keep)
	}
	if !r.ledger.caretVisible {
		r.emit.buf = append(r.emit.buf, ansi.CursorShow...)
		r.ledger.caretVisible = true
	}
	r.released = true
	return r.emit.flush(r.config.Out, r.config.Sync)
}

// leaveLiveRows ends the live region. If keep is set its rows stay as text, otherwise they are
// erased.
func (r *Renderer) leaveLiveRows(keep bool) {
	r.emit.endLiveMark()
	last := len(r.ledger.shown) - 1
	if keep {
		r.emit.moveToRow(last)
		r.emit.moveToCol(0)
		r.emit.lineFeed()
		return
	}
	r.emit.moveToRow(0)
	r.emit.eraseRow(0)
	if last > 0 || r.ledger.dirtyBelow {
		// ED0 from the second row on: from grid row 0 it would archive the screen (tmux, GNU
		// screen).
		r.emit.buf = append(r.emit.buf, '\n')
		r.emit.eraseBelow()
		r.emit.buf = ansi.AppendCUU(r.emit.buf, 1)
	}
}
