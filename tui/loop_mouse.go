package tui

import (
	"slices"
	"time"
)

// mouse is the state of mouse reports, and the areas of the components that want them.
type mouse struct {
	on, drags   bool        // reports of clicks, and of moves with a button held, are switched on
	keyReleases bool        // reports of key releases are switched on
	areas       []mouseArea // areas of the components in the last frame, the topmost last
	cols, rows  int         // size of the window in the last frame
	careful     bool        // the position of the rows is unsure, because the last frame was careful
	heldArea    *mouseArea  // the area on which the held button was pressed, if its component wants drags
}

// mouseArea is the part of the window in which a component is shown.
type mouseArea struct {
	overlay    *overlay // nil: the footer
	wantsMouse bool     // the component wants mouse events
	wantsDrags bool     // the component wants moves while a button is held
	// The first column, and the size in columns and rows.
	col, width, rows int
	rowsBelow        int // number of rows below it in the live region, or on the alternate screen
	skippedRows      int // number of rows of the component's view that are left out at the top
}

// beginFrame removes the areas of the previous frame.
func (m *mouse) beginFrame() { m.areas, m.careful = m.areas[:0], false }

// addArea adds the area of an overlay, or of the footer if of is nil. v is the view that is shown
// there.
func (m *mouse) addArea(of *overlay, v View, a mouseArea) {
	a.overlay, a.wantsMouse, a.wantsDrags = of, v.Mouse, v.Mouse && v.Drags
	m.areas = append(m.areas, a)
}

// rowsSkipped returns the number of rows of the view all that are left out above part.
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

// updateMouse switches mouse reports on if a visible component wants them, and otherwise off. The
// same applies to reports of key releases for the component with the keys. It also asks where the
// live region is.
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

// keySlot returns the slot of the component that gets the keys first, or nil if there is none.
func (l *loop) keySlot() *slot {
	switch o := l.keyOverlay(false); {
	case o != nil:
		return &o.slot
	case l.chrome.footer.comp != nil:
		return &l.chrome.footer
	}
	return nil
}

// locateLive asks the terminal for the position of the live region, if it is unknown and a
// component wants the mouse.
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

// handleMouse passes a mouse event, in local coordinates, to the component under the pointer if
// that wants the mouse. It drops the event if it is not sure what the user has pointed at. It
// returns true if the event was handled.
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
	if m.heldArea != nil && (ev.Moved() || !ev.Press) {
		return l.deliverHeld(ev, end, at)
	}
	if m.heldArea = nil; ev.Moved() {
		return false
	}
	if ev.Press {
		l.state.lastClick = Pos{Col: ev.Col, Row: l.rows - (end - ev.Row)}
	}
	top := l.state.topOverlay()
	for i, a := range slices.Backward(m.areas) {
		if !a.contains(ev, end) {
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
			m.heldArea = &held
		}
		return l.deliverMouse(a.overlay, a.toLocal(ev, end), at)
	}
	return false
}

// deliverHeld passes a move of the pointer or the release of the button to the component on which
// the button was pressed, if that component is still shown.
func (l *loop) deliverHeld(ev Mouse, end int, at time.Time) bool {
	m := &l.chrome.mouse
	held := m.heldArea
	if !ev.Moved() {
		m.heldArea = nil
	}
	for _, a := range m.areas {
		if a.overlay == held.overlay {
			return l.deliverMouse(a.overlay, a.toLocal(ev, end), at)
		}
	}
	return false
}

// contains reports whether the pointer is in the area. end is the grid row below the live region.
func (a *mouseArea) contains(ev Mouse, end int) bool {
	row := ev.Row - (end - a.rowsBelow - a.rows)
	return row >= 0 && row < a.rows && ev.Col >= a.col && ev.Col < a.col+a.width
}

// toLocal returns ev with columns and rows counted in the view of the area's component.
func (a *mouseArea) toLocal(ev Mouse, end int) Mouse {
	ev.Col, ev.Row = ev.Col-a.col, ev.Row-(end-a.rowsBelow-a.rows)+a.skippedRows
	return ev
}

// closeBeside closes an overlay that was opened at the pointer if ev is a click outside it.
// Otherwise it returns false.
func (l *loop) closeBeside(o *overlay, ev Mouse) bool {
	if !o.place.Pointer || !ev.Press || ev.Button >= 3 {
		return false
	}
	l.runCallback(o.close)
	return true
}

// deliverMouse passes ev to the overlay o, or to the footer if o is nil.
func (l *loop) deliverMouse(o *overlay, ev Mouse, at time.Time) bool {
	if o == nil {
		return l.chrome.footer.viewed && l.chrome.footer.offerEvent(ev, l.chrome.footer.space, l.queue)
	}
	if o != l.state.topOverlay() || !o.viewed || !o.takesKey(at, l.input.lastKey) {
		return false
	}
	return o.offerEvent(ev, l.spaceWithShown(o, at), l.queue)
}
