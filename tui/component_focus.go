package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// Focuser is an optional part of a Component that holds others and moves the focus among them, as
// [Stack] and the components of package layout do. Loop only.
type Focuser interface {
	// Focusable reports whether any of them takes keys.
	Focusable() bool
	// EnterFocus gives the focus to the first of them that takes keys (by 1) or to the last one (by
	// -1). It returns false if none does.
	EnterFocus(by int) bool
	// MoveFocus gives it to the next one (by 1) or to the one before (by -1). It returns false, and
	// changes nothing, if there is none.
	MoveFocus(by int) bool
}

// Ring knows which one of several components has the focus. The zero value is the first that takes
// keys. It is for components that hold others; its methods are for the loop.
type Ring struct{ index int }

// focusable reports whether c takes keys.
func focusable(c Component) bool {
	if f, ok := c.(Focuser); ok {
		return f.Focusable()
	}
	_, ok := c.(EventHandler)
	return ok
}

// At returns the index of the component with the focus, -1 if none takes keys.
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

// Set gives the focus to component i, if it takes keys.
func (r *Ring) Set(all []Component, i int) {
	if i >= 0 && i < len(all) && focusable(all[i]) {
		r.index = i
	}
}

// Enter gives the focus to a component of all, as [Focuser].EnterFocus does.
func (r *Ring) Enter(all []Component, by int) bool {
	start := -1
	if by < 0 {
		start = len(all)
	}
	return r.focusFrom(all, start, by)
}

// Move moves the focus within all, as [Focuser].MoveFocus does. A component with the focus that
// holds others moves it inside first.
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

// focusFrom gives the focus to the first component after index from, in the direction by.
func (r *Ring) focusFrom(all []Component, from, by int) bool {
	for i := from + by; i >= 0 && i < len(all); i += by {
		if f, ok := all[i].(Focuser); ok && f.EnterFocus(by) || !ok && focusable(all[i]) {
			r.index = i
			return true
		}
	}
	return false
}

// Tab moves the focus if ev is Tab or Shift+Tab, from the last component to the first one, too. It
// reports whether it did. If only one component takes keys it gets Tab itself.
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
