package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// HandleEvent takes the keys that move, sort, search and choose, and the mouse.
func (t *Table) HandleEvent(ev tui.Event, s tui.Space) bool {
	t.sortRows()
	n := t.rowCount()
	if m, ok := ev.(tui.Mouse); ok {
		return t.Mouse && t.handleMouse(m)
	}
	if t.search.open {
		handled, back := t.search.handleField(ev, n)
		if back && n > 0 {
			t.moveTo(min(t.search.start, n-1))
		}
		t.searchOn(n)
		return handled
	}
	k, ok := ev.(tui.Key)
	return ok && (t.handleKey(k, n) || t.OnKey != nil && t.OnKey(k))
}

// handleKey takes a key while the field of the search is closed.
func (t *Table) handleKey(k tui.Key, n int) bool {
	if to, ok := t.scroll.step(k, t.chosenPlace(), n); ok {
		t.moveTo(to)
		return true
	}
	if t.search.handleKey(k, t.chosenPlace(), n) {
		t.searchOn(n)
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

// resizeColumn makes a column in sight wider by so many columns of the screen.
func (t *Table) resizeColumn(column, by int) {
	k := column - t.first
	if k < 0 || k >= len(t.widths) || column >= len(t.Columns) {
		return
	}
	c := &t.Columns[column]
	if c.Width <= 0 {
		c.Width = t.widths[k]
	}
	c.Width = max(c.Width+by, 1)
}

// reorder moves the row at place from to place to. It returns false if rows stay.
func (t *Table) reorder(from, to int) bool {
	n := t.rowCount()
	if t.OnReorder == nil || t.sortKey > 0 {
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

// cycleSort sorts by a column, the other way round, or not at all.
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

// moveTo chooses the row at place i.
func (t *Table) moveTo(i int) {
	if n := t.rowCount(); n > 0 {
		t.orderIndex = i
		t.setChosen(t.rowAt(i))
	}
}

// setChosen chooses row.
func (t *Table) setChosen(row int) {
	if row == t.At {
		return
	}
	t.At = row
	if t.OnMove != nil {
		t.OnMove(row)
	}
}

// handleMouse takes the mouse.
func (t *Table) handleMouse(m tui.Mouse) bool {
	n := t.rowCount()
	if by := wheelSteps(m); by != 0 && n > 0 {
		t.moveTo(max(min(t.chosenPlace()+by, n-1), 0))
		return true
	}
	if top, ok := t.side.topClicked(m); ok {
		t.moveTo(max(min(t.chosenPlace(), top+t.scroll.size-1), top))
		t.scroll.top = top
		return true
	}
	if m.Moved() {
		return t.handleDrag(m, n)
	} else if !m.Press {
		return t.handleRelease(m, n)
	}
	t.heldRow, t.heldColumn = 0, 0
	if place := t.placeAt(m, n); m.Button == rightButton && place >= 0 && t.OnMenu != nil {
		t.moveTo(place)
		t.OnMenu(t.At)
		return true
	}
	if !isClick(m) {
		return false
	}
	if m.Row == t.headRows-1 && t.headRows > 0 {
		return t.handleTitle(m)
	}
	place := t.placeAt(m, n)
	if place < 0 {
		return false
	}
	row := t.rowAt(place)
	chosen := row == t.At
	if t.OnReorder != nil {
		t.heldRow, t.heldChosen = place+1, chosen
	} else if chosen && t.OnChoose != nil {
		t.OnChoose(row)
	}
	t.setChosen(row)
	return true
}

// placeAt returns the place of the row under m, -1 if there is none.
func (t *Table) placeAt(m tui.Mouse, n int) int {
	if i := m.Row - t.headRows; i >= 0 && t.scroll.top+i < t.scroll.end(n) {
		return t.scroll.top + i
	}
	return -1
}

// handleTitle sorts by the column whose title was pressed, or holds the border behind it.
func (t *Table) handleTitle(m tui.Mouse) bool {
	col := m.Col - 2
	for k, w := range t.widths {
		switch {
		case col < 0:
			return false
		case col < w:
			t.currentColumn = t.first + k
			t.cycleSort(t.currentColumn)
			return true
		case col < w+gap:
			t.heldColumn, t.heldAt = t.first+k+1, m.Col
			return true
		}
		col -= w + gap
	}
	return false
}

// handleDrag moves what is held to the pointer: a row, or a border between columns.
func (t *Table) handleDrag(m tui.Mouse, n int) bool {
	switch {
	case t.heldColumn > 0:
		t.resizeColumn(t.heldColumn-1, m.Col-t.heldAt)
		t.heldAt = m.Col
		return true
	case t.heldRow > 0:
		if to := t.placeAt(m, n); to >= 0 && to != t.heldRow-1 {
			t.reorder(t.heldRow-1, to)
			t.heldRow, t.heldChosen = to+1, false
		}
		return true
	}
	return false
}

// handleRelease ends what a press has begun. A terminal that tells of no moves has moved nothing
// yet.
func (t *Table) handleRelease(m tui.Mouse, n int) bool {
	handled := t.handleDrag(m, n)
	if t.heldRow > 0 && t.heldChosen && t.placeAt(m, n) == t.heldRow-1 && t.OnChoose != nil {
		t.OnChoose(t.At)
	}
	t.heldRow, t.heldColumn = 0, 0
	return handled
}

// Submit chooses without a terminal: by the number of the row, or the text of its first cell. An
// empty line is the chosen row.
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
