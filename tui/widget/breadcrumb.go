package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Breadcrumb is a row that says where one is: the places that lead there, the last one is the
// current. Where the row is too short the first places are left out. With OnChoose Left and Right
// move to another place, Enter goes there. In a space without a height it is text, for
// [Breadcrumb.Submit]. Fields are for the loop.
type Breadcrumb struct {
	Places   []string
	Mouse    bool // a click goes to a place
	OnChoose func(i int)

	back  int // how many places before the last one the chosen one is
	first int // the first place in sight
	ends  []int
}

// chosen returns the index of the chosen place.
func (b *Breadcrumb) chosen() int {
	b.back = max(min(b.back, len(b.Places)-1), 0)
	return len(b.Places) - 1 - b.back
}

// View returns the row.
func (b *Breadcrumb) View(s tui.Space) tui.View {
	th := s.Look()
	sign := " " + th.Glyphs.Prompt + " "
	if s.Height <= 0 {
		return tui.View{Lines: b.textRows(s, sign)}
	}
	chosen, col := b.chosen(), 0
	b.first, b.ends = b.firstFitting(s, sign), b.ends[:0]
	var spans []tui.Span
	if b.first > 0 {
		spans = append(spans, tui.Span{Text: th.Glyphs.More + sign, Style: th.Dim})
		col = s.Columns(spans[0].Text)
	}
	for i := b.first; i < len(b.Places); i++ {
		style := th.Dim
		if i == len(b.Places)-1 {
			style = th.Strong
		}
		if i == chosen && b.OnChoose != nil && s.Focused {
			style = style.With(tui.Underline)
		}
		if i > b.first {
			spans = append(spans, tui.Span{Text: sign, Style: th.Dim})
			col += s.Columns(sign)
		}
		spans = append(spans, tui.Span{Text: b.Places[i], Style: style})
		col += columns(s, b.Places[i])
		b.ends = append(b.ends, col)
	}
	return tui.View{Lines: []tui.Line{s.Cut(spans...)}, Mouse: b.Mouse && b.OnChoose != nil}
}

// firstFitting returns the first place from which on all have a place in the row, the last one at
// least. The chosen one is among them.
func (b *Breadcrumb) firstFitting(s tui.Space, sign string) int {
	total := 0
	for _, place := range b.Places {
		total += columns(s, place) + s.Columns(sign)
	}
	mark := 0
	for i := range b.Places {
		if i == b.chosen() && b.back > 0 || i == len(b.Places)-1 || total-s.Columns(sign)+mark <= s.Width {
			return i
		}
		total -= columns(s, b.Places[i]) + s.Columns(sign)
		mark = s.Columns(s.Look().Glyphs.More + sign)
	}
	return 0
}

// textRows returns the places in a row, or one below the other if one can be chosen.
func (b *Breadcrumb) textRows(s tui.Space, sign string) (rows []tui.Line) {
	if b.OnChoose == nil {
		return s.Wrap(tui.Span{Text: strings.Join(b.Places, sign)})
	}
	for i, place := range b.Places {
		rows = append(rows, s.Wrap(tui.Span{Text: strconv.Itoa(i+1) + " " + place})...)
	}
	return rows
}

// HandleEvent takes the keys that move and choose, and clicks, if there is an OnChoose.
func (b *Breadcrumb) HandleEvent(ev tui.Event, _ tui.Space) bool {
	if b.OnChoose == nil || len(b.Places) == 0 {
		return false
	}
	switch ev := ev.(type) {
	case tui.Mouse:
		return b.Mouse && isClick(ev) && b.handleClick(ev)
	case tui.Key:
		switch {
		case ev.Mods != 0:
			return false
		case ev.Code == terminal.KeyLeft:
			b.back = min(b.back+1, len(b.Places)-1)
		case ev.Code == terminal.KeyRight:
			b.back = max(b.back-1, 0)
		case ev.Code == terminal.KeyEnter:
			b.OnChoose(b.chosen())
		default:
			return false
		}
		return true
	}
	return false
}

// handleClick goes to the place that was clicked.
func (b *Breadcrumb) handleClick(m tui.Mouse) bool {
	for k, end := range b.ends {
		if m.Row == 0 && m.Col < end {
			b.OnChoose(b.first + k)
			return true
		}
	}
	return false
}

// Submit goes to a place without a terminal: by its number or its text.
func (b *Breadcrumb) Submit(line string) {
	if b.OnChoose == nil {
		return
	}
	text := strings.TrimSpace(line)
	for i, place := range b.Places {
		if text == strconv.Itoa(i+1) || strings.EqualFold(text, place) {
			b.OnChoose(i)
			return
		}
	}
}

// Focusable reports whether it takes keys: it has an OnChoose.
func (b *Breadcrumb) Focusable() bool { return b.OnChoose != nil }

// EnterFocus reports whether it takes keys.
func (b *Breadcrumb) EnterFocus(int) bool { return b.OnChoose != nil }

// MoveFocus returns false: nothing inside has a focus of its own.
func (b *Breadcrumb) MoveFocus(int) bool { return false }
