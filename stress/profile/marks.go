package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// marks holds the positions of the images on a grid whose rows move to a new size, and a copy of
// their old positions.
type marks struct {
	current []*vt.Place
	old     []vt.Place
}

func marksOf(g *vt.Grid) marks {
	m := marks{current: g.Marks}
	for _, p := range g.Marks {
		m.old = append(m.old, *p)
	}
	return m
}

// moveSegment moves the marks that were on old row i, in columns from (included) to to (excluded).
// The column from becomes column x of row y. cols is the width of the grid.
func (m marks) moveSegment(i, from, to, x, y, cols int) {
	for k, p := range m.current {
		if was := m.old[k]; was.Y == i && was.X >= from && was.X < to {
			p.X, p.Y = min(x+was.X-from, cols-1), y
		}
	}
}

// moveBlankRows moves the marks that were on old row i or below it, where all rows are blank. Row i
// becomes row y. rows is the number of rows of the new tape (history plus grid).
func (m marks) moveBlankRows(i, y, cols, rows int) {
	for k, p := range m.current {
		if was := m.old[k]; was.Y >= i {
			p.X, p.Y = min(p.X, cols-1), min(rows-1, y+was.Y-i)
		}
	}
}
