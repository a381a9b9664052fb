package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// drawnAgain are the rows from a mark (OSC 133) on, in which the cursor stands, down to the end of
// the grid, for a program that draws them again at another size. above counts those above the
// cursor.
type drawnAgain struct {
	rows  []*vt.TapeRow
	above int
}

// takePrompt blanks those rows, so that nothing of them is laid out anew. Down to the cursor each
// keeps a blank, by which the cursor keeps its distance from the mark (kitty since 0.24, screen.c
// prevent_current_prompt_from_rewrapping).
func takePrompt(g *vt.Grid) (p drawnAgain) {
	y, top := g.Cursor.Y, g.History()
	for y >= 0 && g.Tape[top+y].Prompt == vt.NoPrompt {
		y--
	}
	if !g.Redraws || !g.Active || y < 0 || g.Tape[top+y].Prompt&vt.OutputStart != 0 {
		return p
	}
	p.above = g.Cursor.Y - y
	for ; y < g.Rows; y++ {
		r := g.Tape[top+y]
		p.rows = append(p.rows, r)
		blank := &vt.TapeRow{Cells: make([]vt.TapeCell, g.Cols), Prompt: r.Prompt}
		if y <= g.Cursor.Y {
			put(blank, 0, ' ')
		}
		g.Tape[top+y] = blank
	}
	return p
}

// putBack shows the rows again where they belong on a grid of cols and rows, cut at its edges
// (kitty since 0.34, screen_resize). The program has drawn nothing yet.
func (p drawnAgain) putBack(g *vt.Grid, cols, rows int) {
	y := max(0, g.Cursor.Y-p.above)
	for _, r := range p.rows {
		if y >= rows {
			return
		}
		to, n := g.Tape[len(g.Tape)-rows+y], min(len(r.Cells), cols)
		for x := range n {
			put(to, x, r.Cells[x])
		}
		if to.Cells[n-1].Part() == vt.FirstHalf { // the other one has no room
			to.Cells[n-1] = to.Cells[n-1].WithoutText().WithPart(vt.Whole)
		}
		to.Prompt = r.Prompt
		widowed(to)
		y++
	}
}
