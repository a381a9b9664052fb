package tui

import "time"

// mouse is what the terminal was told of the mouse, and where those stand who want it.
type mouse struct {
	on         bool
	releases   bool   // of keys were asked for
	areas      []area // of the last frame, the topmost last
	cols, rows int    // of the window then
	careful    bool   // nobody knows for sure where its rows stand
}

// area is where a component stands that is shown.
type area struct {
	of          *overlay // nil: the footer
	wants       bool     // the mouse
	width, rows int      // that are shown
	up          int      // rows below it in the live region; on the alternate screen it begins at the top
	skip        int      // rows of its view that are left out at the top
}

// forget begins a frame.
func (m *mouse) forget() { m.areas, m.careful = m.areas[:0], false }

// place notes where the component of an overlay, or the footer, stands with its view.
func (m *mouse) place(of *overlay, v View, a area) {
	a.of, a.wants = of, v.Mouse
	m.areas = append(m.areas, a)
}

// skipped returns how many rows of all are left out above part.
func skipped(all, part View) int {
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

// report switches the reports of the mouse on or off, as somebody wants who is shown, and asks
// where the live region stands. Key releases are told if who has the keys wants them.
func (l *loop) report() {
	m := &l.chrome.mouse
	want := false
	for _, a := range m.areas {
		want = want || a.wants
	}
	m.cols, m.rows, m.careful = l.cols, l.rows, l.frames.careful && l.chrome.full == nil
	if l.term == nil {
		return
	}
	if want != m.on {
		m.on = want
		l.term.SetMouse(want)
	}
	if of := l.keyed(); m.releases != (of != nil && of.view.Releases) {
		m.releases = !m.releases
		l.term.SetKeyReleases(m.releases)
	}
	l.locate()
}

// keyed returns what gets the keys first, nil if nothing does.
func (l *loop) keyed() *slot {
	switch o := l.state.top(); {
	case o != nil && o.armed:
		return &o.slot
	case l.chrome.footer.comp != nil:
		return &l.chrome.footer
	}
	return nil
}

// locate asks where the live region stands if that is not known and somebody wants the mouse.
func (l *loop) locate() {
	if !l.chrome.mouse.on || l.chrome.full != nil || l.gone != nil || l.chrome.mouse.careful {
		return
	}
	asked, err := l.out.Locate()
	if err != nil {
		l.gone = err
	}
	if asked {
		l.term.ExpectCursor()
	}
}

// click gives a mouse event to the component under it, if that wants the mouse, in its own columns
// and rows. Where it is not known for sure what the person has pointed at, nobody gets it.
func (l *loop) click(ev Mouse, at time.Time) bool {
	m := &l.chrome.mouse
	if l.away || !m.on || m.careful || l.chrome.full == nil && l.sizeChanged(at) ||
		m.cols != l.cols || m.rows != l.rows {
		return false
	}
	end := 0 // the row below the live region
	if l.chrome.full == nil {
		top, known := l.out.Top()
		if !known {
			l.locate()
			return false
		}
		end = top + l.frames.seam.Live
	}
	for i := len(m.areas) - 1; i >= 0; i-- {
		a := m.areas[i]
		row := ev.Row
		if l.chrome.full == nil {
			row -= end - a.up - a.rows
		}
		if row < 0 || row >= a.rows || ev.Col < 0 || ev.Col >= a.width {
			continue
		}
		if !a.wants {
			return false // it covers what is below
		}
		ev.Row = row + a.skip
		return l.pointed(a.of, ev, at)
	}
	return false
}

// pointed gives ev to the overlay o, or to the footer.
func (l *loop) pointed(o *overlay, ev Mouse, at time.Time) bool {
	if o == nil {
		return l.chrome.footer.made && l.chrome.footer.handle(ev, l.chrome.footer.space, l.q)
	}
	if o != l.state.top() || !o.made || !o.takes(at, l.input.lastKey) {
		return false
	}
	return o.handle(ev, l.shownSpace(o, at), l.q)
}
