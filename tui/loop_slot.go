package tui

import "time"

// slot holds a component in the footer, a stack or an overlay, together with its last view.
type slot struct {
	comp   Component
	view   View
	space  Space     // the Space of the last view
	wakeAt time.Time // when View must be called again; zero: never
	dirty  bool      // the component may have changed
	viewed bool      // View was called at least once
}

// currentView returns the component's view. It calls View only if something may have changed. If q
// is not nil the call counts as a callback of that queue.
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

// equalExceptTime reports whether s and o are equal except for the time.
func (s Space) equalExceptTime(o Space) bool {
	s.Now, s.tickOnly = o.Now, o.tickOnly
	return s == o
}

// offerEvent passes ev to the component, with the Space of its last view. It returns true if the
// component has handled it.
func (sl *slot) offerEvent(ev Event, s Space, q *queue) bool {
	h, ok := sl.comp.(EventHandler)
	if !ok {
		return false
	}
	q.enterCallback()
	defer q.leaveCallback()
	return h.HandleEvent(ev, s)
}

// Slot holds a component that another component contains, together with its last view. It is a tool
// for authors of such containers. The zero value is empty. Use it only on the loop.
type Slot struct{ slot slot }

// View returns the view of c in the Space s. It calls c.View only if c may have changed; during an
// animation only if c itself is animated. RefreshAfter in the result counts from now.
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

// HandleEvent passes ev to the component, with the Space of its last View. A [KeyRelease] or a
// [Mouse] event is passed only if that View has requested it.
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

// Inside returns a Space for a contained component, of the given number of columns and rows; 0 rows
// means no limit. The contained component begins at the start of its source. An [Image] in it is
// shown as text, since the cells of a picture cannot be moved.
func (s Space) Inside(cols, rows int) Space {
	s.Width, s.Height, s.From, s.surface = max(cols, 1), max(rows, 0), 0, nil
	return s
}
