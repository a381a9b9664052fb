package harness

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// frame holds what one frame shows below the final rows: the live rows, an overlay, and the caret.
type frame struct {
	live    []renderer.Line
	overlay *renderer.Overlay
	caret   *renderer.Pos
	careful bool
}

// nextFrame lays out the content that the program wants to show, for the current width of the
// window, and returns it as a frame.
func (h *harness) nextFrame() frame {
	p := frame{overlay: h.next.overlay, careful: h.next.careful}
	for _, b := range h.next.blocks {
		p.live = append(p.live, b.Layout(h.window.cols, h.model)...)
	}
	for i := range p.live {
		p.live[i].Wrapped = false // live rows end hard
	}
	if n := len(p.live); h.next.caret && n > 0 {
		p.caret = &renderer.Pos{Col: h.next.col % h.window.cols, Row: n - 1 - h.next.up%min(n, h.window.rows)}
	}
	return p
}

// showFrame lets the renderer show the content that the program wants, then compares the terminal
// and the written bytes with the ledger of expected rows. It also fails if a row flickers, or if
// the same frame rendered again writes anything.
func (h *harness) showFrame() error {
	h.shown = h.nextFrame()
	for i := range h.next.commit {
		h.next.commit[i].Prompt = program.Said(h.next.commit[i])
	}
	f := renderer.Frame{Base: h.next.base, Commit: h.next.commit, Live: h.shown.live, Careful: h.shown.careful,
		Cursor: h.shown.caret, Overlay: h.shown.overlay}
	h.hangPictures()
	before := len(h.ledger.rows)
	h.bookCommit()
	writes, moved := h.wire.writes, h.window.moved
	h.wire.seen = flicker.Seen{}
	if !h.ledger.topKnown {
		h.history.scrolls = -1
	}
	s, err := h.renderer.Render(f)
	if err != nil {
		return err
	}
	drops := h.holdsDropped(f)
	// what such a row covers is erased
	doubtful := h.config.KeepsErased && len(h.ledger.rows) > before ||
		slices.ContainsFunc(h.ledger.rows[min(before, len(h.ledger.rows)):], (*row).holdsDoubt)
	// A frame with final rows, of which nobody sees a half, and which erases what stands.
	whole := h.config.ResizeOvertakes && h.config.Sync && (len(f.Commit) > 0 || h.seam.Pending > s.Pending)
	if g := h.wire.seen; g.Needless > 0 && !g.Wraps && !doubtful && !f.Careful && !moved && !drops && !h.dropped &&
		!whole {
		return fmt.Errorf("a row flickers without need: %s, in %q", g, h.wire.last)
	}
	h.seam, h.window.moved, h.dropped, h.window.cursorLine = s, false, drops, nil
	if h.ledger.topUnsure && h.cutsRows() {
		for _, r := range h.ledger.rows {
			r.mayBeTorn = r.mayBeTorn || r.holdsDoubt() // at the next width it cuts both parts of such a row
		}
	}
	if h.ledger.topUnsure && !h.window.oneColumn {
		h.residue.raced = true // the terminal may have wrapped a final row
	}
	h.next.commit = nil
	h.next.base = len(h.ledger.handed)
	if h.wire.writes > writes+1+2*len(h.pictures.drawn) {
		return fmt.Errorf("%d Writes for one frame", h.wire.writes-writes)
	}
	wrote := h.wire.writes > writes
	writes = h.wire.writes
	f.Base, f.Commit = h.next.base, nil
	if again, err := h.renderer.Render(f); err != nil || h.wire.writes != writes || again != s {
		return fmt.Errorf("the same frame again wrote %q and says %+v after %+v, %v", h.wire.last, again, s, err)
	}
	if h.wire.firstFault != nil {
		return h.wire.firstFault
	}
	if err := h.checkDrawn(); err != nil {
		return err
	}
	return h.checkFrame(wrote)
}

// bookCommit adds the final rows of the next frame to the ledger of expected rows.
func (h *harness) bookCommit() {
	h.ledger.commit(h.next.base, h.next.commit, h.next.overlay != nil, h.next.careful, h.window.cols, h.window.rows,
		h.model)
}

// catchUp ends a pause in which the terminal did not read: it gives the terminal the bytes that
// were written meanwhile, and checks the result. It does nothing if there was no pause.
func (h *harness) catchUp() error {
	if !h.wire.stall {
		return nil
	}
	h.wire.releaseHeld()
	if h.wire.firstFault != nil {
		return h.wire.firstFault
	}
	return h.checkTerminal()
}

// cursorPlace returns the expected position of the cursor, with the row counted from the top of the
// live region. show is false if the cursor must be hidden there.
func (h *harness) cursorPlace() (at renderer.Pos, show bool) {
	n := h.seam.Live
	switch o := h.shown.overlay; {
	case o != nil && o.Cursor != nil:
		at, show = renderer.Pos{Col: o.Col + o.Cursor.Col, Row: n - o.Up - len(o.Lines) + o.Cursor.Row}, true
	case o != nil:
	case h.shown.caret != nil:
		at, show = *h.shown.caret, true
		at.Row += n - len(h.shown.live)
	}
	at.Col = max(0, min(at.Col, h.window.cols-1))
	at.Row = max(0, min(at.Row, n-1))
	return at, show
}

// liveRows returns the rows that the live region must show on the grid, with the overlay on top of
// them. A nil element stands for a row that is not checked.
func (h *harness) liveRows() []*row {
	n := h.seam.Live
	out := make([]*row, n)
	cols := h.liveCols()
	for i := range n {
		if j := len(h.shown.live) - n + i; j >= 0 {
			out[i] = newRow(h.shown.live[j], cols, h.model)
		}
	}
	if len(h.shown.live) == 0 && h.shown.overlay == nil {
		out[n-1] = &row{cols: h.window.cols}
	}
	if o := h.shown.overlay; o != nil {
		for i, l := range o.Lines {
			if at := n - o.Up - len(o.Lines) + i; at >= 0 && at < n {
				width := max(0, h.window.cols-o.Col)
				if o.Width > 0 {
					width = min(width, o.Width)
				}
				over := newRow(l, width, h.model)
				for len(over.cells) < width {
					over.cells = append(over.cells, glyph{text: " "})
				}
				out[at] = coverRow(out[at], over, o.Col)
			}
		}
	}
	return out
}

// liveCols returns the width in columns at which live rows are shown. It is less than the window's
// width in a careful frame.
func (h *harness) liveCols() int {
	if h.shown.careful {
		return carefulCols(h.window.cols)
	}
	return h.window.cols
}

// coverRow returns row r with the row over on top of it, from column col on. A wide character of r
// that is cut in half becomes a blank. If r is nil, only the columns of over are checked later.
func coverRow(r, over *row, col int) *row {
	out := &row{foreign: r == nil} // of a row that nobody knows only the overlay's own columns are judged
	for c := range col {
		g := glyph{text: " "}
		if r != nil {
			g = r.glyphAt(c)
		}
		out.cells = append(out.cells, g)
	}
	for i := col - 1; r != nil && r.glyphAt(i+1).text == "" && i >= 0; i-- {
		out.cells[i] = glyph{text: " "} // half a character is none
	}
	out.cells = append(out.cells, over.cells...)
	if n := len(out.cells); r != nil && len(r.cells) > n {
		out.cells = append(out.cells, r.cells[n:]...)
		for i := n; i < len(r.cells) && r.cells[i].text == ""; i++ {
			out.cells[i] = glyph{text: " "}
		}
	}
	out.doubtful = r != nil && r.doubtful
	out.doubtful = out.doubtful || over.doubtful
	out.trim()
	return out
}

// carefulCols returns the width in columns at which careful frames show live rows, in a window of
// cols columns.
func carefulCols(cols int) int { return max(cols/2-1, 1) }

// allShown reports whether the first row of the live region directly follows the last final row on
// the tape (history plus grid), with no hidden or waiting rows between them and no overlay.
func (h *harness) allShown() bool {
	return h.seam.Hidden == 0 && h.shown.overlay == nil && len(h.ledger.waiting) == 0
}
