package form

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// labelMargin returns the number of columns before a label.
func labelMargin(s tui.Space) int {
	if s.Width < 8 {
		return 0
	}
	return 2
}

// View returns the current page: a blank row, its title, a row for each field, more rows for the
// focused field, and the keys. If the Space has no height it returns the current question as text.
func (f *Form) View(s tui.Space) tui.View {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.start()
	if f.finished || f.focus() == nil {
		return tui.View{}
	}
	if s.Height <= 0 {
		return tui.View{Lines: f.questionRows(s)}
	}
	head, foot, freeRows := f.headRows(s), []tui.Line{f.footRow(s)}, s.Height
	if freeRows < 3 { // the answer is all that there is room for
		head, foot = nil, nil
	}
	for len(head) > 0 && len(head)+f.wantedRows() > freeRows-len(foot) {
		head = head[1:]
	}
	freeRows -= len(head) + len(foot)
	f.rowFields = f.rowFields[:0]
	for range head {
		f.rowFields = append(f.rowFields, -1)
	}
	f.controlPos = tui.Pos{Row: len(head)}
	rows, caret := f.fieldRows(s, freeRows)
	v := tui.View{Lines: append(head, rows...), Mouse: f.Mouse, Drags: f.Mouse}
	if caret != nil {
		f.caretPos = tui.Pos{Col: caret.Col, Row: caret.Row + len(head)}
		v.Cursor = &f.caretPos
	}
	v.Lines = append(v.Lines, foot...)
	return v
}

// wantedRows returns the number of rows that the fields need, whichever has the focus.
func (f *Form) wantedRows() int {
	n, more, help := 0, 0, 0
	for i := range f.Pages[f.pageIndex].Fields {
		if q := f.field(i); q.isAsked() {
			if n++; q.control.wantsRows() {
				more = 3
			}
			if q.help != "" {
				help = 1
			}
		}
	}
	return n + max(more, help)
}

// headRows returns a blank row, and the title with the number of the page or the step.
func (f *Form) headRows(s tui.Space) []tui.Line {
	th := s.Look()
	page := f.Pages[f.pageIndex]
	var row []tui.Span
	if page.Title != "" {
		row = append(row, tui.Span{Text: page.Title + "  ", Style: th.Strong})
	}
	at, of := f.pageIndex+1, len(f.Pages)
	if page.Steps && of == 1 {
		at, of = 0, 0
		for i := range page.Fields {
			if f.field(i).isAsked() {
				if of++; i <= f.focusIndex {
					at++
				}
			}
		}
	}
	if of > 1 {
		row = append(row, tui.Span{Text: strconv.Itoa(at) + " of " + strconv.Itoa(of), Style: th.Dim})
	}
	if row == nil {
		return []tui.Line{{}}
	}
	return []tui.Line{{}, s.Cut(row...)}
}

// footRow returns the row that shows the keys.
func (f *Form) footRow(s tui.Space) tui.Line {
	q := f.focus()
	keys := []string{"Enter goes on"}
	if f.isLast() {
		keys[0] = "Enter finishes"
	}
	if h := q.control.keyHint(); h != "" {
		keys = append(keys, h)
	}
	if len(f.fields()) > 1 {
		keys = append(keys, "Tab moves")
	}
	keys = append(keys, "Esc cancels")
	style := s.Look().Dim
	s.Width = max(s.Width-2, 1)
	return s.Cut(tui.Span{Text: strings.Join(keys, ", "), Style: style})
}

// isLast reports whether no field is asked after the focused one.
func (f *Form) isLast() bool {
	for p := f.pageIndex; p < len(f.Pages); p++ {
		for i, q := range f.Pages[p].Fields {
			if (p > f.pageIndex || i > f.focusIndex) && q.question().isAsked() {
				return false
			}
		}
	}
	return true
}

// fieldRows returns at most n rows of the fields, with the focused one among them, and the position
// of the caret.
func (f *Form) fieldRows(s tui.Space, n int) ([]tui.Line, *tui.Pos) {
	col := f.answerColumn(s)
	var (
		rows        []tui.Line
		caret       *tui.Pos
		from, to    int // the rows of the field with the focus
		otherRows   int
		shownFields []int
	)
	for i := range f.Pages[f.pageIndex].Fields {
		if q := f.field(i); q.isAsked() && !(f.Pages[f.pageIndex].Steps && i > f.lastReached) {
			shownFields = append(shownFields, i)
			if i != f.focusIndex {
				otherRows += len(f.closedRows(q, col, s))
			}
		}
	}
	var owners []int
	noteOwner := func(i int) {
		for len(owners) < len(rows) {
			owners = append(owners, i)
		}
	}
	for _, i := range shownFields {
		q := f.field(i)
		if i != f.focusIndex {
			rows = append(rows, f.closedRows(q, col, s)...)
			noteOwner(i)
			continue
		}
		in := s
		in.Height = max(n-otherRows, min(n, 5))
		v := f.openField(q, col, in)
		from, to = len(rows), len(rows)+len(v.Lines)
		if v.Cursor != nil {
			caret = &tui.Pos{Col: v.Cursor.Col, Row: v.Cursor.Row + from}
		}
		rows = append(rows, v.Lines...)
		noteOwner(i)
	}
	f.hiddenRows = max(min(f.hiddenRows, from, len(rows)-n), min(to-n, from), 0)
	if len(rows) > n {
		rows = rows[f.hiddenRows:min(f.hiddenRows+n, len(rows))]
	} else {
		f.hiddenRows = 0
	}
	f.rowFields = append(f.rowFields, owners[f.hiddenRows:f.hiddenRows+len(rows)]...)
	f.controlPos.Row += from - f.hiddenRows
	if caret != nil {
		if caret.Row -= f.hiddenRows; caret.Row < 0 || caret.Row >= len(rows) {
			caret = nil
		}
	}
	return rows, caret
}

// answerColumn returns the column where answers begin: behind the longest label that leaves most of
// the width for the answers.
func (f *Form) answerColumn(s tui.Space) int {
	maxCol, col := min(max(s.Width*2/5, 4), 30), 0
	for i := range f.Pages[f.pageIndex].Fields {
		if w := s.Columns(f.field(i).label); w <= maxCol {
			col = max(col, w)
		}
	}
	return labelMargin(s) + col + 2
}

// closedRows returns the rows of a field that has no focus: its answer, and what is wrong with it.
func (f *Form) closedRows(q *field, col int, s tui.Space) []tui.Line {
	th := s.Look()
	mark, style := strings.Repeat(" ", labelMargin(s)), th.Dim
	if q.err != nil {
		mark, style = th.Glyphs.Problem+" ", th.Error
	}
	label, answer := s, q.currentText()
	label.Width = max(s.Width-min(s.Columns(answer), s.Width/2)-2, col-2)
	row := label.Cut(tui.Span{Text: mark, Style: style}, tui.Span{Text: q.label, Style: th.Dim}).Spans
	row = append(row, tui.Span{Text: labelGap(row, col, s)}, tui.Span{Text: answer})
	rows := []tui.Line{s.Cut(row...)}
	if q.err != nil {
		in := s
		in.Width = max(s.Width-labelMargin(s), 1)
		line := in.Cut(tui.Span{Text: q.err.Error(), Style: th.Error})
		rows = append(rows, indentLine(line, labelMargin(s)))
	}
	return rows
}

// labelGap returns the blanks between a label and column col, at least two.
func labelGap(label []tui.Span, col int, s tui.Space) string {
	for _, sp := range label {
		col -= s.Columns(sp.Text)
	}
	return strings.Repeat(" ", max(col, 2))
}

func indentLine(line tui.Line, cols int) tui.Line {
	return tui.Line{Spans: append([]tui.Span{{Text: strings.Repeat(" ", cols)}}, line.Spans...)}
}

// openField returns the rows of the focused field, within the height of s: its label, its control,
// its help text, and what is wrong with the answer.
func (f *Form) openField(q *field, col int, s tui.Space) tui.View {
	th := s.Look()
	in := s
	var belowRows []tui.Line
	say := func(text string, style tui.Style, maxRows int) {
		in.Width = max(s.Width-labelMargin(s), 1)
		rows := in.Wrap(tui.Span{Text: text, Style: style})
		for _, line := range rows[:min(len(rows), maxRows)] {
			belowRows = append(belowRows, indentLine(line, labelMargin(s)))
		}
	}
	if q.err != nil {
		say(th.Glyphs.Problem+" "+q.err.Error(), th.Error, max(s.Height-2, 0))
	}
	if q.help != "" {
		say(q.help, th.Dim, max(s.Height-len(belowRows)-3, 0))
	}
	label := []tui.Span{{Text: th.Glyphs.Prompt + " ", Style: th.Accent}, {Text: q.label, Style: th.Strong}}
	var rows []tui.Line
	w := s.Columns(q.label) + labelMargin(s)
	if w+2 > col || s.Width-col < 8 || q.control.wantsRows() && s.Width-col < 24 { // the answer stands below the label
		lead := s
		lead.Width = max(s.Width-labelMargin(s), 1)
		for i, line := range lead.Wrap(label[1]) {
			if i == 0 && labelMargin(s) > 0 {
				rows = append(rows, tui.Line{Spans: append([]tui.Span{label[0]}, line.Spans...)})
			} else {
				rows = append(rows, indentLine(line, labelMargin(s)))
			}
		}
		if maxRows := max(s.Height-1, 1); len(rows) > maxRows {
			rows = rows[:maxRows]
		}
		col, label = labelMargin(s), nil
	}
	in.Width, in.Height = max(s.Width-col, 1), max(s.Height-len(rows)-len(belowRows), 1)
	in.Focused = true
	v := q.control.View(in)
	at := len(rows)
	f.controlPos.Col, f.controlPos.Row = col, f.controlPos.Row+at
	for i, line := range v.Lines {
		if i == 0 && label != nil {
			label = append(label, tui.Span{Text: labelGap(label, col, s)})
			rows = append(rows, tui.Line{Spans: append(label, line.Spans...)})
			continue
		}
		rows = append(rows, indentLine(line, col))
	}
	out := tui.View{Lines: append(rows, belowRows...), RefreshAfter: v.RefreshAfter}
	if v.Cursor != nil {
		out.Cursor = &tui.Pos{Col: v.Cursor.Col + col, Row: v.Cursor.Row + at}
	}
	return out
}
