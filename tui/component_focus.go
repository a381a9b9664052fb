package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// Focuser is an optional interface of a Component that contains others and moves the focus among
// them. [Stack] and the components of package layout implement it. The methods are called only on
// the loop.
type Focuser interface {
	// Focusable reports whether any of the contained components takes keys.
	Focusable() bool
	// EnterFocus gives the focus to the first component that takes keys if by is 1, or to the last
	// one if by is -1. It returns false if none takes keys.
	EnterFocus(by int) bool
	// MoveFocus moves the focus to the next component if by is 1, or to the previous one if by is
	// -1. If there is none it changes nothing and returns false.
	MoveFocus(by int) bool
}

// Ring keeps track of which one of several components has the focus. It is a tool for components
// that contain others. The zero value gives the focus to the first component that takes keys. Call
// its methods only on the loop.
type Ring struct{ index int }

// focusable reports whether c takes keys.
func focusable(c Component) bool {
	if f, ok := c.(Focuser); ok {
		return f.Focusable()
	}
	_, ok := c.(EventHandler)
	return ok
}

// At returns the index of the component that has the focus, or -1 if none takes keys.
func (r *Ring) At(all []Component) int {
	if r.index < len(all) && focusable(all[r.index]) {
		return r.index
	}
	for i, c := range all {
		if focusable(c) {
			r.index = i
			return i
		}
	}
	return -1
}

// Set gives the focus to component i if it takes keys.
func (r *Ring) Set(all []Component, i int) {
	if i >= 0 && i < len(all) && focusable(all[i]) {
		r.index = i
	}
}

// Enter gives the focus to the first or last component of all, as described for
// [Focuser].EnterFocus.
func (r *Ring) Enter(all []Component, by int) bool {
	start := -1
	if by < 0 {
		start = len(all)
	}
	return r.focusFrom(all, start, by)
}

// Move moves the focus within all, as described for [Focuser].MoveFocus. If the focused component
// contains others the focus first moves inside it.
func (r *Ring) Move(all []Component, by int) bool {
	at := r.At(all)
	if at < 0 {
		return false
	}
	if f, ok := all[at].(Focuser); ok && f.MoveFocus(by) {
		return true
	}
	return r.focusFrom(all, at, by)
}

// focusFrom gives the focus to the first component behind index from, in the direction by, that
// takes keys. It returns false if there is none.
func (r *Ring) focusFrom(all []Component, from, by int) bool {
	for i := from + by; i >= 0 && i < len(all); i += by {
		if f, ok := all[i].(Focuser); ok && f.EnterFocus(by) || !ok && focusable(all[i]) {
			r.index = i
			return true
		}
	}
	return false
}

// Tab moves the focus if ev is Tab or Shift+Tab, and wraps around at the ends. It returns false if
// ev is another event, or if fewer than two components take keys, so that a single one gets Tab
// itself.
func (r *Ring) Tab(all []Component, ev Event) bool {
	k, ok := ev.(Key)
	if !ok || k.Code != terminal.KeyTab || k.Mods&^terminal.Shift != 0 {
		return false
	}
	n := 0
	for _, c := range all {
		if focusable(c) {
			n++
		}
	}
	if n < 2 {
		return false
	}
	by := 1
	if k.Mods == terminal.Shift {
		by = -1
	}
	return r.Move(all, by) || r.Enter(all, by)
}
