package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// blanks between two columns
const gap = 2

// minWidth returns the fewest columns of the screen for column i.
func (t *Table) minWidth(i int, s tui.Space) int {
	c := t.Columns[i]
	switch {
	case c.Width > 0:
		return c.Width
	case c.Min > 0:
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
		weights += t.weight(i)
	}
	t.shareFree(freeCols, weights)
}

// weight returns the share that column i has in the free width.
func (t *Table) weight(i int) int {
	if t.Columns[i].Width > 0 {
		return 0
	}
	return max(t.Columns[i].Weight, 0)
}

// shareFree gives freeCols columns of the screen to the columns in sight, by their weights.
func (t *Table) shareFree(freeCols, weights int) {
	if freeCols <= 0 || len(t.widths) == 0 {
		return
	}
	if last := len(t.widths) - 1; weights == 0 {
		if t.Columns[t.first+last].Width == 0 {
			t.widths[last] += freeCols
		}
		return
	}
	for i := range t.widths {
		w := t.weight(t.first + i)
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

// minFootRows is the fewest rows of the screen of a table that says below its rows how many more
// there are.
const minFootRows = 4

// placeRows shares out rows of the screen to title, header and the n rows of the table. foot: there
// is one for the search or for the rows out of sight.
func (t *Table) placeRows(rows, n int) (foot bool) {
	t.headRows = 0
	if rows != 1 {
		t.headRows = 1
		if t.Title != "" && rows != 2 {
			t.headRows = 2
		}
	}
	foot = t.search.active() && rows > t.headRows+1 ||
		rows >= minFootRows && t.headRows == 1 && n > rows-t.headRows
	size := rows - t.headRows - boolInt(foot)
	if rows <= 0 {
		size = n
	}
	t.scroll.fitTo(t.chosenPlace(), n, size)
	return foot
}

// View returns the title, the header, the rows in sight, and below them the search, or how many
// more rows there are if no title says it.
func (t *Table) View(s tui.Space) tui.View {
	t.sortRows()
	n := t.rowCount()
	t.At = max(min(t.At, n-1), 0)
	v := tui.View{Mouse: t.Mouse, Drags: t.Mouse}
	if t.searchOn(n) {
		v.RefreshAfter = 1
	}
	rows, mark := widgetHeight(s, t.Height), 2
	if rows <= 0 {
		mark = len(strconv.Itoa(n)) + 1
	}
	foot := t.placeRows(rows, n)
	in := t.side.fitBar(s, t.ScrollBar, n, t.scroll.size)
	t.chooseColumns(in, max(in.Width-mark, 1))
	if rows <= 0 {
		t.tightenColumns(s, n)
	}
	v.Lines = make([]tui.Line, 0, t.headRows+min(t.scroll.size, max(n, 1))+boolInt(foot))
	th := s.Look()
	if t.headRows > 1 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: t.Title, Style: th.Strong},
			tui.Span{Text: t.scroll.positionText(n), Style: th.Dim}))
	}
	if t.headRows > 0 {
		v.Lines = append(v.Lines, t.headerRow(in, strings.Repeat(" ", mark)))
	}
	for i := t.scroll.top; i < t.scroll.end(n); i++ {
		v.Lines = append(v.Lines, t.bodyRow(in, i, mark, rows <= 0))
	}
	t.side.addBar(in, v.Lines[t.headRows:], t.headRows, n, t.scroll.top, t.scroll.size)
	if n == 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "  no rows", Style: th.Dim}))
	}
	if foot {
		v.Lines = append(v.Lines, t.footRow(s, n))
		v.Cursor = t.search.caret(s, v.Lines[len(v.Lines)-1], len(v.Lines)-1)
	}
	return v
}

// bodyRow returns the row at place i. text: it is text, with a number in mark columns.
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
	if i == t.heldRow-1 {
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

// footRow returns the row below those of the table.
func (t *Table) footRow(s tui.Space, n int) tui.Line {
	if t.search.active() {
		return t.search.row(s, t.chosenPlace())
	}
	text := "  " + strconv.Itoa(n-t.scroll.size) + " more rows:" + t.scroll.positionText(n)
	return s.Cut(tui.Span{Text: strings.Replace(text, ":  ", ": ", 1), Style: s.Look().Dim})
}

// searchOn continues the search, and chooses the row that was found. more: it is not done.
func (t *Table) searchOn(n int) (more bool) {
	place, more := t.search.readOn(n, func(i int) string {
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
