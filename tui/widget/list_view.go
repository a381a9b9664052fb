package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// View returns a blank row, the title, as many items as fit, and the hint. If Bare is set it
// returns only the items, and the typed text above them.
func (l *List) View(s tui.Space) tui.View {
	l.startMatch()
	th := s.Look()
	itemRows := l.itemRows(s.Height)
	l.fitItems(itemRows)
	title := []tui.Span{{Text: l.Title, Style: th.Strong}}
	if l.Bare {
		title = nil
	}
	if l.query != "" {
		gap := "  "
		if l.Bare {
			gap = ""
		}
		title = append(title, tui.Span{Text: gap + "/" + l.query, Style: th.Accent})
	}
	if n := len(l.matches); n > l.visibleItems {
		place := "  " + strconv.Itoa(l.topItem+1) + "-" + strconv.Itoa(l.topItem+l.visibleItems) + " of " +
			strconv.Itoa(n)
		title = append(title, tui.Span{Text: place, Style: th.Dim})
	}
	var rows []tui.Line
	switch {
	case !l.Bare:
		rows = []tui.Line{{}, s.Cut(title...)}
	case len(title) > 0 && (s.Height <= 0 || s.Height > itemRows):
		rows = []tui.Line{s.Cut(title...)}
	}
	group := ""
	l.headRows, l.rowItems = len(rows), l.rowItems[:0]
	in := l.sideBar.fitBar(s, l.ScrollBar, len(l.matches), l.visibleItems)
	for k := l.topItem; k < l.topItem+l.visibleItems; k++ {
		item := l.itemSource().Item(l.matches[k])
		if l.showsGroups(itemRows) && item.Group != group && item.Group != "" {
			rows = append(rows, in.Cut(tui.Span{Text: item.Group, Style: th.Dim}))
			l.rowItems = append(l.rowItems, -1)
		}
		group = item.Group
		rows = append(rows, l.itemRow(k, item, in))
		l.rowItems = append(l.rowItems, k)
	}
	l.sideBar.addBar(in, rows[l.headRows:], l.headRows, len(l.matches), l.topItem, l.visibleItems)
	switch {
	case len(l.matches) > 0 || l.isMatching:
	case l.itemSource().Len() == 0:
		rows = append(rows, s.Cut(tui.Span{Text: "  nothing to choose from", Style: th.Dim}))
	default:
		rows = append(rows, s.Cut(tui.Span{Text: "  nothing matches", Style: th.Dim}))
	}
	hint := l.Hint
	if l.query != "" && l.QueryHint != "" {
		hint = l.QueryHint
	}
	switch {
	case s.Height <= 0:
		if hint = l.plainPrompt; hint == "" {
			hint = "A number or the words of one:"
		}
	case l.Bare:
		return tui.View{Lines: rows, Mouse: l.Mouse, Drags: l.Mouse && l.ScrollBar}
	case hint == "" && l.query != "":
		hint = "Enter chooses, Esc clears the search"
	case hint == "":
		hint = "Enter chooses, typing searches, Esc leaves"
	}
	s.Width = max(s.Width-2, 1)
	rows = append(rows, s.Cut(tui.Span{Text: hint, Style: th.Dim}))
	return tui.View{Lines: rows, Mouse: l.Mouse, Drags: l.Mouse && l.ScrollBar}
}

// itemRow returns the row of item, whose index in matches is k.
func (l *List) itemRow(k int, item Item, s tui.Space) tui.Line {
	th := s.Look()
	pointer, style := "  ", tui.Style{}
	switch {
	case s.Height <= 0:
		pointer = strconv.Itoa(l.matches[k]+1) + " "
	case k == l.chosenRow:
		pointer, style = th.Glyphs.Prompt+" ", th.Strong
	}
	text := s.Columns(pointer + item.Mark + item.Text)
	if l.Aligned {
		text = min(l.widestItem(pointer, s), s.Width/2)
	}
	note := s
	note.Width = max(s.Width/2, s.Width-text, 1)
	noteSpans := note.Cut(tui.Span{Text: "  " + item.Note, Style: th.Dim}).Spans
	row := s
	for _, sp := range noteSpans {
		row.Width -= s.Columns(sp.Text)
	}
	if l.Aligned {
		row.Width = text
	}
	if item.Note == "" {
		row, noteSpans = s, nil
	}
	line := row.Cut(tui.Span{Text: pointer, Style: th.Accent}, tui.Span{Text: item.Mark, Style: th.Accent},
		tui.Span{Text: item.Text, Style: style})
	if l.Aligned && item.Note != "" {
		for _, sp := range line.Spans {
			text -= s.Columns(sp.Text)
		}
		line.Spans = append(line.Spans, tui.Span{Text: strings.Repeat(" ", max(text, 0))})
	}
	return s.Cut(append(line.Spans, noteSpans...)...) // what is too long is the text, not the note
}

// widestItem returns the number of columns of the widest item, counted with pointer and mark.
func (l *List) widestItem(pointer string, s tui.Space) (columns int) {
	for _, item := range l.Items {
		columns = max(columns, s.Columns(pointer+item.Mark+item.Text))
	}
	return columns
}

// itemRows returns the number of rows available for items and group names if the list has height
// rows.
func (l *List) itemRows(height int) int {
	switch {
	case height <= 0: // of no window: as text, see Submit
		return max(2*len(l.matches), 1)
	case !l.Bare:
		return max(height-3, 1)
	case height > 1 && (l.query != "" || l.firstFitting(len(l.matches)-1, height) > 0):
		return height - 1 // the first one says what was typed, and where we are
	}
	return height
}

// showsGroups reports whether n rows are enough to show group names, too.
func (l *List) showsGroups(n int) bool { return l.Source == nil && n > 2 }

// fitItems sets topItem and visibleItems so that the items and their group names fill n rows, with
// the highlighted item among them.
func (l *List) fitItems(n int) {
	count := len(l.matches)
	if l.Centered && l.Source != nil {
		l.topItem = l.chosenRow - n/2
	}
	l.topItem = max(min(l.topItem, l.chosenRow, l.firstFitting(count-1, n)), l.firstFitting(l.chosenRow, n), 0)
	l.visibleItems = min(n, count-l.topItem)
	if !l.showsGroups(n) {
		return
	}
	group, used := "", 0
	for k := l.topItem; k < count; k++ {
		need := 1
		if g := l.Items[l.matches[k]].Group; g != group {
			if group = g; g != "" {
				need = 2
			}
		}
		if used += need; used > n {
			l.visibleItems = k - l.topItem
			return
		}
	}
	l.visibleItems = count - l.topItem
}

// firstFitting returns the smallest index in matches from which on all items up to last fit in n
// rows.
func (l *List) firstFitting(last, n int) int {
	if !l.showsGroups(n) {
		return max(last-n+1, 0)
	}
	group, items, heads := "", 0, 0 // heads: names of groups among the items behind k
	for k := min(last, len(l.matches)-1); k >= 0; k-- {
		g, groupRows := l.Items[l.matches[k]].Group, 0
		if k < last && g != group && group != "" {
			heads++
		}
		if g != "" {
			groupRows = 1
		}
		if items++; items+heads+groupRows > n && k < last {
			return k + 1
		}
		group = g
	}
	return 0
}
