package tui

import (
	"reflect"
	"time"
)

// Stack is components one below the other. Events go to the last child first, up to the first that
// handles them; the caret is that of the last child that has one. A child's Height is what those
// before it have left. A tick of one child's animation asks only that child.
type Stack struct {
	Children []Component

	slots []slot
	rows  [2][]Line // of the last View and the one before
	caret Pos       // of the last View
}

// NewStack is a Stack of children.
func NewStack(children ...Component) *Stack { return &Stack{Children: children} }

// View is all rows. When there are more than Height, the first ones are left out.
func (st *Stack) View(s Space) View {
	if len(st.slots) != len(st.Children) {
		st.slots = make([]slot, len(st.Children))
	}
	var v View
	var next time.Time
	st.rows[0], st.rows[1] = st.rows[1], st.rows[0]
	rows := st.rows[0][:0]
	in := s
	for i, c := range st.Children {
		sl := &st.slots[i]
		if !same(sl.comp, c) {
			*sl = slot{comp: c, dirty: true}
		}
		sl.dirty = sl.dirty || !s.tick
		w := sl.look(in, nil)
		if w.Cursor != nil {
			st.caret = Pos{Col: w.Cursor.Col, Row: w.Cursor.Row + len(rows)}
			v.Cursor = &st.caret
		}
		rows = append(rows, w.Lines...)
		v.Hold = v.Hold || w.Hold
		if s.Height > 0 {
			in.Height = max(s.Height-len(rows), 1)
		}
		if t := sl.wake; !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	st.rows[0] = rows
	if n := len(rows) - s.Height; s.Height > 0 && n > 0 {
		rows = rows[n:]
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

// HandleEvent asks the children, the last one first.
func (st *Stack) HandleEvent(ev Event, s Space) bool {
	for i := len(st.slots) - 1; i >= 0; i-- {
		if h, ok := st.slots[i].comp.(EventHandler); ok && h.HandleEvent(ev, st.slots[i].space) {
			return true
		}
	}
	return false
}

// Submit gives line to the first child that is a [Submitter].
func (st *Stack) Submit(line string) {
	for _, c := range st.Children {
		if s, ok := c.(Submitter); ok {
			s.Submit(line)
			return
		}
	}
}
