package tui

// Grip keeps track of which one of several components the user is dragging on, see [View].Drags. It
// is a tool for components that contain others. The zero value means none. Call its method only on
// the loop.
type Grip struct{ heldPlus1 int }

// Route returns the index of the component that should get the mouse event m, or -1 if none should.
// under is the index of the component under the pointer, or -1. drags says whether the last View of
// that component has set Drags.
func (g *Grip) Route(m Mouse, under int, drags bool) int {
	switch {
	case m.Moved():
		return g.heldPlus1 - 1
	case !m.Press && g.heldPlus1 > 0:
		under, g.heldPlus1 = g.heldPlus1-1, 0
	case m.Press && m.Button < 3:
		if g.heldPlus1 = 0; drags {
			g.heldPlus1 = under + 1
		}
	}
	return under
}
