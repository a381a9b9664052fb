package layout

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// group holds the children of a layout: their last views, their positions, and which one has the
// focus.
type group struct {
	children    []tui.Component
	childStates []childState
	ring        tui.Ring
	grip        tui.Grip
	spanStore   spanStore
	caret       tui.Pos
}

// childState holds the last view of a child. Its rows, from skippedRows on, are shown at col and
// row.
type childState struct {
	slot        tui.Slot
	view        tui.View
	col, row    int
	width, rows int
	skippedRows int
	cut         bool // rows of the child are left out
}

// beginView sets the children for a new View.
func (g *group) beginView(children ...tui.Component) {
	g.children = append(g.children[:0], children...)
	for len(g.childStates) < len(children) {
		g.childStates = append(g.childStates, childState{})
	}
	g.childStates = g.childStates[:len(children)]
	for i := range g.childStates {
		g.childStates[i] = childState{slot: g.childStates[i].slot}
	}
}

// viewChild returns the view of child i in a space of cols columns and rows rows; 0 rows means no
// limit. Rows that do not fit are left out at the end, or at the start if the caret would otherwise
// be hidden.
func (g *group) viewChild(i int, s tui.Space, cols, rows int) tui.View {
	s = s.Inside(cols, rows)
	s.Focused = s.Focused && g.ring.At(g.children) == i
	p := &g.childStates[i]
	*p = childState{slot: p.slot, width: s.Width}
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

// placeChild records the position of child i.
func (g *group) placeChild(i, col, row int) { g.childStates[i].col, g.childStates[i].row = col, row }

// groupView returns a View of lines that combines what the children's views request: caret,
// refresh, mouse and so on.
func (g *group) groupView(lines []tui.Line) tui.View {
	v := tui.View{Lines: lines}
	var scenes []string
	complete := true
	focus := g.ring.At(g.children)
	for i := range g.childStates {
		p := &g.childStates[i]
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

// HandleEvent passes keys to the focused child, and mouse events to the child under the pointer.
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

// offerTo passes ev to child i.
func (g *group) offerTo(i int, ev tui.Event) bool {
	return i < len(g.childStates) && g.childStates[i].slot.HandleEvent(ev)
}

// handleMouse passes m to the child under the pointer, or to the one on which the user is dragging.
// A click also gives that child the focus.
func (g *group) handleMouse(m tui.Mouse) bool {
	under := slices.IndexFunc(g.childStates, func(p childState) bool { return p.contains(m.Col, m.Row) })
	i := g.grip.Route(m, under, under >= 0 && g.childStates[under].view.Drags)
	if i < 0 || i >= len(g.childStates) {
		return false
	}
	focus := m.Press && m.Button < 3
	if focus {
		g.ring.Set(g.children, i)
	}
	p := &g.childStates[i]
	m.Col, m.Row = m.Col-p.col, m.Row-p.row+p.skippedRows
	return g.offerTo(i, m) || focus
}

// contains reports whether the cell at a column and row of the group belongs to p.
func (p *childState) contains(col, row int) bool {
	return col >= p.col && col < p.col+p.width && row >= p.row && row < p.row+p.rows
}

// focusable sets the children, and reports whether any of them takes keys.
func (g *group) focusable(children ...tui.Component) bool {
	g.children = append(g.children[:0], children...)
	return g.ring.At(g.children) >= 0
}

// EnterFocus gives the focus to the first child that takes keys if by is 1, or to the last one if
// by is -1.
func (g *group) EnterFocus(by int) bool { return g.ring.Enter(g.children, by) }

// MoveFocus moves the focus to the next child that takes keys if by is 1, or to the previous one if
// by is -1.
func (g *group) MoveFocus(by int) bool { return g.ring.Move(g.children, by) }
