package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// promptRows holds the rows of a program's prompt, which the program draws again after a change of
// size. They begin at a mark (OSC 133), hold the cursor, and end with the grid. above is the number
// of rows above the cursor.
type promptRows struct {
	rows  []*vt.TapeRow
	above int
}

// takePrompt removes the rows of a prompt from the grid and returns them, so that they are not
// wrapped anew. It leaves rows with one blank each down to the cursor, which keep the cursor's
// distance from the mark (kitty since 0.24, screen.c prevent_current_prompt_from_rewrapping).
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

// putBack copies the rows back to their place on the resized grid of cols columns and rows rows,
// cut at the edges (kitty since 0.34, screen_resize). So they are visible until the program draws
// them again.
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
