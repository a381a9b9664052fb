package layout

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// group is the children of a layout: their last views, their places, and which one has the focus.
type group struct {
	children []tui.Component
	parts    []part
	ring     tui.Ring
	grip     tui.Grip
	slab     slab
	caret    tui.Pos
}

// part is the last view of a child. Its rows from skippedRows on stand at col and row.
type part struct {
	slot        tui.Slot
	view        tui.View
	col, row    int
	width, rows int
	skippedRows int
	cut         bool
}

// beginView takes the children for a new View.
func (g *group) beginView(children ...tui.Component) {
	g.children = append(g.children[:0], children...)
	for len(g.parts) < len(children) {
		g.parts = append(g.parts, part{})
	}
	g.parts = g.parts[:len(children)]
	for i := range g.parts {
		g.parts[i] = part{slot: g.parts[i].slot}
	}
}

// viewChild returns the view of child i in a place of cols columns and rows rows; 0 rows: no limit.
// Rows that do not fit are left out: those at the end, or as many above as its caret needs.
func (g *group) viewChild(i int, s tui.Space, cols, rows int) tui.View {
	s = s.Inside(cols, rows)
	s.Focused = s.Focused && g.ring.At(g.children) == i
	p := &g.parts[i]
	*p = part{slot: p.slot, width: s.Width}
	if g.children[i] == nil {
		return tui.View{}
	}
	v := p.slot.View(g.children[i], s)
	if n := len(v.Lines); s.Height > 0 && n > s.Height {
		if v.Cursor != nil {
			p.skippedRows = min(max(v.Cursor.Row-s.Height+1, 0), n-s.Height)
		}
		v.Lines, p.cut = v.Lines[p.skippedRows:p.skippedRows+s.Height], true
	}
	p.view, p.rows = v, len(v.Lines)
	return v
}

// placeChild notes the place of child i.
func (g *group) placeChild(i, col, row int) { g.parts[i].col, g.parts[i].row = col, row }

// groupView returns lines with the requests of the children.
func (g *group) groupView(lines []tui.Line) tui.View {
	v := tui.View{Lines: lines}
	var scenes []string
	complete := true
	focus := g.ring.At(g.children)
	for i := range g.parts {
		p := &g.parts[i]
		w := &p.view
		v.Hold = v.Hold || w.Hold
		v.Mouse, v.Drags = v.Mouse || w.Mouse, v.Drags || w.Drags
		v.Releases = v.Releases || w.Releases && i == focus
		if w.RefreshAfter > 0 && (v.RefreshAfter == 0 || w.RefreshAfter < v.RefreshAfter) {
			v.RefreshAfter = w.RefreshAfter
		}
		if w.Scene != "" {
			scenes = append(scenes, w.Scene)
			complete = complete && !p.cut && p.row+p.rows <= len(lines)
		}
		if c := w.Cursor; c != nil && (i == focus || focus < 0) {
			row := c.Row - p.skippedRows
			if row >= 0 && row < p.rows {
				g.caret = tui.Pos{Col: p.col + min(max(c.Col, 0), p.width-1), Row: p.row + row}
				v.Cursor = &g.caret
			}
		}
	}
	if complete {
		v.Scene = strings.Join(scenes, "\n")
	}
	return v
}

// HandleEvent gives keys to the child with the focus, and the mouse to the child under it.
func (g *group) HandleEvent(ev tui.Event, _ tui.Space) bool {
	if m, ok := ev.(tui.Mouse); ok {
		return g.handleMouse(m)
	}
	if g.ring.Tab(g.children, ev) {
		return true
	}
	at := g.ring.At(g.children)
	return at >= 0 && g.offerTo(at, ev)
}

// offerTo offers ev to child i.
func (g *group) offerTo(i int, ev tui.Event) bool {
	return i < len(g.parts) && g.parts[i].slot.HandleEvent(ev)
}

// handleMouse gives m to the child under it, or to the one whose button is held, and the focus, if
// that takes keys.
func (g *group) handleMouse(m tui.Mouse) bool {
	under := slices.IndexFunc(g.parts, func(p part) bool { return p.holds(m.Col, m.Row) })
	i := g.grip.Route(m, under, under >= 0 && g.parts[under].view.Drags)
	if i < 0 || i >= len(g.parts) {
		return false
	}
	focus := m.Press && m.Button < 3
	if focus {
		g.ring.Set(g.children, i)
	}
	p := &g.parts[i]
	m.Col, m.Row = m.Col-p.col, m.Row-p.row+p.skippedRows
	return g.offerTo(i, m) || focus
}

// holds reports whether the cell in a column and a row of the group is one of p.
func (p *part) holds(col, row int) bool {
	return col >= p.col && col < p.col+p.width && row >= p.row && row < p.row+p.rows
}

// focusable reports whether any of the children, which may be new, takes keys.
func (g *group) focusable(children ...tui.Component) bool {
	g.children = append(g.children[:0], children...)
	return g.ring.At(g.children) >= 0
}

// EnterFocus gives the focus to the first child (by 1) or the last one (by -1) that takes keys.
func (g *group) EnterFocus(by int) bool { return g.ring.Enter(g.children, by) }

// MoveFocus gives the focus to the next child that takes keys (by 1), or to the one before (by -1).
func (g *group) MoveFocus(by int) bool { return g.ring.Move(g.children, by) }
