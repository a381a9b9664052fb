package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// Focuser is optional: a component that holds others and moves the focus among them, as [Stack] and
// the components of package layout do. Loop only.
type Focuser interface {
	// Focusable reports whether any of them takes keys.
	Focusable() bool
	// EnterFocus gives the focus to the first of them that takes keys (by 1) or to the last one (by
	// -1); false: none does.
	EnterFocus(by int) bool
	// MoveFocus gives it to the next one (by 1) or to the one before (by -1); false: there is none,
	// and nothing has changed.
	MoveFocus(by int) bool
}

// Ring is which one of several components has the focus. The zero value is the first that takes
// keys. It is for components that hold others; its methods are for the loop.
type Ring struct{ at int }

// focusable reports whether c takes keys.
func focusable(c Component) bool {
	if f, ok := c.(Focuser); ok {
		return f.Focusable()
	}
	_, ok := c.(EventHandler)
	return ok
}

// At returns the index of the one with the focus, -1 if none of all takes keys.
func (r *Ring) At(all []Component) int {
	if r.at < len(all) && focusable(all[r.at]) {
		return r.at
	}
	for i, c := range all {
		if focusable(c) {
			r.at = i
			return i
		}
	}
	return -1
}

// Set gives the focus to component i, if that takes keys.
func (r *Ring) Set(all []Component, i int) {
	if i >= 0 && i < len(all) && focusable(all[i]) {
		r.at = i
	}
}

// Enter is [Focuser].EnterFocus for all.
func (r *Ring) Enter(all []Component, by int) bool {
	from := -1
	if by < 0 {
		from = len(all)
	}
	return r.from(all, from, by)
}

// Move is [Focuser].MoveFocus for all. A component that has the focus and holds others moves it
// inside first.
func (r *Ring) Move(all []Component, by int) bool {
	at := r.At(all)
	if at < 0 {
		return false
	}
	if f, ok := all[at].(Focuser); ok && f.MoveFocus(by) {
		return true
	}
	return r.from(all, at, by)
}

// from enters the first component behind from in the direction by.
func (r *Ring) from(all []Component, from, by int) bool {
	for i := from + by; i >= 0 && i < len(all); i += by {
		if f, ok := all[i].(Focuser); ok && f.EnterFocus(by) || !ok && focusable(all[i]) {
			r.at = i
			return true
		}
	}
	return false
}

// Tab moves the focus if ev is Tab or Shift+Tab, from the end to the other one, and reports whether
// it did: a component that is the only one that takes keys gets Tab, too.
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
