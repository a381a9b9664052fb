package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// StatusPart is one part of a [StatusLine], such as a file name or a branch.
type StatusPart struct {
	Text    string
	Style   string // name of a style of the theme; "": the theme's Status style
	OnClick func() // called on a click on the part; may be nil
}

// StatusLine is a row with parts at the left, in the middle and at the right. Parts without text
// are left out. If the row is too short it drops further parts: first those in the middle, then
// those at the left from the last one on, then those at the right from the first one on. If only
// one part is left it is cut. If the Space has no height, the parts are shown as text. Access the
// fields only on the App's loop.
type StatusLine struct {
	Left, Middle, Right []StatusPart
	Mouse               bool // clicks call OnClick of the parts

	shownParts []shownPart
}

// shownPart is a part with the range of columns that it covers in the last View.
type shownPart struct {
	part           StatusPart
	fromCol, toCol int
}

const betweenParts = "  "

// nonEmptyParts returns the parts that have text.
func nonEmptyParts(parts []StatusPart) (all []StatusPart) {
	for _, p := range parts {
		if p.Text != "" {
			all = append(all, p)
		}
	}
	return all
}

// partsColumns returns the number of columns that the parts take side by side, with the gaps
// between them.
func partsColumns(s tui.Space, parts []StatusPart) (n int) {
	for i, p := range parts {
		if i > 0 {
			n += len(betweenParts)
		}
		n += textColumns(s, p.Text)
	}
	return n
}

// fitParts returns the groups of parts without those that do not fit in the width of s.
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
	left, middle, right := nonEmptyParts(st.Left), nonEmptyParts(st.Middle), nonEmptyParts(st.Right)
	st.shownParts = st.shownParts[:0]
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
			w := textColumns(s, p.Text)
			spans = append(spans, tui.Span{Text: p.Text, Style: st.partStyle(s, p)})
			st.shownParts = append(st.shownParts, shownPart{p, col, col + w})
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

func (st *StatusLine) partStyle(s tui.Space, p StatusPart) tui.Style {
	if p.Style != "" {
		return s.Look().Style(p.Style)
	}
	return s.Look().Status
}

// HandleEvent calls OnClick of the part under the pointer.
func (st *StatusLine) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m, ok := ev.(tui.Mouse)
	if !ok || !st.Mouse || !isClick(m) || m.Row != 0 {
		return false
	}
	for _, p := range st.shownParts {
		if m.Col >= p.fromCol && m.Col < p.toCol && p.part.OnClick != nil {
			p.part.OnClick()
			return true
		}
	}
	return false
}

// Focusable returns false: the row takes no keys.
func (st *StatusLine) Focusable() bool { return false }

// EnterFocus returns false: the row takes no keys.
func (st *StatusLine) EnterFocus(int) bool { return false }

// MoveFocus returns false: the row takes no keys.
func (st *StatusLine) MoveFocus(int) bool { return false }
