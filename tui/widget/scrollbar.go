package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// ScrollBar is a column that shows which part of many rows is visible, for use beside a component
// of your own. List, Table, Tree and Viewport have a field ScrollBar instead. The bar is as high as
// its Space. If the Space has no height, the position is shown as text.
type ScrollBar struct {
	Total    int           // number of all rows
	Top      int           // index of the first visible row
	Size     int           // number of visible rows
	Mouse    bool          // a click or a drag scrolls to that position, the wheel scrolls by rows
	OnScroll func(top int) // called with the new first visible row
	barRows  int           // height of the bar in the last View
}

// thumbRows returns the half-open range of rows that the thumb covers in a bar of the given height.
func (b *ScrollBar) thumbRows(rows int) (from, to int) {
	total, size := max(b.Total, 1), max(min(b.Size, b.Total), 1)
	length := max(min(rows*size/total, rows), 1)
	if hidden := total - size; hidden > 0 {
		from = (rows - length) * max(min(b.Top, hidden), 0) / hidden
		if from == 0 && b.Top > 0 && rows > length {
			from = 1 // the ends stand for the ends
		}
	}
	return from, from + length
}

// glyphSpans returns the glyphs of the thumb (bar) and of the track.
func (b *ScrollBar) glyphSpans(s tui.Space) (bar, track tui.Span) {
	th := s.Look()
	bar, track = tui.Span{Text: "#", Style: th.Accent}, tui.Span{Text: "|", Style: th.Dim}
	if hasUnicodeGlyphs(th) && s.Columns("█│") == 2 {
		bar.Text, track.Text = "█", "│"
	}
	return bar, track
}

// View returns the column, one glyph for each row.
func (b *ScrollBar) View(s tui.Space) tui.View {
	if s.Height <= 0 {
		view := scrollState{topRow: b.Top, pageRows: max(b.Size, 1)}
		text := strings.TrimSpace(view.positionText(b.Total))
		if text == "" {
			return tui.View{}
		}
		return tui.View{Lines: s.Wrap(tui.Span{Text: text})}
	}
	b.barRows = s.Height
	v := tui.View{Mouse: b.Mouse, Drags: b.Mouse, Lines: make([]tui.Line, s.Height)}
	from, to := b.thumbRows(s.Height)
	bar, track := b.glyphSpans(s)
	for i := range v.Lines {
		cell := track
		if from <= i && i < to {
			cell = bar
		}
		v.Lines[i] = tui.Line{Spans: []tui.Span{cell}}
	}
	return v
}

// topAt returns the first visible row after a click at the given row of the bar.
func (b *ScrollBar) topAt(row int) int {
	hidden := max(b.Total-b.Size, 0)
	return min(hidden*max(row, 0)/max(b.barRows-1, 1), hidden)
}

// HandleEvent handles clicks, drags and the wheel if Mouse is set.
func (b *ScrollBar) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m, ok := ev.(tui.Mouse)
	if !ok || !b.Mouse {
		return false
	}
	top := b.Top
	if by := wheelSteps(m); by != 0 {
		top = max(min(top+by, b.Total-b.Size), 0)
	} else if isClick(m) || isDrag(m) {
		top = b.topAt(m.Row)
	} else {
		return false
	}
	if b.Top = top; b.OnScroll != nil {
		b.OnScroll(top)
	}
	return true
}

// Focusable returns false: the bar takes no keys.
func (b *ScrollBar) Focusable() bool { return false }

// EnterFocus returns false: the bar takes no keys.
func (b *ScrollBar) EnterFocus(int) bool { return false }

// MoveFocus returns false: the bar takes no keys.
func (b *ScrollBar) MoveFocus(int) bool { return false }

// sideBarCols is the number of columns that a scroll bar takes beside rows: a blank and the bar.
const sideBarCols = 2

// sideBar is the scroll bar at the right of a widget's rows.
type sideBar struct {
	bar       ScrollBar
	col, row  int // column and first row of the bar in the last View
	isShown   bool
	isDragged bool // the mouse button was pressed on the bar and not released yet
}

// fitBar decides whether the bar is shown, and returns the Space that is left for the rows. The bar
// is shown if it is wanted and only size of n rows are visible.
func (b *sideBar) fitBar(s tui.Space, wanted bool, n, size int) tui.Space {
	if b.isShown = wanted && s.Height > 0 && n > size && size > 0 && s.Width > 3*sideBarCols; b.isShown {
		s.Width -= sideBarCols
	}
	return s
}

// addBar draws the bar behind lines, the visible rows of a view, which begin at its row row. s is
// the Space of the rows without the bar. The bar shows the rows from top on, size of n.
func (b *sideBar) addBar(s tui.Space, lines []tui.Line, row, n, top, size int) {
	if !b.isShown || len(lines) == 0 {
		return
	}
	b.bar.Total, b.bar.Top, b.bar.Size, b.bar.barRows = n, top, size, len(lines)
	b.col, b.row = s.Width+sideBarCols-1, row
	from, to := b.bar.thumbRows(len(lines))
	bar, track := b.bar.glyphSpans(s)
	for i := range lines {
		cols := 0
		for _, sp := range lines[i].Spans {
			cols += s.Columns(sp.Text)
		}
		cell := track
		if from <= i && i < to {
			cell = bar
		}
		blank := strings.Repeat(" ", max(s.Width+sideBarCols-1-cols, 0))
		spans := lines[i].Spans
		lines[i].Spans = append(spans[:len(spans):len(spans)], tui.Span{Text: blank}, cell)
	}
}

// topClicked returns the new first visible row if m is a click on the bar or a drag that began on
// it. Otherwise ok is false.
func (b *sideBar) topClicked(m tui.Mouse) (top int, ok bool) {
	if !isDrag(m) {
		b.isDragged = b.isShown && isClick(m) && m.Col >= b.col && m.Row >= b.row && m.Row < b.row+b.bar.barRows
	}
	if !b.isDragged || !b.isShown {
		return 0, false
	}
	return b.bar.topAt(m.Row - b.row), true
}
