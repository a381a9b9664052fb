package tui

import (
	"reflect"
	"time"
)

// Stack is components one below the other. Events go to the last child first, up to the first that
// handles them. The caret is that of the last child that has one. The Height of a child is what the
// children before it have left. A tick of one child's animation calls only that child. The mouse
// goes to the child under it.
type Stack struct {
	Children []Component
	// One of the children has the focus: only it gets keys and shows its caret. Tab and Shift+Tab
	// move the focus among those that take keys, and a click moves it to the child that is clicked.
	Tab bool

	slots      []slot
	tops       []int     // the first row of each child, and the row after the last one
	hiddenRows int       // rows that were left out at the top
	rowBuffers [2][]Line // of the last View and the one before
	caret      Pos       // of the last View
	ring       Ring
	grip       Grip
}

// NewStack returns a Stack of children.
func NewStack(children ...Component) *Stack { return &Stack{Children: children} }

// View returns all rows. If there are more than Height, the first ones are left out.
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

// sameComponent reports whether a is b, for types that can be compared. A func at the place of
// another one is taken for the same.
func sameComponent(a, b Component) bool {
	ta, tb := reflect.TypeOf(a), reflect.TypeOf(b)
	return ta == tb && (ta == nil || !ta.Comparable() || a == b)
}

// HandleEvent offers the event to the children, the last one first, or to the one with the focus.
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

// offerToChild offers ev to child i, with the space of its last view.
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

// offerMouse gives m to the child under it, or to the one whose button is held, if that wants the
// mouse.
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

// EnterFocus gives the focus to the first child (by 1) or the last one (by -1) that takes keys. It
// returns false if none does.
func (st *Stack) EnterFocus(by int) bool {
	if !st.Tab {
		return st.Focusable()
	}
	return st.ring.Enter(st.Children, by)
}

// MoveFocus gives it to the next child that takes keys (by 1) or to the one before (by -1). It
// returns false if there is none, or if Tab is not set.
func (st *Stack) MoveFocus(by int) bool { return st.Tab && st.ring.Move(st.Children, by) }

// Components returns the children.
func (st *Stack) Components() []Component { return st.Children }

// Submit gives line to the first child that is a [Submitter], or holds one.
func (st *Stack) Submit(line string) {
	if s := submitter(st); s != nil {
		s.Submit(line)
	}
}
