package layout

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Border is the style of the frame of a [Box].
type Border uint8

// The borders. If the terminal shows only ASCII they consist of +, - and |.
const (
	Rounded Border = iota
	Square
	None // blanks instead of a frame
)

// borders lists the characters of each Border: the corners clockwise from the upper left, then the
// horizontal and the vertical line.
var borders = [...]string{Rounded: "╭╮╯╰─│", Square: "┌┐┘└─│", None: "      "}

const asciiBorder = "++++-|"

// Box draws a frame with a title around a component. It is as high as its content, or with Fill as
// high as its space. While the focus is inside, the frame has the theme's accent colour; without
// colours it is bold, and the title inverse. If a frame would leave no room for the content, only
// the content is shown. The zero value is an empty frame.
type Box struct {
	Of     tui.Component
	Title  string // a single line; control characters are shown as visible tokens
	Border Border
	Fill   bool // uses the full height of the Space, if it has one

	group
}

// View returns the rows of the content with the frame.
func (b *Box) View(s tui.Space) tui.View {
	b.beginView(b.Of)
	s.Width = max(s.Width, 1)
	if s.Width < 4 || s.Height > 0 && s.Height < 3 {
		return b.groupView(b.stackRows(s, []int{len(b.viewChild(0, s, s.Width, s.Height).Lines)}, 0))
	}
	th := s.Look()
	style, title := th.Dim, th.Strong
	switch focus := s.Focused && b.Focusable(); {
	case focus && th.Colors == 0: // not every terminal shows what is dim
		style, title = th.Strong, title.With(tui.Inverse)
	case focus:
		style = th.Accent
	}
	b.viewChild(0, s, s.Width-2, max(s.Height-2, 0))
	b.placeChild(0, 1, 1)
	p := &b.childStates[0]
	rows := p.rows
	if b.Fill && s.Height > 0 {
		rows = s.Height - 2
	}
	set := b.borderSigns(s)
	lines := append(make([]tui.Line, 0, rows+2), b.topEdge(s, set, style, title))
	side, all := tui.Span{Text: set[5], Style: style}, b.spanStore.next()
	for r := range rows {
		start, n := len(all), 0
		all = append(all, side)
		if r < p.rows {
			all, n = appendFitting(all, s.Model, p.view.Lines[r].Spans, p.width)
		}
		all = append(blanks(all, p.width-n), side)
		lines = append(lines, tui.Line{Spans: rowFrom(all, start)})
	}
	b.spanStore.keep(all)
	lines = append(lines, tui.Line{Spans: []tui.Span{
		{Text: set[3] + strings.Repeat(set[4], s.Width-2) + set[2], Style: style}}})
	return b.groupView(lines)
}

// Components returns the child, so that a [tui.Submitter] can be found in it.
func (b *Box) Components() []tui.Component { return []tui.Component{b.Of} }

// Focusable reports whether the child takes keys.
func (b *Box) Focusable() bool { return b.focusable(b.Components()...) }

// borderSigns returns the six characters of the border, each one column wide.
func (b *Box) borderSigns(s tui.Space) []string {
	set := borders[min(b.Border, None)]
	if b.Border != None && (s.Look().Glyphs.ASCII() || s.Columns(set) != 6) {
		set = asciiBorder
	}
	return strings.Split(set, "")
}

// topEdge returns the top edge of the frame, with the title in it.
func (b *Box) topEdge(s tui.Space, set []string, style, strong tui.Style) tui.Line {
	titleCols := s.Width - 6 // corners, a sign of the line at each side, blanks around the title
	if b.Title == "" || titleCols < 1 {
		return tui.Line{Spans: []tui.Span{{Text: set[0] + strings.Repeat(set[4], s.Width-2) + set[1], Style: style}}}
	}
	in := s
	in.Width = titleCols
	title := in.Cut(tui.Span{Text: b.Title, Style: strong}).Spans
	title, n := fitSpans(s.Model, title, titleCols)
	spans := append([]tui.Span{{Text: set[0] + set[4] + " ", Style: style}}, title...)
	return tui.Line{Spans: append(spans,
		tui.Span{Text: " " + strings.Repeat(set[4], titleCols-n+1) + set[1], Style: style})}
}
