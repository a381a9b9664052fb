package harness

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// cutsRows reports whether the terminal cuts every row at a narrower width.
func (h *harness) cutsRows() bool { return h.profile.Differs.Reflow == profile.Cut }

// cutsCursorLine reports whether the terminal cuts the line that the cursor is on, its final rows,
// too, and wraps the others anew.
func (h *harness) cutsCursorLine() bool { return h.profile.Differs.Reflow == profile.RewrapButCursor }

// joinsCursorLine reports whether the terminal has joined the cursor's line with final ones in a
// window of one column, and has cut that.
func (h *harness) joinsCursorLine() bool { return h.window.oneColumn && h.cutsCursorLine() }

// cursorDrifted reports whether the cursor has come onto final text, whose line the terminal cuts
// at the next width.
func (h *harness) cursorDrifted() bool { return h.cursorDrifts() && h.cursorOnFinalText() }

// cursorDrifts reports whether the cursor may leave its text at a new size.
func (h *harness) cursorDrifts() bool { return h.profile.Differs.ReflowDrifts }

// cursorLeavesBlankRow reports whether a cursor on a row that shows nothing may come onto others at
// a new size.
func (h *harness) cursorLeavesBlankRow() bool {
	return h.profile.Differs.Layout.In(profile.LayoutApart, profile.LayoutJoined, profile.LayoutTopLine)
}

// takesLineApart reports whether the terminal takes a line apart at the next size: the one that
// history ends with, or the cursor's.
func (h *harness) takesLineApart() bool {
	return h.profile.Differs.Layout == profile.LayoutApart || h.cutsEndOfCursorLine()
}

// cutsEndOfCursorLine reports whether the terminal cuts off the end of a line that begins with
// final text and does not fit the window, the cursor's row with it: the cursor is on final text
// then, and of that it drops what comes next when the size changes again, before anybody could say
// where the cursor belongs.
func (h *harness) cutsEndOfCursorLine() bool { return h.keepsRowsFromEnd() && h.cursorLineIsFinal() }

// keepsRowsFromEnd reports whether the last rows of the tape stay on the grid, blank ones, too: a
// lower window pushes rows above blank ones, a higher one shows rows from before there were any.
func (h *harness) keepsRowsFromEnd() bool { return h.profile.Differs.Layout == profile.LayoutFromEnd }

// cutsWithoutHistory reports whether a terminal without history cuts rows, and loses those at the
// end of the grid. It also puts a cursor on a blank row onto others.
func (h *harness) cutsWithoutHistory() bool { return h.profile.Differs.Layout == profile.LayoutTopLine }

// makesRowsOfBlanks reports whether blanks up to the saved cursor (foot) or up to the caret (urxvt)
// take rows of their own in a narrower window.
func (h *harness) makesRowsOfBlanks() bool {
	return h.profile.Differs.Layout.In(profile.LayoutByEnds, profile.LayoutTopLine)
}

// keepsBlankRows reports whether blank rows may stand above the live region that nobody counts:
// those down to a saved cursor (ghostty), the ones where a line that begins in history has gone
// there whole (kitty since 0.40), and rows that were erased (foot, urxvt).
func (h *harness) keepsBlankRows() bool {
	return h.residue.savedCursor ||
		h.profile.Differs.Layout.In(profile.LayoutJoined, profile.LayoutByEnds, profile.LayoutTopLine)
}

// mayTearLines reports whether the terminal may tear a line at the next width and take the cursor
// away from its text: until the news of it has come, any program writes over other text then.
func (h *harness) mayTearLines() bool {
	if !h.profile.Differs.ReflowTears {
		return false
	}
	rows := slices.Concat(h.ledger.rows, h.ledger.waiting)
	for _, l := range h.shown.live {
		rows = append(rows, newRow(l, 1<<20, h.model))
	}
	h.residue.wide = h.residue.wide || slices.ContainsFunc(rows, func(r *row) bool {
		return slices.ContainsFunc(r.cells, half)
	})
	return h.residue.wide
}

// mayBeApart reports whether a line may stand in pieces, each of them a line for the terminal.
func (h *harness) mayBeApart() bool { return h.residue.apart > 0 || h.profile.Differs.ReflowTears }

// padsWide reports whether a wide character takes three columns where its row is laid out anew.
func (h *harness) padsWide() bool { return h.profile.Differs.ReflowPads }

// leavesCellAtEdge reports whether the last column of a row, where a wide character had no room,
// may show what another row had there.
func (h *harness) leavesCellAtEdge() bool { return h.profile.Differs.LeadingWidths }

// losesScreenBehindPane reports whether a lower window behind the alternate screen loses the rows
// that it should push.
func (h *harness) losesScreenBehindPane() bool { return h.profile.Differs.AltShrinkBlanks }

// hasOwnScreen reports whether the alternate screen leaves history and grid alone.
func (h *harness) hasOwnScreen() bool { return h.profile.Differs.AltScreen == vt.OwnAlt }

// movesView reports whether output moves what a reader sees who has scrolled up.
func (h *harness) movesView() bool { return h.profile.OutputJumps }

// blankRowsTakeRoom reports whether blank rows below the live region leave it too little room in a
// window of that many rows: all of them (GNU screen, urxvt), or one, if the live region does not
// end on the last row of the grid, and what was erased there (foot).
func (h *harness) blankRowsTakeRoom(rows int) bool {
	below := h.window.rows - h.ledger.liveTop() // the live region's own rows, and those below it
	switch h.profile.Differs.Layout {
	case profile.LayoutFromEnd, profile.LayoutTopLine:
		return !h.ledger.topKnown || below > rows
	case profile.LayoutByEnds:
		bottom := below == h.seam.Live && len(h.window.detours) == 0
		return !h.ledger.topKnown || !bottom && below+1 > rows || bottom && rows < h.window.rows && h.seam.Live+2 > rows
	}
	return false
}

// mayBeLonger reports whether a live row may be longer for the terminal than its text is, and than
// cols columns: urxvt counts how far the caret has been on it, tmux what has been erased there.
func (h *harness) mayBeLonger(cols int) bool {
	p := h.profile.Differs
	for y := range h.seam.Live {
		if top := h.ledger.liveTop(); p.EraseKeepsLength &&
			(!h.ledger.topKnown || top+y < h.window.rows && h.term.Row(top+y).Used() >= cols) {
			return true
		}
	}
	return p.Layout == profile.LayoutTopLine && cols < h.window.cols
}

// pushesAboveCursor reports whether the terminal keeps the live rows below the cursor in a window
// of that many rows and pushes others, so that the cursor is on another row of text then.
func (h *harness) pushesAboveCursor(rows int) bool {
	at, _ := h.cursorPlace()
	p := h.profile.Differs
	return at.Row < h.seam.Live-1 && !h.config.Redraws &&
		(p.Layout.In(profile.LayoutApart, profile.LayoutJoined) || rows < h.window.rows && !p.ShrinkDropsBelow)
}

// holdsDropped reports whether f has a character that the terminal draws nothing for. A row that
// gets or loses one is erased, since others draw it, and looks the same before and after in this
// one.
func (h *harness) holdsDropped(f renderer.Frame) bool {
	lines := slices.Concat(f.Commit, f.Live)
	if f.Overlay != nil {
		lines = append(lines, f.Overlay.Lines...)
	}
	for _, r := range h.ledger.waiting { // shown above the live rows
		lines = append(lines, r.line)
	}
	for text, n := range h.profile.Differs.Widths {
		if n < 0 && slices.ContainsFunc(lines, func(l renderer.Line) bool {
			return strings.Contains(textOf(l),
				text)
		}) {
			return true
		}
	}
	return false
}
