package tui

import (
	"slices"
	"time"
)

// Place says where an overlay goes; the zero value is the bottom, full width. Width and Height are
// in columns and rows, 0 for all. Replace: instead of Footer, so that no row is covered. Full: the
// whole alternate screen; the transcript rests meanwhile, writers wait, and it is untouched
// afterwards. Where there is no alternate screen that leaves history alone (GNU screen, Emacs'
// term), Full is Replace. Quiet: until it was painted and no key came for this long, keys go to
// Footer.
type Place struct {
	Width, Height      int
	Top, Replace, Full bool
	Quiet              time.Duration
}

// overlay is a component over the window or in the footer's place.
type overlay struct {
	slot
	place   Place
	painted time.Time // when the terminal had taken a frame with it; zero: not yet
	armed   bool
	since   time.Time // when it was armed: a key that was read before does not count, however late the loop comes to it
	stands  standing
}

// Overlay shows c, never in history, with the focus, until the func that it returns is called
// (idempotent). The last one that was opened is shown, and has the focus; an event that it does not
// handle goes on to Footer and OnEvent. For the loop (see Do) or before Run, as is the func.
func (a *App) Overlay(c Component, p Place) (remove func()) {
	s := a.get()
	o := &overlay{slot: slot{comp: c}, place: p, armed: p.Quiet <= 0}
	s.overlays = append(s.overlays, o)
	return func() {
		if i := slices.Index(s.overlays, o); i >= 0 {
			s.overlays = slices.Delete(s.overlays, i, i+1)
		}
	}
}

// top returns the overlay with the focus, nil if there is none.
func (s *state) top() *overlay {
	if n := len(s.overlays); n > 0 {
		return s.overlays[n-1]
	}
	return nil
}

// takes reports whether o takes a key that was read at the time at; lastKey is the time of the one
// before.
func (o *overlay) takes(at, lastKey time.Time) bool {
	if o.armed && at.Before(o.since) {
		o.armed = false // it was not quiet after all
	}
	return o.arm(at, lastKey)
}

// arm makes o armed if it is time, and reports whether it is.
func (o *overlay) arm(now, lastKey time.Time) bool {
	if t, ok := o.arming(lastKey); ok && !now.Before(t) {
		o.armed, o.since = true, t
	}
	return o.armed
}

// arming returns when o will be armed; false if it is, or has not been painted.
func (o *overlay) arming(lastKey time.Time) (time.Time, bool) {
	if o.armed || o.painted.IsZero() {
		return time.Time{}, false
	}
	t := o.painted
	if lastKey.After(t) {
		t = lastKey
	}
	return t.Add(o.place.Quiet), true
}

// standing tells since when the terminal has shown a scene ([View]). The zero value: it shows none.
type standing struct {
	scene string
	rows  int       // of the overlay, and below it
	sent  time.Time // when its first frame was
	since time.Time // zero: the terminal has not taken that yet, or is late with a later one
}

// frame takes note of a frame that was sent, with so many rows. whole: all of them are in the
// window.
func (s *standing) frame(scene string, rows int, whole bool, now time.Time) {
	if !whole {
		scene = ""
	}
	if scene != s.scene {
		*s = standing{scene: scene, sent: now}
	}
	s.rows = rows
}

// lose says that the scene does not stand, and reports whether that changes something.
func (s *standing) lose() bool {
	changed := !s.since.IsZero()
	s.since = time.Time{}
	return changed
}

// waits reports whether there is something that the terminal has to take before the scene stands.
func (s *standing) waits() bool { return s.scene != "" && s.since.IsZero() }

// look goes by what the terminal has taken ([terminal.Terminal.CaughtUp]) and reports whether that
// changes something.
func (s *standing) look(all, even time.Time) bool {
	old := s.since
	switch {
	case s.scene == "":
	case s.since.IsZero() && !all.IsZero():
		s.since = all
		if all.Before(s.sent) { // the frame had nothing to write
			s.since = s.sent
		}
	case !s.since.IsZero() && even.After(s.since):
		s.since = even
	}
	return s.since != old
}
