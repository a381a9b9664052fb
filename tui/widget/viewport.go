package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// defaultKeep is the number of lines that [Viewport.Add] keeps.
const defaultKeep = 10_000

// Viewport shows lines of text in its rows, and scrolls: a preview, a log. In a space without a
// height it is all lines, as text. Fields and methods are for the loop. The cost of a frame does
// not grow with the lines out of sight.
//
// # Keys
//
// Up, Down, j, k move by rows; PgUp, PgDn, b, Space by pages, Ctrl+U, Ctrl+D by half of one; g, G,
// Home, End go to the ends. w cuts long lines or wraps them; Left and Right move cut ones. /
// searches: text without an upper-case letter matches either case. n and N go to the next and the
// previous match, Esc ends the search.
type Viewport struct {
	Title string
	Text  string             // its lines; another text begins at its top, without the lines of Add
	Len   func() int         // with Line: how many lines there are
	Line  func(i int) string // line i, from 0, for those in sight and for a search; nil: Text and Add

	// Highlight returns a line in its colours: spans that are the line when they are joined. nil:
	// the line is plain.
	Highlight func(t *tui.Theme, line string) []tui.Span
	Height    int  // the most rows; 0: all that the space has
	Keep      int  // lines that Add keeps, the newest; 0: 10,000
	Cut       bool // long lines end in a mark; else they continue in the next row
	// The end stays in sight when lines come. A move up pauses that, until the end is reached
	// again.
	Follow bool
	Mouse  bool   // the wheel scrolls
	Hint   string // below the rows; "": none
	// A bar at the right shows where the lines in sight stand.
	ScrollBar bool

	lines        []string
	linesText    string // the Text of lines
	built        bool
	topPlace     pager.Place // the first row in sight
	size         int         // rows for lines in the last View
	leftCols     int         // columns that are scrolled out, with Cut
	followPaused bool
	search       search
	side         sideBar
}

// Add adds a line at the end. If there are more than Keep it drops the oldest line.
func (v *Viewport) Add(line string) {
	v.splitText()
	v.lines = append(v.lines, line)
	maxLines := v.Keep
	if maxLines <= 0 {
		maxLines = defaultKeep
	}
	for ; len(v.lines) > maxLines; v.lines = v.lines[1:] {
		v.lines[0] = ""
		if v.topPlace.Item--; v.topPlace.Item < 0 {
			v.topPlace = pager.Place{}
		}
		v.search.shiftLines()
	}
}

// splitText makes lines of a new Text.
func (v *Viewport) splitText() {
	if v.built && v.linesText == v.Text {
		return
	}
	firstText := v.built
	v.linesText, v.built, v.lines = v.Text, true, nil
	if v.Text != "" {
		v.lines = strings.Split(strings.TrimSuffix(v.Text, "\n"), "\n")
	}
	if firstText {
		v.topPlace, v.leftCols, v.followPaused, v.search = pager.Place{}, 0, false, search{}
	}
}

// lineCount returns the number of lines.
func (v *Viewport) lineCount() int {
	if v.Line != nil && v.Len != nil {
		return max(v.Len(), 0)
	}
	return len(v.lines)
}

// lineText returns the shown part of line i.
func (v *Viewport) lineText(i int) string {
	text := ""
	switch {
	case v.Line != nil:
		text = v.Line(i)
	case i < len(v.lines):
		text = v.lines[i]
	}
	if len(text) > maxLineBytes {
		text = width.Head(text, maxLineBytes) + "…"
	}
	if text = strings.TrimSuffix(text, "\r"); strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	return text
}

// lineSpans returns line i in its colours, with the matches of the search.
func (v *Viewport) lineSpans(i int, line string, th *tui.Theme) []tui.Span {
	spans := []tui.Span{{Text: line}}
	if v.Highlight != nil {
		spans = v.Highlight(th, line)
	}
	return styleParts(spans, v.search.findIn(line), func(st tui.Style) tui.Style {
		st.Attr |= tui.Inverse
		if i == v.search.matchLine {
			st.Attr |= tui.Bold
		}
		return st
	})
}

// layOutLine returns the rows of line i, at least one.
func (v *Viewport) layOutLine(i int, s tui.Space) []tui.Line {
	spans := v.lineSpans(i, v.lineText(i), s.Look())
	if v.Cut {
		return []tui.Line{clipLine(s, spans, v.leftCols)}
	}
	rows := tui.Layout{Width: s.Width, Native: true, Model: s.Model}.Append(nil, 0, spans...)
	for k := range rows {
		rows[k].Wrapped, rows[k].End = false, 0 // it may stand beside something
	}
	if len(rows) == 0 {
		rows = []tui.Line{{}}
	}
	return rows
}

// View returns the title, the rows in sight, and the search.
func (v *Viewport) View(s tui.Space) tui.View {
	v.splitText()
	rows := widgetHeight(s, v.Height)
	if rows <= 0 {
		return v.allLines(s)
	}
	th, in := s.Look(), v.lineSpace(s)
	more := v.search.searchSome(v)
	title, foot := v.Title != "" && rows > 2, v.search.active() || v.Hint != "" && rows > 2
	v.size = rows
	if title {
		v.size--
	}
	if foot {
		v.size--
	}
	if v.search.toReveal {
		v.search.toReveal = false
		v.revealMatch(in)
	}
	if v.Follow && !v.followPaused {
		v.topPlace = v.pagerText(in).Last()
	}
	v.clampTop(in)
	w := tui.View{Mouse: v.Mouse, Drags: v.Mouse && v.ScrollBar}
	if more {
		w.RefreshAfter = 1
	}
	if title {
		w.Lines = append(w.Lines, tui.Line{})
	}
	n, last := v.lineCount(), v.topPlace.Item
	for i, skip := v.topPlace.Item, v.topPlace.Row; i < n && len(w.Lines) < rows-boolInt(foot); i, skip = i+1, 0 {
		lines := v.layOutLine(i, in)[skip:]
		w.Lines = append(w.Lines, lines[:min(len(lines), rows-boolInt(foot)-len(w.Lines))]...)
		last = i
	}
	v.side.addBar(in, w.Lines[boolInt(title):], boolInt(title), n, v.topPlace.Item, last-v.topPlace.Item+1)
	if title {
		place := ""
		if last-v.topPlace.Item+1 < n {
			place = "  " + strconv.Itoa(v.topPlace.Item+1) + "-" + strconv.Itoa(last+1) + " of " + strconv.Itoa(n)
		}
		w.Lines[0] = s.Cut(tui.Span{Text: v.Title, Style: th.Strong}, tui.Span{Text: place, Style: th.Dim})
	}
	if n == 0 && v.size > 0 {
		w.Lines = append(w.Lines, s.Cut(tui.Span{Text: "nothing here", Style: th.Dim}))
	}
	if foot {
		row := v.search.searchRow(v, s)
		if !v.search.active() {
			row = s.Cut(tui.Span{Text: v.Hint, Style: th.Dim})
		}
		w.Lines = append(w.Lines, row)
		if v.search.open && s.Focused {
			col := 0
			for _, sp := range row.Spans {
				col += s.Columns(sp.Text)
			}
			w.Cursor = &tui.Pos{Col: min(col, s.Width-1), Row: len(w.Lines) - 1}
		}
	}
	return w
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// allLines returns all lines, for a transcript: from the byte on at which an earlier width ended.
func (v *Viewport) allLines(s tui.Space) (w tui.View) {
	l := tui.Layout{Width: s.Width, Native: true, Model: s.Model}
	if v.Title != "" && s.From == 0 {
		w.Lines = l.Append(w.Lines, 0, tui.Span{Text: v.Title, Style: s.Look().Strong})
		w.Lines[len(w.Lines)-1].End = 1
	}
	off := 1
	for i := range v.lineCount() {
		line := v.lineText(i)
		start := off
		if off += len(line) + 1; off <= s.From {
			continue
		}
		if skip := s.From - start; skip > 0 {
			line, start = line[skip:], s.From
		}
		if n := len(w.Lines); line == "" {
			w.Lines = append(w.Lines, tui.Line{End: off})
		} else if w.Lines = l.Append(w.Lines, start, v.lineSpans(i, line, s.Look())...); len(w.Lines) > n {
			w.Lines[len(w.Lines)-1].End = off
		}
	}
	return w
}

// lineSpace returns the space of the lines, which is beside the bar.
func (v *Viewport) lineSpace(s tui.Space) tui.Space { return v.side.fitBar(s, v.ScrollBar, 2, 1) }

// pagerText returns v for scrolling.
func (v *Viewport) pagerText(s tui.Space) pager.Text {
	return pager.Text{Len: v.lineCount(), Rows: func(i int) int { return len(v.layOutLine(i, s)) }, Page: v.size}
}

// clampTop keeps the last page full.
func (v *Viewport) clampTop(s tui.Space) {
	if v.topPlace.Row > 0 || v.topPlace.Item+v.size > v.lineCount() { // else each line of the page has a row at least
		v.topPlace = v.pagerText(s).Clamp(v.topPlace)
	}
}

// HandleEvent takes the keys that move and search, and text that is typed or pasted into the
// search.
func (v *Viewport) HandleEvent(ev tui.Event, s tui.Space) bool {
	v.splitText()
	s = v.lineSpace(s)
	if m, ok := ev.(tui.Mouse); ok {
		by := wheelSteps(m)
		top, onBar := v.side.topClicked(m)
		switch {
		case !v.Mouse || by == 0 && !onBar:
			return false
		case onBar:
			v.topPlace = pager.Place{Item: top}
			v.scrollBy(0, s)
		default:
			v.scrollBy(by, s)
		}
		return true
	}
	if v.search.open {
		return v.search.handleField(v, ev)
	}
	k, ok := ev.(tui.Key)
	return ok && v.handleKey(k, s)
}

// handleKey takes a key while the search field is closed.
func (v *Viewport) handleKey(k tui.Key, s tui.Space) bool {
	pages := v.pagerText(s)
	if to, ok := pages.Key(v.topPlace, k); ok {
		v.topPlace, v.followPaused = to, to != pages.Last()
		return true
	}
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case 'w':
		v.Cut, v.leftCols, v.topPlace.Row = !v.Cut, 0, 0
	case terminal.KeyRight, terminal.KeyLeft:
		if !v.Cut {
			return false
		}
		if v.leftCols += 16; k.Code == terminal.KeyLeft {
			v.leftCols = max(v.leftCols-32, 0)
		}
	default:
		return v.search.handleKey(v, k)
	}
	return true
}

// scrollBy scrolls by n rows, down if positive.
func (v *Viewport) scrollBy(n int, s tui.Space) {
	pages := v.pagerText(s)
	v.topPlace = pages.Move(v.topPlace, n)
	v.followPaused = v.topPlace != pages.Last()
}

// revealMatch scrolls so that the line of the match is in sight.
func (v *Viewport) revealMatch(s tui.Space) {
	v.followPaused = true
	i := v.search.matchLine
	rows := -v.topPlace.Row
	for j := v.topPlace.Item; j < i && rows < v.size; j++ {
		rows += len(v.layOutLine(j, s))
	}
	if i > v.topPlace.Item && rows < v.size || i == v.topPlace.Item && v.topPlace.Row == 0 {
		return
	}
	v.topPlace = pager.Place{Item: max(i-v.size/3, 0)}
}
