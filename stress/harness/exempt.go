package harness

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// This file holds what a terminal is excused for: what it does to rows that no renderer can make up
// for. Each function names the terminal and the version that was measured. "Fails without" names
// programs of ../testdata, or seeds of a search (`go test ./stress`, as it is or with these flags),
// that fail where the function returns the opposite. Where none is named, searches of a minute have
// found none. Nothing else here asks the profile how rows are laid out.

// cutsRows reports whether the terminal cuts every row at a narrower width (xterm 379).
//
// Fails without: testdata/cut-twice-in-history, residue-out-of-sight.
func (h *harness) cutsRows() bool { return h.profile.Differs.Reflow == profile.Cut }

// cutsCursorLine reports whether the terminal cuts the line that the cursor is on, its final rows,
// too, and wraps the others anew (xterm.js 6.0.0, konsole 22.12.3, and urxvt 9.30 where it is not
// recognised).
func (h *harness) cutsCursorLine() bool { return h.profile.Differs.Reflow == profile.RewrapButCursor }

// joinsCursorLine reports whether the terminal has joined the cursor's line with final ones in a
// window of one column, and has cut that (as cutsCursorLine). No random program has such a window.
func (h *harness) joinsCursorLine() bool { return h.window.oneColumn && h.cutsCursorLine() }

// cursorDrifted reports whether the cursor has come onto final text (xterm.js 6.0.0), whose line
// the terminal cuts at the next width.
func (h *harness) cursorDrifted() bool { return h.cursorDrifts() && h.cursorOnFinalText() }

// cursorDrifts reports whether the cursor may leave its text at a new size (xterm.js 6.0.0).
func (h *harness) cursorDrifts() bool { return h.profile.Differs.ReflowDrifts }

// cursorLeavesBlankRow reports whether a cursor on a row that shows nothing may come onto others at
// a new size (kitty 0.26.5 and 0.48.2, urxvt 9.30).
//
// Fails without: ResizeRaces, seed 63.
func (h *harness) cursorLeavesBlankRow() bool {
	return h.profile.Differs.Layout.In(profile.LayoutApart, profile.LayoutJoined, profile.LayoutTopLine)
}

// takesLineApart reports whether the terminal takes a line apart at the next size: the one that
// history ends with (kitty 0.26.5), or the cursor's (GNU screen 4.9.0).
//
// Fails without: testdata/kitty-parts-a-line-at-an-unheard-size, kitty-tears-a-line-at-a-height.
func (h *harness) takesLineApart() bool {
	return h.profile.Differs.Layout == profile.LayoutApart || h.cutsEndOfCursorLine()
}

// cutsEndOfCursorLine reports whether the terminal cuts off the end of a line that begins with
// final text and does not fit the window, the cursor's row with it (GNU screen 4.9.0): the cursor
// is on final text then, and of that it drops what comes next when the size changes again, before
// anybody could say where the cursor belongs.
func (h *harness) cutsEndOfCursorLine() bool { return h.keepsRowsFromEnd() && h.cursorLineIsFinal() }

// keepsRowsFromEnd reports whether the last rows of the tape stay on the grid, blank ones, too (GNU
// screen 4.9.0): a lower window pushes rows above blank ones, a higher one shows rows from before
// there were any.
//
// Fails without: testdata/cursor-stopped-at-the-top, screen-line-lengthened.
func (h *harness) keepsRowsFromEnd() bool { return h.profile.Differs.Layout == profile.LayoutFromEnd }

// cutsWithoutHistory reports whether a terminal without history cuts rows, and loses those at the
// end of the grid (urxvt 9.30). It also puts a cursor on a blank row onto others.
//
// Fails without: SmallPrograms, seed 385.
func (h *harness) cutsWithoutHistory() bool { return h.profile.Differs.Layout == profile.LayoutTopLine }

// makesRowsOfBlanks reports whether blanks up to the saved cursor (foot 1.13.1) or up to the caret
// (urxvt 9.30) take rows of their own in a narrower window.
func (h *harness) makesRowsOfBlanks() bool {
	return h.profile.Differs.Layout.In(profile.LayoutByEnds, profile.LayoutTopLine)
}

// keepsBlankRows reports whether blank rows may stand above the live region that nobody counts: the
// ones down to a saved cursor (ghostty), the ones where a line that begins in history has gone
// there whole (kitty since 0.40), and rows that were erased (foot 1.13.1, urxvt 9.30).
//
// Fails without: SmallPrograms, seed 503.
func (h *harness) keepsBlankRows() bool {
	return h.residue.savedCursor ||
		h.profile.Differs.Layout.In(profile.LayoutJoined, profile.LayoutByEnds, profile.LayoutTopLine)
}

// mayTearLines reports whether the terminal may tear a line before a wide character at the next
// width and take the cursor away from its text (tmux 3.3a to 3.7): until the news of it has come,
// any program writes over other text then. With such characters its window changes its size only
// once lines fill it, each size is told and the cursor reported, and nobody else uses the terminal
// meanwhile.
//
// Fails without: Programs -profile tmux -ops 120, seed 5.
func (h *harness) mayTearLines() bool {
	if !h.profile.Differs.ReflowTears {
		return false
	}
	rows := slices.Concat(h.ledger.rows, h.ledger.waiting)
	for _, l := range h.shown.live {
		rows = append(rows, newRow(l, 1<<20, h.model))
	}
	h.residue.wide = h.residue.wide || slices.ContainsFunc(rows, func(r *row) bool {
		return slices.ContainsFunc(r.cells, isSecondHalf)
	})
	return h.residue.wide
}

// mayBeApart reports whether a line may stand in pieces, each of them a line for the terminal (tmux
// 3.3a to 3.7, and where takesLineApart).
//
// Fails without: testdata/tmux-tears-lines-above, piece-that-ends-like-a-row.
func (h *harness) mayBeApart() bool { return h.residue.splitLines > 0 || h.profile.Differs.ReflowTears }

// padsWide reports whether a wide character takes three columns where its row is laid out anew
// (tmux since 3.6).
//
// Fails without: Programs -profile tmux-3.6 -ops 120, seed 181.
func (h *harness) padsWide() bool { return h.profile.Differs.ReflowPads }

// leavesCellAtEdge reports whether the last column of a row, where a wide character had no room,
// may show what another row had there (kitty since 0.40).
//
// Fails without: ResizeRaces -profile kitty-0.40, seed 91.
func (h *harness) leavesCellAtEdge() bool { return h.profile.Differs.LeadingWidths }

// losesScreenBehindPane reports whether a lower window behind the alternate screen loses the rows
// that it should push (xterm 379).
//
// Fails without: Programs, seed 94.
func (h *harness) losesScreenBehindPane() bool { return h.profile.Differs.AltShrinkBlanks }

// hasOwnScreen reports whether the alternate screen leaves history and grid alone (not so GNU
// screen 4.9.0, urxvt 9.30).
//
// Fails without: Programs, seed 11.
func (h *harness) hasOwnScreen() bool { return h.profile.Differs.AltScreen == vt.OwnAlt }

// movesView reports whether output moves what a reader sees who has scrolled up (xterm 379, urxvt
// 9.30).
func (h *harness) movesView() bool { return h.profile.OutputJumps }

// blankRowsTakeRoom reports whether blank rows below the live region leave it too little room in a
// window of that many rows: all of them (GNU screen 4.9.0, urxvt 9.30), or one, if the live region
// does not end on the last row of the grid, and what was erased there (foot 1.13.1).
//
// Fails without: testdata/urxvt-blank-rows-below-at-two-sizes.
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
// cols columns: urxvt 9.30 counts how far the caret has been on it, tmux 3.3a to 3.7 what has been
// erased there.
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
// of that many rows and pushes others, so that the cursor is on another row of text then (kitty;
// ghostty, foot and others in a lower window).
//
// Fails without: Programs -profile kitty -ops 120, seed 2.
func (h *harness) pushesAboveCursor(rows int) bool {
	at, _ := h.cursorPlace()
	p := h.profile.Differs
	return at.Row < h.seam.Live-1 && !h.config.RedrawsPrompt &&
		(p.Layout.In(profile.LayoutApart, profile.LayoutJoined) || rows < h.window.rows && !p.ShrinkDropsBelow)
}

// holdsDropped reports whether f has a character that the terminal draws nothing for (tmux 3.3a). A
// row that gets or loses one is erased, since others draw it, and looks the same before and after
// in this one.
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
