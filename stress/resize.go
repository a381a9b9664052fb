package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// sized changes the window.
func (w *world) sized(cols, rows int) {
	if w.profile.Differs.Reflow == profile.RewrapButCursor {
		w.holdCursorLine()
		// The terminal cuts the line that the cursor is on, its final rows, too, instead of
		// wrapping it anew. Until a frame moves the cursor that line stays the same.
		for _, r := range w.cursorLine {
			r.cutTo = min(r.cutTo, cols)
		}
	}
	w.moved, w.single, w.narrow = true, w.single || cols == 1, w.narrow || cols < 10
	if l := w.profile.Differs.Layout; l == profile.LayoutApart ||
		l == profile.LayoutFromEnd && w.cursorLineIsFinal() {
		w.apart++
	}
	if p := w.profile.Differs; p.Layout.In(profile.LayoutByEnds, profile.LayoutTopLine) && cols < w.cols {
		w.padded += (w.cols - 1) / cols
	}
	if cols != w.cols {
		w.l.wrapped = len(w.l.rows)
	}
	w.cols, w.rows = cols, rows
	w.wire.size(cols, rows)
	w.l.resized(cols)
	w.resized = true
	w.view = nil
	w.term.ScrollUp(-1 << 30)
}

// holdCursorLine notes the line that the cursor is on, if nothing has changed since the last frame.
func (w *world) holdCursorLine() {
	if !w.moved && w.l.known {
		w.cursorLine = w.finalRowsOfCursorLine()
	}
	w.moved = true
}

// cursorLineIsFinal reports whether the line that the cursor is on may begin with final text. GNU
// screen cuts off the end of a line that does not fit the window, the cursor's row with it, and the
// cursor is on final text then: of that it drops what comes next when the size changes again,
// before anybody could say where the cursor belongs.
func (w *world) cursorLineIsFinal() bool {
	t := tape{w.term.Terminal}
	at := w.term.ScrollbackLen() + w.term.Cursor().Row
	first := t.begins(at)
	return first < at && (!w.l.known || first < w.term.ScrollbackLen()+w.l.b-w.l.t)
}

// finalRowsOfCursorLine are the final rows that the terminal takes for the beginning of the line
// that the cursor is on. They have been written since the last change of the width, so that each is
// one row of the tape.
func (w *world) finalRowsOfCursorLine() []*row {
	t := tape{w.term.Terminal}
	top := w.term.ScrollbackLen() + w.l.b - w.l.t
	at := w.term.ScrollbackLen() + w.term.Cursor().Row
	first := t.begins(at)
	if first >= at {
		return nil
	}
	for end := top; end > first; end-- { // live rows that were left behind may stand below them
		for n := min(end-first, len(w.l.rows)-w.l.wrapped); n > 0; n-- { // and the line may begin with such rows
			if rows := w.l.rows[len(w.l.rows)-n:]; t.holds(end-n, rows) {
				return rows
			}
		}
	}
	return nil
}

// tell lets the renderer know.
func (w *world) tell() {
	w.told = [2]int{w.cols, w.rows}
	w.r.Resize(w.cols, w.rows)
}

// report is a cursor report, 0-based.
type report struct{ col, row int }

// answer gives the renderer what the terminal has answered, up to the report that it accepts.
func (w *world) answer(all []report) bool {
	for _, r := range all {
		if w.r.Anchor(r.col, r.row) {
			return true
		}
	}
	return false
}

// ask lets the renderer ask for the cursor and takes the terminal's answer: one report, and where
// the cursor's column says something, one from there before it.
func (w *world) ask() ([]report, error) {
	w.term.TakeReplies()
	w.wire.ask = true
	err := w.r.Ask()
	w.wire.ask = false
	if err != nil {
		return nil, err
	}
	if w.wire.bad != nil {
		return nil, w.wire.bad
	}
	var got reportHandler
	var p ansi.Parser
	p.Parse(w.term.TakeReplies(), &got)
	if n := len(got.all); n == 0 || n > 2 || n == 2 && !w.config.Lines {
		return nil, errNoReport
	}
	return got.all, nil
}

type reportHandler struct {
	ansi.NopHandler
	all []report
}

func (h *reportHandler) CSI(s *ansi.Sequence) {
	if s.Final == 'R' && len(s.Params) == 2 && len(s.Intermediates) == 0 {
		h.all = append(h.all, report{int(s.Params[1]) - 1, int(s.Params[0]) - 1})
	}
}

// resize is a window that changes, and what the program hears of it.
func (w *world) resize(o program.Op) error {
	if w.fresh {
		return nil // nothing was shown yet; Restart is for that
	}
	n := 2 * max(w.rows, o.Rows)
	few := w.tears() && (len(w.l.handed) < w.resumed+n || w.l.ends() < n)
	if few && !w.tells() {
		w.via = nil
		// only where lines fill the grid, and its history, it is known where the live region ends:
		// see sunk in package renderer
		return nil
	}
	how := o.How % program.Reports
	if w.tears() {
		w.via = nil // a lower window may have taken live rows away below the cursor where that was on final text
		if how == program.Mute || how == program.Hasty || how == program.Late {
			how = program.Answered // without a report there is no cursor to count from
		}
	}
	if w.profile.Differs.Layout == profile.LayoutFromEnd && w.cursorLineIsFinal() {
		w.via = nil
		if how == program.Stale {
			how = program.Answered
		}
	}
	fits := how == program.Answered && w.fitsWithoutReflow(o.Cols, o.Rows) && !(w.l.suspect && w.l.b == 0)
	if few && w.profile.Differs.ReflowPads {
		fits = false // where the text of the first live row ends is not known
	}
	extra := w.extra
	if w.profile.Differs.Reflow == profile.Cut {
		extra = w.most
	}
	if o.Kind == program.Race {
		if err := w.race(o); err != nil {
			return err
		}
		fits = false
	}
	if o.Kind == program.InFlight {
		if w.tears() {
			return nil
		}
		if err := w.inFlight(o); err != nil {
			return err
		}
		return w.settle(how, nil, false, extra)
	}
	if len(w.via) > 0 {
		for _, v := range w.via {
			fits = fits && w.fitsWithoutReflow(v.Cols, v.Rows)
			if w.moved && w.profile.Differs.ReflowDrifts && w.onFinalText() {
				break // as below
			}
			w.sized(v.Cols, v.Rows)
			switch v.How % 3 {
			case 0:
				if v.Cols == 1 || w.profile.Differs.Layout == profile.LayoutFromEnd && v.Rows < w.seam.Live {
					// the terminal joins lines then, or takes the cursor off its text: nobody can
					// make up for what was never heard of
					w.tell()
				}
				w.unheard += w.seam.Live // of which the terminal may have pushed each, and nobody can count them
			case 1:
				w.tell()
			case 2:
				w.tell()
				if _, err := w.ask(); err != nil {
					return err
				}
			}
		}
		if at, _ := w.rest(); at.Row > 0 {
			fits = false // how many live rows stand above the cursor is known after one change only
		}
		if w.profile.Differs.ReflowDrifts && w.onFinalText() {
			o.Cols, o.Rows = w.cols, w.rows // xterm.js cuts the line that its cursor is on
		}
		if w.told != [2]int{o.Cols, o.Rows} { // else there is but one piece of news, that of the old size
			w.tell()
		}
	} else if o.Cols == w.cols && o.Rows == w.rows {
		return nil
	}
	var old []report
	if how == program.Stale && (o.Cols+1 != w.cols || o.Rows != w.rows) {
		w.sized(o.Cols+1, o.Rows)
		w.tell()
		var err error
		if old, err = w.ask(); err != nil {
			return err
		}
		if w.profile.Differs.ReflowDrifts && w.onFinalText() {
			o.Cols, o.Rows = w.cols, w.rows
		}
	}
	w.sized(o.Cols, o.Rows)
	return w.settle(how, old, fits, extra)
}

// onFinalText reports whether the cursor has come onto final text.
func (w *world) onFinalText() bool {
	t := tape{w.term.Terminal}
	i := t.begins(w.term.ScrollbackLen() + w.term.Cursor().Row)
	line := t.row(i).Text()
	for end := t.rows() - 1; i < end && t.row(i).Wrapped(); {
		i++
		line += t.row(i).Text()
	}
	n := len(w.l.rows)
	return n > 0 && strings.Contains(line, w.l.rows[n-1].text)
}

// tells reports whether the cursor rests behind the text of the first live row, so that its column
// says after a resize whether it is still there.
func (w *world) tells() bool {
	_, show := w.rest()
	return !show && w.term.Cursor().Col > 0
}

// settle tells the renderer the size that the window has kept, and gives it the cursor report or
// not. old are the reports of a size before it. If the live rows
// fit the size, none may be left behind; extra rows were when the window was changed.
func (w *world) settle(how int, old []report, fits bool, extra int) error {
	w.tell()
	if w.untold {
		w.r.Overtaken()
		w.untold = false
	}
	w.l.rebase()
	w.scrolls, w.full = -1, 0
	if w.answer(old) {
		return fmt.Errorf("the report %+v of an older size was accepted before a new request", old)
	}
	if how == program.Hasty {
		return nil
	}
	r, err := w.ask()
	if err != nil {
		return err
	}
	tagged := w.cols >= 20
	switch how {
	case program.Mute, program.Late:
		w.r.Predict()
	case program.Stale:
		// By chance a report from a cursor that has left its text names the column of the new tag.
		chance := slices.ContainsFunc(old, func(o report) bool { return o.col == r[len(r)-1].col })
		if tagged && len(old) > 0 && !chance && w.answer(old) {
			return fmt.Errorf("the report %+v of an older size was accepted", old)
		}
	case program.Wrong:
		for _, col := range []int{0, 1, 4, 15} { // F3 with modifiers looks like a report of column 2 to 16
			if tagged && w.r.Anchor(col, 0) {
				return fmt.Errorf("a report of column %d was accepted", col)
			}
		}
	}
	if how == program.Late {
		if err := w.frame(); err != nil {
			return err
		}
		if w.answer(r) {
			return fmt.Errorf("the report %+v was accepted after the program had gone on", r)
		}
		return nil
	}
	if how != program.Mute && !w.answer(r) {
		return fmt.Errorf("the report %+v was refused", r)
	}
	if fits {
		if err := w.frame(); err != nil {
			return err
		}
		if w.extra > extra && extra == 0 { // older residue may be taken apart by the terminal, or come back into sight
			return fmt.Errorf("%d live rows were left behind though the terminal had room for them\n%s", w.extra-extra,
				w.show())
		}
	}
	return nil
}

// tears reports whether tmux may tear a line at the next width and take the cursor away from its
// text: until the news of it has come, any program writes over other text then.
func (w *world) tears() bool {
	if !w.profile.Differs.ReflowTears {
		return false
	}
	rows := slices.Concat(w.l.rows, w.l.waiting)
	for _, l := range w.shown.live {
		rows = append(rows, newRow(l, 1<<20, w.model))
	}
	w.wide = w.wide || slices.ContainsFunc(rows, func(r *row) bool {
		return slices.ContainsFunc(r.cells, func(g glyph) bool { return g.text == "" })
	})
	return w.wide
}

// race sends a careful frame of final rows into a window whose change has not been heard of, be it
// the first one or one that comes right after another: one short row, or one line that each width
// breaks elsewhere. Live rows that are small enough for both sizes must survive.
func (w *world) race(o program.Op) error {
	if o.Cols == 1 || w.tears() || len(w.commit) > 0 || w.base < len(w.l.handed) ||
		!w.fitsWithoutReflow(min(o.Cols, w.cols), min(o.Rows, w.rows)-1) {
		return nil
	}
	if o.At%2 == 1 {
		if cols, rows := w.cols+1+int(o.Seed%7), w.rows+int(o.Seed%3); w.fitsWithoutReflow(cols, rows) {
			w.sized(cols, rows)
			w.tell()
			w.l.rebase()
			w.scrolls, w.full = -1, 0
			r, err := w.ask()
			if err != nil {
				return err
			}
			if !w.answer(r) {
				return fmt.Errorf("the report %+v was refused", r)
			}
		}
	}
	block := program.NewBlock(o.Seed, 0, program.Short, min(o.Cols, w.cols), w.model)
	if o.N > 0 {
		block = program.NewParagraph(o.Seed, bound(o.N, 8), w.cols, o.At/2%2 == 1, w.model)
	}
	lines := block.Layout(w.cols, w.model)
	if o.N <= 0 && len(newRow(lines[0], w.cols, w.model).cells) >= o.Cols {
		return nil
	}
	if slices.ContainsFunc(lines, func(l renderer.Line) bool { return newRow(l, w.cols, w.model).holds() }) {
		return nil // nobody knows where the terminal breaks it
	}
	n := len(w.l.rows)
	w.wire.size(o.Cols, o.Rows)
	w.l.commit(w.base, lines, false, true, w.cols, w.rows, w.model)
	printed := slices.Clone(w.l.rows[n:])
	w.l.rows = w.l.rows[:n]
	for _, r := range printed { // each is printed in one go, and the terminal breaks it
		for _, piece := range rewrapped([]*row{r}, o.Cols, w.model) {
			piece.continuesResidue = len(w.l.rows) == w.l.epoch
			w.l.rows = append(w.l.rows, piece)
		}
	}
	s, err := w.r.Render(renderer.Frame{Base: w.base, Commit: lines, Live: w.shown.live, Careful: true,
		Cursor: w.shown.caret})
	w.base = len(w.l.handed)
	w.seam.Live, w.seam.Pending = s.Live, s.Pending
	return err
}
