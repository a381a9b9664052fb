package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// bodyHeight returns the number of rows of a full-screen page between its title row and its row of
// keys.
func bodyHeight(s tui.Space) int { return max(s.Height-2, 1) }

// padRows adds empty rows to a view until it has n rows.
func padRows(v *tui.View, n int) {
	for len(v.Lines) < n {
		v.Lines = append(v.Lines, tui.Line{})
	}
}

// pageStep returns the number of rows by which key k scrolls a page: positive is down, and 0 means
// that k does not scroll. page and half are the numbers of rows that a whole and a half page have.
func pageStep(k tui.Key, page, half int) int {
	switch {
	case k.Text() == "j", k.Code == terminal.KeyDown:
		return 1
	case k.Text() == "k", k.Code == terminal.KeyUp:
		return -1
	case k.Code == terminal.KeySpace, k.Code == terminal.KeyPageDown:
		return page
	case k.Text() == "b", k.Code == terminal.KeyPageUp:
		return -page
	case k.Is("ctrl+d"):
		return half
	case k.Is("ctrl+u"):
		return -half
	}
	return 0
}

// rowField is a text field in the last row of a full-screen page. The zero value is a closed field.
type rowField struct{ editor *tui.Editor }

// open shows the field behind the text prompt. Enter closes the field and calls on with the typed
// text.
func (f *rowField) open(prompt string, on func(text string)) {
	f.editor = &tui.Editor{Prompt: prompt, MaxRows: 1, OnSubmit: on}
}

// isOpen reports whether the field is open.
func (f *rowField) isOpen() bool { return f.editor != nil }

// handleKey handles a key while the field is open. Esc and Ctrl+C close the field without a result.
func (f *rowField) handleKey(k tui.Key, keys keymap.Map, s tui.Space) {
	editor := f.editor
	if k.Code == terminal.KeyEscape || k.Is("ctrl+c") {
		f.editor = nil
		return
	}
	if k = keys.Translate(keymap.Field, k); k.Code == terminal.KeyEnter {
		f.editor = nil
	}
	if k.Code != 0 {
		editor.HandleEvent(k, s)
	}
}

// show replaces the last row of a page by the field, if the field is open.
func (f *rowField) show(v *tui.View, s tui.Space) {
	if f.editor == nil {
		return
	}
	field := f.editor.View(tui.Space{Width: s.Width, Height: 1, Now: s.Now, Focused: true, Theme: s.Theme})
	last := len(v.Lines) - 1
	if field.Cursor != nil {
		v.Cursor = &tui.Pos{Col: field.Cursor.Col, Row: last}
	}
	v.Lines[last] = field.Lines[0]
}
