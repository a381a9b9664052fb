package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Column is one column of a [Table].
type Column struct {
	Title  string
	Min    int  // the fewest columns of the screen; 0: as many as Title takes
	Weight int  // share of the free width; 0 in all columns: the last one has all of it
	Right  bool // its cells stand at the right, as numbers do
	// Compare orders two cells of Rows as [strings.Compare] does; nil: numbers by their value, even
	// within a text, and letters in any case.
	Compare func(a, b string) int
}

// Table is rows of cells below a header. One row is chosen. In a space without a height it is all
// rows, as text, for [Table.Submit]. Fields and methods are for the loop. Only cells in sight are
// asked for: the cost of a frame does not grow with the rows out of sight.
//
// # Keys
//
// Up, Down, j, k, Ctrl+P, Ctrl+N move by rows, PgUp, PgDn by pages, g, G, Home, End to the ends.
// Enter chooses. Left and Right go from column to column. s sorts by the current column, the second
// time the other way round, the third time not at all. A screen that is too narrow shows the
// columns around the current one.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string                   // a cell for each column, blank if it is missing
	Len     func() int                   // with Cell: how many rows there are
	Cell    func(row, column int) string // nil: those of Rows
	// Style returns a style that is added to that of the row; nil: none.
	Style func(t *tui.Theme, row, column int) tui.Style
	// OnSort is called with the column by which the rows are to be sorted, -1 for none. With Cell
	// it has to sort them, at once or later. nil: the rows of Cell cannot be sorted.
	OnSort   func(column int, down bool)
	At       int                // the chosen row: an index of Rows, or the row for Cell
	Height   int                // the most rows of the screen; 0: all that the space has
	OnMove   func(row int)      // another row is chosen
	OnChoose func(row int)      // Enter, or a click on the chosen row
	OnKey    func(tui.Key) bool // gets the keys that Table does not take; nil: none
	Mouse    bool               // a click chooses a row or sorts by a column, the wheel scrolls

	currentColumn int // to which Left and Right move
	sortKey       int // the column by which the rows are sorted, plus 1; 0: none
	descending    bool
	order         []int // the rows of Rows, sorted; nil: in their own order
	sortedRows    int   // how many there were when they were sorted
	orderIndex    int   // where the chosen row was found in order
	first         int   // the first column in sight
	widths        []int // columns of the screen of those from first on, in the last View
	headRows      int   // rows above those of the table
	scroll        scroll
}

// Changed says that cells of Rows were changed: they are sorted again.
func (t *Table) Changed() { t.order, t.sortedRows = nil, 0 }

// Sort sorts by a column, an index of Columns; down: the largest first. -1: not at all.
func (t *Table) Sort(column int, down bool) {
	if column >= len(t.Columns) || column >= 0 && t.Cell != nil && t.OnSort == nil {
		return
	}
	t.sortKey, t.descending = max(column, -1)+1, down
	t.Changed()
	if t.OnSort != nil {
		t.OnSort(t.sortKey-1, down)
	}
}

// Sorted returns the column by which the rows are sorted, -1 for none; down: the largest first.
func (t *Table) Sorted() (column int, down bool) { return t.sortKey - 1, t.descending }

// rowCount returns the number of rows.
func (t *Table) rowCount() int {
	if t.Cell != nil && t.Len != nil {
		return max(t.Len(), 0)
	}
	return len(t.Rows)
}

func (t *Table) cellText(row, column int) string {
	if t.Cell != nil {
		return t.Cell(row, column)
	}
	if r := t.Rows[row]; column < len(r) {
		return r[column]
	}
	return ""
}

// sortRows sorts Rows if they are not sorted yet.
func (t *Table) sortRows() {
	n := len(t.Rows)
	if t.Cell != nil || t.sortKey == 0 || t.sortKey > len(t.Columns) {
		t.order = nil
		return
	}
	if t.order != nil && t.sortedRows == n {
		return
	}
	t.order, t.sortedRows = make([]int, n), n
	for i := range t.order {
		t.order[i] = i
	}
	compare := t.Columns[t.sortKey-1].Compare
	if compare == nil {
		compare = compareNatural
	}
	slices.SortStableFunc(t.order, func(a, b int) int {
		c := compare(t.cellText(a, t.sortKey-1), t.cellText(b, t.sortKey-1))
		if t.descending {
			return -c
		}
		return c
	})
}

// rowAt returns the row at place i.
func (t *Table) rowAt(i int) int {
	if t.order != nil {
		return t.order[i]
	}
	return i
}

// chosenPlace returns the place of the chosen row.
func (t *Table) chosenPlace() int {
	if t.order == nil {
		return t.At
	}
	if t.orderIndex >= len(t.order) || t.order[t.orderIndex] != t.At {
		t.orderIndex = max(slices.Index(t.order, t.At), 0)
	}
	return t.orderIndex
}

// blanks between two columns
const gap = 2

// minWidth returns the fewest columns of the screen for column i.
func (t *Table) minWidth(i int, s tui.Space) int {
	c := t.Columns[i]
	if c.Min > 0 {
		return c.Min
	}
	n := columns(s, c.Title)
	if t.sortKey == i+1 {
		n += 2 // the mark of the order
	}
	return max(n, 1)
}

// chooseColumns chooses the columns in sight and their widths.
func (t *Table) chooseColumns(s tui.Space, width int) {
	n := len(t.Columns)
	t.currentColumn = max(min(t.currentColumn, n-1), 0)
	t.first = max(min(t.first, t.currentColumn), 0)
	need := func(from, to int) (sum int) {
		for i := from; i <= to; i++ {
			sum += t.minWidth(i, s) + gap
		}
		return sum - gap
	}
	for t.first < t.currentColumn && need(t.first, t.currentColumn) > width {
		t.first++
	}
	for t.first > 0 && need(t.first-1, n-1) <= width { // the last columns leave no room unused
		t.first--
	}
	t.widths = t.widths[:0]
	freeCols, weights := width, 0
	for i := t.first; i < n; i++ {
		w := t.minWidth(i, s)
		if i > t.first {
			freeCols -= gap
		}
		if freeCols <= 0 || i > t.first && w > freeCols {
			break
		}
		w = min(w, freeCols)
		t.widths = append(t.widths, w)
		freeCols -= w
		weights += max(t.Columns[i].Weight, 0)
	}
	if freeCols <= 0 || len(t.widths) == 0 {
		return
	}
	if weights == 0 {
		t.widths[len(t.widths)-1] += freeCols
		return
	}
	for i := range t.widths {
		w := max(t.Columns[t.first+i].Weight, 0)
		if weights == 0 {
			return
		}
		more := freeCols * w / weights
		t.widths[i] += more
		freeCols, weights = freeCols-more, weights-w
	}
}

// tightenColumns makes the columns in sight no wider than their cells, as far as the first rows
// tell: in a text nothing stands at the right edge.
func (t *Table) tightenColumns(s tui.Space, n int) {
	for k := range t.widths {
		i := t.first + k
		need := t.minWidth(i, s)
		for row := range min(n, 1000) {
			need = max(need, columns(s, t.cellText(row, i)))
		}
		t.widths[k] = min(t.widths[k], need)
	}
}

// tableRow returns one row of the screen: a pointer, and a cell for each column in sight.
func (t *Table) tableRow(s tui.Space, pointer tui.Span, cell func(i int) (string, tui.Style)) tui.Line {
	spans := make([]tui.Span, 1, 1+4*len(t.widths))
	spans[0] = pointer
	for k, w := range t.widths {
		if k > 0 {
			spans = append(spans, tui.Span{Text: "  "})
		}
		text, style := cell(t.first + k)
		spans = appendPadded(spans, s, text, w, t.Columns[t.first+k].Right, style)
	}
	if spans = trimBlanks(spans); s.Width <= len(pointer.Text)+1 {
		return s.Cut(spans...) // not even the pointer has room
	}
	return tui.Line{Spans: spans}
}

// trimBlanks returns spans without the blanks at their end.
func trimBlanks(spans []tui.Span) []tui.Span {
	for n := len(spans); n > 0; n-- {
		last := &spans[n-1]
		if last.Style.Attr&(tui.Underline|tui.Inverse) != 0 {
			break
		}
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
		spans = spans[:n-1]
	}
	return spans
}

// headerRow returns the row of the titles.
func (t *Table) headerRow(s tui.Space, pointer string) tui.Line {
	th := s.Look()
	return t.tableRow(s, tui.Span{Text: pointer}, func(i int) (string, tui.Style) {
		text, st := t.Columns[i].Title, th.Strong
		if t.sortKey == i+1 {
			text += " " + arrow(th, t.descending)
		}
		if i == t.currentColumn && s.Focused && s.Height > 0 {
			st.Attr |= tui.Underline
		}
		return text, st
	})
}

// arrow returns the mark of an order.
func arrow(th *tui.Theme, down bool) string {
	up, low := "^", "v"
	if unicodeGlyphs(th) {
		up, low = "▴", "▾"
	}
	if down {
		return low
	}
	return up
}

// unicodeGlyphs reports whether the glyphs of th are more than ASCII.
func unicodeGlyphs(th *tui.Theme) bool { return len(th.Glyphs.More) > 1 }

// View returns the title, the header and the rows in sight.
func (t *Table) View(s tui.Space) tui.View {
	t.sortRows()
	th, n := s.Look(), t.rowCount()
	t.At = max(min(t.At, n-1), 0)
	rows, mark := widgetHeight(s, t.Height), 2
	if rows <= 0 {
		mark = len(strconv.Itoa(n)) + 1
	}
	t.chooseColumns(s, max(s.Width-mark, 1))
	if rows <= 0 {
		t.tightenColumns(s, n)
	}
	v := tui.View{Mouse: t.Mouse}
	t.headRows = 0
	if rows != 1 {
		t.headRows = 1
		if t.Title != "" && rows != 2 {
			t.headRows = 2
		}
	}
	size := rows - t.headRows
	if rows <= 0 {
		size = n
	}
	at := t.chosenPlace()
	t.scroll.fitTo(at, n, size)
	v.Lines = make([]tui.Line, 0, t.headRows+min(t.scroll.size, max(n, 1)))
	if t.headRows > 1 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: t.Title, Style: th.Strong},
			tui.Span{Text: t.scroll.positionText(n), Style: th.Dim}))
	}
	if t.headRows > 0 {
		v.Lines = append(v.Lines, t.headerRow(s, strings.Repeat(" ", mark)))
	}
	for i := t.scroll.top; i < t.scroll.end(n); i++ {
		row := t.rowAt(i)
		pointer, style := "  ", tui.Style{}
		switch {
		case rows <= 0:
			pointer = strconv.Itoa(row + 1)
			pointer += strings.Repeat(" ", mark-len(pointer))
		case i == at:
			pointer, style = th.Glyphs.Prompt+" ", th.Strong
		}
		v.Lines = append(v.Lines, t.tableRow(s, tui.Span{Text: pointer, Style: th.Accent},
			func(c int) (string, tui.Style) {
				st := style
				if t.Style != nil {
					cellStyle := t.Style(th, row, c)
					cellStyle.Attr |= st.Attr
					st = cellStyle
				}
				return t.cellText(row, c), st
			}))
	}
	if n == 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "  no rows", Style: th.Dim}))
	}
	return v
}

// HandleEvent takes the keys that move, sort and choose, and clicks.
func (t *Table) HandleEvent(ev tui.Event, s tui.Space) bool {
	t.sortRows()
	n := t.rowCount()
	switch ev := ev.(type) {
	case tui.Mouse:
		return t.Mouse && t.handleMouse(ev)
	case tui.Key:
		if to, ok := t.scroll.step(ev, t.chosenPlace(), n); ok {
			t.moveTo(to)
			return true
		}
		switch {
		case ev.Mods != 0:
		case ev.Code == terminal.KeyLeft:
			t.currentColumn = max(t.currentColumn-1, 0)
			return true
		case ev.Code == terminal.KeyRight:
			t.currentColumn = max(min(t.currentColumn+1, len(t.Columns)-1), 0)
			return true
		case ev.Code == 's':
			t.cycleSort(t.currentColumn)
			return true
		case ev.Code == terminal.KeyEnter && n > 0 && t.OnChoose != nil:
			t.OnChoose(t.At)
			return true
		}
		return t.OnKey != nil && t.OnKey(ev)
	}
	return false
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
	if !isClick(m) {
		return false
	}
	i := m.Row - t.headRows
	switch {
	case i == -1:
		col := m.Col - 2
		for k, w := range t.widths {
			if 0 <= col && col < w+gap {
				t.currentColumn = t.first + k
				t.cycleSort(t.currentColumn)
				return true
			}
			col -= w + gap
		}
	case i >= 0 && t.scroll.top+i < t.scroll.end(n):
		row := t.rowAt(t.scroll.top + i)
		if row == t.At && t.OnChoose != nil {
			t.OnChoose(row)
		}
		t.setChosen(row)
		return true
	}
	return false
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
