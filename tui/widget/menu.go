package widget

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// MenuItem is one row of a [Menu]. The zero value is a line between items.
type MenuItem struct {
	Text string
	Key  string // the key that does the same elsewhere, shown at the right
	Off  bool   // it cannot be chosen now
}

// Menu is a few actions, one below the other, of which a person chooses one: [OpenMenu] shows it at
// the last click. Up and Down move, and go from one end to the other. A letter goes to the next
// item that begins with it. Enter chooses; Esc and Ctrl+C leave. In a space without a height it is
// text, for [Menu.Submit]. Fields are for the loop.
type Menu struct {
	Items    []MenuItem
	At       int         // the chosen item
	Mouse    bool        // a click chooses an item
	OnChoose func(i int) // Enter, or a click
	OnLeave  func()      // Esc, Ctrl+C

	first, rows int // the items in sight
}

// OpenMenu shows items in a frame at the last click ([tui.Place].Pointer), over everything. choose
// is called on the loop with the index of the chosen item, once the menu is closed. A click beside
// it, or remove, closes it. It is for the loop, as [tui.App.Overlay] is.
func OpenMenu(app *tui.App, items []MenuItem, choose func(i int)) (remove func()) {
	m := &Menu{Items: items, Mouse: true}
	const frame = 2 // columns
	cols, _ := m.columns(tui.Space{})
	remove = app.Overlay(&layout.Box{Of: m}, tui.Place{Pointer: true, Width: cols + frame})
	m.OnLeave = remove
	m.OnChoose = func(i int) {
		if remove(); choose != nil {
			choose(i)
		}
	}
	return remove
}

// choosable reports whether item i can be chosen.
func (m *Menu) choosable(i int) bool {
	return i >= 0 && i < len(m.Items) && !m.Items[i].Off && m.Items[i].Text != ""
}

// fixChosen moves At to an item that can be chosen, if there is one.
func (m *Menu) fixChosen() {
	if m.At = max(min(m.At, len(m.Items)-1), 0); !m.choosable(m.At) {
		m.move(1)
	}
}

// move chooses the next item, by 1, or the one before, by -1, around the ends.
func (m *Menu) move(by int) {
	n := len(m.Items)
	for k := 1; k <= n; k++ {
		if i := ((m.At+by*k)%n + n) % n; m.choosable(i) {
			m.At = i
			return
		}
	}
}

// View returns the items.
func (m *Menu) View(s tui.Space) tui.View {
	m.fixChosen()
	if s.Height <= 0 {
		return tui.View{Lines: m.textRows(s)}
	}
	width, keyCols := m.columns(s)
	width = min(width, max(s.Width, 1))
	textCols := width - keyCols - 2
	if textCols < 4 {
		textCols, keyCols = max(width-2, 0), 0
	}
	n := len(m.Items)
	m.rows = min(n, s.Height)
	m.first = max(min(m.first, m.At, n-m.rows), m.At-m.rows+1, 0)
	v := tui.View{Mouse: m.Mouse, Lines: make([]tui.Line, 0, m.rows)}
	for i := m.first; i < m.first+m.rows; i++ {
		v.Lines = append(v.Lines, m.itemRow(s, i, width, textCols, keyCols))
	}
	return v
}

// columns returns the columns of the menu, and those of the keys.
func (m *Menu) columns(s tui.Space) (all, keyCols int) {
	for _, it := range m.Items {
		all = max(all, columns(s, it.Text))
		if w := columns(s, it.Key); w > 0 {
			keyCols = max(keyCols, w+2)
		}
	}
	return all + keyCols + 2, keyCols
}

// itemRow returns the row of item i: a pointer, its text, its key.
func (m *Menu) itemRow(s tui.Space, i, width, textCols, keyCols int) tui.Line {
	th, it := s.Look(), m.Items[i]
	if it.Text == "" {
		sign := "-"
		if unicodeGlyphs(th) && s.Columns("─") == 1 {
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

// textRows returns the items that can be chosen, with their numbers.
func (m *Menu) textRows(s tui.Space) (rows []tui.Line) {
	for i, it := range m.Items {
		if m.choosable(i) {
			rows = append(rows, s.Wrap(tui.Span{Text: strconv.Itoa(i+1) + " " + it.Text})...)
		}
	}
	return append(rows, s.Wrap(tui.Span{Text: "A number or the words of one:", Style: s.Look().Dim})...)
}

// HandleEvent takes the keys that move, choose and leave, and clicks.
func (m *Menu) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m.fixChosen()
	switch ev := ev.(type) {
	case tui.Mouse:
		i := m.first + ev.Row
		if !m.Mouse || !isClick(ev) || ev.Row < 0 || ev.Row >= m.rows {
			return false
		}
		if m.choosable(i) {
			m.choose(i)
		}
		return true
	case tui.Key:
		return m.handleKey(ev)
	}
	return false
}

// handleKey acts on k.
func (m *Menu) handleKey(k tui.Key) bool {
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'p', k.Mods == 0 && k.Code == terminal.KeyUp:
		m.move(-1)
	case k.Mods == terminal.Ctrl && k.Code == 'n', k.Mods == 0 && k.Code == terminal.KeyDown:
		m.move(1)
	case k.Mods == 0 && k.Code == terminal.KeyHome:
		m.At = -1
		m.move(1)
	case k.Mods == 0 && k.Code == terminal.KeyEnd:
		m.At = len(m.Items)
		m.move(-1)
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

// jumpTo chooses the next item that begins with a letter, in any case.
func (m *Menu) jumpTo(letter string) {
	n := len(m.Items)
	for k := 1; k <= n; k++ {
		i := (m.At + k) % n
		text := strings.TrimLeftFunc(m.Items[i].Text, unicode.IsSpace)
		if m.choosable(i) && len(text) >= len(letter) && strings.EqualFold(text[:len(letter)], letter) {
			m.At = i
			return
		}
	}
}

// choose chooses item i, if that is possible.
func (m *Menu) choose(i int) {
	if !m.choosable(i) {
		return
	}
	if m.At = i; m.OnChoose != nil {
		m.OnChoose(i)
	}
}

// Submit chooses without a terminal: by the number of an item, or its text.
func (m *Menu) Submit(line string) {
	text := strings.TrimSpace(line)
	if k, err := strconv.Atoi(text); err == nil {
		m.choose(k - 1)
		return
	}
	for i, it := range m.Items {
		if m.choosable(i) && strings.EqualFold(it.Text, text) {
			m.choose(i)
			return
		}
	}
}
