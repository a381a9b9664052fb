package widget

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// kept is how many lines [Viewport.Add] keeps.
const kept = 10_000

// Viewport shows lines of text in the rows that it has, and scrolls: a preview, a log. Up, Down, j,
// k move by rows; PgUp, PgDn, b, Space by pages, Ctrl+U, Ctrl+D by half of one; g, G, Home, End go
// to the ends. w cuts long lines or wraps them; Left and Right move cut ones. / searches: text
// without an upper-case letter matches either case; n and N go on to the next and the previous
// line, Esc ends the search. In a space without a height it is all lines, as text. Fields and
// methods are for the loop. The cost of a frame does not grow with the lines out of sight.
type Viewport struct {
	Title string
	Text  string             // its lines; another text begins at its top, without those of Add
	Len   func() int         // with Line: how many lines there are
	Line  func(i int) string // line i, from 0, for those in sight and for a search; nil: Text and Add

	// Look is a line in its colours: spans that are the line when they are joined. nil: as it is.
	Look   func(t *tui.Theme, line string) []tui.Span
	Height int    // the most rows; 0: all that the space has
	Keep   int    // lines that Add keeps, the newest; 0: 10,000
	Cut    bool   // long lines end in a mark; else they go on in the next row
	Follow bool   // the end stays in sight while lines come; a move up rests it, until the end is reached again
	Mouse  bool   // the wheel scrolls
	Hint   string // below the rows; "": none

	lines  []string
	from   string // the Text that lines were made of
	made   bool
	at     pager.Place
	size   int // rows for lines in the last View
	left   int // columns that are scrolled out, while Cut
	rests  bool
	search search
}

// Add adds a line at the end. The oldest line goes when there are more than Keep.
func (v *Viewport) Add(line string) {
	v.take()
	v.lines = append(v.lines, line)
	most := v.Keep
	if most <= 0 {
		most = kept
	}
	for ; len(v.lines) > most; v.lines = v.lines[1:] {
		v.lines[0] = ""
		if v.at.Item--; v.at.Item < 0 {
			v.at = pager.Place{}
		}
		v.search.shift()
	}
}

// take makes lines of a new Text.
func (v *Viewport) take() {
	if v.made && v.from == v.Text {
		return
	}
	fresh := v.made
	v.from, v.made, v.lines = v.Text, true, nil
	if v.Text != "" {
		v.lines = strings.Split(strings.TrimSuffix(v.Text, "\n"), "\n")
	}
	if fresh {
		v.at, v.left, v.rests, v.search = pager.Place{}, 0, false, search{}
	}
}

// count returns the number of lines.
func (v *Viewport) count() int {
	if v.Line != nil && v.Len != nil {
		return max(v.Len(), 0)
	}
	return len(v.lines)
}

// line returns line i, as much of it as is shown.
func (v *Viewport) line(i int) string {
	text := ""
	switch {
	case v.Line != nil:
		text = v.Line(i)
	case i < len(v.lines):
		text = v.lines[i]
	}
	if len(text) > longest {
		n := longest
		for n > longest-utf8.UTFMax && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n] + "…"
	}
	if text = strings.TrimSuffix(text, "\r"); strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	return text
}

// spans returns line i in its colours, with what was searched.
func (v *Viewport) spans(i int, line string, th *tui.Theme) []tui.Span {
	spans := []tui.Span{{Text: line}}
	if v.Look != nil {
		spans = v.Look(th, line)
	}
	return paint(spans, v.search.in(line), func(st tui.Style) tui.Style {
		st.Attr |= tui.Inverse
		if i == v.search.at {
			st.Attr |= tui.Bold
		}
		return st
	})
}

// layout returns the rows of line i, at least one.
func (v *Viewport) layout(i int, s tui.Space) []tui.Line {
	spans := v.spans(i, v.line(i), s.Look())
	if v.Cut {
		return []tui.Line{clip(s, spans, v.left)}
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

// View returns the title, the rows in sight, and what is searched.
func (v *Viewport) View(s tui.Space) tui.View {
	v.take()
	rows := height(s, v.Height)
	if rows <= 0 {
		return v.text(s)
	}
	th := s.Look()
	more := v.search.look(v)
	title, foot := v.Title != "" && rows > 2, v.search.active() || v.Hint != "" && rows > 2
	v.size = rows
	if title {
		v.size--
	}
	if foot {
		v.size--
	}
	if v.search.found {
		v.search.found = false
		v.reveal(s)
	}
	if v.Follow && !v.rests {
		v.at = v.pages(s).Last()
	}
	v.clamp(s)
	w := tui.View{Mouse: v.Mouse}
	if more {
		w.RefreshAfter = 1
	}
	if title {
		w.Lines = append(w.Lines, tui.Line{})
	}
	n, last := v.count(), v.at.Item
	for i, skip := v.at.Item, v.at.Row; i < n && len(w.Lines) < rows-boolInt(foot); i, skip = i+1, 0 {
		lines := v.layout(i, s)[skip:]
		w.Lines = append(w.Lines, lines[:min(len(lines), rows-boolInt(foot)-len(w.Lines))]...)
		last = i
	}
	if title {
		place := ""
		if last-v.at.Item+1 < n {
			place = "  " + strconv.Itoa(v.at.Item+1) + "-" + strconv.Itoa(last+1) + " of " + strconv.Itoa(n)
		}
		w.Lines[0] = s.Cut(tui.Span{Text: v.Title, Style: th.Strong}, tui.Span{Text: place, Style: th.Dim})
	}
	if n == 0 && v.size > 0 {
		w.Lines = append(w.Lines, s.Cut(tui.Span{Text: "nothing here", Style: th.Dim}))
	}
	if foot {
		row := v.search.row(v, s)
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

// text returns all lines, for a transcript: from the byte on at which an earlier width ended.
func (v *Viewport) text(s tui.Space) (w tui.View) {
	l := tui.Layout{Width: s.Width, Native: true, Model: s.Model}
	if v.Title != "" && s.From == 0 {
		w.Lines = l.Append(w.Lines, 0, tui.Span{Text: v.Title, Style: s.Look().Strong})
		w.Lines[len(w.Lines)-1].End = 1
	}
	off := 1
	for i := range v.count() {
		line := v.line(i)
		start := off
		if off += len(line) + 1; off <= s.From {
			continue
		}
		if skip := s.From - start; skip > 0 {
			line, start = line[skip:], s.From
		}
		if n := len(w.Lines); line == "" {
			w.Lines = append(w.Lines, tui.Line{End: off})
		} else if w.Lines = l.Append(w.Lines, start, v.spans(i, line, s.Look())...); len(w.Lines) > n {
			w.Lines[len(w.Lines)-1].End = off
		}
	}
	return w
}

// pages returns v as it is scrolled.
func (v *Viewport) pages(s tui.Space) pager.Text {
	return pager.Text{Len: v.count(), Rows: func(i int) int { return len(v.layout(i, s)) }, Page: v.size}
}

// clamp keeps the last page full.
func (v *Viewport) clamp(s tui.Space) {
	if v.at.Row > 0 || v.at.Item+v.size > v.count() { // else each line of the page has a row at least
		v.at = v.pages(s).Clamp(v.at)
	}
}

// HandleEvent takes the keys that move and search, and what is typed or pasted into the search.
func (v *Viewport) HandleEvent(ev tui.Event, s tui.Space) bool {
	v.take()
	if m, ok := ev.(tui.Mouse); ok {
		by := wheel(m)
		if !v.Mouse || by == 0 {
			return false
		}
		v.move(by, s)
		return true
	}
	if v.search.open {
		return v.search.field(v, ev)
	}
	k, ok := ev.(tui.Key)
	return ok && v.key(k, s)
}

// key is HandleEvent for a key while the search field is closed.
func (v *Viewport) key(k tui.Key, s tui.Space) bool {
	pages := v.pages(s)
	if to, ok := pages.Key(v.at, k); ok {
		v.at, v.rests = to, to != pages.Last()
		return true
	}
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case 'w':
		v.Cut, v.left, v.at.Row = !v.Cut, 0, 0
	case terminal.KeyRight, terminal.KeyLeft:
		if !v.Cut {
			return false
		}
		if v.left += 16; k.Code == terminal.KeyLeft {
			v.left = max(v.left-32, 0)
		}
	default:
		return v.search.key(v, k)
	}
	return true
}

// move scrolls by n rows, down if positive.
func (v *Viewport) move(n int, s tui.Space) {
	pages := v.pages(s)
	v.at = pages.Move(v.at, n)
	v.rests = v.at != pages.Last()
}

// reveal scrolls so that the line that was found is in sight.
func (v *Viewport) reveal(s tui.Space) {
	v.rests = true
	i := v.search.at
	rows := -v.at.Row
	for j := v.at.Item; j < i && rows < v.size; j++ {
		rows += len(v.layout(j, s))
	}
	if i > v.at.Item && rows < v.size || i == v.at.Item && v.at.Row == 0 {
		return
	}
	v.at = pager.Place{Item: max(i-v.size/3, 0)}
}
