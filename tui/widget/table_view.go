package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// number of blanks between two columns
const columnGapCols = 2

// minWidth returns the minimum width of column i.
func (t *Table) minWidth(i int, s tui.Space) int {
	c := t.Columns[i]
	switch {
	case c.Width > 0:
		return c.Width
	case c.Min > 0:
		return c.Min
	}
	n := textColumns(s, c.Title)
	if t.sortColumnPlus1 == i+1 {
		n += 2 // the mark of the order
	}
	return max(n, 1)
}

// chooseColumns sets firstColumn and columnWidths so that the visible columns, with the current one
// among them, fit in width.
func (t *Table) chooseColumns(s tui.Space, width int) {
	n := len(t.Columns)
	t.currentColumn = max(min(t.currentColumn, n-1), 0)
	t.firstColumn = max(min(t.firstColumn, t.currentColumn), 0)
	need := func(from, to int) (sum int) {
		for i := from; i <= to; i++ {
			sum += t.minWidth(i, s) + columnGapCols
		}
		return sum - columnGapCols
	}
	for t.firstColumn < t.currentColumn && need(t.firstColumn, t.currentColumn) > width {
		t.firstColumn++
	}
	for t.firstColumn > 0 && need(t.firstColumn-1, n-1) <= width { // the last columns leave no room unused
		t.firstColumn--
	}
	t.columnWidths = t.columnWidths[:0]
	freeCols, weights := width, 0
	for i := t.firstColumn; i < n; i++ {
		w := t.minWidth(i, s)
		if i > t.firstColumn {
			freeCols -= columnGapCols
		}
		if freeCols <= 0 || i > t.firstColumn && w > freeCols {
			break
		}
		w = min(w, freeCols)
		t.columnWidths = append(t.columnWidths, w)
		freeCols -= w
		weights += t.weight(i)
	}
	t.shareFreeColumns(freeCols, weights)
}

// weight returns the share that column i gets of the width that is left. It is 0 for a column of an
// exact width.
func (t *Table) weight(i int) int {
	if t.Columns[i].Width > 0 {
		return 0
	}
	return max(t.Columns[i].Weight, 0)
}

// shareFreeColumns distributes the remaining freeCols terminal columns among the visible columns by
// their weights. weights is the sum of the weights.
func (t *Table) shareFreeColumns(freeCols, weights int) {
	if freeCols <= 0 || len(t.columnWidths) == 0 {
		return
	}
	if last := len(t.columnWidths) - 1; weights == 0 {
		if t.Columns[t.firstColumn+last].Width == 0 {
			t.columnWidths[last] += freeCols
		}
		return
	}
	for i := range t.columnWidths {
		w := t.weight(t.firstColumn + i)
		if weights == 0 {
			return
		}
		more := freeCols * w / weights
		t.columnWidths[i] += more
		freeCols, weights = freeCols-more, weights-w
	}
}

// tightenColumns makes the visible columns no wider than their content, judged by the first 1,000
// of n rows. It is used for text output, where nothing is aligned to the right edge.
func (t *Table) tightenColumns(s tui.Space, n int) {
	for k := range t.columnWidths {
		i := t.firstColumn + k
		need := t.minWidth(i, s)
		for row := range min(n, 1000) {
			need = max(need, textColumns(s, t.cellText(row, i)))
		}
		t.columnWidths[k] = min(t.columnWidths[k], need)
	}
}

// tableRow returns one screen row: the pointer, and a cell for each visible column. cell returns
// the text and style for column i.
func (t *Table) tableRow(s tui.Space, pointer tui.Span, cell func(i int) (string, tui.Style)) tui.Line {
	spans := make([]tui.Span, 1, 1+4*len(t.columnWidths))
	spans[0] = pointer
	for k, w := range t.columnWidths {
		if k > 0 {
			spans = append(spans, tui.Span{Text: "  "})
		}
		text, style := cell(t.firstColumn + k)
		spans = appendPadded(spans, s, text, w, t.Columns[t.firstColumn+k].Right, style)
	}
	if spans = trimBlanks(spans); s.Width <= len(pointer.Text)+1 {
		return s.Cut(spans...) // not even the pointer has room
	}
	return tui.Line{Spans: spans}
}

// trimBlanks returns spans without invisible trailing blanks. Underlined and inverse blanks stay.
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

// headerRow returns the row of the column titles. pointer is the blank text above the rows'
// pointers.
func (t *Table) headerRow(s tui.Space, pointer string) tui.Line {
	th := s.Look()
	return t.tableRow(s, tui.Span{Text: pointer}, func(i int) (string, tui.Style) {
		text, st := t.Columns[i].Title, th.Strong
		if t.sortColumnPlus1 == i+1 {
			text += " " + sortArrow(th, t.descending)
		}
		if i == t.currentColumn && s.Focused && s.Height > 0 {
			st.Attr |= tui.Underline
		}
		return text, st
	})
}

// sortArrow returns the mark for a sort order; down means descending.
func sortArrow(th *tui.Theme, down bool) string {
	up, low := "^", "v"
	if hasUnicodeGlyphs(th) {
		up, low = "▴", "▾"
	}
	if down {
		return low
	}
	return up
}

// hasUnicodeGlyphs reports whether the theme's glyphs go beyond ASCII.
func hasUnicodeGlyphs(th *tui.Theme) bool { return len(th.Glyphs.More) > 1 }

// minFootRows is the minimum height of a table without a title for a last row that says how many
// more rows there are.
const minFootRows = 4

// allotRows divides a number of screen rows among title, header, the n rows of the table and a foot
// row, and scrolls accordingly. It returns true if there is a foot row, for the search or for the
// number of hidden rows.
func (t *Table) allotRows(rows, n int) (foot bool) {
	t.headRows = 0
	if rows != 1 {
		t.headRows = 1
		if t.Title != "" && rows != 2 {
			t.headRows = 2
		}
	}
	foot = t.search.isActive() && rows > t.headRows+1 ||
		rows >= minFootRows && t.headRows == 1 && n > rows-t.headRows
	size := rows - t.headRows - boolInt(foot)
	if rows <= 0 {
		size = n
	}
	t.scroll.fitTo(t.chosenPlace(), n, size)
	return foot
}

// View returns the title, the header and the visible rows. Below them is the search. Without one,
// and without a title, the last row says how many more rows there are.
func (t *Table) View(s tui.Space) tui.View {
	t.sortRows()
	n := t.rowCount()
	t.At = max(min(t.At, n-1), 0)
	v := tui.View{Mouse: t.Mouse, Drags: t.Mouse}
	if t.continueSearch(n) {
		v.RefreshAfter = 1
	}
	rows, mark := widgetHeight(s, t.Height), 2
	if rows <= 0 {
		mark = len(strconv.Itoa(n)) + 1
	}
	foot := t.allotRows(rows, n)
	in := t.sideBar.fitBar(s, t.ScrollBar, n, t.scroll.pageRows)
	t.chooseColumns(in, max(in.Width-mark, 1))
	if rows <= 0 {
		t.tightenColumns(s, n)
	}
	v.Lines = make([]tui.Line, 0, t.headRows+min(t.scroll.pageRows, max(n, 1))+boolInt(foot))
	th := s.Look()
	if t.headRows > 1 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: t.Title, Style: th.Strong},
			tui.Span{Text: t.scroll.positionText(n), Style: th.Dim}))
	}
	if t.headRows > 0 {
		v.Lines = append(v.Lines, t.headerRow(in, strings.Repeat(" ", mark)))
	}
	for i := t.scroll.topRow; i < t.scroll.endRow(n); i++ {
		v.Lines = append(v.Lines, t.bodyRow(in, i, mark, rows <= 0))
	}
	t.sideBar.addBar(in, v.Lines[t.headRows:], t.headRows, n, t.scroll.topRow, t.scroll.pageRows)
	if n == 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "  no rows", Style: th.Dim}))
	}
	if foot {
		v.Lines = append(v.Lines, t.footRow(s, n))
		v.Cursor = t.search.caretPos(s, v.Lines[len(v.Lines)-1], len(v.Lines)-1)
	}
	return v
}

// bodyRow returns the screen row for place i. Its pointer takes mark columns. If text is true the
// pointer is the row's number.
func (t *Table) bodyRow(s tui.Space, i, mark int, text bool) tui.Line {
	th, row := s.Look(), t.rowAt(i)
	pointer, style := "  ", tui.Style{}
	switch {
	case text:
		pointer = strconv.Itoa(row + 1)
		pointer += strings.Repeat(" ", mark-len(pointer))
	case row == t.At:
		pointer, style = th.Glyphs.Prompt+" ", th.Strong
	}
	if i == t.pressedPlacePlus1-1 {
		style.Attr |= tui.Inverse // it is being moved
	}
	return t.tableRow(s, tui.Span{Text: pointer, Style: th.Accent}, func(c int) (string, tui.Style) {
		st := style
		if t.Style != nil {
			cellStyle := t.Style(th, row, c)
			cellStyle.Attr |= st.Attr
			st = cellStyle
		}
		return t.cellText(row, c), st
	})
}

// footRow returns the screen row below those of the table: the search, or the number of hidden
// rows.
func (t *Table) footRow(s tui.Space, n int) tui.Line {
	if t.search.isActive() {
		return t.search.resultRow(s, t.chosenPlace())
	}
	text := "  " + strconv.Itoa(n-t.scroll.pageRows) + " more rows:" + t.scroll.positionText(n)
	return s.Cut(tui.Span{Text: strings.Replace(text, ":  ", ": ", 1), Style: s.Look().Dim})
}

// continueSearch continues a running search and highlights the row that it finds. It returns true
// if there are rows left to read.
func (t *Table) continueSearch(n int) (more bool) {
	place, more := t.search.readRows(n, func(i int) string {
		row := t.rowAt(i)
		if len(t.Columns) == 1 {
			return t.cellText(row, 0)
		}
		cells := make([]string, len(t.Columns))
		for c := range cells {
			cells[c] = t.cellText(row, c)
		}
		return strings.Join(cells, "\n")
	})
	if place >= 0 {
		t.moveTo(place)
	}
	return more
}
