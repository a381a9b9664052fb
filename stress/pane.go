package stress

import (
	"fmt"
	"math/rand/v2"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// pane shows a pane of our own on the alternate screen, o.N pictures of it, each like the one before but scrolled or changed, and comes back.
func (w *world) pane(o program.Op) error {
	if w.profile.Differs.AltScreen != vt.OwnAlt || !w.still || w.fresh { // mode 1049 leaves a saved cursor behind, which ghostty keeps rows for
		return nil
	}
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
		for i := 0; len(lines) < w.rows-rng.IntN(2); i++ {
			b := program.NewBlock(o.Seed, n<<8|i, []int{program.Plain, program.Styled, program.Coloured, program.Doubtful, program.Empty, program.SoftWrapped}[rng.IntN(6)], w.cols, w.model)
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
			if got := w.term.Row(i); !want.shows(got.Text()) {
				return fmt.Errorf("picture %d on the alternate screen: row %d reads %q, want %q", n, i, got.Text(), want.text)
			} else if err := want.differs(got, w.cols); err != nil {
				return fmt.Errorf("picture %d on the alternate screen: row %d: %w", n, i, err)
			}
		}
	}
	w.print("\x1b[?25h\x1b[?1049l")
	if _, show := w.rest(); !show {
		w.print("\x1b[?25l")
	}
	w.r.Back()
	return nil
}
