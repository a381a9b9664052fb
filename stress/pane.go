package stress

import (
	"fmt"
	"math/rand/v2"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// pane shows a pane of our own on the alternate screen, o.N screens of it, each like the one before
// but scrolled or changed, and comes back. The window may change meanwhile; the renderer hears of
// it afterwards.
func (w *world) pane(o program.Op) error {
	if w.profile.Differs.AltScreen != vt.OwnAlt || w.fresh {
		return nil
	}
	if w.profile.Differs.AltShrinkBlanks {
		o.Rows = max(o.Rows, w.rows) // a lower window loses what it should push
	}
	extra, how := w.extra, o.How%program.Reports
	resized := !w.tears() && o.Cols > 0 && o.Rows > 0 && (o.Cols != w.cols || o.Rows != w.rows)
	fits := resized && how == program.Answered && w.fitsWithoutReflow(o.Cols, o.Rows) && !(w.l.suspect && w.l.b == 0)
	moved := w.moved
	if w.config.Redraws { // no live row stands there meanwhile
		blocks, overlay, caret := w.blocks, w.overlay, w.caret
		w.blocks, w.overlay, w.caret = nil, nil, false
		if err := w.frame(); err != nil {
			return err
		}
		defer func() { w.blocks, w.overlay, w.caret = blocks, overlay, caret }()
	}
	w.holdCursorLine()
	w.saved = true
	w.print("\x1b[?1049h")
	c := w.config
	c.Cols, c.Rows = w.cols, w.rows
	s := renderer.NewScreen(c)
	rng := rand.New(rand.NewPCG(uint64(o.Seed), 17))
	var lines []renderer.Line
	for n := range bound(o.N, 6) {
		if n > 0 {
			lines = lines[min(len(lines), rng.IntN(3)):]
		}
		if n == bound(o.N, 6)/2 && resized {
			w.sized(o.Cols, o.Rows)
			s.Resize(o.Cols, o.Rows)
		}
		for i := 0; len(lines) < w.rows-rng.IntN(2); i++ {
			b := program.NewBlock(o.Seed, n<<8|i, []int{program.Plain, program.Styled, program.Coloured,
				program.Doubtful, program.Empty, program.SoftWrapped}[rng.IntN(6)], w.cols, w.model)
			lines = append(lines, b.Layout(w.cols, w.model)...)
		}
		lines = lines[:min(len(lines), w.rows)]
		w.wire.full = true
		err := s.Render(lines, nil)
		w.wire.full = false
		if err == nil {
			err = w.wire.bad
		}
		if err != nil {
			return err
		}
		for i := range w.rows {
			want := &row{}
			if i < len(lines) {
				want = newRow(lines[i], w.cols, w.model)
			}
			if got := w.term.Row(i); !w.reads(want, got) {
				return fmt.Errorf("screen %d of a pane: row %d reads %q, want %q", n, i, got.Text(), want.text)
			} else if err := want.differs(got, w.cols); err != nil {
				return fmt.Errorf("screen %d of a pane: row %d: %w", n, i, err)
			}
		}
	}
	w.print("\x1b[?25h\x1b[?1049l")
	if _, show := w.rest(); !show {
		w.print("\x1b[?25l")
	}
	if resized {
		return w.settle(how, nil, fits, extra)
	}
	w.moved = moved
	return nil
}
