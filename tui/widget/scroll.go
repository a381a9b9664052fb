package widget

import (
	"strconv"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	wheelUp   = 64 // buttons of tui.Mouse for the wheel
	wheelDown = 65
	wheelRows = 3 // number of rows that one step of the wheel scrolls

	rightButton = 2 // button of tui.Mouse
)

// scrollState holds which of many rows are visible: pageRows of them, beginning with topRow.
type scrollState struct{ topRow, pageRows int }

// fitTo sets the number of visible rows to size, and scrolls so that row at of n is visible and the
// last page is full.
func (s *scrollState) fitTo(at, n, size int) {
	s.pageRows = max(size, 1)
	s.topRow = max(min(s.topRow, at, n-s.pageRows), at-s.pageRows+1, 0)
}

// endRow returns the index behind the last visible row of n rows.
func (s *scrollState) endRow(n int) int { return min(s.topRow+s.pageRows, n) }

// positionText returns the visible part of n rows for a title, such as " 11-20 of 400". It returns
// "" if all rows are visible.
func (s *scrollState) positionText(n int) string {
	if n <= s.pageRows {
		return ""
	}
	return "  " + strconv.Itoa(s.topRow+1) + "-" + strconv.Itoa(s.endRow(n)) + " of " + strconv.Itoa(n)
}

// keyTarget returns the row to which the key k moves from row at of n rows: by a row, by a page, or
// to an end. ok is false if k is not such a key.
func (s *scrollState) keyTarget(k tui.Key, at, n int) (to int, ok bool) {
	by := 0
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && (k.Code == terminal.KeyUp || k.Code == 'k'):
		by = -1
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && (k.Code == terminal.KeyDown || k.Code == 'j'):
		by = 1
	case k.Mods != 0:
		return at, false
	case k.Code == terminal.KeyPageUp:
		by = -s.pageRows
	case k.Code == terminal.KeyPageDown:
		by = s.pageRows
	case k.Code == terminal.KeyHome, k.Code == 'g':
		by = -n
	case k.Code == terminal.KeyEnd, k.Code == 'G':
		by = n
	default:
		return at, false
	}
	return max(min(at+by, n-1), 0), true
}

// wheelSteps returns the number of rows that ev scrolls, negative for up. It returns 0 if ev is no
// step of the wheel.
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

// isClick reports whether ev is a press of the left button.
func isClick(ev tui.Mouse) bool { return ev.Press && ev.Button == 0 }

// isDrag reports whether ev is a move of the pointer with the left button pressed.
func isDrag(ev tui.Mouse) bool { return ev.Moved() && ev.Button == 32 }

// widgetHeight returns the number of rows for a widget in s that wants at most maxRows, or all rows
// if maxRows is 0. A result of 0 means that the widget is shown as text.
func widgetHeight(s tui.Space, maxRows int) int {
	if s.Height <= 0 || maxRows <= 0 {
		return s.Height
	}
	return min(s.Height, maxRows)
}
