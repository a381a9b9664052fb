package widget

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Breadcrumb is a row that shows the path to the current place, such as "home › docs › guide". The
// last element of Places is the current one. If the row is too short, the first places are left
// out. If OnChoose is set, Left and Right highlight another place and Enter chooses it. If the
// Space has no height, the places are shown as text and [Breadcrumb.Submit] chooses one. Access the
// fields only on the App's loop.
type Breadcrumb struct {
	Places   []string
	Mouse    bool        // a click chooses a place
	OnChoose func(i int) // called with the index of the place to go to; nil: the row only shows places

	chosenFromEnd int   // number of places behind the highlighted one
	firstVisible  int   // index of the first visible place
	endCols       []int // for each visible place: the column behind it, in the last View
}

// chosen returns the index of the highlighted place.
func (b *Breadcrumb) chosen() int {
	b.chosenFromEnd = max(min(b.chosenFromEnd, len(b.Places)-1), 0)
	return len(b.Places) - 1 - b.chosenFromEnd
}

// View returns the row of places.
func (b *Breadcrumb) View(s tui.Space) tui.View {
	th := s.Look()
	sign := " " + th.Glyphs.Prompt + " "
	if s.Height <= 0 {
		return tui.View{Lines: b.textRows(s, sign)}
	}
	chosen, col := b.chosen(), 0
	b.firstVisible, b.endCols = b.firstFitting(s, sign), b.endCols[:0]
	var spans []tui.Span
	if b.firstVisible > 0 {
		spans = append(spans, tui.Span{Text: th.Glyphs.More + sign, Style: th.Dim})
		col = s.Columns(spans[0].Text)
	}
	for i := b.firstVisible; i < len(b.Places); i++ {
		style := th.Dim
		if i == len(b.Places)-1 {
			style = th.Strong
		}
		if i == chosen && b.OnChoose != nil && s.Focused {
			style = style.With(tui.Underline)
		}
		if i > b.firstVisible {
			spans = append(spans, tui.Span{Text: sign, Style: th.Dim})
			col += s.Columns(sign)
		}
		spans = append(spans, tui.Span{Text: b.Places[i], Style: style})
		col += textColumns(s, b.Places[i])
		b.endCols = append(b.endCols, col)
	}
	return tui.View{Lines: []tui.Line{s.Cut(spans...)}, Mouse: b.Mouse && b.OnChoose != nil}
}

// firstFitting returns the index of the first place to show, so that all places from there on fit
// in the row. The highlighted place and the last one are always shown.
func (b *Breadcrumb) firstFitting(s tui.Space, sign string) int {
	total := 0
	for _, place := range b.Places {
		total += textColumns(s, place) + s.Columns(sign)
	}
	mark := 0
	for i := range b.Places {
		if i == b.chosen() && b.chosenFromEnd > 0 || i == len(b.Places)-1 || total-s.Columns(sign)+mark <= s.Width {
			return i
		}
		total -= textColumns(s, b.Places[i]) + s.Columns(sign)
		mark = s.Columns(s.Look().Glyphs.More + sign)
	}
	return 0
}

// textRows returns the places as text: in one row, or one numbered row for each place if OnChoose
// is set.
func (b *Breadcrumb) textRows(s tui.Space, sign string) (rows []tui.Line) {
	if b.OnChoose == nil {
		return s.Wrap(tui.Span{Text: strings.Join(b.Places, sign)})
	}
	for i, place := range b.Places {
		rows = append(rows, s.Wrap(tui.Span{Text: strconv.Itoa(i+1) + " " + place})...)
	}
	return rows
}

// HandleEvent handles Left, Right, Enter and clicks if OnChoose is set.
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
			b.chosenFromEnd = min(b.chosenFromEnd+1, len(b.Places)-1)
		case ev.Code == terminal.KeyRight:
			b.chosenFromEnd = max(b.chosenFromEnd-1, 0)
		case ev.Code == terminal.KeyEnter:
			b.OnChoose(b.chosen())
		default:
			return false
		}
		return true
	}
	return false
}

// handleClick chooses the place under the pointer. It returns false if there is none.
func (b *Breadcrumb) handleClick(m tui.Mouse) bool {
	for k, end := range b.endCols {
		if m.Row == 0 && m.Col < end {
			b.OnChoose(b.firstVisible + k)
			return true
		}
	}
	return false
}

// Submit chooses a place without a terminal. line is the number of a place, from 1, or its text.
// Any other line does nothing.
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

// Focusable reports whether the row takes keys, that is, whether OnChoose is set.
func (b *Breadcrumb) Focusable() bool { return b.OnChoose != nil }

// EnterFocus reports whether the row accepts the focus, that is, whether OnChoose is set.
func (b *Breadcrumb) EnterFocus(int) bool { return b.OnChoose != nil }

// MoveFocus returns false: the row contains no components that could have the focus.
func (b *Breadcrumb) MoveFocus(int) bool { return false }
