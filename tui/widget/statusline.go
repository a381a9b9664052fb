package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// StatusPart is one part of a [StatusLine].
type StatusPart struct {
	Text    string
	Style   string // the name of a style of the theme; "": that of a status
	OnClick func() // a click on it; nil: nothing happens
}

// StatusLine is one row of parts: at the left, in the middle, and at the right. A part without a
// text is left out. If the row is too short parts are left out: those in the middle first, then
// those at the left from the last one on, then those at the right from the first one on. A part
// that would stand alone is cut. In a space without a height it is text. Fields are for the loop.
type StatusLine struct {
	Left, Middle, Right []StatusPart
	Mouse               bool // clicks go to the parts

	shown []shownPart
}

// shownPart is a part with its place in the last View.
type shownPart struct {
	part     StatusPart
	from, to int
}

const betweenParts = "  "

// withText returns the parts that have a text.
func withText(parts []StatusPart) (all []StatusPart) {
	for _, p := range parts {
		if p.Text != "" {
			all = append(all, p)
		}
	}
	return all
}

// partsColumns returns the columns of parts beside one another.
func partsColumns(s tui.Space, parts []StatusPart) (n int) {
	for i, p := range parts {
		if i > 0 {
			n += len(betweenParts)
		}
		n += columns(s, p.Text)
	}
	return n
}

// fitParts leaves out the parts that have no place.
func fitParts(s tui.Space, left, middle, right []StatusPart) (l, m, r []StatusPart) {
	groups := 0
	need := func() (n int) {
		groups = 0
		for _, g := range [][]StatusPart{left, middle, right} {
			if len(g) > 0 {
				n, groups = n+partsColumns(s, g), groups+1
			}
		}
		return n + len(betweenParts)*max(groups-1, 0)
	}
	for need() > s.Width && len(left)+len(middle)+len(right) > 1 {
		switch {
		case len(middle) > 0:
			middle = middle[:len(middle)-1]
		case len(left) > 1 || len(right) == 0:
			left = left[:len(left)-1]
		case len(right) > 1 || len(left) == 0:
			right = right[1:]
		default:
			right = nil
		}
	}
	return left, middle, right
}

// View returns the row.
func (st *StatusLine) View(s tui.Space) tui.View {
	left, middle, right := withText(st.Left), withText(st.Middle), withText(st.Right)
	st.shown = st.shown[:0]
	if s.Height <= 0 {
		var texts []string
		for _, g := range [][]StatusPart{left, middle, right} {
			for _, p := range g {
				texts = append(texts, p.Text)
			}
		}
		if len(texts) == 0 {
			return tui.View{}
		}
		return tui.View{Lines: s.Wrap(tui.Span{Text: strings.Join(texts, ", ")})}
	}
	left, middle, right = fitParts(s, left, middle, right)
	var spans []tui.Span
	col := 0
	put := func(parts []StatusPart, at int) {
		if len(parts) == 0 {
			return
		}
		if at > col {
			spans, col = append(spans, tui.Span{Text: strings.Repeat(" ", at-col)}), at
		}
		for i, p := range parts {
			if i > 0 {
				spans, col = append(spans, tui.Span{Text: betweenParts}), col+len(betweenParts)
			}
			w := columns(s, p.Text)
			spans = append(spans, tui.Span{Text: p.Text, Style: st.style(s, p)})
			st.shown = append(st.shown, shownPart{p, col, col + w})
			col += w
		}
	}
	put(left, 0)
	rightAt := s.Width - partsColumns(s, right)
	if w := partsColumns(s, middle); w > 0 { // in the middle of the row, or as near to it as there is a place
		at := max((s.Width-w)/2, col+boolInt(col > 0)*len(betweenParts))
		if len(right) > 0 {
			at = min(at, rightAt-len(betweenParts)-w)
		}
		put(middle, at)
	}
	put(right, rightAt)
	return tui.View{Lines: []tui.Line{s.Cut(spans...)}, Mouse: st.Mouse}
}

// style returns the style of a part.
func (st *StatusLine) style(s tui.Space, p StatusPart) tui.Style {
	if p.Style != "" {
		return s.Look().Style(p.Style)
	}
	return s.Look().Status
}

// HandleEvent gives a click to the part under it.
func (st *StatusLine) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m, ok := ev.(tui.Mouse)
	if !ok || !st.Mouse || !isClick(m) || m.Row != 0 {
		return false
	}
	for _, p := range st.shown {
		if m.Col >= p.from && m.Col < p.to && p.part.OnClick != nil {
			p.part.OnClick()
			return true
		}
	}
	return false
}

// Focusable returns false: it has no keys.
func (st *StatusLine) Focusable() bool { return false }

// EnterFocus returns false.
func (st *StatusLine) EnterFocus(int) bool { return false }

// MoveFocus returns false.
func (st *StatusLine) MoveFocus(int) bool { return false }
