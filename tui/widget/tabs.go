package widget

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Tab is one page of [Tabs].
type Tab struct {
	Title string
	Body  tui.Component
}

// Tabs shows one of several components below a row of their titles. Ctrl+PgUp and Ctrl+PgDn go from
// one to the other, and so do Tab and Shift+Tab, if the shown one does not take them. Alt+1 to
// Alt+9 go to one of them. All other events are for the shown one. In a space without a height all
// of them stand below one another. Fields are for the loop.
type Tabs struct {
	Tabs     []Tab
	At       int         // the shown one, an index of Tabs
	OnChange func(i int) // called when another one is shown
	Mouse    bool        // a click on a title shows that one, the wheel on the titles the next one

	first      int // the first title in sight
	titleEnds  []int
	space      tui.Space // of the body
	headRows   int       // rows above the body
	wantsMouse bool      // the body wants the mouse
}

// shownBody returns the shown component, nil if there is none.
func (t *Tabs) shownBody() tui.Component {
	if t.At = max(min(t.At, len(t.Tabs)-1), 0); len(t.Tabs) == 0 {
		return nil
	}
	return t.Tabs[t.At].Body
}

// View returns the titles, and the rows of the shown component.
func (t *Tabs) View(s tui.Space) tui.View {
	if s.Height <= 0 {
		return t.allTabs(s)
	}
	t.headRows, t.space, t.wantsMouse = 1, s, false
	t.space.Height--
	b := t.shownBody()
	v := tui.View{Lines: []tui.Line{t.titleRow(s)}, Mouse: t.Mouse}
	if b == nil || t.space.Height < 1 {
		return v
	}
	w := b.View(t.space)
	v.Lines = append(v.Lines, w.Lines[:min(len(w.Lines), t.space.Height)]...)
	t.wantsMouse = w.Mouse
	v.RefreshAfter, v.Hold, v.Mouse, v.Scene, v.Releases = w.RefreshAfter, w.Hold, v.Mouse || w.Mouse, w.Scene,
		w.Releases
	v.Drags = w.Drags
	if len(w.Lines) > t.space.Height {
		v.Scene = "" // not all of it is shown
	}
	if w.Cursor != nil && w.Cursor.Row < t.space.Height {
		v.Cursor = &tui.Pos{Col: w.Cursor.Col, Row: w.Cursor.Row + 1}
	}
	return v
}

// allTabs returns all components, one below the other.
func (t *Tabs) allTabs(s tui.Space) (v tui.View) {
	for i, tab := range t.Tabs {
		if i > 0 {
			v.Lines = append(v.Lines, tui.Line{})
		}
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: tab.Title, Style: s.Look().Strong}))
		if tab.Body == nil {
			continue
		}
		w := tab.Body.View(s)
		for _, l := range w.Lines {
			l.End = 0
			v.Lines = append(v.Lines, l)
		}
		v.Hold = v.Hold || w.Hold
	}
	return v
}

// titleRow returns the row of the titles, with the shown one in sight.
func (t *Tabs) titleRow(s tui.Space) tui.Line {
	th := s.Look()
	t.first = max(min(t.first, t.At), 0)
	width := func(i int) int { return columns(s, t.Tabs[i].Title) + 3 }
	for sum := 0; t.first < t.At; t.first++ {
		sum = 2
		for i := t.first; i <= t.At; i++ {
			sum += width(i)
		}
		if sum <= s.Width {
			break
		}
	}
	t.titleEnds = t.titleEnds[:0]
	var spans []tui.Span
	col := 0
	if t.first > 0 {
		spans = append(spans, tui.Span{Text: th.Glyphs.More, Style: th.Dim})
		col = s.Columns(th.Glyphs.More)
	}
	for i := t.first; i < len(t.Tabs); i++ {
		style, open, shut := th.Dim, " ", " "
		if i == t.At { // brackets, so that it is seen without a colour and heard
			style, open, shut = th.Strong, "[", "]"
		}
		spans = append(spans, tui.Span{Text: open + t.Tabs[i].Title + shut, Style: style}, tui.Span{Text: " "})
		col += width(i)
		t.titleEnds = append(t.titleEnds, col)
	}
	return s.Cut(trimBlanks(spans)...)
}

// HandleEvent goes to another tab, or gives the event to the shown component.
func (t *Tabs) HandleEvent(ev tui.Event, _ tui.Space) bool {
	b := t.shownBody() // nil: an empty page
	if len(t.Tabs) == 0 {
		return false
	}
	k, isKey := ev.(tui.Key)
	if isKey && t.handleJump(k) {
		return true
	}
	if m, ok := ev.(tui.Mouse); ok {
		if m.Row < t.headRows {
			return t.handleClick(m)
		}
		if m.Row -= t.headRows; !t.wantsMouse {
			return false
		}
		ev = m
	}
	if h, ok := b.(tui.EventHandler); ok && t.space.Height > 0 && h.HandleEvent(ev, t.space) {
		return true
	}
	switch {
	case !isKey || k.Code != terminal.KeyTab:
		return false
	case k.Mods == 0:
		t.showTab(t.At + 1)
	case k.Mods == terminal.Shift:
		t.showTab(t.At - 1)
	default:
		return false
	}
	return true
}

// handleJump takes the keys that are never for the shown component.
func (t *Tabs) handleJump(k tui.Key) bool {
	switch {
	case k.Mods == terminal.Ctrl && k.Code == terminal.KeyPageDown:
		t.showTab(t.At + 1)
	case k.Mods == terminal.Ctrl && k.Code == terminal.KeyPageUp:
		t.showTab(t.At - 1)
	case k.Mods == terminal.Alt && '1' <= k.Code && k.Code <= '9' && int(k.Code-'1') < len(t.Tabs):
		t.showTab(int(k.Code - '1'))
	default:
		return false
	}
	return true
}

// showTab shows tab i; after the last one comes the first.
func (t *Tabs) showTab(i int) {
	n := len(t.Tabs)
	if i = (i + n) % n; i == t.At {
		return
	}
	if t.At = i; t.OnChange != nil {
		t.OnChange(i)
	}
}

// handleClick shows the tab whose title was clicked.
func (t *Tabs) handleClick(m tui.Mouse) bool {
	if by := wheelSteps(m) / wheelRows; by != 0 && t.Mouse {
		if i := t.At + by; i >= 0 && i < len(t.Tabs) {
			t.showTab(i)
		}
		return true
	}
	if !isClick(m) || !t.Mouse {
		return false
	}
	for k, end := range t.titleEnds {
		if m.Col < end {
			t.showTab(t.first + k)
			return true
		}
	}
	return false
}

// Components returns the bodies of all tabs, among which a [tui.Submitter] is looked for.
func (t *Tabs) Components() (all []tui.Component) {
	for _, tab := range t.Tabs {
		if tab.Body != nil {
			all = append(all, tab.Body)
		}
	}
	return all
}

// Focusable reports whether there is a tab: its keys go from one to the other.
func (t *Tabs) Focusable() bool { return len(t.Tabs) > 0 }

// EnterFocus gives the focus to the shown component: to the first in it that takes keys (by 1) or
// to the last one (by -1).
func (t *Tabs) EnterFocus(by int) bool {
	if f, ok := t.shownBody().(tui.Focuser); ok {
		f.EnterFocus(by)
	}
	return t.Focusable()
}

// MoveFocus moves the focus within the shown component, if that holds several that take keys.
func (t *Tabs) MoveFocus(by int) bool {
	f, ok := t.shownBody().(tui.Focuser)
	return ok && f.MoveFocus(by)
}
