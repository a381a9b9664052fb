package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// HandleEvent handles the keys that move, sort, search and choose, and the mouse.
func (t *Table) HandleEvent(ev tui.Event, s tui.Space) bool {
	t.sortRows()
	n := t.rowCount()
	if m, ok := ev.(tui.Mouse); ok {
		return t.Mouse && t.handleMouse(m)
	}
	if t.search.fieldOpen {
		handled, back := t.search.handleFieldEvent(ev, n)
		if back && n > 0 {
			t.moveTo(min(t.search.startRow, n-1))
		}
		t.continueSearch(n)
		return handled
	}
	k, ok := ev.(tui.Key)
	return ok && (t.handleKey(k, n) || t.OnKey != nil && t.OnKey(k))
}

// handleKey handles a key while the search field is closed. n is the number of rows.
func (t *Table) handleKey(k tui.Key, n int) bool {
	if to, ok := t.scroll.keyTarget(k, t.chosenPlace(), n); ok {
		t.moveTo(to)
		return true
	}
	if t.search.handleKey(k, t.chosenPlace(), n) {
		t.continueSearch(n)
		return true
	}
	switch {
	case k.Mods == terminal.Alt && k.Code == terminal.KeyUp:
		return t.reorder(t.chosenPlace(), t.chosenPlace()-1)
	case k.Mods == terminal.Alt && k.Code == terminal.KeyDown:
		return t.reorder(t.chosenPlace(), t.chosenPlace()+1)
	case k.Mods == terminal.Shift && k.Code == terminal.KeyF1+9 && t.OnMenu != nil && n > 0:
		t.OnMenu(t.At)
	case k.Text() == "<":
		t.resizeColumn(t.currentColumn, -1)
	case k.Text() == ">":
		t.resizeColumn(t.currentColumn, 1)
	case k.Mods != 0:
		return false
	case k.Code == terminal.KeyLeft:
		t.currentColumn = max(t.currentColumn-1, 0)
	case k.Code == terminal.KeyRight:
		t.currentColumn = max(min(t.currentColumn+1, len(t.Columns)-1), 0)
	case k.Code == 's':
		t.cycleSort(t.currentColumn)
	case k.Code == terminal.KeyEnter && n > 0 && t.OnChoose != nil:
		t.OnChoose(t.At)
	default:
		return false
	}
	return true
}

// resizeColumn makes a visible column wider by a number of terminal columns, or narrower if by is
// negative.
func (t *Table) resizeColumn(column, by int) {
	k := column - t.firstColumn
	if k < 0 || k >= len(t.columnWidths) || column >= len(t.Columns) {
		return
	}
	c := &t.Columns[column]
	if c.Width <= 0 {
		c.Width = t.columnWidths[k]
	}
	c.Width = max(c.Width+by, 1)
}

// reorder moves the row at place from to place to. It returns false if the user must not move rows.
func (t *Table) reorder(from, to int) bool {
	n := t.rowCount()
	if t.OnReorder == nil || t.sortColumnPlus1 > 0 {
		return false
	}
	if to = max(min(to, n-1), 0); from == to || from < 0 || from >= n {
		return true
	}
	if t.Cell == nil {
		row := t.Rows[from]
		t.Rows = slices.Insert(slices.Delete(t.Rows, from, from+1), to, row)
	}
	t.OnReorder(from, to)
	t.At = to
	return true
}

// cycleSort changes the sort order by a column: ascending, then descending, then unsorted.
func (t *Table) cycleSort(column int) {
	switch by, down := t.Sorted(); {
	case by != column:
		t.Sort(column, false)
	case !down:
		t.Sort(column, true)
	default:
		t.Sort(-1, false)
	}
}

// moveTo highlights the row at place i.
func (t *Table) moveTo(i int) {
	if n := t.rowCount(); n > 0 {
		t.chosenOrderIndex = i
		t.setChosen(t.rowAt(i))
	}
}

// setChosen highlights row and calls OnMove if it was not highlighted before.
func (t *Table) setChosen(row int) {
	if row == t.At {
		return
	}
	t.At = row
	if t.OnMove != nil {
		t.OnMove(row)
	}
}

// handleMouse handles clicks, drags and the wheel.
func (t *Table) handleMouse(m tui.Mouse) bool {
	n := t.rowCount()
	if by := wheelSteps(m); by != 0 && n > 0 {
		t.moveTo(max(min(t.chosenPlace()+by, n-1), 0))
		return true
	}
	if top, ok := t.sideBar.topClicked(m); ok {
		t.moveTo(max(min(t.chosenPlace(), top+t.scroll.pageRows-1), top))
		t.scroll.topRow = top
		return true
	}
	if m.Moved() {
		return t.handleDrag(m, n)
	} else if !m.Press {
		return t.handleRelease(m, n)
	}
	t.pressedPlacePlus1, t.resizedColumnPlus1 = 0, 0
	if place := t.placeUnder(m, n); m.Button == rightButton && place >= 0 && t.OnMenu != nil {
		t.moveTo(place)
		t.OnMenu(t.At)
		return true
	}
	if !isClick(m) {
		return false
	}
	if m.Row == t.headRows-1 && t.headRows > 0 {
		return t.handleTitleClick(m)
	}
	place := t.placeUnder(m, n)
	if place < 0 {
		return false
	}
	row := t.rowAt(place)
	chosen := row == t.At
	if t.OnReorder != nil {
		t.pressedPlacePlus1, t.pressedWasChosen = place+1, chosen
	} else if chosen && t.OnChoose != nil {
		t.OnChoose(row)
	}
	t.setChosen(row)
	return true
}

// placeUnder returns the place of the row under the pointer, or -1 if there is none. n is the
// number of rows.
func (t *Table) placeUnder(m tui.Mouse, n int) int {
	if i := m.Row - t.headRows; i >= 0 && t.scroll.topRow+i < t.scroll.endRow(n) {
		return t.scroll.topRow + i
	}
	return -1
}

// handleTitleClick sorts by the column whose title was clicked. If the click is in the gap behind a
// title it starts a drag of that column's width.
func (t *Table) handleTitleClick(m tui.Mouse) bool {
	col := m.Col - 2
	for k, w := range t.columnWidths {
		switch {
		case col < 0:
			return false
		case col < w:
			t.currentColumn = t.firstColumn + k
			t.cycleSort(t.currentColumn)
			return true
		case col < w+columnGapCols:
			t.resizedColumnPlus1, t.resizeFromCol = t.firstColumn+k+1, m.Col
			return true
		}
		col -= w + columnGapCols
	}
	return false
}

// handleDrag handles a move of the pointer with the button pressed: it moves the pressed row there,
// or resizes the column. It returns false if neither was pressed.
func (t *Table) handleDrag(m tui.Mouse, n int) bool {
	switch {
	case t.resizedColumnPlus1 > 0:
		t.resizeColumn(t.resizedColumnPlus1-1, m.Col-t.resizeFromCol)
		t.resizeFromCol = m.Col
		return true
	case t.pressedPlacePlus1 > 0:
		if to := t.placeUnder(m, n); to >= 0 && to != t.pressedPlacePlus1-1 {
			t.reorder(t.pressedPlacePlus1-1, to)
			t.pressedPlacePlus1, t.pressedWasChosen = to+1, false
		}
		return true
	}
	return false
}

// handleRelease ends a drag, or chooses the row that was clicked. It also makes the move of the
// drag, for terminals that report no moves.
func (t *Table) handleRelease(m tui.Mouse, n int) bool {
	handled := t.handleDrag(m, n)
	onPressed := t.pressedPlacePlus1 > 0 && t.placeUnder(m, n) == t.pressedPlacePlus1-1
	if onPressed && t.pressedWasChosen && t.OnChoose != nil {
		t.OnChoose(t.At)
	}
	t.pressedPlacePlus1, t.resizedColumnPlus1 = 0, 0
	return handled
}

// Submit chooses a row without a terminal. line is the row's number, from 1, or the text of its
// first cell. An empty line chooses the highlighted row.
func (t *Table) Submit(line string) {
	text, n := strings.TrimSpace(line), t.rowCount()
	row := -1
	if k, err := strconv.Atoi(text); err == nil && 0 < k && k <= n {
		row = k - 1
	} else if text == "" && n > 0 {
		row = max(min(t.At, n-1), 0)
	}
	for i := 0; row < 0 && i < n; i++ {
		if strings.EqualFold(strings.TrimSpace(t.cellText(i, 0)), text) {
			row = i
		}
	}
	if row < 0 {
		return
	}
	if t.At = row; t.OnChoose != nil {
		t.OnChoose(row)
	}
}
