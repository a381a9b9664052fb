package harness

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// raceOrdinary changes the window's size while an ordinary frame is on its way: the terminal has
// taken a part of the frame, or nothing, when it gets the new size, and takes the remaining bytes
// afterwards. From then on all final rows so far are only looked for as text, see checkPieces.
func (h *harness) raceOrdinary(o program.Op) error {
	cols := h.window.cols
	window := h.liveRows()
	h.shown = h.nextFrame()
	h.hangPictures()
	h.wire.stall = true
	s, err := h.renderer.Render(renderer.Frame{Base: h.next.base, Commit: h.next.commit, Live: h.shown.live,
		Careful: h.next.careful, Cursor: h.shown.caret, Overlay: h.next.overlay})
	if err != nil {
		return err
	}
	p, before := h.wire.takeHeld(), 0
	if o.At == 1 && !h.cursorLeavesBlankRow() {
		before = o.N % (len(p) + 1)
	}
	h.wire.send(p[:before])
	for ; before < len(p) && before > 0 && (h.term.Cursor().Col > 0 ||
		h.term.Row(h.term.Cursor().Row).Text() != ""); before++ {
		h.wire.send(p[before : before+1]) // a cursor between texts is not kept there by all terminals (ghostty)
	}
	n := len(h.ledger.rows)
	h.seam = s
	h.bookCommit()
	h.resizeWindow(o.Cols, o.Rows)
	h.wire.send(p[before:])
	for _, r := range h.ledger.rows[n:] {
		// behind a cluster in doubt the cursor is put into a column, which is another one there
		r.mayBeTorn = r.holdsDoubt() && !h.next.careful
	}
	for _, r := range window {
		h.residue.stale += h.maxHeight(r, cols)
	}
	for i := range s.Live {
		if j := len(h.shown.live) - s.Live + i; j < 0 || h.next.overlay != nil {
			h.residue.stale += h.maxHeight(nil, cols)
		} else {
			h.residue.stale += h.maxHeight(newRow(h.shown.live[j], cols, h.model), cols)
		}
	}
	for i, r := range h.ledger.rows {
		// Which of the pieces of such a row the terminal has cut cannot be told.
		if r.mayBeTorn || i >= n && h.cutsRows() {
			h.residue.stale += h.maxHeight(r, cols)
		}
	}
	h.next.commit, h.next.base = nil, len(h.ledger.handed)
	h.residue.raced, h.window.untold = true, true
	return h.wire.firstFault
}

// raceCareful sends a careful frame with final rows into a window whose latest change of size the
// renderer does not know yet. The change is the first one, or follows another one at once. The
// final rows are one short row, or one line that each width breaks at another place. Live rows that
// are small enough for both sizes must survive.
func (h *harness) raceCareful(o program.Op) error {
	if o.Cols == 1 || h.mayTearLines() || len(h.next.commit) > 0 || h.next.base < len(h.ledger.handed) ||
		!h.fitsWithoutReflow(min(o.Cols, h.window.cols), min(o.Rows, h.window.rows)-1) {
		return nil
	}
	if o.At%2 == 1 {
		if cols, rows := h.window.cols+1+int(o.Seed%7), h.window.rows+int(o.Seed%3); h.fitsWithoutReflow(cols, rows) {
			h.resizeWindow(cols, rows)
			h.tellSize()
			h.ledger.rebase()
			h.history.scrolls, h.history.untilFullCheck = -1, 0
			r, err := h.askCursor()
			if err != nil {
				return err
			}
			if !h.acceptAny(r) {
				return fmt.Errorf("the report %+v was refused", r)
			}
		}
	}
	block := program.NewBlock(o.Seed, 0, program.Short, min(o.Cols, h.window.cols), h.model)
	if o.N > 0 {
		block = program.NewParagraph(o.Seed, clamp(o.N, 8), h.window.cols, o.At/2%2 == 1, h.model)
	}
	lines := block.Layout(h.window.cols, h.model)
	if o.N <= 0 && len(h.newRow(lines[0]).cells) >= o.Cols {
		return nil
	}
	if slices.ContainsFunc(lines, func(l renderer.Line) bool { return h.newRow(l).holdsDoubt() }) {
		return nil // nobody knows where the terminal breaks it
	}
	n := len(h.ledger.rows)
	h.wire.resize(o.Cols, o.Rows)
	h.ledger.commit(h.next.base, lines, false, true, h.window.cols, h.window.rows, h.model)
	printed := slices.Clone(h.ledger.rows[n:])
	h.ledger.rows = h.ledger.rows[:n]
	for _, r := range printed { // each is printed in one go, and the terminal breaks it
		for _, piece := range rewrapRows([]*row{r}, o.Cols, h.model) {
			piece.continuesResidue = len(h.ledger.rows) == h.ledger.epoch
			h.ledger.rows = append(h.ledger.rows, piece)
		}
	}
	s, err := h.renderer.Render(renderer.Frame{Base: h.next.base, Commit: lines, Live: h.shown.live, Careful: true,
		Cursor: h.shown.caret})
	h.next.base = len(h.ledger.handed)
	h.seam.Live, h.seam.Pending = s.Live, s.Pending
	return err
}
