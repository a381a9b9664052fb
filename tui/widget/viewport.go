package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// defaultKeepLines is the default of Viewport.Keep.
const defaultKeepLines = 10_000

// Viewport is a scrollable view of lines of text, such as a preview or a log. If the Space has no
// height, all lines are shown as text. Access fields and methods only on the App's loop. The cost
// of a frame does not depend on the number of hidden lines.
//
// # Keys
//
// Up, Down, j and k scroll by rows, PgUp, PgDn, b and Space by pages, Ctrl+U and Ctrl+D by half
// pages; g, G, Home and End go to the ends. The key w switches between cutting and wrapping long
// lines; Left and Right scroll cut lines sideways. The key / searches; a pattern without upper-case
// letters matches either case. The keys n and N go to the next and the previous match, and Esc ends
// the search.
type Viewport struct {
	Title string
	Text  string     // the lines to show; a new value scrolls to its top and drops the lines of Add
	Len   func() int // returns the number of lines; used with Line
	// returns line i, from 0, when it is visible or searched; nil: Text and Add provide the lines
	Line func(i int) string

	// Highlight returns a line as coloured spans, whose joined text must be the line itself. If it
	// is nil lines are plain.
	Highlight func(t *tui.Theme, line string) []tui.Span
	Height    int  // the maximum number of rows; 0: the height of the Space
	Keep      int  // number of lines, the newest, that Add keeps; 0: 10,000
	Cut       bool // long lines are cut with a mark, otherwise they wrap
	// Follow keeps the end visible when lines are added. Scrolling up pauses that until the user is
	// back at the end.
	Follow bool
	Mouse  bool   // the wheel scrolls
	Hint   string // a row of text below the lines; "": none
	// ScrollBar shows a scroll bar at the right.
	ScrollBar bool

	lines        []string    // the lines of Text and Add
	linesText    string      // the value of Text that lines was made of
	linesBuilt   bool        // lines was made at least once
	topPlace     pager.Place // the first visible row: a line, and a row of it
	pageRows     int         // number of rows for lines in the last View
	leftCols     int         // number of columns that cut lines are scrolled to the left
	followPaused bool        // the user has scrolled up, so that Follow does nothing
	search       lineSearch
	sideBar      sideBar
}

// Add appends a line. If there are more than Keep lines it drops the oldest ones.
func (v *Viewport) Add(line string) {
	v.splitText()
	v.lines = append(v.lines, line)
	maxLines := v.Keep
	if maxLines <= 0 {
		maxLines = defaultKeepLines
	}
	for ; len(v.lines) > maxLines; v.lines = v.lines[1:] {
		v.lines[0] = ""
		if v.topPlace.Item--; v.topPlace.Item < 0 {
			v.topPlace = pager.Place{}
		}
		v.search.shiftForDroppedLine()
	}
}

// splitText splits Text into lines if it has changed, and scrolls to the top.
func (v *Viewport) splitText() {
	if v.linesBuilt && v.linesText == v.Text {
		return
	}
	hadText := v.linesBuilt
	v.linesText, v.linesBuilt, v.lines = v.Text, true, nil
	if v.Text != "" {
		v.lines = strings.Split(strings.TrimSuffix(v.Text, "\n"), "\n")
	}
	if hadText {
		v.topPlace, v.leftCols, v.followPaused, v.search = pager.Place{}, 0, false, lineSearch{}
	}
}

func (v *Viewport) lineCount() int {
	if v.Line != nil && v.Len != nil {
		return max(v.Len(), 0)
	}
	return len(v.lines)
}

// lineText returns line i as a single line, cut after maxLineBytes.
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

// lineSpans returns line i with its colours and with the matches of the search in inverse.
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

// layOutLine returns the screen rows of line i, at least one.
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

// View returns the title, the visible rows, and the search or the hint.
func (v *Viewport) View(s tui.Space) tui.View {
	v.splitText()
	rows := widgetHeight(s, v.Height)
	if rows <= 0 {
		return v.allLines(s)
	}
	th, in := s.Look(), v.lineSpace(s)
	more := v.search.searchSome(v)
	title, foot := v.Title != "" && rows > 2, v.search.isActive() || v.Hint != "" && rows > 2
	v.pageRows = rows
	if title {
		v.pageRows--
	}
	if foot {
		v.pageRows--
	}
	if v.search.toReveal {
		v.search.toReveal = false
		v.revealMatch(in)
	}
	if v.Follow && !v.followPaused {
		v.topPlace = v.pagerFor(in).Last()
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
	v.sideBar.addBar(in, w.Lines[boolInt(title):], boolInt(title), n, v.topPlace.Item, last-v.topPlace.Item+1)
	if title {
		place := ""
		if last-v.topPlace.Item+1 < n {
			place = "  " + strconv.Itoa(v.topPlace.Item+1) + "-" + strconv.Itoa(last+1) + " of " + strconv.Itoa(n)
		}
		w.Lines[0] = s.Cut(tui.Span{Text: v.Title, Style: th.Strong}, tui.Span{Text: place, Style: th.Dim})
	}
	if n == 0 && v.pageRows > 0 {
		w.Lines = append(w.Lines, s.Cut(tui.Span{Text: "nothing here", Style: th.Dim}))
	}
	if foot {
		row := v.search.searchRow(v, s)
		if !v.search.isActive() {
			row = s.Cut(tui.Span{Text: v.Hint, Style: th.Dim})
		}
		w.Lines = append(w.Lines, row)
		if v.search.fieldOpen && s.Focused {
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

// allLines returns all lines as text for a transcript, beginning with the byte at s.From, up to
// which the terminal's history already has them.
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

// lineSpace returns the Space of the lines, without the scroll bar.
func (v *Viewport) lineSpace(s tui.Space) tui.Space { return v.sideBar.fitBar(s, v.ScrollBar, 2, 1) }

// pagerFor returns the lines, as laid out in s, in the form that package pager scrolls.
func (v *Viewport) pagerFor(s tui.Space) pager.Text {
	return pager.Text{Len: v.lineCount(), Rows: func(i int) int { return len(v.layOutLine(i, s)) }, Page: v.pageRows}
}

// clampTop scrolls back if there are fewer lines behind the top than fit on a page.
func (v *Viewport) clampTop(s tui.Space) {
	if v.topPlace.Row > 0 || v.topPlace.Item+v.pageRows > v.lineCount() { // else the page is full
		v.topPlace = v.pagerFor(s).Clamp(v.topPlace)
	}
}

// HandleEvent handles the keys that scroll and search, text for the search field, and the mouse.
func (v *Viewport) HandleEvent(ev tui.Event, s tui.Space) bool {
	v.splitText()
	s = v.lineSpace(s)
	if m, ok := ev.(tui.Mouse); ok {
		by := wheelSteps(m)
		top, onBar := v.sideBar.topClicked(m)
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
	if v.search.fieldOpen {
		return v.search.handleFieldEvent(v, ev)
	}
	k, ok := ev.(tui.Key)
	return ok && v.handleKey(k, s)
}

// handleKey handles a key while the search field is closed.
func (v *Viewport) handleKey(k tui.Key, s tui.Space) bool {
	pages := v.pagerFor(s)
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

// scrollBy scrolls by n rows, down if n is positive.
func (v *Viewport) scrollBy(n int, s tui.Space) {
	pages := v.pagerFor(s)
	v.topPlace = pages.Move(v.topPlace, n)
	v.followPaused = v.topPlace != pages.Last()
}

// revealMatch scrolls so that the line of the match is visible.
func (v *Viewport) revealMatch(s tui.Space) {
	v.followPaused = true
	i := v.search.matchLine
	rows := -v.topPlace.Row
	for j := v.topPlace.Item; j < i && rows < v.pageRows; j++ {
		rows += len(v.layOutLine(j, s))
	}
	if i > v.topPlace.Item && rows < v.pageRows || i == v.topPlace.Item && v.topPlace.Row == 0 {
		return
	}
	v.topPlace = pager.Place{Item: max(i-v.pageRows/3, 0)}
}
