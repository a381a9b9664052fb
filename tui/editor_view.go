package tui

import (
	"slices"
	"sort"
	"strings"
)

// editRow is one wrapped row of an editor: the units [from, to), without a newline that ends the
// row.
type editRow struct{ from, to int }

// promptText returns the text before the first row, and its width in columns. It returns "", 0 if
// the screen is too narrow for it.
func (e *Editor) promptText(s Space) (string, int) {
	p := e.Prompt
	if p == "" {
		p = s.Look().Glyphs.Prompt + " "
	}
	if w := s.Columns(p); w+3 <= s.Width {
		return p, w
	}
	return "", 0
}

// textWidth returns the number of columns for the text. The last column stays free, so that a
// narrower terminal need not wrap the caret's row.
func (e *Editor) textWidth(s Space) int {
	_, w := e.promptText(s)
	return max(s.Width-1-w, 1)
}

// displayUnit returns the text that is shown for u in an area of area columns, and its width.
func (e *Editor) displayUnit(u textUnit, area int, s Space) (string, int) {
	if u.paste == "" && u.text == "\t" && area >= 4 {
		return "    ", 4
	}
	t := withVisibleControls(u.text)
	w := s.Columns(t)
	if w > area {
		t = s.Model.Truncate(t, area)
		if w = s.Columns(t); w == 0 {
			t, w = "?", 1
		}
	}
	return t, w
}

// wrapText breaks the text into rows, after spaces where possible. It returns at least one row.
// Unchanged rows are reused: a key in a text of one megabyte costs only the rows from there to the
// end of its line.
func (e *Editor) wrapText(s Space) []editRow {
	units, area := e.buf.units, e.textWidth(s)
	if len(e.wrapRows) == 0 || e.wrapWidth != area || e.wrapModel != s.Model {
		e.wrapRows, e.wrapWidth, e.wrapModel, e.wrapUnits = e.wrapRows[:0], area, s.Model, 0
		e.buf.unchangedHead, e.buf.unchangedTail = 0, 0
	}
	same := len(units) - e.buf.unchangedTail // from here on units are as they were
	if e.buf.unchangedHead >= same && len(units) == e.wrapUnits && len(e.wrapRows) > 0 {
		return e.wrapRows
	}
	start := e.buf.lineStart(min(e.buf.unchangedHead, len(units)))
	// Where a row ends is known at the latest with the first unit of the second row after it.
	changed := sort.Search(len(e.wrapRows), func(i int) bool { return e.wrapRows[i].from > e.buf.unchangedHead })
	if r := changed - 3; r >= 0 {
		start = max(start, e.wrapRows[r].from)
	}
	first := sort.Search(len(e.wrapRows), func(i int) bool { return e.wrapRows[i].from >= start })
	end := start
	mid := e.spareRows[:0]
	for {
		mid, end = e.wrapLine(mid, end, s)
		if end == len(units) || end >= same {
			break
		}
		end++ // the newline
	}
	// What follows is as it was, further down or up.
	shift := len(units) - e.wrapUnits
	last := sort.Search(len(e.wrapRows), func(i int) bool { return e.wrapRows[i].from > end-shift })
	if end == len(units) {
		last = len(e.wrapRows)
	}
	if shift != 0 {
		for i := range e.wrapRows[last:] {
			e.wrapRows[last+i].from += shift
			e.wrapRows[last+i].to += shift
		}
	}
	e.wrapRows, e.spareRows = slices.Replace(e.wrapRows, first, max(first, last), mid...), mid
	e.buf.unchangedHead, e.buf.unchangedTail, e.wrapUnits = len(units), len(units), len(units)
	return e.wrapRows
}

// wrapLine appends to rows the rows of one line, beginning with the row that starts at unit from.
// The result end is the index of the line's newline, or the end of the text.
func (e *Editor) wrapLine(rows []editRow, from int, s Space) (_ []editRow, end int) {
	var (
		area  = e.textWidth(s)
		col   = 0
		brk   = -1 // the row may end before this unit
		after = 0  // col there
	)
	for end = from; end < len(e.buf.units) && !e.buf.units[end].isNewline(); end++ {
		u := e.buf.units[end]
		_, w := e.displayUnit(u, area, s)
		for col+w > area && end > from {
			if brk > from && !u.isSpace() {
				rows = append(rows, editRow{from, brk})
				from, col = brk, col-after
			} else {
				rows = append(rows, editRow{from, end})
				from, col = end, 0
			}
			brk = -1
		}
		col += w
		if u.isSpace() || w == 2 {
			brk, after = end+1, col
		}
	}
	return append(rows, editRow{from, end}), end
}

// caretRowCol returns the row of the caret and its column, not counting the prompt.
func (e *Editor) caretRowCol(rows []editRow, s Space) (row, col int) {
	area := e.textWidth(s)
	for row = len(rows) - 1; row > 0 && rows[row].from > e.buf.caret; row-- {
	}
	for _, u := range e.buf.units[rows[row].from:e.buf.caret] {
		_, w := e.displayUnit(u, area, s)
		col += w
	}
	return row, col
}

// unitAt returns the index of the unit at the column goal of row r. If the row is shorter it
// returns the end of the row. last says whether r is the last row of the text.
func (e *Editor) unitAt(r editRow, goal int, s Space, last bool) int {
	col, area := 0, e.textWidth(s)
	for i := r.from; i < r.to; i++ {
		_, w := e.displayUnit(e.buf.units[i], area, s)
		if col+w > goal {
			return i
		}
		col += w
	}
	if r.to > r.from && !last && !(r.to < len(e.buf.units) && e.buf.units[r.to].isNewline()) {
		return r.to - 1 // the end of a wrapped row is the start of the next
	}
	return r.to
}

// View returns the text with the caret, and the open search in the history.
func (e *Editor) View(s Space) View {
	if s.Width <= 0 {
		return View{}
	}
	if e.search != nil && s.Height != 1 {
		return e.searchView(s)
	}
	return e.textView(s)
}

// searchView returns the text, and below it the row of the search.
func (e *Editor) searchView(s Space) View {
	line, col := e.search.searchRow(s)
	s.Height = max(s.Height-1, 0)
	v := e.textView(s)
	e.lines = append(v.Lines[:len(v.Lines):len(v.Lines)], line)
	e.caretPos = Pos{Col: col, Row: len(e.lines) - 1}
	return View{Lines: e.lines, Cursor: &e.caretPos}
}

// textView returns the text with the caret, or the placeholder.
func (e *Editor) textView(s Space) View {
	th := s.Look()
	prompt, pw := e.promptText(s)
	if len(e.buf.units) == 0 {
		e.lines = resizeLines(e.lines, 1)
		line := &e.lines[0]
		line.Spans = append(line.Spans[:0], Span{Text: prompt, Style: th.Accent})
		if e.Placeholder != "" {
			in := s
			in.Width = e.textWidth(s)
			hint := in.Cut(Span{Text: e.Placeholder, Style: th.Dim})
			line.Spans = append(line.Spans, hint.Spans...)
		}
		e.topRow, e.caretPos = 0, Pos{Col: pw}
		return View{Lines: e.lines, Cursor: &e.caretPos}
	}
	rows := e.wrapText(s)
	r, col := e.caretRowCol(rows, s)
	n := min(e.rowLimit(s), len(rows))
	e.topRow = min(max(min(e.topRow, r), r-n+1), len(rows)-n) // the caret in sight, no blank rows below
	e.lines = resizeLines(e.lines, n)
	for i := e.topRow; i < e.topRow+n; i++ {
		lead, style := spaces[:min(pw, len(spaces))], th.Accent
		switch {
		case i == 0:
			lead = prompt
		case pw > 1 && (i == e.topRow || i == e.topRow+n-1 && i < len(rows)-1):
			lead, style = th.Glyphs.More+strings.Repeat(" ", pw-s.Columns(th.Glyphs.More)), th.Dim
		}
		l := &e.lines[i-e.topRow]
		l.Spans = e.rowSpans(l.Spans, rows[i], Span{Text: lead, Style: style}, s)
	}
	e.caretPos = Pos{Col: pw + col, Row: r - e.topRow}
	return View{Lines: e.lines, Cursor: &e.caretPos}
}

// rowLimit returns the maximum number of rows to show.
func (e *Editor) rowLimit(s Space) int {
	n := e.MaxRows
	if n <= 0 {
		n = max(s.Height*2/3, 3)
	}
	if s.Height > 0 {
		n = min(n, s.Height)
	}
	return max(n, 1)
}

// rowSpans returns the spans of row r: lead, then the text, with a style for chips and selected
// text. It reuses the storage and the strings of old, the spans of an earlier View.
func (e *Editor) rowSpans(old []Span, r editRow, lead Span, s Space) []Span {
	spans := append(old[:0], lead)
	part, area, style := e.textBuf[:0], e.textWidth(s), Style{}
	cut := func() {
		if len(part) == 0 {
			return
		}
		text, k := "", len(spans)
		if k < len(old) && old[k].Text == string(part) { // as it was
			text = old[k].Text
		} else {
			text = string(part)
		}
		spans, part = append(spans, Span{Text: text, Style: style}), part[:0]
	}
	from, to := e.selectedUnits()
	for i, u := range e.buf.units[r.from:r.to] {
		if at := r.from + i; (at >= from && at < to) != (style != Style{}) {
			cut()
			style.Attr ^= Inverse
		}
		t, _ := e.displayUnit(u, area, s)
		if u.paste == "" {
			part = append(part, t...)
			continue
		}
		cut()
		spans = append(spans, Span{Text: t, Style: s.Look().Accent.With(Underline | style.Attr)})
	}
	cut()
	e.textBuf = part
	return spans
}

// resizeLines returns s with n lines. Lines that existed before keep their spans, whose storage can
// be reused.
func resizeLines(s []Line, n int) []Line {
	for cap(s) < n {
		s = append(s[:cap(s)], Line{})
	}
	return s[:n]
}
