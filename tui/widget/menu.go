package widget

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// MenuItem is one row of a [Menu]. The zero value is a separator line.
type MenuItem struct {
	Text string
	Key  string // a key that has the same effect outside the menu, shown at the right
	Off  bool   // the item cannot be chosen at the moment
}

// Menu shows a few actions in rows, of which the user chooses one. [OpenMenu] shows one at the
// pointer. Up and Down move, and wrap around at the ends. A letter highlights the next item that
// begins with it. Enter chooses; Esc and Ctrl+C leave. If the Space has no height, the items are
// text and [Menu.Submit] chooses one. Access the fields only on the App's loop.
type Menu struct {
	Items    []MenuItem
	At       int         // index of the highlighted item
	Mouse    bool        // a click chooses an item
	OnChoose func(i int) // called on Enter or a click with the index of the item
	OnLeave  func()      // called on Esc and Ctrl+C

	firstVisible, visibleRows int // index of the first visible item, and number of visible items
}

// OpenMenu shows items in a frame where the user has clicked last ([tui.Place].Pointer), above
// everything else. When the user chooses an item the menu closes, and choose is called on the loop
// with the item's index. A click outside the menu closes it, and so does a call of remove. Call
// OpenMenu on the loop, like [tui.App.Overlay].
func OpenMenu(app *tui.App, items []MenuItem, choose func(i int)) (remove func()) {
	m := &Menu{Items: items, Mouse: true}
	const frame = 2 // columns
	cols, _ := m.columnWidths(tui.Space{})
	remove = app.Overlay(&layout.Box{Of: m}, tui.Place{Pointer: true, Width: cols + frame})
	m.OnLeave = remove
	m.OnChoose = func(i int) {
		if remove(); choose != nil {
			choose(i)
		}
	}
	return remove
}

// canChoose reports whether there is an item i and it can be chosen.
func (m *Menu) canChoose(i int) bool {
	return i >= 0 && i < len(m.Items) && !m.Items[i].Off && m.Items[i].Text != ""
}

// fixChosen moves At to an item that can be chosen, if there is one.
func (m *Menu) fixChosen() {
	if m.At = max(min(m.At, len(m.Items)-1), 0); !m.canChoose(m.At) {
		m.moveBy(1)
	}
}

// moveBy highlights the next item that can be chosen (by is 1) or the previous one (by is -1). It
// wraps around at the ends.
func (m *Menu) moveBy(by int) {
	n := len(m.Items)
	for k := 1; k <= n; k++ {
		if i := ((m.At+by*k)%n + n) % n; m.canChoose(i) {
			m.At = i
			return
		}
	}
}

// View returns the visible items.
func (m *Menu) View(s tui.Space) tui.View {
	m.fixChosen()
	if s.Height <= 0 {
		return tui.View{Lines: m.textRows(s)}
	}
	width, keyCols := m.columnWidths(s)
	width = min(width, max(s.Width, 1))
	textCols := width - keyCols - 2
	if textCols < 4 {
		textCols, keyCols = max(width-2, 0), 0
	}
	n := len(m.Items)
	m.visibleRows = min(n, s.Height)
	m.firstVisible = max(min(m.firstVisible, m.At, n-m.visibleRows), m.At-m.visibleRows+1, 0)
	v := tui.View{Mouse: m.Mouse, Lines: make([]tui.Line, 0, m.visibleRows)}
	for i := m.firstVisible; i < m.firstVisible+m.visibleRows; i++ {
		v.Lines = append(v.Lines, m.itemRow(s, i, width, textCols, keyCols))
	}
	return v
}

// columnWidths returns the width of the whole menu, and that of its keys at the right, in columns.
func (m *Menu) columnWidths(s tui.Space) (all, keyCols int) {
	for _, it := range m.Items {
		all = max(all, textColumns(s, it.Text))
		if w := textColumns(s, it.Key); w > 0 {
			keyCols = max(keyCols, w+2)
		}
	}
	return all + keyCols + 2, keyCols
}

// itemRow returns the row of item i: a pointer, its text and its key.
func (m *Menu) itemRow(s tui.Space, i, width, textCols, keyCols int) tui.Line {
	th, it := s.Look(), m.Items[i]
	if it.Text == "" {
		sign := "-"
		if hasUnicodeGlyphs(th) && s.Columns("─") == 1 {
			sign = "─"
		}
		return tui.Line{Spans: []tui.Span{{Text: strings.Repeat(sign, width), Style: th.Dim}}}
	}
	pointer, style := "  ", tui.Style{}
	switch {
	case i == m.At && !it.Off:
		pointer, style = th.Glyphs.Prompt+" ", th.Strong
	case it.Off:
		style = th.Dim.With(tui.Strike)
	}
	spans := appendPadded(nil, s, pointer, min(2, width), false, th.Accent)
	spans = appendPadded(spans, s, it.Text, textCols, false, style)
	return tui.Line{Spans: appendPadded(spans, s, it.Key, keyCols, true, th.Dim)}
}

// textRows returns the items that can be chosen, each with its number, and a prompt.
func (m *Menu) textRows(s tui.Space) (rows []tui.Line) {
	for i, it := range m.Items {
		if m.canChoose(i) {
			rows = append(rows, s.Wrap(tui.Span{Text: strconv.Itoa(i+1) + " " + it.Text})...)
		}
	}
	return append(rows, s.Wrap(tui.Span{Text: "A number or the words of one:", Style: s.Look().Dim})...)
}

// HandleEvent handles the keys that move, choose and leave, and clicks.
func (m *Menu) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m.fixChosen()
	switch ev := ev.(type) {
	case tui.Mouse:
		i := m.firstVisible + ev.Row
		if !m.Mouse || !isClick(ev) || ev.Row < 0 || ev.Row >= m.visibleRows {
			return false
		}
		if m.canChoose(i) {
			m.choose(i)
		}
		return true
	case tui.Key:
		return m.handleKey(ev)
	}
	return false
}

func (m *Menu) handleKey(k tui.Key) bool {
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && k.Code == terminal.KeyUp:
		m.moveBy(-1)
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && k.Code == terminal.KeyDown:
		m.moveBy(1)
	case k.Mods == 0 && k.Code == terminal.KeyHome:
		m.At = -1
		m.moveBy(1)
	case k.Mods == 0 && k.Code == terminal.KeyEnd:
		m.At = len(m.Items)
		m.moveBy(-1)
	case k.Mods == 0 && k.Code == terminal.KeyEnter:
		m.choose(m.At)
	case k.Mods == 0 && k.Code == terminal.KeyEscape, k.Mods == terminal.Ctrl && k.Code == 'c':
		if m.OnLeave == nil {
			return false
		}
		m.OnLeave()
	case k.Text() != "":
		m.jumpTo(k.Text())
	default:
		return false
	}
	return true
}

// jumpTo highlights the next item that begins with letter, in upper or lower case.
func (m *Menu) jumpTo(letter string) {
	n := len(m.Items)
	for k := 1; k <= n; k++ {
		i := (m.At + k) % n
		text := strings.TrimLeftFunc(m.Items[i].Text, unicode.IsSpace)
		if m.canChoose(i) && len(text) >= len(letter) && strings.EqualFold(text[:len(letter)], letter) {
			m.At = i
			return
		}
	}
}

// choose chooses item i and calls OnChoose. It does nothing if the item cannot be chosen.
func (m *Menu) choose(i int) {
	if !m.canChoose(i) {
		return
	}
	if m.At = i; m.OnChoose != nil {
		m.OnChoose(i)
	}
}

// Submit chooses an item without a terminal. line is the item's number, from 1, or its text.
func (m *Menu) Submit(line string) {
	text := strings.TrimSpace(line)
	if k, err := strconv.Atoi(text); err == nil {
		m.choose(k - 1)
		return
	}
	for i, it := range m.Items {
		if m.canChoose(i) && strings.EqualFold(it.Text, text) {
			m.choose(i)
			return
		}
	}
}
