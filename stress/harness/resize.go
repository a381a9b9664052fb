package harness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/program"
)

// resizeWindow changes the size of the emulated terminal, and records what the change may do to the
// rows. The renderer is not told.
func (h *harness) resizeWindow(cols, rows int) {
	if h.cutsCursorLine() {
		h.holdCursorLine()
		// The terminal cuts the line that the cursor is on, its final rows, too, instead of
		// wrapping it anew. Until a frame moves the cursor that line stays the same.
		for _, r := range h.window.cursorLine {
			r.cutTo = min(r.cutTo, cols)
		}
	}
	h.window.moved = true
	h.window.oneColumn = h.window.oneColumn || cols == 1
	h.window.narrow = h.window.narrow || cols < 10
	if h.takesLineApart() {
		h.residue.splitLines++
	}
	if h.makesRowsOfBlanks() && cols < h.window.cols {
		h.residue.padded += (h.window.cols - 1) / cols
	}
	if cols != h.window.cols {
		h.ledger.wrapped = len(h.ledger.rows)
	}
	h.window.cols, h.window.rows = cols, rows
	h.wire.resize(cols, rows)
	h.ledger.noteWidth(cols)
	h.window.resized = true
	h.view.rows = nil
	h.term.ScrollUp(-1 << 30)
}

// holdCursorLine records the final rows in the cursor's line, unless the size has changed since the
// last frame.
func (h *harness) holdCursorLine() {
	if !h.window.moved && h.ledger.topKnown {
		h.window.cursorLine = h.finalRowsOfCursorLine()
	}
	h.window.moved = true
}

// cursorLineIsFinal reports whether the line that the cursor is on may begin with final text.
func (h *harness) cursorLineIsFinal() bool {
	t := Tape{h.term.Terminal}
	at := h.term.ScrollbackLen() + h.term.Cursor().Row
	first := t.lineStart(at)
	return first < at && (!h.ledger.topKnown || first < h.term.ScrollbackLen()+h.ledger.liveTop())
}

// finalRowsOfCursorLine returns the final rows that the terminal takes for the beginning of the
// cursor's line, or nil. They were written after the last change of the width, so that each of them
// is one row of the tape (history plus grid).
func (h *harness) finalRowsOfCursorLine() []*row {
	t := Tape{h.term.Terminal}
	top := h.term.ScrollbackLen() + h.ledger.liveTop()
	at := h.term.ScrollbackLen() + h.term.Cursor().Row
	first := t.lineStart(at)
	if first >= at {
		return nil
	}
	for end := top; end > first; end-- { // live rows that were left behind may stand below them
		// and the line may begin with such rows
		for n := min(end-first, len(h.ledger.rows)-h.ledger.wrapped); n > 0; n-- {
			if rows := h.ledger.rows[len(h.ledger.rows)-n:]; t.hasRows(end-n, rows) {
				return rows
			}
		}
	}
	return nil
}

// tellSize tells the renderer the current size of the window.
func (h *harness) tellSize() {
	h.window.toldSize = [2]int{h.window.cols, h.window.rows}
	h.renderer.Resize(h.window.cols, h.window.rows)
}

// doResize changes the window's size as o says, with detours and races on the way, and tells the
// renderer. It leaves the change out where the terminal is known to lose text that no renderer can
// save.
func (h *harness) doResize(o program.Op) error {
	if h.session.unwritten {
		return nil // nothing was shown yet; Restart is for that
	}
	few := h.linesAreFew(o.Rows)
	if few && !h.columnTells() {
		h.window.detours = nil
		return nil
	}
	how := h.possibleReport(o.How % program.Reports)
	fits := h.mustFit(how, o.Cols, o.Rows)
	if few && h.padsWide() {
		fits = false // where the text of the first live row ends is not known
	}
	extra := h.residue.found
	if h.cutsRows() {
		extra = h.residue.mostFound
	}
	switch o.Kind {
	case program.Race:
		if err := h.raceCareful(o); err != nil {
			return err
		}
		fits = false
	case program.InFlight:
		if h.mayTearLines() {
			return nil
		}
		if err := h.raceOrdinary(o); err != nil {
			return err
		}
		return h.settleSize(how, nil, false, extra)
	}
	if len(h.window.detours) > 0 {
		fit, err := h.takeDetours()
		if err != nil {
			return err
		}
		fits = fits && fit
		h.stayIfDrifted(&o)
		if h.window.toldSize != [2]int{o.Cols, o.Rows} { // else there is but one piece of news, that of the old size
			h.tellSize()
		}
	} else if o.Cols == h.window.cols && o.Rows == h.window.rows {
		return nil
	}
	var old []report
	if how == program.Stale && (o.Cols+1 != h.window.cols || o.Rows != h.window.rows) {
		h.resizeWindow(o.Cols+1, o.Rows)
		h.tellSize()
		var err error
		if old, err = h.askCursor(); err != nil {
			return err
		}
		h.stayIfDrifted(&o)
	}
	h.resizeWindow(o.Cols, o.Rows)
	return h.settleSize(how, old, fits, extra)
}

// linesAreFew reports whether a terminal that may tear lines (see mayTearLines) shows too few lines
// for a change to the given height. Only if lines fill the grid and as many rows of history, the
// renderer can tell where the live region ends (see textRow in package renderer).
func (h *harness) linesAreFew(rows int) bool {
	n := 2 * max(h.window.rows, rows)
	return h.mayTearLines() && (len(h.ledger.handed) < h.session.resumed+n || h.ledger.lineEnds() < n)
}

// possibleReport returns how, a kind of answer to the request for the cursor position, or
// [program.Answered] if this terminal makes that kind impossible. It also drops detours that the
// terminal does not allow.
func (h *harness) possibleReport(how int) int {
	if h.mayTearLines() {
		// a lower window may have taken live rows away below the cursor where that was on final
		// text
		h.window.detours = nil
		if how == program.Mute || how == program.Hasty || how == program.Late {
			how = program.Answered // without a report there is no cursor to count from
		}
	}
	if h.cutsEndOfCursorLine() {
		h.window.detours = nil
		if how == program.Stale {
			how = program.Answered
		}
	}
	return how
}

// takeDetours changes the window to the size of each detour, and tells the renderer some of these
// sizes. fit reports whether the live rows certainly fit all of them.
func (h *harness) takeDetours() (fit bool, err error) {
	fit = true
	for _, v := range h.window.detours {
		fit = fit && h.fitsWithoutReflow(v.Cols, v.Rows)
		if h.window.moved && h.cursorDrifted() {
			break
		}
		h.resizeWindow(v.Cols, v.Rows)
		switch v.How % 3 {
		case 0:
			if v.Cols == 1 || h.keepsRowsFromEnd() && v.Rows < h.seam.Live {
				// the terminal joins lines then, or takes the cursor off its text: nobody can make
				// up for what was never heard of
				h.tellSize()
			}
			h.residue.unheard += h.seam.Live // the terminal may have pushed each, and nobody can count them
		case 1:
			h.tellSize()
		case 2:
			h.tellSize()
			if _, err := h.askCursor(); err != nil {
				return false, err
			}
		}
	}
	at, _ := h.cursorPlace()
	// how many live rows stand above the cursor is known after one change only
	return fit && at.Row == 0, nil
}

// stayIfDrifted replaces the size in o by the current one if the terminal would cut final text at
// the next size.
func (h *harness) stayIfDrifted(o *program.Op) {
	if h.cursorDrifted() {
		o.Cols, o.Rows = h.window.cols, h.window.rows
	}
}

// cursorOnFinalText reports whether the terminal has moved the cursor into the line of the last
// final row.
func (h *harness) cursorOnFinalText() bool {
	t := Tape{h.term.Terminal}
	i := t.lineStart(h.term.ScrollbackLen() + h.term.Cursor().Row)
	line := t.RowAt(i).Text()
	for end := t.Len() - 1; i < end && t.RowAt(i).Wrapped(); {
		i++
		line += t.RowAt(i).Text()
	}
	n := len(h.ledger.rows)
	return n > 0 && strings.Contains(line, h.ledger.rows[n-1].text)
}

// columnTells reports whether the cursor stands behind the text of the first live row. Then its
// column shows, after a resize, whether it is still there.
func (h *harness) columnTells() bool {
	_, show := h.cursorPlace()
	return !show && h.term.Cursor().Col > 0
}

// settleSize tells the renderer the final size of the window. Then it passes the terminal's cursor
// report to the renderer, or a wrong one, or none, as how says. old holds reports from before the
// change, which must be refused.
//
// If fits is true, the live rows fit the new size, and no copy of one may be left above. extra is
// the number of unexpected rows before the change.
func (h *harness) settleSize(how int, old []report, fits bool, extra int) error {
	h.tellSize()
	if h.window.untold {
		h.renderer.Overtaken()
		h.window.untold = false
	}
	h.ledger.rebase()
	h.history.scrolls, h.history.untilFullCheck = -1, 0
	if h.acceptAny(old) {
		return fmt.Errorf("the report %+v of an older size was accepted before a new request", old)
	}
	if how == program.Hasty {
		return nil
	}
	r, err := h.askCursor()
	if err != nil {
		return err
	}
	tagged := h.window.cols >= 20
	switch how {
	case program.Mute, program.Late:
		h.renderer.Predict()
	case program.Stale:
		// By chance a report from a cursor that has left its text names the column of the new tag.
		chance := slices.ContainsFunc(old, func(o report) bool { return o.col == r[len(r)-1].col })
		if tagged && len(old) > 0 && !chance && h.acceptAny(old) {
			return fmt.Errorf("the report %+v of an older size was accepted", old)
		}
	case program.Wrong:
		for _, col := range []int{0, 1, 4, 15} { // F3 with modifiers looks like a report of column 2 to 16
			if tagged && h.renderer.Anchor(col, 0) {
				return fmt.Errorf("a report of column %d was accepted", col)
			}
		}
	}
	if how == program.Late {
		if err := h.showFrame(); err != nil {
			return err
		}
		if h.acceptAny(r) {
			return fmt.Errorf("the report %+v was accepted after the program had gone on", r)
		}
		return nil
	}
	if how != program.Mute && !h.acceptAny(r) {
		return fmt.Errorf("the report %+v was refused", r)
	}
	if fits {
		if err := h.showFrame(); err != nil {
			return err
		}
		// older residue may be taken apart by the terminal, or come back into sight
		if h.residue.found > extra && extra == 0 {
			return fmt.Errorf("%d live rows were left behind though the terminal had room for them\n%s",
				h.residue.found-extra, h.dump())
		}
	}
	return nil
}
