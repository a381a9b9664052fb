package layout

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// maxCols is larger than the width of any row.
const maxCols = 1 << 20

// Layer is a component above others in [Layers]. Its Place is relative to the space of the Layers.
// Full, Replace, Pointer and FocusDelay of the Place are ignored, and each layer acts as if Modal
// were set.
type Layer struct {
	Of    tui.Component
	Place tui.Place
}

// Layers shows components above another component, as [tui.App.Overlay] does above the window. The
// last layer is the topmost: it has the focus, the caret and the mouse, and keeps Tab inside. If it
// does not handle Esc, Esc removes it. If the Space has no height, all of them are shown below one
// another. The zero value is empty.
type Layers struct {
	Of      tui.Component // the component below the layers
	Over    []Layer
	OnClose func(Layer) // called with a layer that Esc has removed

	group
}

// View returns the rows of the lowest component, covered by those of the layers.
func (l *Layers) View(s tui.Space) tui.View {
	s.Width = max(s.Width, 1)
	l.beginView(l.allComponents()...)
	top := len(l.Over)
	l.ring.Set(l.children, top)
	if s.Height <= 0 {
		return l.groupView(l.stackRows(s, l.ownHeights(s), 0))
	}
	in := s
	in.Focused = s.Focused && top == 0
	l.viewChild(0, in, s.Width, s.Height)
	lines := make([]tui.Line, s.Height)
	for r := range min(l.childStates[0].rows, s.Height) {
		lines[r] = insideLine(s, l.childStates[0].view.Lines[r])
	}
	for i := range l.Over {
		in.Focused = s.Focused && i+1 == top
		l.placeLayer(i+1, in, lines)
	}
	v := l.groupView(lines)
	if v.Cursor != nil && l.childStates[top].view.Cursor == nil {
		v.Cursor = nil // it is below
	}
	if top > 0 {
		v.Scene = "" // what is below is covered
		if p := &l.childStates[top]; !p.cut {
			v.Scene = p.view.Scene
		}
	}
	return v
}

// ownHeights calls View of the children without a limit, and returns their heights.
func (l *Layers) ownHeights(s tui.Space) []int {
	n := make([]int, len(l.children))
	for i := range n {
		n[i] = len(l.viewChild(i, s, s.Width, 0).Lines)
	}
	return n
}

// placeLayer draws child i over lines, which are the rows of the space s.
func (l *Layers) placeLayer(i int, s tui.Space, lines []tui.Line) {
	place := l.Over[i-1].Place
	cols, rows := place.MaxSize(s.Width, s.Height)
	v := l.viewChild(i, s, cols, rows)
	p := &l.childStates[i]
	if place.Width == 0 && (place.Center || place.Left || place.Right) {
		p.width = min(cols, widestRow(s.Model, v))
	}
	at := place.Corner(s.Width, s.Height, tui.Pos{Col: p.width, Row: p.rows})
	l.placeChild(i, at.Col, at.Row)
	for r := range lines {
		if place.Shade {
			lines[r].Spans = shadedSpans(lines[r].Spans)
		}
		if k := r - at.Row; k >= 0 && k < p.rows {
			lines[r].Spans = coverSpans(s.Model, lines[r].Spans, v.Lines[k].Spans, at.Col, p.width)
		}
	}
}

// widestRow returns the width in columns of the widest row of v, including the caret.
func widestRow(m width.Model, v tui.View) int {
	widest := 1
	if v.Cursor != nil {
		widest = v.Cursor.Col + 1
	}
	var row []tui.Span
	for _, l := range v.Lines {
		n := 0
		row, n = appendFitting(row[:0], m, l.Spans, maxCols)
		widest = max(widest, n)
	}
	return widest
}

// shadedSpans returns spans with all text faint.
func shadedSpans(spans []tui.Span) []tui.Span {
	out := slices.Clone(spans)
	for i := range out {
		out[i].Style.Attr = out[i].Style.Attr&^tui.Bold | tui.Faint
	}
	return out
}

// coverSpans returns the row below, with cols columns from column col on replaced by over. A wide
// cluster that is cut at an edge becomes a blank.
func coverSpans(m width.Model, below, over []tui.Span, col, cols int) []tui.Span {
	left, n := cutSpans(m, below, 0, col)
	out := blanks(left, col-n)
	middle, n := fitSpans(m, over, cols)
	out = blanks(append(out, middle...), cols-n)
	right, _ := cutSpans(m, below, col+cols, maxCols)
	return append(out, right...)
}

// cutSpans returns the columns [from, to) of spans that fitSpans has made, and their number. A
// cluster that is cut at an edge becomes a blank for each remaining column.
func cutSpans(m width.Model, spans []tui.Span, from, to int) (out []tui.Span, n int) {
	col := 0
	for _, s := range spans {
		text, cols := cutText(m, s.Text, from-col, to-col)
		if col += cols; text != "" {
			s.Text = text
			out = append(out, s)
		}
		if col >= to {
			break
		}
	}
	return out, max(min(col, to)-from, 0)
}

// cutText returns the columns [from, to) of text, and the width of the whole text or to if that is
// less.
func cutText(m width.Model, text string, from, to int) (part string, cols int) {
	if isPlainASCII(text) {
		return text[min(max(from, 0), len(text)):min(max(to, 0), len(text))], min(len(text), to)
	}
	var b strings.Builder
	for text != "" && cols < to {
		c, next, w := m.Next(text)
		if end := cols + w; cols >= from && end <= to {
			b.WriteString(c)
		} else {
			b.WriteString(strings.Repeat(" ", max(min(end, to)-max(cols, from), 0)))
		}
		text, cols = next, cols+w
	}
	return b.String(), min(cols, to)
}

// allComponents returns the lowest component, followed by the layers above it.
func (l *Layers) allComponents() []tui.Component {
	all := []tui.Component{l.Of}
	for _, o := range l.Over {
		all = append(all, o.Of)
	}
	return all
}

// Components returns the children, the topmost first, so that a [tui.Submitter] can be found among
// them.
func (l *Layers) Components() []tui.Component {
	all := l.allComponents()
	slices.Reverse(all)
	return all
}

// HandleEvent passes keys and mouse events to the topmost layer.
func (l *Layers) HandleEvent(ev tui.Event, s tui.Space) bool {
	top := len(l.Over)
	if top == 0 || len(l.childStates) != top+1 {
		return l.group.HandleEvent(ev, s)
	}
	if m, ok := ev.(tui.Mouse); ok {
		p, under := &l.childStates[top], -1
		if p.contains(m.Col, m.Row) {
			under = top
		}
		if l.grip.Route(m, under, p.view.Drags) != top {
			return true // it is for what is covered
		}
		m.Col, m.Row = m.Col-p.col, m.Row-p.row+p.skippedRows
		return l.offerTo(top, m)
	}
	if l.offerTo(top, ev) {
		return true
	}
	if k, ok := ev.(tui.Key); ok && k.Code == terminal.KeyEscape && k.Mods == 0 {
		closed := l.Over[top-1]
		l.Over = l.Over[:top-1]
		if l.OnClose != nil {
			l.OnClose(closed)
		}
		return true
	}
	return false
}

// Focusable reports whether any child takes keys. Every layer does, because Esc removes it.
func (l *Layers) Focusable() bool { return len(l.Over) > 0 || l.focusable(l.allComponents()...) }

// EnterFocus gives the focus to the topmost layer, and to a component within it as [tui.Focuser]
// describes.
func (l *Layers) EnterFocus(by int) bool {
	if len(l.Over) == 0 {
		l.focusable(l.allComponents()...)
		return l.group.EnterFocus(by)
	}
	if f, ok := l.Over[len(l.Over)-1].Of.(tui.Focuser); ok {
		f.EnterFocus(by)
	}
	return true
}

// MoveFocus moves the focus within the topmost layer.
func (l *Layers) MoveFocus(by int) bool {
	if len(l.Over) == 0 {
		return l.group.MoveFocus(by)
	}
	f, ok := l.Over[len(l.Over)-1].Of.(tui.Focuser)
	return ok && f.MoveFocus(by)
}
