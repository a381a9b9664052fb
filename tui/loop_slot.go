package tui

import "time"

// slot is the place of a component in the footer, a stack or an overlay, with its last view.
type slot struct {
	comp   Component
	view   View
	space  Space     // of the last view
	wakeAt time.Time // when View is due again; zero: never
	dirty  bool
	viewed bool // View was called
}

// currentView returns the component's view, and calls View only if something has changed. q, if not
// nil, notes the callback.
func (sl *slot) currentView(s Space, q *queue) View {
	due := !sl.wakeAt.IsZero() && !s.Now.Before(sl.wakeAt)
	same := sl.viewed && !sl.dirty && sl.space.equalExceptTime(s)
	if same && !due {
		return sl.view
	}
	s.tickOnly = same
	if q != nil {
		q.enterCallback()
	}
	sl.view = sl.comp.View(s)
	if q != nil {
		q.leaveCallback()
	}
	sl.space, sl.dirty, sl.viewed, sl.wakeAt = s, false, true, time.Time{}
	if sl.view.RefreshAfter > 0 {
		sl.wakeAt = s.Now.Add(sl.view.RefreshAfter)
	}
	return sl.view
}

// equalExceptTime reports whether s equals o but for the time.
func (s Space) equalExceptTime(o Space) bool {
	s.Now, s.tickOnly = o.Now, o.tickOnly
	return s == o
}

// offerEvent offers ev to the component. s is the space of its last view.
func (sl *slot) offerEvent(ev Event, s Space, q *queue) bool {
	h, ok := sl.comp.(EventHandler)
	if !ok {
		return false
	}
	q.enterCallback()
	defer q.leaveCallback()
	return h.HandleEvent(ev, s)
}

// Slot is the place of a component in one that holds others, with its last view. It is for authors
// of such components. The zero value is empty. Loop only.
type Slot struct{ slot slot }

// View returns the view of c in the space s. It calls c only if something may have changed; at a
// tick of an animation only if the tick is its own. RefreshAfter counts from now.
func (sl *Slot) View(c Component, s Space) View {
	if !sameComponent(sl.slot.comp, c) {
		sl.slot = slot{comp: c}
	}
	sl.slot.dirty = sl.slot.dirty || !s.tickOnly
	v := sl.slot.currentView(s, nil)
	v.RefreshAfter = 0
	if wake := sl.slot.wakeAt; !wake.IsZero() {
		v.RefreshAfter = max(wake.Sub(s.Now), 1)
	}
	return v
}

// HandleEvent offers ev to the component, with the space of its last View. A [KeyRelease] or a
// [Mouse] is offered only if that View has asked for it.
func (sl *Slot) HandleEvent(ev Event) bool {
	switch ev.(type) {
	case KeyRelease:
		if !sl.slot.view.Releases {
			return false
		}
	case Mouse:
		if !sl.slot.view.Mouse {
			return false
		}
	}
	h, ok := sl.slot.comp.(EventHandler)
	return ok && sl.slot.viewed && h.HandleEvent(ev, sl.slot.space)
}

// Inside returns s for a component that has a part of it, cols columns and rows rows (0: no limit),
// from the beginning of its source. An [Image] in it is shown as text, since the cells of a picture
// cannot be moved.
func (s Space) Inside(cols, rows int) Space {
	s.Width, s.Height, s.From, s.surface = max(cols, 1), max(rows, 0), 0, nil
	return s
}
