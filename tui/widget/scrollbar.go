package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// ScrollBar is one column that shows which part of many rows is in sight: for a component of the
// program's own. List, Table, Tree and Viewport have one by their field ScrollBar. It is as high as
// its space. In a space without a height it is text.
type ScrollBar struct {
	Total    int           // the rows
	Top      int           // the first one in sight
	Size     int           // how many are in sight
	Mouse    bool          // a click or a drag scrolls to its place, the wheel by rows
	OnScroll func(top int) // called to show the rows from top on
	rows     int           // of the last View
}

// thumb returns the first row of the part in sight, and the row after it, of a bar of rows rows.
func (b *ScrollBar) thumb(rows int) (from, to int) {
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

// cells returns the glyphs of the bar and of the track.
func (b *ScrollBar) cells(s tui.Space) (bar, track tui.Span) {
	th := s.Look()
	bar, track = tui.Span{Text: "#", Style: th.Accent}, tui.Span{Text: "|", Style: th.Dim}
	if unicodeGlyphs(th) && s.Columns("█│") == 2 {
		bar.Text, track.Text = "█", "│"
	}
	return bar, track
}

// View returns the column.
func (b *ScrollBar) View(s tui.Space) tui.View {
	if s.Height <= 0 {
		view := scroll{top: b.Top, size: max(b.Size, 1)}
		text := strings.TrimSpace(view.positionText(b.Total))
		if text == "" {
			return tui.View{}
		}
		return tui.View{Lines: s.Wrap(tui.Span{Text: text})}
	}
	b.rows = s.Height
	v := tui.View{Mouse: b.Mouse, Drags: b.Mouse, Lines: make([]tui.Line, s.Height)}
	from, to := b.thumb(s.Height)
	bar, track := b.cells(s)
	for i := range v.Lines {
		cell := track
		if from <= i && i < to {
			cell = bar
		}
		v.Lines[i] = tui.Line{Spans: []tui.Span{cell}}
	}
	return v
}

// topAt returns the first row in sight after a click at row of the bar.
func (b *ScrollBar) topAt(row int) int {
	hidden := max(b.Total-b.Size, 0)
	return min(hidden*max(row, 0)/max(b.rows-1, 1), hidden)
}

// HandleEvent takes the mouse.
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

// Focusable returns false: the bar has no keys.
func (b *ScrollBar) Focusable() bool { return false }

// EnterFocus returns false.
func (b *ScrollBar) EnterFocus(int) bool { return false }

// MoveFocus returns false.
func (b *ScrollBar) MoveFocus(int) bool { return false }

// barCols are the columns that a scroll bar takes beside rows: a blank, and its own.
const barCols = 2

// sideBar is the scroll bar at the right of a widget's rows.
type sideBar struct {
	bar      ScrollBar
	col, row int // its place in the last View
	shown    bool
	held     bool // the button was pressed on it
}

// fitBar returns the space beside the bar, which is shown if it is wanted and size rows of n are in
// sight.
func (b *sideBar) fitBar(s tui.Space, wanted bool, n, size int) tui.Space {
	if b.shown = wanted && s.Height > 0 && n > size && size > 0 && s.Width > 3*barCols; b.shown {
		s.Width -= barCols
	}
	return s
}

// addBar puts the bar beside lines, which begin at row of the view. s is the space beside it.
func (b *sideBar) addBar(s tui.Space, lines []tui.Line, row, n, top, size int) {
	if !b.shown || len(lines) == 0 {
		return
	}
	b.bar.Total, b.bar.Top, b.bar.Size, b.bar.rows = n, top, size, len(lines)
	b.col, b.row = s.Width+barCols-1, row
	from, to := b.bar.thumb(len(lines))
	bar, track := b.bar.cells(s)
	for i := range lines {
		cols := 0
		for _, sp := range lines[i].Spans {
			cols += s.Columns(sp.Text)
		}
		cell := track
		if from <= i && i < to {
			cell = bar
		}
		blank := strings.Repeat(" ", max(s.Width+barCols-1-cols, 0))
		spans := lines[i].Spans
		lines[i].Spans = append(spans[:len(spans):len(spans)], tui.Span{Text: blank}, cell)
	}
}

// topClicked returns the first row in sight after a click on the bar, or a move of the pointer that
// holds it. ok: m is one.
func (b *sideBar) topClicked(m tui.Mouse) (top int, ok bool) {
	if !isDrag(m) {
		b.held = b.shown && isClick(m) && m.Col >= b.col && m.Row >= b.row && m.Row < b.row+b.bar.rows
	}
	if !b.held || !b.shown {
		return 0, false
	}
	return b.bar.topAt(m.Row - b.row), true
}
