package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// selection is the part of an Input's text that is marked: from the anchor to the caret.
type selection struct {
	anchor   int // bytes of the text before it, plus 1; 0: nothing is marked
	dragging bool
}

// selectedRange returns the bytes of the text that are marked, an empty range if none are.
func (in *Input) selectedRange() (r byteRange) {
	if in.marked.anchor == 0 {
		return byteRange{}
	}
	at := len(in.editor.TextBeforeCaret())
	anchor := min(in.marked.anchor-1, len(in.Text()))
	return byteRange{min(at, anchor), max(at, anchor)}
}

// Selected returns the marked part of the text.
func (in *Input) Selected() string {
	r := in.selectedRange()
	return in.Text()[r.from:r.to]
}

// isSelecting reports whether k moves the caret and marks the text that it passes, and the key that
// only moves it.
func isSelecting(k tui.Key) (move tui.Key, yes bool) {
	move = tui.Key{Code: k.Code, Mods: k.Mods &^ terminal.Shift}
	switch k.Code {
	case terminal.KeyLeft, terminal.KeyRight, terminal.KeyHome, terminal.KeyEnd:
		return move, k.Mods&terminal.Shift != 0
	}
	return move, false
}

// handleSelection takes the keys that mark text, and those for marked text.
func (in *Input) handleSelection(k tui.Key, s tui.Space) bool {
	if move, ok := isSelecting(k); ok {
		if in.marked.anchor == 0 {
			in.marked.anchor = len(in.editor.TextBeforeCaret()) + 1
		}
		in.editor.HandleEvent(move, s)
		return true
	}
	text := in.Selected()
	if text == "" {
		in.marked.anchor = 0
		return false
	}
	switch {
	case k.Mods == terminal.Ctrl && (k.Code == 'c' || k.Code == 'x') && in.Copy != nil:
		if !in.Secret {
			in.err = in.Copy(text)
			if k.Code == 'x' && in.err == nil {
				in.deleteSelected(s)
			}
		}
	case k.Mods == 0 && (k.Code == terminal.KeyBackspace || k.Code == terminal.KeyDelete):
		in.deleteSelected(s)
	case k.Text() != "":
		in.deleteSelected(s)
		return false
	default:
		in.marked.anchor = 0
		return false
	}
	in.marked.anchor = 0
	return true
}

// deleteSelected takes the marked part out of the text.
func (in *Input) deleteSelected(s tui.Space) {
	r := in.selectedRange()
	text := in.Text()[r.from:r.to]
	in.marked.anchor = 0
	if text == "" {
		return
	}
	for len(in.editor.TextBeforeCaret()) < r.to && in.editor.HandleEvent(tui.Key{Code: terminal.KeyRight}, s) {
	}
	in.editor.Complete(text, "")
	in.textChanged()
}

// handleMouse puts the caret where the text was clicked, and marks the text between a press and a
// release.
func (in *Input) handleMouse(m tui.Mouse, s tui.Space) bool {
	press := isClick(m)
	switch {
	case press && m.Row != in.caretPos.Row, !press && !in.marked.dragging, !press && m.Press && !isDrag(m):
		return false
	}
	in.marked.dragging = m.Press
	to := in.bytesBefore(m.Col-in.textCol, s)
	if press {
		in.marked.anchor = to + 1
	}
	code := rune(terminal.KeyRight)
	if to < len(in.editor.TextBeforeCaret()) {
		code = terminal.KeyLeft
	}
	for at := len(in.editor.TextBeforeCaret()); at != to; {
		in.editor.HandleEvent(tui.Key{Code: code}, s)
		next := len(in.editor.TextBeforeCaret())
		if next == at || (code == terminal.KeyRight) == (next > to) && next != to {
			break
		}
		at = next
	}
	return true
}

// bytesBefore returns how many bytes of the text stand before a column of its row.
func (in *Input) bytesBefore(col int, s tui.Space) (n int) {
	i := 0
	for c := range s.Model.Clusters(in.Text()) {
		if i++; i > in.firstVisible {
			shown, _ := in.clusterCells(c, max(s.Width, 1), s)
			for _, cell := range shown {
				col -= cell.cols
			}
			if col < 0 {
				return n
			}
		}
		n += len(c)
	}
	return n
}

// cellSpans returns cells as spans. The marked ones are inverse.
func cellSpans(cells []cell) (spans []tui.Span) {
	var text strings.Builder
	for i, c := range cells {
		text.WriteString(c.text)
		if i+1 < len(cells) && cells[i+1].marked == c.marked {
			continue
		}
		sp := tui.Span{Text: text.String()}
		if text.Reset(); c.marked {
			sp.Style.Attr = tui.Inverse
		}
		spans = append(spans, sp)
	}
	return spans
}
