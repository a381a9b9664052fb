package tui

import (
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// overlay is a component over the window or in the footer's place.
type overlay struct {
	slot
	place     Place
	close     func()    // removes it, as Esc does
	pointer   Pos       // where the pointer was when it was opened, see Place.Pointer
	paintedAt time.Time // when the terminal had taken a frame with it; zero: not yet
	armed     bool      // it gets the keys
	// When it was armed: a key that was read before that does not count, however late the loop
	// comes to it.
	armedAt time.Time
	scene   sceneState
	picture renderer.Overlay // of the last frame, if it is a layer
}

// Overlay shows c, never in history, with the focus, until remove is called. Overlays stand one
// over the other as layers, in the order in which they were opened; one with Replace or Full hides
// those that were opened before. The last one has the focus, the caret and the mouse. An event that
// it does not handle goes to Footer and OnEvent, see [Place].Modal. Esc, where nobody handles it,
// removes a layer. A second call of remove does nothing. Both are for the loop (see Do) or before
// Run.
func (a *App) Overlay(c Component, p Place) (remove func()) {
	s := a.getState()
	o := &overlay{slot: slot{comp: c}, place: p, pointer: s.pointer, armed: p.FocusDelay <= 0}
	list := &s.overlays
	if p.Passive {
		list = &s.beside
	}
	*list = append(*list, o)
	o.close = func() {
		if i := slices.Index(*list, o); i >= 0 {
			*list = slices.Delete(*list, i, i+1)
		}
	}
	return o.close
}

// topOverlay returns the overlay with the focus, nil if there is none.
func (s *state) topOverlay() *overlay {
	if n := len(s.overlays); n > 0 {
		return s.overlays[n-1]
	}
	return nil
}

// hasScreen reports whether an overlay wants the alternate screen.
func (s *state) hasScreen() bool {
	return slices.ContainsFunc(s.overlays, func(o *overlay) bool { return o.place.Full })
}

// visibleOverlays returns the overlays that are not hidden: base, which has the footer's place or
// the alternate screen and may be nil, and the layers over it, the uppermost last. On the alternate
// screen there is no footer to replace: Replace is a layer.
func (l *loop) visibleOverlays() (base *overlay, layers []*overlay) {
	all := l.state.overlays
	onlyFull := l.chrome.fullScreen != nil
	for i := len(all) - 1; i >= 0; i-- {
		if p := &all[i].place; p.Full || p.Replace && !onlyFull {
			return all[i], all[i+1:]
		}
	}
	return nil, all
}

// keyOverlay returns the overlay that gets keys: the uppermost one, or while that waits for its
// FocusDelay the armed one below it. It returns nil if the footer gets them. With viewed it leaves
// out those that no frame has shown yet.
func (l *loop) keyOverlay(viewed bool) *overlay {
	base, layers := l.visibleOverlays()
	for _, o := range slices.Backward(layers) {
		if o.armed && (o.viewed || !viewed) {
			return o
		}
	}
	if base != nil && base.armed && (base.viewed || !viewed) {
		return base
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
