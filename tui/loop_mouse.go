package tui

import (
	"slices"
	"time"
)

// mouse is the state of mouse reports, and the places of the components that want them.
type mouse struct {
	on, drags   bool   // reports of the mouse, and of moves while a button is held, were asked for
	keyReleases bool   // releases of keys were asked for
	areas       []area // of the last frame, the topmost last
	cols, rows  int    // of the window then
	careful     bool   // the frame was careful: it is not known where its rows stand
	held        *area  // of the button that is held, for a component that wants to know of it
}

// area is the place of a component that is shown.
type area struct {
	overlay    *overlay // nil: the footer
	wantsMouse bool     // the mouse
	wantsDrags bool     // moves while its button is held
	// The columns and rows that are shown, from column col on.
	col, width, rows int
	rowsBelow        int // rows below it in the live region, or on the alternate screen
	skippedRows      int // rows of its view that are left out at the top
}

// beginFrame removes the areas of the last frame.
func (m *mouse) beginFrame() { m.areas, m.careful = m.areas[:0], false }

// addArea adds the area of an overlay, or of the footer if it is nil, with its view.
func (m *mouse) addArea(of *overlay, v View, a area) {
	a.overlay, a.wantsMouse, a.wantsDrags = of, v.Mouse, v.Mouse && v.Drags
	m.areas = append(m.areas, a)
}

// rowsSkipped returns how many rows of all are left out above part.
func rowsSkipped(all, part View) int {
	if len(all.Lines) == 0 || len(part.Lines) == 0 {
		return 0
	}
	for i := range all.Lines {
		if &all.Lines[i] == &part.Lines[0] {
			return i
		}
	}
	return 0
}

// updateMouse switches the reports of the mouse on if a component that is shown wants them, else
// off, and asks where the live region stands. It switches reports of key releases as the component
// with the keys wants.
func (l *loop) updateMouse() {
	m := &l.chrome.mouse
	wanted, drags := false, false
	for _, a := range m.areas {
		wanted, drags = wanted || a.wantsMouse, drags || a.wantsDrags
	}
	m.cols, m.rows, m.careful = l.cols, l.rows, l.frames.careful && l.chrome.fullScreen == nil
	if l.term == nil {
		return
	}
	if m.drags && !drags { // while the mouse is still on
		l.term.SetDrags(false)
	}
	if wanted != m.on {
		m.on = wanted
		l.term.SetMouse(wanted)
	}
	if drags && !m.drags {
		l.term.SetDrags(true)
	}
	m.drags = drags
	if of := l.keySlot(); m.keyReleases != (of != nil && of.view.Releases) {
		m.keyReleases = !m.keyReleases
		l.term.SetKeyReleases(m.keyReleases)
	}
	l.locateLive()
}

// keySlot returns the component that gets the keys first, nil if there is none.
func (l *loop) keySlot() *slot {
	switch o := l.keyOverlay(false); {
	case o != nil:
		return &o.slot
	case l.chrome.footer.comp != nil:
		return &l.chrome.footer
	}
	return nil
}

// locateLive asks where the live region stands if that is not known and a component wants the
// mouse.
func (l *loop) locateLive() {
	if !l.chrome.mouse.on || l.chrome.fullScreen != nil || l.fatalErr != nil || l.chrome.mouse.careful {
		return
	}
	asked, err := l.canvas.Locate()
	if err != nil {
		l.fatalErr = err
	}
	if asked {
		l.term.ExpectCursor()
	}
}

// handleMouse gives a mouse event to the component under it, if that wants the mouse, in its own
// columns and rows. Nobody gets it if it is not known for sure at what the person has pointed.
func (l *loop) handleMouse(ev Mouse, at time.Time) bool {
	m := &l.chrome.mouse
	if l.lent || !m.on || m.careful || l.chrome.fullScreen == nil && l.checkSize(at) ||
		m.cols != l.cols || m.rows != l.rows {
		return false
	}
	end := l.rows // the row below the live region
	if l.chrome.fullScreen == nil {
		top, known := l.canvas.Top()
		if !known {
			l.locateLive()
			return false
		}
		end = top + l.frames.seam.Live
	}
	if m.held != nil && (ev.Moved() || !ev.Press) {
		return l.deliverHeld(ev, end, at)
	}
	if m.held = nil; ev.Moved() {
		return false
	}
	if ev.Press {
		l.state.pointer = Pos{Col: ev.Col, Row: l.rows - (end - ev.Row)}
	}
	top := l.state.topOverlay()
	for i, a := range slices.Backward(m.areas) {
		if !a.holds(ev, end) {
			if a.overlay != nil && a.overlay == top && l.closeBeside(top, ev) {
				return true
			}
			continue
		}
		if !a.wantsMouse || top != nil && top.place.Modal && top.armed && a.overlay != top {
			return false // it covers what is below
		}
		if ev.Press && ev.Button < 3 && a.wantsDrags {
			held := m.areas[i]
			m.held = &held
		}
		return l.deliverMouse(a.overlay, a.inside(ev, end), at)
	}
	return false
}

// deliverHeld gives a move of the pointer, or the end of it, to the component whose button is held,
// wherever the pointer is, if that component is still shown.
func (l *loop) deliverHeld(ev Mouse, end int, at time.Time) bool {
	m := &l.chrome.mouse
	held := m.held
	if !ev.Moved() {
		m.held = nil
	}
	for _, a := range m.areas {
		if a.overlay == held.overlay {
			return l.deliverMouse(a.overlay, a.inside(ev, end), at)
		}
	}
	return false
}

// holds reports whether the pointer is on a. end is the grid row below the live region.
func (a *area) holds(ev Mouse, end int) bool {
	row := ev.Row - (end - a.rowsBelow - a.rows)
	return row >= 0 && row < a.rows && ev.Col >= a.col && ev.Col < a.col+a.width
}

// inside returns ev in the columns and rows of the view of a.
func (a *area) inside(ev Mouse, end int) Mouse {
	ev.Col, ev.Row = ev.Col-a.col, ev.Row-(end-a.rowsBelow-a.rows)+a.skippedRows
	return ev
}

// closeBeside closes o if it stands at the pointer and ev is a click beside it. It reports whether
// it did.
func (l *loop) closeBeside(o *overlay, ev Mouse) bool {
	if !o.place.Pointer || !ev.Press || ev.Button >= 3 {
		return false
	}
	l.runCallback(o.close)
	return true
}

// deliverMouse gives ev to the overlay o, or to the footer if o is nil.
func (l *loop) deliverMouse(o *overlay, ev Mouse, at time.Time) bool {
	if o == nil {
		return l.chrome.footer.viewed && l.chrome.footer.offerEvent(ev, l.chrome.footer.space, l.queue)
	}
	if o != l.state.topOverlay() || !o.viewed || !o.takesKey(at, l.input.lastKey) {
		return false
	}
	return o.offerEvent(ev, l.spaceWithShown(o, at), l.queue)
}
