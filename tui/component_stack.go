package tui

import (
	"reflect"
	"time"
)

// Stack shows components below one another. An event goes to the last child first, then to the
// others upwards until one handles it; a mouse event goes to the child under the pointer. The caret
// is that of the last child that has one. Each child gets the Height that the children above it
// have left. An animation calls the View only of the child that is animated.
type Stack struct {
	Children []Component
	// Tab gives the focus to one child at a time: only that child gets keys and shows its caret.
	// Tab and Shift+Tab move the focus among the children that take keys. A click moves it to the
	// clicked child.
	Tab bool

	slots      []slot    // the last view of each child
	tops       []int     // index of the first row of each child, and of the row behind the last child
	hiddenRows int       // number of rows that are left out at the top
	rowBuffers [2][]Line // rows of the last View and of the one before
	caret      Pos       // position of the caret in the last View
	ring       Ring
	grip       Grip
}

// NewStack returns a Stack of the given children.
func NewStack(children ...Component) *Stack { return &Stack{Children: children} }

// View returns the rows of all children. If there are more than Height, the first rows are left
// out.
func (st *Stack) View(s Space) View {
	if len(st.slots) != len(st.Children) {
		st.slots = make([]slot, len(st.Children))
	}
	var v View
	var next time.Time
	st.rowBuffers[0], st.rowBuffers[1] = st.rowBuffers[1], st.rowBuffers[0]
	rows := st.rowBuffers[0][:0]
	in := s
	st.tops = st.tops[:0]
	at := -1
	if st.Tab {
		at = st.ring.At(st.Children)
	}
	for i, c := range st.Children {
		st.tops = append(st.tops, len(rows))
		in.Focused = s.Focused && (!st.Tab || i == at)
		sl := &st.slots[i]
		if !sameComponent(sl.comp, c) {
			*sl = slot{comp: c, dirty: true}
		}
		sl.dirty = sl.dirty || !s.tickOnly
		w := sl.currentView(in, nil)
		if w.Cursor != nil && (!st.Tab || i == at) {
			st.caret = Pos{Col: w.Cursor.Col, Row: w.Cursor.Row + len(rows)}
			v.Cursor = &st.caret
		}
		rows = append(rows, w.Lines...)
		v.Hold, v.Mouse, v.Drags = v.Hold || w.Hold, v.Mouse || w.Mouse, v.Drags || w.Drags
		v.Releases = v.Releases || w.Releases && (!st.Tab || i == at)
		if s.Height > 0 {
			in.Height = max(s.Height-len(rows), 1)
		}
		if t := sl.wakeAt; !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	st.rowBuffers[0], st.tops, st.hiddenRows = rows, append(st.tops, len(rows)), 0
	if n := len(rows) - s.Height; s.Height > 0 && n > 0 {
		rows, st.hiddenRows = rows[n:], n
		if v.Cursor != nil {
			if v.Cursor.Row -= n; v.Cursor.Row < 0 {
				v.Cursor = nil
			}
		}
	}
	v.Lines = rows
	if !next.IsZero() {
		v.RefreshAfter = max(next.Sub(s.Now), 1)
	}
	return v
}

// sameComponent reports whether a and b are the same component. Values of a type that cannot be
// compared, such as functions, count as the same if their types are equal.
func sameComponent(a, b Component) bool {
	ta, tb := reflect.TypeOf(a), reflect.TypeOf(b)
	return ta == tb && (ta == nil || !ta.Comparable() || a == b)
}

// HandleEvent passes the event to the focused child if Tab is set, and otherwise to each child,
// from the last one on, until one handles it.
func (st *Stack) HandleEvent(ev Event, s Space) bool {
	if m, ok := ev.(Mouse); ok {
		return st.offerMouse(m)
	}
	if st.Tab {
		if st.ring.Tab(st.Children, ev) {
			return true
		}
		at := st.ring.At(st.Children)
		return at >= 0 && st.offerToChild(at, ev)
	}
	for i := len(st.slots) - 1; i >= 0; i-- {
		if st.offerToChild(i, ev) {
			return true
		}
	}
	return false
}

// offerToChild passes ev to child i, with the Space of its last View.
func (st *Stack) offerToChild(i int, ev Event) bool {
	if i >= len(st.slots) {
		return false
	}
	sl := &st.slots[i]
	if _, ok := ev.(KeyRelease); ok && !sl.view.Releases {
		return false
	}
	h, ok := sl.comp.(EventHandler)
	return ok && h.HandleEvent(ev, sl.space)
}

// offerMouse passes m to the child under the pointer, or to the child on which the user is
// dragging, if that child wants mouse events.
func (st *Stack) offerMouse(m Mouse) bool {
	row, under := m.Row+st.hiddenRows, -1
	for i := range min(len(st.slots), len(st.tops)-1) {
		if row >= st.tops[i] && row < st.tops[i+1] {
			under = i
		}
	}
	i := st.grip.Route(m, under, under >= 0 && st.slots[under].view.Drags)
	if i < 0 || i >= len(st.slots) || i+1 >= len(st.tops) {
		return false
	}
	focus := st.Tab && m.Press && m.Button < 3
	if focus {
		st.ring.Set(st.Children, i)
	}
	m.Row = row - st.tops[i]
	return st.slots[i].view.Mouse && st.offerToChild(i, m) || focus
}

// Focusable reports whether any child takes keys.
func (st *Stack) Focusable() bool { return st.ring.At(st.Children) >= 0 }

// EnterFocus gives the focus to the first child that takes keys if by is 1, or to the last one if
// by is -1. It returns false if none takes keys.
func (st *Stack) EnterFocus(by int) bool {
	if !st.Tab {
		return st.Focusable()
	}
	return st.ring.Enter(st.Children, by)
}

// MoveFocus moves the focus to the next child that takes keys if by is 1, or to the previous one if
// by is -1. It returns false if there is none, or if Tab is not set.
func (st *Stack) MoveFocus(by int) bool { return st.Tab && st.ring.Move(st.Children, by) }

// Components returns the children.
func (st *Stack) Components() []Component { return st.Children }

// Submit passes line to the first child that is a [Submitter] or contains one.
func (st *Stack) Submit(line string) {
	if s := findSubmitter(st); s != nil {
		s.Submit(line)
	}
}
