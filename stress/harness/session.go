package harness

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// startSession creates a new renderer on the terminal, whatever that shows, and a ledger without
// counts for it.
func (h *harness) startSession() {
	h.config.Cols, h.config.Rows = h.window.cols, h.window.rows
	if h.renderer = renderer.New(h.config); h.spoil != nil {
		h.renderer = h.spoil(h.renderer)
	}
	h.ledger.endSession()
	h.next.base = 0
	h.noteStart()
	h.ledger.origin = 0
}

// noteStart records the position of the cursor and the length of history at the moment when a
// renderer begins or resumes.
func (h *harness) noteStart() {
	h.session.unwritten = true
	h.window.toldSize = [2]int{h.window.cols, h.window.rows}
	h.session.begin = h.term.Cursor()
	h.countHistory()
	h.ledger.start(h.session.begin.Row)
	h.history.untilFullCheck = 0
}

// printForeign sends text to the terminal as the output of another program.
func (h *harness) printForeign(text string) {
	h.wire.send([]byte(text))
}

// printShell sends n rows of text to the terminal, as a shell's commands print them, and adds them
// to the ledger of expected rows. If partial is true, a prompt without a line end follows.
func (h *harness) printShell(seed uint32, n int, partial bool) {
	put := func(text string) {
		h.printForeign(text)
		r := h.newRow(renderer.Line{Spans: []renderer.Span{{Text: text}}})
		h.ledger.addForeign(r)
	}
	if h.term.Cursor().Col > 0 {
		h.printForeign("\r\n")
	}
	for i := range n {
		text := fmt.Sprintf("sh%d.%d", seed, i)
		put(text[:min(len(text), h.window.cols)])
		h.printForeign("\r\n")
	}
	if partial && h.window.cols > 4 {
		put("$ ")
		h.ledger.rows[len(h.ledger.rows)-1].wrapUnsure = true
	}
}

// releaseSession ends the renderer's session and checks the rows and the cursor that it leaves
// behind. If keep is true, the live rows must remain on the screen.
func (h *harness) releaseSession(keep bool) error {
	if err := h.catchUp(); err != nil {
		return err
	}
	if h.shown.overlay != nil || h.next.base < len(h.ledger.handed) || len(h.next.commit) > 0 ||
		len(h.ledger.waiting) > 0 {
		h.next.overlay, h.next.careful = nil, false
		if err := h.showFrame(); err != nil {
			return err
		}
	}
	top := h.ledger.liveTop()
	if err := h.renderer.Release(keep); err != nil {
		return err
	}
	if h.wire.firstFault != nil {
		return h.wire.firstFault
	}
	c := h.term.Cursor()
	if h.session.unwritten {
		if c != h.session.begin {
			return fmt.Errorf("the cursor went from %+v to %+v though nothing was shown", h.session.begin, c)
		}
		return nil
	}
	n := 0
	if keep {
		n = h.seam.Live
		lines := h.liveRows()
		h.ledger.addForeign(lines...)
	}
	if c.Col != 0 || c.PendingWrap || !c.Visible || c.Row != min(top+n, h.window.rows-1) {
		return fmt.Errorf("after Release(%v) the cursor is at %+v, want row %d", keep, c, min(top+n, h.window.rows-1))
	}
	for y := c.Row; y < h.window.rows; y++ {
		if h.term.Row(y).Used() > 0 && h.term.Row(y).Text() != "" {
			return fmt.Errorf("after Release(%v) grid row %d reads %q", keep, y, h.term.Row(y).Text())
		}
	}
	return h.checkTape(h.term.ScrollbackLen()+c.Row, nil, true)
}

// suspendSession releases the session, lets a shell write, and then resumes the session or starts
// another one.
func (h *harness) suspendSession(o program.Op) error {
	h.view.rows = nil
	h.term.ScrollUp(-1 << 30)
	keep := o.How%2 == 1 && h.next.overlay == nil
	if err := h.releaseSession(keep); err != nil {
		return err
	}
	h.printShell(o.Seed, clamp(o.N, 3*h.window.rows), o.At%2 == 1 && h.session.noResize)
	h.session.resumed = len(h.ledger.handed)
	if o.Kind == program.Session {
		h.startSession()
		h.session.resumed = 0
		return nil
	}
	if o.Cols > 0 && o.Rows > 0 && !h.mayTearLines() && !h.cutsWithoutHistory() {
		h.resizeWindow(o.Cols, o.Rows)
		h.tellSize()
	}
	h.renderer.Restart()
	h.noteStart()
	return nil
}

// runPager prints some rows on the alternate screen and leaves it again, as a pager does that the
// program has started.
func (h *harness) runPager(o program.Op) {
	if !h.hasOwnScreen() {
		return
	}
	h.residue.savedCursor = true
	h.printForeign("\x1b[?1049h\x1b[H")
	for i := range clamp(o.N, 3*h.window.rows) {
		h.printForeign(fmt.Sprintf("pager %d\r\n", i))
	}
	h.printForeign("\x1b[?1049l")
}
