package harness

import (
	"errors"
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// checkFrame compares the emulated terminal and the renderer's Seam with the ledger of expected
// rows after the renderer has shown a frame. wroteBytes says whether the renderer wrote any bytes
// for that frame.
func (h *harness) checkFrame(wroteBytes bool) error {
	if h.session.unwritten {
		if !wroteBytes {
			if h.ledger.finals > 0 || h.shown.overlay == nil &&
				(min(len(h.shown.live), h.window.rows) > 1 || len(h.shown.live) > 0 &&
					!newRow(h.shown.live[len(h.shown.live)-1], h.liveCols(), h.model).blank()) {
				return errors.New("the first frame was not shown")
			}
			return nil
		}
		h.session.unwritten = false
		if h.session.begin.Col > 0 && h.window.cols > 1 { // a partial line is kept above
			top := min(h.session.begin.Row+1, h.window.rows-1)
			h.history.scrolls += h.session.begin.Row + 1 - top
			h.ledger.top, h.ledger.maxTop = -top, -top
		}
	}
	if err := h.checkSeam(); err != nil {
		return err
	}
	return h.checkTerminal()
}

// checkSeam computes how many rows the last frame must have pushed into history, and updates the
// ledger. Then it compares the counts in the renderer's Seam with the ledger of expected rows.
func (h *harness) checkSeam() error {
	l := &h.ledger
	live := len(h.shown.live)
	if h.shown.overlay != nil {
		need := min(h.window.rows, len(h.shown.overlay.Lines)+h.shown.overlay.Up)
		if h.seam.Live < need {
			return fmt.Errorf("Seam.Live is %d with an overlay that needs %d rows", h.seam.Live, need)
		}
	}
	if l.topKnown {
		hidden := h.seam.Hidden
		if h.shown.overlay != nil {
			hidden = 0
		}
		h.history.scrolls += l.advance(h.seam.Live, hidden, h.window.rows)
	}
	h.separateLastRow()
	return l.checkSeam(h.seam, live, h.window.rows, h.shown.overlay != nil)
}

// separateLastRow marks the last final row as one whose soft wrap is not checked, if that row went
// into history before the next row was on the screen or had any text. The terminal cannot join the
// two rows any more.
func (h *harness) separateLastRow() {
	n := len(h.ledger.rows)
	if n == 0 || h.ledger.top != h.ledger.finals {
		return
	}
	if !h.allShown() || h.liveRows()[0].blank() {
		h.ledger.rows[n-1].wrapUnsure = true
	}
}

// checkTerminal compares the modes, the cursor, the number of rows in history and the text of the
// emulated terminal with the ledger of expected rows. It does nothing while the terminal still has
// to read some of the renderer's bytes.
func (h *harness) checkTerminal() error {
	if h.wire.stall || h.session.unwritten {
		return nil
	}
	if err := h.checkModes(); err != nil {
		return err
	}
	c := h.term.Cursor()
	at, show := h.cursorPlace()
	if h.shown.careful { // the row may be shown in part, and the caret stays within it
		if rows := h.liveRows(); rows[at.Row] != nil && !rows[at.Row].foreign {
			at.Col = min(at.Col, len(rows[at.Row].cells))
		} else {
			at.Col = min(at.Col, c.Col)
		}
	}
	if !show && h.config.CountsLines && h.blankFrom(c.Col, c.Row) {
		at.Col = c.Col // the end of its row, as the terminal measures it
	}
	if c.Visible != show || c.Col != at.Col {
		return fmt.Errorf("the cursor is in column %d, visible %v; want %d, %v", c.Col, c.Visible, at.Col, show)
	}
	if !h.ledger.topKnown {
		top := c.Row - at.Row
		if h.ledger.topUnsure && top+h.seam.Live > h.window.rows {
			return nil // below a row that the terminal has wrapped, blank ones have no room yet and need none
		}
		if top < 0 || top+h.seam.Live > h.window.rows {
			return fmt.Errorf("the cursor is on grid row %d, row %d of a live region of %d, on %d", c.Row, at.Row,
				h.seam.Live, h.window.rows)
		}
		h.ledger.setLiveTop(top)
		h.separateLastRow()
		h.countHistory()
	}
	top := h.ledger.liveTop()
	if c.Row != top+at.Row {
		return fmt.Errorf("the cursor is on grid row %d, want %d; the live region begins on %d", c.Row, top+at.Row, top)
	}
	if h.history.scrolls >= 0 {
		if n := h.term.Scrolled() - h.history.counted; n != h.history.scrolls {
			return fmt.Errorf("%d rows went to the history, want %d (T is %d, B %d)", n, h.history.scrolls,
				h.ledger.top, h.ledger.finals)
		}
	}
	h.countHistory()
	if err := h.checkView(); err != nil {
		return err
	}
	window := h.liveRows()
	whole := h.history.untilFullCheck <= 0
	if h.history.untilFullCheck--; whole {
		h.history.untilFullCheck = 16
	}
	return h.checkTape(h.term.ScrollbackLen()+top, window, whole)
}

// checkModes returns an error if a frame has left synchronized output (DEC 2026) on, autowrap off,
// a style set, or a wrap pending.
func (h *harness) checkModes() error {
	switch {
	case h.term.Mode(2026, true):
		return errors.New("DEC 2026 is on between frames")
	case !h.term.Mode(7, true):
		return errors.New("autowrap is off between frames")
	case h.term.Pen() != (vt.Style{}):
		return fmt.Errorf("the pen is %+v between frames", h.term.Pen())
	case h.term.Cursor().PendingWrap:
		return errors.New("the cursor rests on a pending wrap")
	}
	return nil
}

// countHistory stores the number of rows that have gone into history so far. The next check counts
// new ones from there.
func (h *harness) countHistory() { h.history.counted, h.history.scrolls = h.term.Scrolled(), 0 }

// checkRepaint lets a new renderer show the current frame in an empty terminal, and returns an
// error if the live region there differs from the one in the terminal under test.
func (h *harness) checkRepaint() error {
	if h.session.unwritten || h.shown.overlay != nil || len(h.ledger.waiting) > 0 {
		return nil
	}
	other := h.profile.New(h.window.cols, h.window.rows, 0)
	c := h.config
	c.Out, c.Cols, c.Rows = other, h.window.cols, h.window.rows
	r := renderer.New(c)
	final := slices.Clone(h.ledger.handed[max(0, len(h.ledger.handed)-h.window.rows):])
	for i := range final {
		final[i].Picture = nil // it would be drawn here, too
	}
	s, err := r.Render(renderer.Frame{Commit: final, Live: h.shown.live, Careful: h.shown.careful,
		Cursor: h.shown.caret})
	if err != nil || s.Live != h.seam.Live {
		return fmt.Errorf("a full repaint shows %d live rows, not %d, %v", s.Live, h.seam.Live, err)
	}
	a, b := h.term.Cursor().Row, other.Cursor().Row
	at, _ := h.cursorPlace()
	for i := range s.Live {
		x, y := h.term.Row(a-at.Row+i), other.Row(b-at.Row+i)
		for c := range h.window.cols {
			if c == h.window.cols-1 && x.Wrapped() && x.Cell(c).Text == "" && y.Cell(c).Text == "" {
				continue // left blank for a wide character, with the pen of the time
			}
			if i == s.Live-1 && h.seam.Doubt > 0 && c >= x.Used() {
				break // an ED has taken what a cluster left behind the text, or had no room to be sent
			}
			if x.Cell(c) != y.Cell(c) && (x.Cell(c).Text != "" || y.Cell(c).Text != " ") &&
				(x.Cell(c).Text != " " || y.Cell(c).Text != "") {
				return fmt.Errorf("live row %d, column %d: %+v, after a full repaint %+v\n%s", i, c, x.Cell(c),
					y.Cell(c), h.dump())
			}
		}
	}
	return nil
}

// blankFrom reports whether the given row of the grid shows nothing from column col on.
func (h *harness) blankFrom(col, row int) bool {
	for ; col < h.window.cols; col++ {
		if c := h.term.Row(row).Cell(col); c.Text != "" && c.Text != " " {
			return false
		}
	}
	return true
}
