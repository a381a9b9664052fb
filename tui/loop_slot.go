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

// look returns the component's view, made anew only if something has changed. q, if not nil, is
// told of the callback.
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

// Slot is the place of a component in one that holds others, with its last view: for who writes
// such a component. The zero value is empty. Loop only.
type Slot struct{ slot slot }

// View returns the view of c in the space s. It asks c only if something may have changed: at a
// tick of an animation only if that is its own. Again is counted from now.
func (sl *Slot) View(c Component, s Space) View {
	if !same(sl.slot.comp, c) {
		sl.slot = slot{comp: c}
	}
	sl.slot.dirty = sl.slot.dirty || !s.tick
	v := sl.slot.look(s, nil)
	v.Again = 0
	if wake := sl.slot.wake; !wake.IsZero() {
		v.Again = max(wake.Sub(s.Now), 1)
	}
	return v
}

// HandleEvent offers ev to the component, with the space of its last View; a [KeyRelease] and a
// [Mouse] only if that has asked for it.
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
	return ok && sl.slot.made && h.HandleEvent(ev, sl.slot.space)
}

// Inside returns s for a component that has a part of it, cols columns and rows rows (0: no limit),
// from the beginning of its source. An [Image] in it is shown as text: the cells of a picture
// cannot be moved.
func (s Space) Inside(cols, rows int) Space {
	s.Width, s.Height, s.From, s.pics = max(cols, 1), max(rows, 0), 0, nil
	return s
}
