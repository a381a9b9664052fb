package tui

import (
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// overlay is a component that is shown above the window or in place of the footer.
type overlay struct {
	slot
	place     Place
	close     func()    // removes the overlay, for example on Esc
	pointer   Pos       // position of the pointer when the overlay was opened, see Place.Pointer
	paintedAt time.Time // when the terminal had taken a frame with the overlay; zero: not yet
	armed     bool      // the overlay gets the keys
	// armedAt is the time from which on the overlay gets keys. A key that was read before does not
	// count, however late the loop handles it.
	armedAt time.Time
	scene   sceneState       // since when its scene is shown
	picture renderer.Overlay // the layer in the last frame
}

// Overlay shows c, with the focus, until remove is called. It is never part of history. Overlays
// are stacked as layers in the order in which they were opened. One with Replace or Full hides the
// earlier ones. The last one has the focus, the caret and the mouse. Events that it does not handle
// go to Footer and OnEvent, see [Place].Modal. If nobody handles Esc it removes the topmost layer.
// A second call of remove does nothing. Call Overlay and remove on the loop (see Do) or before Run.
func (a *App) Overlay(c Component, p Place) (remove func()) {
	s := a.getState()
	o := &overlay{slot: slot{comp: c}, place: p, pointer: s.lastClick, armed: p.FocusDelay <= 0}
	list := &s.overlays
	if p.Passive {
		list = &s.passiveOverlays
	}
	*list = append(*list, o)
	o.close = func() {
		if i := slices.Index(*list, o); i >= 0 {
			*list = slices.Delete(*list, i, i+1)
		}
	}
	return o.close
}

// topOverlay returns the topmost overlay, which has the focus, or nil if there is none.
func (s *state) topOverlay() *overlay {
	if n := len(s.overlays); n > 0 {
		return s.overlays[n-1]
	}
	return nil
}

// hasScreen reports whether an overlay needs the alternate screen.
func (s *state) hasScreen() bool {
	return slices.ContainsFunc(s.overlays, func(o *overlay) bool { return o.place.Full })
}

// visibleOverlays returns the overlays that are not hidden. base is the one in place of the footer
// or on the alternate screen, or nil. layers are those above it, the topmost last. On the alternate
// screen there is no footer, so that an overlay with Replace is a layer.
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

// keyOverlay returns the overlay that gets the keys, or nil if the footer gets them. It is the
// topmost overlay that does not wait for its FocusDelay. If viewed is true only overlays count that
// a frame has shown.
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
// previous key.
func (o *overlay) takesKey(at, lastKey time.Time) bool {
	if o.armed && at.Before(o.armedAt) {
		o.armed = false // it was not quiet after all
	}
	return o.armIfDue(at, lastKey)
}

// armIfDue gives the keys to o if its FocusDelay is over. It returns whether o gets them.
func (o *overlay) armIfDue(now, lastKey time.Time) bool {
	if t, ok := o.armTime(lastKey); ok && !now.Before(t) {
		o.armed, o.armedAt = true, t
	}
	return o.armed
}

// armTime returns the time at which o will get the keys. It returns false if o has them already, or
// was not painted yet.
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

// sceneState records since when the terminal has shown a scene ([View]). The zero value means that
// it shows none.
type sceneState struct {
	name       string    // the View's Scene
	rows       int       // number of rows of the overlay, and below it
	sentAt     time.Time // when the first frame with the scene was sent
	shownSince time.Time // zero: the terminal has not taken that frame yet
}

// noteFrame records a frame with the scene that was sent at now. rows is the number of rows of the
// overlay and below it. complete says that all of them are in the window.
func (s *sceneState) noteFrame(scene string, rows int, complete bool, now time.Time) {
	if !complete {
		scene = ""
	}
	if scene != s.name {
		*s = sceneState{name: scene, sentAt: now}
	}
	s.rows = rows
}

// clear records that the scene does not count as shown. It returns true if it did before.
func (s *sceneState) clear() bool {
	changed := !s.shownSince.IsZero()
	s.shownSince = time.Time{}
	return changed
}

// isWaiting reports whether the terminal has not taken the scene's frame yet.
func (s *sceneState) isWaiting() bool { return s.name != "" && s.shownSince.IsZero() }

// update applies the times of [terminal.Terminal.CaughtUp]. It returns true if shownSince has
// changed.
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
