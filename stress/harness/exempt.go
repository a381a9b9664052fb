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

// cutsCursorLine reports whether the terminal, at a narrower width, cuts the line that the cursor
// is on, with the final rows of that line, and wraps all other lines anew (xterm.js 6.0.0, konsole
// 22.12.3, and urxvt 9.30 where the renderer does not recognise it).
func (h *harness) cutsCursorLine() bool { return h.profile.Differs.Reflow == profile.RewrapButCursor }

// joinsCursorLine reports whether the terminal has joined the cursor's line with final lines in a
// window of one column, and has cut the joined line as described at cutsCursorLine. No random
// program has a window of one column.
func (h *harness) joinsCursorLine() bool { return h.window.oneColumn && h.cutsCursorLine() }

// cursorDrifted reports whether the last change of the size has moved the cursor onto final text,
// whose line the terminal would cut at the next narrower width (xterm.js 6.0.0).
func (h *harness) cursorDrifted() bool { return h.cursorDrifts() && h.cursorOnFinalText() }

// cursorDrifts reports whether this terminal may move the cursor away from its text when the size
// changes (xterm.js 6.0.0).
func (h *harness) cursorDrifts() bool { return h.profile.Differs.ReflowDrifts }

// cursorLeavesBlankRow reports whether this terminal may move a cursor on a blank row to another
// row when the size changes (kitty 0.26.5 and 0.48.2, urxvt 9.30).
//
// Fails without: ResizeRaces, seed 63.
func (h *harness) cursorLeavesBlankRow() bool {
	return h.profile.Differs.Layout.In(profile.LayoutApart, profile.LayoutJoined, profile.LayoutTopLine)
}

// takesLineApart reports whether the terminal breaks one line into two at the next change of the
// size: the line with which history ends (kitty 0.26.5), or the cursor's line (GNU screen 4.9.0).
//
// Fails without: testdata/kitty-parts-a-line-at-an-unheard-size, kitty-tears-a-line-at-a-height.
func (h *harness) takesLineApart() bool {
	return h.profile.Differs.Layout == profile.LayoutApart || h.cutsEndOfCursorLine()
}

// cutsEndOfCursorLine reports whether the terminal cuts off the end of the cursor's line, with the
// row of the cursor, if that line begins with final text and does not fit the window (GNU screen
// 4.9.0). The cursor is on final text then. If the size changes again before the renderer has moved
// the cursor, the text behind it is lost.
func (h *harness) cutsEndOfCursorLine() bool { return h.keepsRowsFromEnd() && h.cursorLineIsFinal() }

// keepsRowsFromEnd reports whether the last rows of the tape always stay on the grid, even blank
// ones (GNU screen 4.9.0). A lower window pushes the rows above blank ones into history. A higher
// window may show blank rows from before the first output.
//
// Fails without: testdata/cursor-stopped-at-the-top, screen-line-lengthened.
func (h *harness) keepsRowsFromEnd() bool { return h.profile.Differs.Layout == profile.LayoutFromEnd }

// cutsWithoutHistory reports whether the terminal cuts rows while its history is empty, and loses
// rows at the end of the grid (urxvt 9.30). Such a terminal also moves a cursor on a blank row to
// another row.
//
// Fails without: SmallPrograms, seed 385.
func (h *harness) cutsWithoutHistory() bool { return h.profile.Differs.Layout == profile.LayoutTopLine }

// makesRowsOfBlanks reports whether the blanks up to the saved cursor (foot 1.13.1) or up to the
// caret (urxvt 9.30) wrap into rows of their own in a narrower window.
func (h *harness) makesRowsOfBlanks() bool {
	return h.profile.Differs.Layout.In(profile.LayoutByEnds, profile.LayoutTopLine)
}

// keepsBlankRows reports whether blank rows may stand above the live region that no counter
// includes: the rows down to a saved cursor (ghostty), the rows that remain where a line that
// begins in history has gone there whole (kitty since 0.40), and erased rows (foot 1.13.1, urxvt
// 9.30).
//
// Fails without: SmallPrograms, seed 503.
func (h *harness) keepsBlankRows() bool {
	return h.residue.savedCursor ||
		h.profile.Differs.Layout.In(profile.LayoutJoined, profile.LayoutByEnds, profile.LayoutTopLine)
}

// mayTearLines reports whether the terminal may break a line before a wide character at the next
// width, and move the cursor away from its text (tmux 3.3a to 3.7). Until a program hears of the
// new size, its output overwrites other text then.
//
// So if such a character was shown, the harness changes the size only once lines fill the window,
// tells the renderer each size, reports the cursor each time, and lets no other program write
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

// mayBeApart reports whether the terminal may have broken one line into several lines (tmux 3.3a to
// 3.7, and terminals where takesLineApart is true).
//
// Fails without: testdata/tmux-tears-lines-above, piece-that-ends-like-a-row.
func (h *harness) mayBeApart() bool { return h.residue.splitLines > 0 || h.profile.Differs.ReflowTears }

// padsWide reports whether a wide character takes three columns after the terminal has wrapped its
// row anew (tmux since 3.6).
//
// Fails without: Programs -profile tmux-3.6 -ops 120, seed 181.
func (h *harness) padsWide() bool { return h.profile.Differs.ReflowPads }

// leavesCellAtEdge reports whether the last column of a row, where a wide character had no room,
// may show a cell of another row (kitty since 0.40).
//
// Fails without: ResizeRaces -profile kitty-0.40, seed 91.
func (h *harness) leavesCellAtEdge() bool { return h.profile.Differs.LeadingWidths }

// losesScreenBehindPane reports whether the main screen loses rows, instead of pushing them into
// history, when the window becomes lower while the alternate screen is shown (xterm 379).
//
// Fails without: Programs, seed 94.
func (h *harness) losesScreenBehindPane() bool { return h.profile.Differs.AltShrinkBlanks }

// hasOwnScreen reports whether the alternate screen leaves history and grid of the main screen
// unchanged. In GNU screen 4.9.0 and urxvt 9.30 it does not.
//
// Fails without: Programs, seed 11.
func (h *harness) hasOwnScreen() bool { return h.profile.Differs.AltScreen == vt.OwnAlt }

// movesView reports whether output changes the rows in view of a user who has scrolled up (xterm
// 379, urxvt 9.30).
func (h *harness) movesView() bool { return h.profile.OutputJumps }

// blankRowsTakeRoom reports whether blank rows below the live region leave too little room for the
// live region in a window of the given height. GNU screen 4.9.0 and urxvt 9.30 keep all of these
// blank rows. foot 1.13.1 keeps one if the live region does not end on the last row of the grid,
// and rows that were erased there.
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

// mayBeLonger reports whether the terminal may take a live row for longer than its text when the
// window gets cols columns wide: urxvt 9.30 counts the columns up to the rightmost place of the
// caret, tmux 3.3a to 3.7 counts erased columns.
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
// of the given height and pushes rows above it instead, so that the cursor comes onto another row
// of text (kitty; ghostty, foot and others in a lower window).
//
// Fails without: Programs -profile kitty -ops 120, seed 2.
func (h *harness) pushesAboveCursor(rows int) bool {
	at, _ := h.cursorPlace()
	p := h.profile.Differs
	return at.Row < h.seam.Live-1 && !h.config.RedrawsPrompt &&
		(p.Layout.In(profile.LayoutApart, profile.LayoutJoined) || rows < h.window.rows && !p.ShrinkDropsBelow)
}

// holdsDropped reports whether frame f has a character that this terminal does not draw at all
// (tmux 3.3a). The renderer erases a row that gets or loses such a character, because other
// terminals draw it. In this terminal the row looks the same before and after.
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
