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

// Tabs shows one of several components below a row of their titles. Ctrl+PgUp and Ctrl+PgDn switch
// to the previous and the next one. Tab and Shift+Tab do so, too, if the shown component does not
// handle them. Alt+1 to Alt+9 go to a page by its number. All other events go to the shown
// component. If the Space has no height, all components are shown below one another. Access the
// fields only on the App's loop.
type Tabs struct {
	Tabs     []Tab
	At       int         // index of the shown tab
	OnChange func(i int) // called with the new index when another tab is shown
	Mouse    bool        // a click on a title shows that tab, the wheel on the titles the next or previous one

	firstVisible int       // index of the first visible title
	titleEnds    []int     // for each visible title: the column behind it
	bodySpace    tui.Space // the Space of the shown component in the last View
	headRows     int       // number of rows above the component
	wantsMouse   bool      // the shown component wants mouse events
}

// shownBody returns the shown component, or nil if there is none.
func (t *Tabs) shownBody() tui.Component {
	if t.At = max(min(t.At, len(t.Tabs)-1), 0); len(t.Tabs) == 0 {
		return nil
	}
	return t.Tabs[t.At].Body
}

// View returns the titles and the rows of the shown component.
func (t *Tabs) View(s tui.Space) tui.View {
	if s.Height <= 0 {
		return t.allTabs(s)
	}
	t.headRows, t.bodySpace, t.wantsMouse = 1, s, false
	t.bodySpace.Height--
	b := t.shownBody()
	v := tui.View{Lines: []tui.Line{t.titleRow(s)}, Mouse: t.Mouse}
	if b == nil || t.bodySpace.Height < 1 {
		return v
	}
	w := b.View(t.bodySpace)
	v.Lines = append(v.Lines, w.Lines[:min(len(w.Lines), t.bodySpace.Height)]...)
	t.wantsMouse = w.Mouse
	v.RefreshAfter, v.Hold, v.Mouse, v.Scene, v.Releases = w.RefreshAfter, w.Hold, v.Mouse || w.Mouse, w.Scene,
		w.Releases
	v.Drags = w.Drags
	if len(w.Lines) > t.bodySpace.Height {
		v.Scene = "" // not all of it is shown
	}
	if w.Cursor != nil && w.Cursor.Row < t.bodySpace.Height {
		v.Cursor = &tui.Pos{Col: w.Cursor.Col, Row: w.Cursor.Row + 1}
	}
	return v
}

// allTabs returns the rows of all components below one another, each below its title.
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

// titleRow returns the row of the titles. That of the shown tab is visible.
func (t *Tabs) titleRow(s tui.Space) tui.Line {
	th := s.Look()
	t.firstVisible = max(min(t.firstVisible, t.At), 0)
	width := func(i int) int { return textColumns(s, t.Tabs[i].Title) + 3 }
	for sum := 0; t.firstVisible < t.At; t.firstVisible++ {
		sum = 2
		for i := t.firstVisible; i <= t.At; i++ {
			sum += width(i)
		}
		if sum <= s.Width {
			break
		}
	}
	t.titleEnds = t.titleEnds[:0]
	var spans []tui.Span
	col := 0
	if t.firstVisible > 0 {
		spans = append(spans, tui.Span{Text: th.Glyphs.More, Style: th.Dim})
		col = s.Columns(th.Glyphs.More)
	}
	for i := t.firstVisible; i < len(t.Tabs); i++ {
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

// HandleEvent switches tabs, or passes the event to the shown component.
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
	if h, ok := b.(tui.EventHandler); ok && t.bodySpace.Height > 0 && h.HandleEvent(ev, t.bodySpace) {
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

// handleJump handles the keys that switch tabs before the shown component can handle them.
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

// showTab shows tab i. It wraps around at the ends.
func (t *Tabs) showTab(i int) {
	n := len(t.Tabs)
	if i = (i + n) % n; i == t.At {
		return
	}
	if t.At = i; t.OnChange != nil {
		t.OnChange(i)
	}
}

// handleClick handles clicks and the wheel on the row of titles.
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
			t.showTab(t.firstVisible + k)
			return true
		}
	}
	return false
}

// Components returns the components of all tabs, so that [tui.Ask] can find a [tui.Submitter] among
// them.
func (t *Tabs) Components() (all []tui.Component) {
	for _, tab := range t.Tabs {
		if tab.Body != nil {
			all = append(all, tab.Body)
		}
	}
	return all
}

// Focusable reports whether there is a tab: the keys that switch tabs need the focus.
func (t *Tabs) Focusable() bool { return len(t.Tabs) > 0 }

// EnterFocus gives the focus to the shown component: to the first part of it that takes keys if by
// is 1, to the last one if by is -1.
func (t *Tabs) EnterFocus(by int) bool {
	if f, ok := t.shownBody().(tui.Focuser); ok {
		f.EnterFocus(by)
	}
	return t.Focusable()
}

// MoveFocus moves the focus within the shown component. It returns false if there is nowhere to
// move.
func (t *Tabs) MoveFocus(by int) bool {
	f, ok := t.shownBody().(tui.Focuser)
	return ok && f.MoveFocus(by)
}
