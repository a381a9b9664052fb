package tui

import "time"

// slot is a component's place in the footer, a stack or an overlay, with its last view.
type slot struct {
	comp  Component
	view  View
	space Space
	wake  time.Time // when View is wanted again, zero: never
	dirty bool
	made  bool
}

// look is the component's view, made anew only if something has changed. q, if not nil, is told of
// the callback.
func (sl *slot) look(s Space, q *queue) View {
	due := !sl.wake.IsZero() && !s.Now.Before(sl.wake)
	same := sl.made && !sl.dirty && sl.space.alike(s)
	if same && !due {
		return sl.view
	}
	s.tick = same
	if q != nil {
		q.enter()
	}
	sl.view = sl.comp.View(s)
	if q != nil {
		q.leave()
	}
	sl.space, sl.dirty, sl.made, sl.wake = s, false, true, time.Time{}
	if sl.view.Again > 0 {
		sl.wake = s.Now.Add(sl.view.Again)
	}
	return sl.view
}

// alike reports whether s is o but for the time.
func (s Space) alike(o Space) bool {
	s.Now, s.tick = o.Now, o.tick
	return s == o
}

// handle offers ev to the component; s is the space of its last view.
func (sl *slot) handle(ev Event, s Space, q *queue) bool {
	h, ok := sl.comp.(EventHandler)
	if !ok {
		return false
	}
	q.enter()
	defer q.leave()
	return h.HandleEvent(ev, s)
}
