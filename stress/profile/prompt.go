package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// promptRows are the rows of a prompt, which its program draws again at another size. They begin at
// a mark (OSC 133), hold the cursor, and end with the grid. above counts the rows above the cursor.
type promptRows struct {
	rows  []*vt.TapeRow
	above int
}

// takePrompt blanks the rows of a prompt, so that none of them is laid out anew. Down to the cursor
// each row keeps a blank, which keeps the distance of the cursor from the mark (kitty since 0.24,
// screen.c prevent_current_prompt_from_rewrapping).
func takePrompt(g *vt.Grid) (p promptRows) {
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
// (kitty since 0.34, screen_resize). The program has not drawn anything yet.
func (p promptRows) putBack(g *vt.Grid, cols, rows int) {
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
