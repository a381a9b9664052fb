package harness

import (
	"fmt"
	"math/rand/v2"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// showPane enters the alternate screen, shows o.N screens there, each of them scrolled or changed,
// checks them, and returns to the main screen. The window's size may change meanwhile. The renderer
// of the main screen is told the new size only afterwards.
func (h *harness) showPane(o program.Op) error {
	if !h.hasOwnScreen() || h.session.unwritten {
		return nil
	}
	if h.losesScreenBehindPane() {
		o.Rows = max(o.Rows, h.window.rows) // a lower window loses what it should push
	}
	extra, how := h.residue.found, o.How%program.Reports
	resized := !h.mayTearLines() && o.Cols > 0 && o.Rows > 0 && (o.Cols != h.window.cols || o.Rows != h.window.rows)
	fits := resized && h.mustFit(how, o.Cols, o.Rows)
	moved := h.window.moved
	if h.config.RedrawsPrompt { // no live row stands there meanwhile
		blocks, overlay, caret := h.next.blocks, h.next.overlay, h.next.caret
		h.next.blocks, h.next.overlay, h.next.caret = nil, nil, false
		if err := h.showFrame(); err != nil {
			return err
		}
		defer func() { h.next.blocks, h.next.overlay, h.next.caret = blocks, overlay, caret }()
	}
	h.holdCursorLine()
	h.residue.savedCursor = true
	h.printForeign("\x1b[?1049h")
	c := h.config
	c.Cols, c.Rows = h.window.cols, h.window.rows
	s := renderer.NewScreen(c)
	rng := rand.New(rand.NewPCG(uint64(o.Seed), 17))
	var lines []renderer.Line
	for n := range clamp(o.N, 6) {
		if n > 0 {
			lines = lines[min(len(lines), rng.IntN(3)):]
		}
		if n == clamp(o.N, 6)/2 && resized {
			h.resizeWindow(o.Cols, o.Rows)
			s.Resize(o.Cols, o.Rows)
		}
		for i := 0; len(lines) < h.window.rows-rng.IntN(2); i++ {
			b := program.NewBlock(o.Seed, n<<8|i, []int{program.Plain, program.Styled, program.Coloured,
				program.Doubtful, program.Empty, program.SoftWrapped}[rng.IntN(6)], h.window.cols, h.model)
			lines = append(lines, b.Layout(h.window.cols, h.model)...)
		}
		lines = lines[:min(len(lines), h.window.rows)]
		h.wire.allowed.full = true
		err := s.Render(lines, nil)
		h.wire.allowed.full = false
		if err == nil {
			err = h.wire.firstFault
		}
		if err != nil {
			return err
		}
		if err := h.checkPane(n, lines); err != nil {
			return err
		}
	}
	h.printForeign("\x1b[?25h\x1b[?1049l")
	if _, show := h.cursorPlace(); !show {
		h.printForeign("\x1b[?25l")
	}
	if resized {
		return h.settleSize(how, nil, fits, extra)
	}
	h.window.moved = moved
	return nil
}

// checkPane compares the grid of the alternate screen with lines. n is the number of the screen,
// for the error's message.
func (h *harness) checkPane(n int, lines []renderer.Line) error {
	for i := range h.window.rows {
		want := &row{}
		if i < len(lines) {
			want = h.newRow(lines[i])
		}
		if got := h.term.Row(i); !h.rowReads(want, got) {
			return fmt.Errorf("screen %d of a pane: row %d reads %q, want %q", n, i, got.Text(), want.text)
		} else if err := want.compare(got, h.window.cols); err != nil {
			return fmt.Errorf("screen %d of a pane: row %d: %w", n, i, err)
		}
	}
	return nil
}
