package profile

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// marks are the places of images, with where they were.
type marks struct {
	now []*vt.Place
	was []vt.Place
}

func marksOf(g *vt.Grid) marks {
	m := marks{now: g.Marks}
	for _, p := range g.Marks {
		m.was = append(m.was, *p)
	}
	return m
}

// move puts those that were on columns from up to to of row i on row y, so that the first of these
// columns is column x there, of cols.
func (m marks) move(i, from, to, x, y, cols int) {
	for k, p := range m.now {
		if was := m.was[k]; was.Y == i && was.X >= from && was.X < to {
			p.X, p.Y = min(x+was.X-from, cols-1), y
		}
	}
}

// below puts those that were on blank rows from row i on, which are not laid out, on row y and
// those below it, of rows.
func (m marks) below(i, y, cols, rows int) {
	for k, p := range m.now {
		if was := m.was[k]; was.Y >= i {
			p.X, p.Y = min(p.X, cols-1), min(rows-1, y+was.Y-i)
		}
	}
}
