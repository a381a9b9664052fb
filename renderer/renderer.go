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

// Config is what a Renderer starts with. The zero value of each field is a safe choice.
type Config struct {
	Out        io.Writer // takes one Write a frame, whole; it does not keep the bytes
	Cols, Rows int       // the grid; 80 and 24 if 0
	Model      width.Model
	Sync       bool // DEC 2026 brackets are known to work
	Mux        bool // inside tmux or screen
	Quirks
	Strict bool // Reset never erases the saved lines
	// What a line feed scrolls off the alternate screen is gone, not in history; only a Screen
	// reads it.
	AltScroll bool
	Links     bool        // the terminal knows OSC 8, see Span.Link
	Marks     bool        // the terminal knows OSC 133: what the person said is marked, see Line.Prompt
	Trace     func(Trace) // called after each frame that wrote something; nil: no log
}

// Renderer is the ledger, the planner and the emitter of one session on one terminal. Not safe for
// concurrent use.
type Renderer struct {
	c       Config
	e       emitter
	l       ledger
	history history
	marks   marks
	costs   costs
	steps   []step
	want    []row  // the last one is spare
	stamps  uint64 // that were given to rows
	pending pending
	fresh   bool // nothing was written since the start: the column is not known
	idle    bool // released, until Restart
	resize  resize
	joins   bool // the first live row may go on from a row that a change of size has left above it
	place   place
	hidden  int
}

// New returns a Renderer that starts inline, on the row where the cursor is. Nothing is written
// before the first Render.
func New(c Config) *Renderer {
	if c.Cols <= 0 {
		c.Cols = 80
	}
	if c.Rows <= 0 {
		c.Rows = 24
	}
	r := &Renderer{c: c}
	r.e.ledger = &r.l
	r.l.cols, r.l.rows = c.Cols, c.Rows
	r.l.visible = true
	r.l.model = c.Model
	r.SetLinks(c.Links)
	r.SetQuirks(c.Quirks)
	r.Restart()
	return r
}

// SetSync says whether DEC 2026 brackets work, from the next frame on.
func (r *Renderer) SetSync(on bool) { r.c.Sync = on }

// SetLinks says whether the terminal knows OSC 8, from the next frame on.
func (r *Renderer) SetLinks(on bool) { r.e.links = on }

// SetMarks says whether the terminal knows OSC 133, from the next frame on.
func (r *Renderer) SetMarks(on bool) { r.c.Marks = on }

// SetQuirks says what is known of the terminal, from the next frame or change of size on.
func (r *Renderer) SetQuirks(q Quirks) {
	r.c.Quirks, r.l.wraps, r.e.keeps, r.e.steps = q, q.Wraps, q.Keeps, q.Steps
}

// SetModel changes the width model from the next frame on. Final rows stay as they are.
func (r *Renderer) SetModel(m width.Model) { r.c.Model, r.l.model = m, m }

// Restart begins anew, inline, where the cursor is: after a suspend or a hand-over. Rows that were
// final stay final.
func (r *Renderer) Restart() {
	r.l.start()
	r.fresh, r.idle, r.resize.on, r.resize.skip = true, false, false, 0
}

// Render shows f with at most one Write; none if the terminal shows it already. A frame that comes
// between Resize and Anchor goes by the prediction. After Release it does nothing.
func (r *Renderer) Render(f Frame) (Seam, error) {
	if r.idle {
		return r.seam(), nil
	}
	r.anchor()
	r.e.cuts = r.c.cuts(&f)
	if r.e.careful = f.Careful; f.Careful {
		r.l.era++
	}
	commit := r.audit(f)
	for {
		n, picture := upTo(commit)
		if n == len(commit) && picture == nil {
			break
		}
		part := f
		part.Live, part.Cursor = nil, nil // all rows of a picture have to be on the grid
		r.paint(part, commit[:n])
		commit = commit[n:]
		if picture == nil {
			continue
		}
		if err := r.draw(picture); err != nil {
			return r.seam(), err
		}
	}
	n := r.paint(f, commit)
	r.rest(f, n)
	if r.c.Trace != nil {
		r.trace(len(f.Commit))
	}
	s := r.seam()
	if s.Asked = f.Status && len(r.e.buf) > headroom; s.Asked {
		r.e.buf = append(r.e.buf, ansi.StatusRequest...)
	}
	return s, r.e.flush(r.c.Out, r.c.Sync)
}

// portion returns the number of rows of commit that are painted at a time: where it can be, not in
// the middle of a line. One of more rows is broken there.
func portion(commit []Line) int {
	for n := maxRows; n > 0; n-- {
		if !commit[n-1].Wrapped {
			return n
		}
	}
	return maxRows
}

// maxRows bounds the rows that are laid out at a time, and with them the memory that a large Commit
// takes.
const maxRows = 256

// paint appends commit to the final rows and shows the live rows of f below; it returns how many
// rows those take.
func (r *Renderer) paint(f Frame, commit []Line) int {
	k := len(commit)
	n := r.prepare(f, commit)
	want := r.want[:n]
	if r.fresh {
		if n == 1 && len(want[0].cells) == 0 {
			return 1 // nothing to show: the cursor stays where the shell left it
		}
		r.inlineStart()
	}
	if r.e.redraws && columns(want[:k]) > large {
		r.e.unmark()
	}
	// Without synchronized updates a reader would see what is erased and written again.
	r.costs.dl, r.costs.clears = r.c.Delete, r.c.Overtakes && r.c.Sync
	r.e.final, r.e.clear, r.e.tidies = k, r.costs.clears, r.c.Overtakes && !r.c.Sync
	r.steps = plan(&r.l, want, k, f.Careful, &r.costs, r.steps[:0])
	r.e.run(r.steps, want)
	if r.l.dirty {
		r.clearBelow()
	}
	r.l.settle(k, n)
	r.joins = r.joins && k == 0
	return n - k
}

// audit takes over the final rows of f and returns the rows that are to be shown. A frame whose
// Base lies below what was handed over is a rewind: the equal beginning is skipped, the rest is
// written again, once more below what is there (duplicate, never lose).
func (r *Renderer) audit(f Frame) []Line {
	commit := f.Commit
	for base := f.Base; base < r.history.n && len(commit) > 0; base++ {
		if !r.history.is(base, commit[0]) {
			again := r.history.n - base
			again -= r.pending.drop(again) // those have not been written yet
			r.l.residue += again
			r.l.origin -= again
			r.history.cut(base)
			break
		}
		commit = commit[1:]
	}
	for _, l := range commit {
		r.history.push(l)
	}
	if f.Overlay != nil {
		r.pending.add(commit, r.l.cols, r.c.Model)
		return nil
	}
	if len(r.pending.lines) > 0 {
		rows := r.pending.laid(r.l.cols, r.c.Model)
		r.l.origin -= len(rows) - len(r.pending.lines) // counts session rows, as they were handed over
		commit = append(rows, commit...)
		r.pending.clear()
	}
	return commit
}

// prepare lays the rows of commit and the live rows of f out into r.want and returns their number.
func (r *Renderer) prepare(f Frame, commit []Line) int {
	live := len(f.Live)
	waiting := r.pending.laid(r.l.cols, r.c.Model)
	if f.Careful && f.Overlay == nil { // shown as live rows they would be what the next size pushes out
		waiting = nil
	}
	rows := max(1, len(waiting)+live) // an empty live region is one blank row, on which the cursor rests
	if f.Overlay != nil {
		rows = max(rows, len(f.Overlay.Lines)+f.Overlay.Up)
	}
	shown := min(rows, r.l.rows)
	r.hidden = max(0, live-shown)
	k := len(commit)
	n := k + shown
	r.want = resizeRows(r.want, n+1)
	cols := r.l.cols
	if f.Careful {
		cols = carefulCols(cols)
	}
	for i := range shown { // from the bottom up: live rows, rows that wait, blank rows
		w := &r.want[n-1-i]
		switch j := live - 1 - i; {
		case j >= 0:
			line := f.Live[j]
			line.Wrapped = false
			r.lay(n-1-i, &line, cols, n-1-i)
		case len(waiting)+j >= 0:
			line := waiting[len(waiting)+j]
			line.Wrapped = false
			r.lay(n-1-i, &line, cols, n-1-i)
		default:
			w.reset()
		}
	}
	for i := range commit {
		r.lay(i, &commit[i], r.l.cols, 0)
		if m := r.marks.next(commit[i]); r.c.Marks {
			r.want[i].mark = m
		}
	}
	if f.Overlay != nil {
		r.compose(f.Overlay, r.want[:n])
	}
	soundWraps(r.want[:k], r.l.cols, r.l.rows)
	for i := range k {
		r.want[i].wrapped = r.want[i].wrapped && !f.Careful
	}
	return n
}

// lay makes row i of want from l. If that row, the spare one or one of the first near rows was made
// from the same line, its cells are taken.
func (r *Renderer) lay(i int, l *Line, cols, near int) {
	w, spare := &r.want[i], &r.want[len(r.want)-1]
	if w.made.is(l, cols, r.c.Model) {
		w.again()
		return
	}
	k := w.keeps(l.Spans, cols, r.c.Model)
	if 2*(k.first+k.last) < len(w.cells) || len(w.cells) == 0 {
		// It has not just changed a little, and may be wanted elsewhere.
		j := near - 1
		for j >= 0 && !r.want[j].made.is(l, cols, r.c.Model) {
			j--
		}
		switch {
		case spare.made.is(l, cols, r.c.Model):
			*w, *spare = *spare, *w
			w.again()
			return
		case j >= 0:
			*w, r.want[j] = r.want[j], *w
			w.again()
			return
		case len(w.cells) > 0:
			*w, *spare = *spare, *w
			k = w.keeps(l.Spans, cols, r.c.Model)
		}
	}
	w.edit(*l, k, cols, r.c.Model)
	r.stamps++
	w.stamp = r.stamps
}

// rest puts the cursor where it stays until the next frame.
func (r *Renderer) rest(f Frame, n int) {
	if r.fresh { // nothing was written and nothing is wanted: the cursor stays where the shell left it
		return
	}
	if r.c.Redraws {
		r.e.markLive()
	}
	caret, row := f.Cursor, n-len(f.Live)
	if o := f.Overlay; o != nil {
		caret, row = o.Cursor, n-o.Up-len(o.Lines)
	}
	if caret == nil {
		r.e.ink(0)
		if r.c.Lines {
			r.e.lengthen()
		}
		r.e.rest(r.home(), false)
		return
	}
	pos := Pos{Col: caret.Col, Row: min(max(row+caret.Row, 0), n-1)}
	if f.Overlay != nil {
		pos.Col += f.Overlay.Col
	}
	pos.Col = min(max(pos.Col, 0), r.l.cols-1)
	if f.Careful {
		pos.Col = min(pos.Col, len(r.l.shown[pos.Row].cells))
	}
	if r.c.Redraws {
		r.e.unmarkAbove(pos.Row)
	}
	if r.joins && pos.Row > 0 {
		r.e.ink(0) // a blank row that goes on from another is none in ghostty: rowsAbove would count it
	}
	r.e.ink(pos.Row)
	r.e.rest(pos, true)
}

// home returns where the cursor rests in a live region of n rows, if no caret is shown: on the
// first row.
func (r *Renderer) home() Pos {
	if r.c.Lines {
		return Pos{Col: r.l.behind()}
	}
	return Pos{}
}

// inlineStart goes to column 0 of an empty row whatever stands on the cursor's: an empty row costs
// blanks, a partial shell line survives above. One blank less would leave the cursor on a line of
// one character.
func (r *Renderer) inlineStart() {
	for range r.l.cols {
		r.e.buf = append(r.e.buf, ' ')
	}
	r.e.buf = append(r.e.buf, '\r')
	r.e.cur.Col = 0
	r.fresh = false
}

// clearBelow erases what a resize may have left under the live region. ED0 never starts on grid row
// 0: tmux and conhost archive the screen then.
func (r *Renderer) clearBelow() {
	last := len(r.l.shown) - 1
	w := &r.l.shown[last]
	r.e.to(last)
	r.l.dirty = false
	if r.l.b+last <= r.l.thi {
		if r.l.b+last-r.l.tlo >= r.l.rows-1 { // it may be the last grid row, too
			if last+1 < r.l.rows {
				r.e.col(0)
				r.e.lineFeed() // then a row scrolls that is not ours to lose
				r.e.eraseBelow()
				r.l.shown[last+1].reset()
			}
			return
		}
		r.e.col(0)
		r.e.setPen(Style{}, "")
		r.e.buf = ansi.AppendCUD(r.e.buf, 1)
		r.e.eraseBelow()
		r.e.buf = ansi.AppendCUU(r.e.buf, 1)
		r.l.below = 0
		return
	}
	end := len(w.cells)
	full := end >= r.l.cols || end > 0 && w.cells[w.last()].doubt // or it may reach beyond its columns
	if full {
		end = w.last() // erased, and printed again
	}
	if r.e.cur.Col < end || full || w.doubt > 0 {
		r.e.col(end)
	}
	r.e.setPen(Style{}, "")
	r.e.buf = append(r.e.buf, ansi.ED0...)
	r.l.below = 0
	if full {
		r.e.text(w, end, len(w.cells))
	}
}

func (r *Renderer) seam() Seam {
	return Seam{
		Committed: r.l.committed(),
		Live:      len(r.l.shown),
		Hidden:    r.hidden,
		Pending:   len(r.pending.lines),
		Doubt:     r.l.residue,
	}
}

// Release ends the session: rows that wait are written, then the live region is erased, or, with
// keep, left behind as text. The cursor stands in column 0 of the row after it, shown. Until
// Restart nothing more is written.
func (r *Renderer) Release(keep bool) error {
	if r.idle {
		return nil
	}
	if len(r.pending.lines) > 0 {
		if _, err := r.Render(Frame{Base: r.history.n}); err != nil {
			return err
		}
	}
	r.anchor()
	if !r.fresh {
		r.leave(keep)
	}
	if !r.l.visible {
		r.e.buf = append(r.e.buf, ansi.CursorShow...)
		r.l.visible = true
	}
	r.idle = true
	return r.e.flush(r.c.Out, r.c.Sync)
}

func (r *Renderer) leave(keep bool) {
	r.e.unmark()
	last := len(r.l.shown) - 1
	if keep {
		r.e.to(last)
		r.e.col(0)
		r.e.lineFeed()
		return
	}
	r.e.to(0)
	r.e.eraseRow(0)
	if last > 0 || r.l.dirty {
		// ED0 from the second row on: from grid row 0 it would archive the screen (tmux, GNU
		// screen).
		r.e.buf = append(r.e.buf, '\n')
		r.e.eraseBelow()
		r.e.buf = ansi.AppendCUU(r.e.buf, 1)
	}
}
