package tui

import (
	"reflect"
	"time"
)

// Stack is components one below the other. Events go to the last child first, up to the first that
// handles them; the caret is that of the last child that has one. A child's Height is what those
// before it have left. A tick of one child's animation asks only that child. The mouse goes to the
// child under it.
type Stack struct {
	Children []Component
	// One of the children has the focus: it alone gets keys and shows its caret, and Tab and
	// Shift+Tab move the focus among those that take keys, a click to the one that is clicked.
	Tab bool

	slots []slot
	tops  []int     // the first row of each child, and the row behind the last one
	cut   int       // rows that were left out
	rows  [2][]Line // of the last View and the one before
	caret Pos       // of the last View
	ring  Ring
}

// NewStack returns a Stack of children.
func NewStack(children ...Component) *Stack { return &Stack{Children: children} }

// View returns all rows. When there are more than Height, the first ones are left out.
func (st *Stack) View(s Space) View {
	if len(st.slots) != len(st.Children) {
		st.slots = make([]slot, len(st.Children))
	}
	var v View
	var next time.Time
	st.rows[0], st.rows[1] = st.rows[1], st.rows[0]
	rows := st.rows[0][:0]
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
		if !same(sl.comp, c) {
			*sl = slot{comp: c, dirty: true}
		}
		sl.dirty = sl.dirty || !s.tick
		w := sl.look(in, nil)
		if w.Cursor != nil && (!st.Tab || i == at) {
			st.caret = Pos{Col: w.Cursor.Col, Row: w.Cursor.Row + len(rows)}
			v.Cursor = &st.caret
		}
		rows = append(rows, w.Lines...)
		v.Hold, v.Mouse = v.Hold || w.Hold, v.Mouse || w.Mouse
		v.Releases = v.Releases || w.Releases && (!st.Tab || i == at)
		if s.Height > 0 {
			in.Height = max(s.Height-len(rows), 1)
		}
		if t := sl.wake; !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	st.rows[0], st.tops, st.cut = rows, append(st.tops, len(rows)), 0
	if n := len(rows) - s.Height; s.Height > 0 && n > 0 {
		rows, st.cut = rows[n:], n
		if v.Cursor != nil {
			if v.Cursor.Row -= n; v.Cursor.Row < 0 {
				v.Cursor = nil
			}
		}
	}
	v.Lines = rows
	if !next.IsZero() {
		v.Again = max(next.Sub(s.Now), 1)
	}
	return v
}

// same reports whether a is b, for types that can be compared; a func at its place is taken for the
// one that was there.
func same(a, b Component) bool {
	ta, tb := reflect.TypeOf(a), reflect.TypeOf(b)
	return ta == tb && (ta == nil || !ta.Comparable() || a == b)
}

// HandleEvent asks the children, the last one first, or the one with the focus.
func (st *Stack) HandleEvent(ev Event, s Space) bool {
	if m, ok := ev.(Mouse); ok {
		return st.click(m)
	}
	if st.Tab {
		if st.ring.Tab(st.Children, ev) {
			return true
		}
		at := st.ring.At(st.Children)
		return at >= 0 && st.handle(at, ev)
	}
	for i := len(st.slots) - 1; i >= 0; i-- {
		if st.handle(i, ev) {
			return true
		}
	}
	return false
}

// handle offers ev to child i, as it was when it was shown last.
func (st *Stack) handle(i int, ev Event) bool {
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

// click gives m to the child under it, if that wants the mouse.
func (st *Stack) click(m Mouse) bool {
	row := m.Row + st.cut
	for i := range st.slots {
		if i+1 >= len(st.tops) || row < st.tops[i] || row >= st.tops[i+1] {
			continue
		}
		focus := st.Tab && m.Press && m.Button < 3
		if focus {
			st.ring.Set(st.Children, i)
		}
		if m.Row = row - st.tops[i]; st.slots[i].view.Mouse && st.handle(i, m) {
			return true
		}
		return focus
	}
	return false
}

// Focusable reports whether any child takes keys.
func (st *Stack) Focusable() bool { return st.ring.At(st.Children) >= 0 }

// EnterFocus gives the focus to the first child (by 1) or the last one (by -1) that takes keys;
// false: none does.
func (st *Stack) EnterFocus(by int) bool {
	if !st.Tab {
		return st.Focusable()
	}
	return st.ring.Enter(st.Children, by)
}

// MoveFocus gives it to the next child that takes keys (by 1) or to the one before (by -1); false:
// there is none, or Tab is not set.
func (st *Stack) MoveFocus(by int) bool { return st.Tab && st.ring.Move(st.Children, by) }

// Components returns the children.
func (st *Stack) Components() []Component { return st.Children }

// Submit gives line to the first child that is a [Submitter], or holds one.
func (st *Stack) Submit(line string) {
	if s := submitter(st); s != nil {
		s.Submit(line)
	}
}
