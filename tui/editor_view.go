package tui

import (
	"slices"
	"sort"
	"strings"
)

// editRow is one row of an editor: units [from, to), a newline that ends it not counted.
type editRow struct{ from, to int }

// prompt returns what stands before the first row, and its width. A screen too narrow for it has
// none.
func (e *Editor) prompt(s Space) (string, int) {
	p := e.Prompt
	if p == "" {
		p = s.Look().Glyphs.Prompt + " "
	}
	if w := s.Columns(p); w+3 <= s.Width {
		return p, w
	}
	return "", 0
}

// area returns the number of columns for text: one less than there are, so that the caret's row is
// never full and a narrower terminal does not have to wrap it.
func (e *Editor) area(s Space) int {
	_, w := e.prompt(s)
	return max(s.Width-1-w, 1)
}

// show returns how u looks, and its width.
func (e *Editor) show(u unit, area int, s Space) (string, int) {
	if u.paste == "" && u.text == "\t" && area >= 4 {
		return "    ", 4
	}
	t := harmless(u.text)
	w := s.Columns(t)
	if w > area {
		t = s.Model.Truncate(t, area)
		if w = s.Columns(t); w == 0 {
			t, w = "?", 1
		}
	}
	return t, w
}

// wrap breaks the text into rows, after spaces where it can. There is at least one row. What has
// not changed since the last time is kept, so that a key in a text of a megabyte costs the rows
// from there to the end of its line.
func (e *Editor) wrap(s Space) []editRow {
	units, area := e.b.units, e.area(s)
	if len(e.rows) == 0 || e.area0 != area || e.model0 != s.Model {
		e.rows, e.area0, e.model0, e.b.head, e.b.tail, e.wrapped = e.rows[:0], area, s.Model, 0, 0, 0
	}
	same := len(units) - e.b.tail // from here on units are as they were
	if e.b.head >= same && len(units) == e.wrapped && len(e.rows) > 0 {
		return e.rows
	}
	start := e.b.lineStart(min(e.b.head, len(units)))
	// Where a row ends is known at the latest with the first unit of the second row after it.
	if r := sort.Search(len(e.rows), func(i int) bool { return e.rows[i].from > e.b.head }) - 3; r >= 0 {
		start = max(start, e.rows[r].from)
	}
	first := sort.Search(len(e.rows), func(i int) bool { return e.rows[i].from >= start })
	end := start
	mid := e.spare[:0]
	for {
		mid, end = e.wrapLine(mid, end, s)
		if end == len(units) || end >= same {
			break
		}
		end++ // the newline
	}
	// What follows is as it was, further down or up.
	shift := len(units) - e.wrapped
	last := sort.Search(len(e.rows), func(i int) bool { return e.rows[i].from > end-shift })
	if end == len(units) {
		last = len(e.rows)
	}
	if shift != 0 {
		for i := range e.rows[last:] {
			e.rows[last+i].from += shift
			e.rows[last+i].to += shift
		}
	}
	e.rows, e.spare = slices.Replace(e.rows, first, max(first, last), mid...), mid
	e.b.head, e.b.tail, e.wrapped = len(units), len(units), len(units)
	return e.rows
}

// wrapLine appends the rows from the one that starts at unit from to the end of its line; end is
// its newline, or the end of the text.
func (e *Editor) wrapLine(rows []editRow, from int, s Space) (_ []editRow, end int) {
	var (
		area  = e.area(s)
		col   = 0
		brk   = -1 // the row may end before this unit
		after = 0  // col there
	)
	for end = from; end < len(e.b.units) && !e.b.units[end].newline(); end++ {
		u := e.b.units[end]
		_, w := e.show(u, area, s)
		for col+w > area && end > from {
			if brk > from && !u.space() {
				rows = append(rows, editRow{from, brk})
				from, col = brk, col-after
			} else {
				rows = append(rows, editRow{from, end})
				from, col = end, 0
			}
			brk = -1
		}
		col += w
		if u.space() || w == 2 {
			brk, after = end+1, col
		}
	}
	return append(rows, editRow{from, end}), end
}

// caret returns the row and the column of the caret, the prompt not counted.
func (e *Editor) caret(rows []editRow, s Space) (row, col int) {
	area := e.area(s)
	for row = len(rows) - 1; row > 0 && rows[row].from > e.b.at; row-- {
	}
	for _, u := range e.b.units[rows[row].from:e.b.at] {
		_, w := e.show(u, area, s)
		col += w
	}
	return row, col
}

// index returns the unit of r at column goal, or its end.
func (e *Editor) index(r editRow, goal int, s Space, last bool) int {
	col, area := 0, e.area(s)
	for i := r.from; i < r.to; i++ {
		_, w := e.show(e.b.units[i], area, s)
		if col+w > goal {
			return i
		}
		col += w
	}
	if r.to > r.from && !last && !(r.to < len(e.b.units) && e.b.units[r.to].newline()) {
		return r.to - 1 // the end of a wrapped row is the start of the next
	}
	return r.to
}

// View shows the text with the caret.
func (e *Editor) View(s Space) View {
	if s.Width <= 0 {
		return View{}
	}
	if e.search != nil && s.Height != 1 {
		return e.searchView(s)
	}
	return e.view(s)
}

// searchView returns the text with the row of the search below it.
func (e *Editor) searchView(s Space) View {
	line, col := e.search.row(s)
	s.Height = max(s.Height-1, 0)
	v := e.view(s)
	e.lines = append(v.Lines[:len(v.Lines):len(v.Lines)], line)
	e.pos = Pos{Col: col, Row: len(e.lines) - 1}
	return View{Lines: e.lines, Cursor: &e.pos}
}

func (e *Editor) view(s Space) View {
	th := s.Look()
	prompt, pw := e.prompt(s)
	if len(e.b.units) == 0 {
		e.lines = resize(e.lines, 1)
		line := &e.lines[0]
		line.Spans = append(line.Spans[:0], Span{Text: prompt, Style: th.Accent})
		if e.Placeholder != "" {
			in := s
			in.Width = e.area(s)
			hint := in.Cut(Span{Text: e.Placeholder, Style: th.Dim})
			line.Spans = append(line.Spans, hint.Spans...)
		}
		e.top, e.pos = 0, Pos{Col: pw}
		return View{Lines: e.lines, Cursor: &e.pos}
	}
	rows := e.wrap(s)
	r, col := e.caret(rows, s)
	n := min(e.limit(s), len(rows))
	e.top = min(max(min(e.top, r), r-n+1), len(rows)-n) // the caret in sight, no blank rows below
	e.lines = resize(e.lines, n)
	for i := e.top; i < e.top+n; i++ {
		lead, style := spaces[:min(pw, len(spaces))], th.Accent
		switch {
		case i == 0:
			lead = prompt
		case pw > 1 && (i == e.top || i == e.top+n-1 && i < len(rows)-1):
			lead, style = th.Glyphs.More+strings.Repeat(" ", pw-s.Columns(th.Glyphs.More)), th.Dim
		}
		l := &e.lines[i-e.top]
		l.Spans = e.line(l.Spans, rows[i], Span{Text: lead, Style: style}, s)
	}
	e.pos = Pos{Col: pw + col, Row: r - e.top}
	return View{Lines: e.lines, Cursor: &e.pos}
}

// limit returns how many rows are shown.
func (e *Editor) limit(s Space) int {
	n := e.MaxRows
	if n <= 0 {
		n = max(s.Height/3, 3)
	}
	if s.Height > 0 {
		n = min(n, s.Height)
	}
	return max(n, 1)
}

// line returns one row in the place of old: its lead, the text, chips in a style of their own.
func (e *Editor) line(old []Span, r editRow, lead Span, s Space) []Span {
	spans := append(old[:0], lead)
	part, area := e.part[:0], e.area(s)
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
		spans, part = append(spans, Span{Text: text}), part[:0]
	}
	for _, u := range e.b.units[r.from:r.to] {
		t, _ := e.show(u, area, s)
		if u.paste == "" {
			part = append(part, t...)
			continue
		}
		cut()
		spans = append(spans, Span{Text: t, Style: s.Look().Accent.With(Underline)})
	}
	cut()
	e.part = part
	return spans
}

// resize returns s with n lines; the lines that it had keep their spans to be used again.
func resize(s []Line, n int) []Line {
	for cap(s) < n {
		s = append(s[:cap(s)], Line{})
	}
	return s[:n]
}
