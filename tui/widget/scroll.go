package widget

import (
	"strconv"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	wheelUp   = 64 // tui.Mouse.Button
	wheelDown = 65
	wheelRows = 3 // rows that one step of the wheel scrolls

	rightButton = 2 // tui.Mouse.Button
)

// scroll says which of many rows are in sight: size of them, from top on.
type scroll struct{ top, size int }

// fitTo sets the size so that row at of n is in sight and the last page is full.
func (s *scroll) fitTo(at, n, size int) {
	s.size = max(size, 1)
	s.top = max(min(s.top, at, n-s.size), at-s.size+1, 0)
}

// end returns the row after the last one of n in sight.
func (s *scroll) end(n int) int { return min(s.top+s.size, n) }

// positionText returns the part of n that is in sight, for a title; "" if all are.
func (s *scroll) positionText(n int) string {
	if n <= s.size {
		return ""
	}
	return "  " + strconv.Itoa(s.top+1) + "-" + strconv.Itoa(s.end(n)) + " of " + strconv.Itoa(n)
}

// step returns the row to which key k moves from row at of n: by one, by a page, to an end. ok: k
// is a key that moves.
func (s *scroll) step(k tui.Key, at, n int) (to int, ok bool) {
	by := 0
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && (k.Code == terminal.KeyUp || k.Code == 'k'):
		by = -1
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && (k.Code == terminal.KeyDown || k.Code == 'j'):
		by = 1
	case k.Mods != 0:
		return at, false
	case k.Code == terminal.KeyPageUp:
		by = -s.size
	case k.Code == terminal.KeyPageDown:
		by = s.size
	case k.Code == terminal.KeyHome, k.Code == 'g':
		by = -n
	case k.Code == terminal.KeyEnd, k.Code == 'G':
		by = n
	default:
		return at, false
	}
	return max(min(at+by, n-1), 0), true
}

// wheelSteps returns by how many rows ev scrolls, 0 if it does not.
func wheelSteps(ev tui.Mouse) int {
	switch {
	case !ev.Press:
	case ev.Button == wheelUp:
		return -wheelRows
	case ev.Button == wheelDown:
		return wheelRows
	}
	return 0
}

// isClick reports whether ev is a click of the left button.
func isClick(ev tui.Mouse) bool { return ev.Press && ev.Button == 0 }

// isDrag reports whether the pointer has moved while the left button is held.
func isDrag(ev tui.Mouse) bool { return ev.Moved() && ev.Button == 32 }

// widgetHeight returns how many rows a widget has in s if it wants maxRows; 0: it is text. With
// maxRows at 0 it wants all.
func widgetHeight(s tui.Space, maxRows int) int {
	if s.Height <= 0 || maxRows <= 0 {
		return s.Height
	}
	return min(s.Height, maxRows)
}
