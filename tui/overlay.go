package tui

import (
	"slices"
	"time"
)

// Place says where an overlay goes. The zero value is the bottom, at full width.
type Place struct {
	// In columns and rows; 0: all.
	Width, Height int
	// Replace puts it in the place of Footer, so that it covers no row. Full gives it the whole
	// alternate screen: the transcript stays as it is and writers wait. Where there is no alternate
	// screen that leaves history alone (GNU screen, Emacs' term), Full is Replace.
	Top, Replace, Full bool
	// Keys go to Footer until the overlay was painted and no key came for this long.
	FocusDelay time.Duration
}

// overlay is a component over the window or in the footer's place.
type overlay struct {
	slot
	place     Place
	paintedAt time.Time // when the terminal had taken a frame with it; zero: not yet
	armed     bool      // it gets the keys
	// When it was armed: a key that was read before that does not count, however late the loop
	// comes to it.
	armedAt time.Time
	scene   sceneState
}

// Overlay shows c, never in history, with the focus, until remove is called. The overlay that was
// opened last is shown and has the focus. An event that it does not handle goes to Footer and
// OnEvent. A second call of remove does nothing. Both are for the loop (see Do) or before Run.
func (a *App) Overlay(c Component, p Place) (remove func()) {
	s := a.getState()
	o := &overlay{slot: slot{comp: c}, place: p, armed: p.FocusDelay <= 0}
	s.overlays = append(s.overlays, o)
	return func() {
		if i := slices.Index(s.overlays, o); i >= 0 {
			s.overlays = slices.Delete(s.overlays, i, i+1)
		}
	}
}

// topOverlay returns the overlay with the focus, nil if there is none.
func (s *state) topOverlay() *overlay {
	if n := len(s.overlays); n > 0 {
		return s.overlays[n-1]
	}
	return nil
}

// takesKey reports whether o takes a key that was read at the time at. lastKey is the time of the
// key before.
func (o *overlay) takesKey(at, lastKey time.Time) bool {
	if o.armed && at.Before(o.armedAt) {
		o.armed = false // it was not quiet after all
	}
	return o.armIfDue(at, lastKey)
}

// armIfDue arms o if its delay is over, and reports whether it is armed.
func (o *overlay) armIfDue(now, lastKey time.Time) bool {
	if t, ok := o.armTime(lastKey); ok && !now.Before(t) {
		o.armed, o.armedAt = true, t
	}
	return o.armed
}

// armTime returns when o will be armed. It returns false if o is armed, or has not been painted.
func (o *overlay) armTime(lastKey time.Time) (time.Time, bool) {
	if o.armed || o.paintedAt.IsZero() {
		return time.Time{}, false
	}
	t := o.paintedAt
	if lastKey.After(t) {
		t = lastKey
	}
	return t.Add(o.place.FocusDelay), true
}

// sceneState knows since when the terminal has shown a scene ([View]). The zero value: it shows
// none.
type sceneState struct {
	name       string
	rows       int       // of the overlay, and below it
	sentAt     time.Time // when its first frame was sent
	shownSince time.Time // zero: the terminal has not taken that frame yet
}

// noteFrame notes a frame that was sent, with so many rows. complete: all of them are in the
// window.
func (s *sceneState) noteFrame(scene string, rows int, complete bool, now time.Time) {
	if !complete {
		scene = ""
	}
	if scene != s.name {
		*s = sceneState{name: scene, sentAt: now}
	}
	s.rows = rows
}

// clear notes that the scene does not count as shown, and reports whether that is new.
func (s *sceneState) clear() bool {
	changed := !s.shownSince.IsZero()
	s.shownSince = time.Time{}
	return changed
}

// isWaiting reports whether the terminal still has to take the scene.
func (s *sceneState) isWaiting() bool { return s.name != "" && s.shownSince.IsZero() }

// update applies the times of [terminal.Terminal.CaughtUp] and reports whether that changes
// something.
func (s *sceneState) update(drainedAt, lastSlow time.Time) bool {
	old := s.shownSince
	switch {
	case s.name == "":
	case s.shownSince.IsZero() && !drainedAt.IsZero():
		s.shownSince = drainedAt
		if drainedAt.Before(s.sentAt) { // the frame had nothing to write
			s.shownSince = s.sentAt
		}
	case !s.shownSince.IsZero() && lastSlow.After(s.shownSince):
		s.shownSince = lastSlow
	}
	return s.shownSince != old
}
