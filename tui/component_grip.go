package tui

// Grip knows which one of several components has the button that is held, see [View].Drags. The
// zero value is none. It is for components that hold others; its method is for the loop.
type Grip struct{ held int } // its index and 1

// Route returns the index of the component that m is for, -1 if it is for none. under is that of
// the one under the pointer, or -1; drags says whether its View has Drags.
func (g *Grip) Route(m Mouse, under int, drags bool) int {
	switch {
	case m.Moved():
		return g.held - 1
	case !m.Press && g.held > 0:
		under, g.held = g.held-1, 0
	case m.Press && m.Button < 3:
		if g.held = 0; drags {
			g.held = under + 1
		}
	}
	return under
}
