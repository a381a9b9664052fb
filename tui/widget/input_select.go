package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// selection is the selected part of an Input's text. It extends from the anchor to the caret.
type selection struct {
	anchorPlus1 int  // byte offset of the anchor, plus 1; 0: nothing is selected
	dragging    bool // the mouse button is pressed
}

// selectedRange returns the byte range of the selected text. It is empty if nothing is selected.
func (in *Input) selectedRange() (r byteRange) {
	if in.selection.anchorPlus1 == 0 {
		return byteRange{}
	}
	at := len(in.editor.TextBeforeCaret())
	anchor := min(in.selection.anchorPlus1-1, len(in.Text()))
	return byteRange{min(at, anchor), max(at, anchor)}
}

// Selected returns the selected text, or "" if nothing is selected.
func (in *Input) Selected() string {
	r := in.selectedRange()
	return in.Text()[r.from:r.to]
}

// isSelecting reports whether k extends the selection. The result move is the same key without
// Shift, which moves the caret alone.
func isSelecting(k tui.Key) (move tui.Key, yes bool) {
	move = tui.Key{Code: k.Code, Mods: k.Mods &^ terminal.Shift}
	switch k.Code {
	case terminal.KeyLeft, terminal.KeyRight, terminal.KeyHome, terminal.KeyEnd:
		return move, k.Mods&terminal.Shift != 0
	}
	return move, false
}

// handleSelection handles the keys that select text or act on selected text. It returns false for
// all other keys.
func (in *Input) handleSelection(k tui.Key, s tui.Space) bool {
	if move, ok := isSelecting(k); ok {
		if in.selection.anchorPlus1 == 0 {
			in.selection.anchorPlus1 = len(in.editor.TextBeforeCaret()) + 1
		}
		in.editor.HandleEvent(move, s)
		return true
	}
	text := in.Selected()
	if text == "" {
		in.selection.anchorPlus1 = 0
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
		in.selection.anchorPlus1 = 0
		return false
	}
	in.selection.anchorPlus1 = 0
	return true
}

// deleteSelected deletes the selected text, if any.
func (in *Input) deleteSelected(s tui.Space) {
	r := in.selectedRange()
	text := in.Text()[r.from:r.to]
	in.selection.anchorPlus1 = 0
	if text == "" {
		return
	}
	for len(in.editor.TextBeforeCaret()) < r.to && in.editor.HandleEvent(tui.Key{Code: terminal.KeyRight}, s) {
	}
	in.editor.Complete(text, "")
	in.handleTextChange()
}

// handleMouse moves the caret to a click, and selects the text between the press and the release of
// a drag.
func (in *Input) handleMouse(m tui.Mouse, s tui.Space) bool {
	press := isClick(m)
	switch {
	case press && m.Row != in.caretPos.Row, !press && !in.selection.dragging, !press && m.Press && !isDrag(m):
		return false
	}
	in.selection.dragging = m.Press
	to := in.bytesBeforeColumn(m.Col-in.textCol, s)
	if press {
		in.selection.anchorPlus1 = to + 1
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

// bytesBeforeColumn returns the number of bytes of the text that are shown before column col of the
// visible text.
func (in *Input) bytesBeforeColumn(col int, s tui.Space) (n int) {
	i := 0
	for c := range s.Model.Clusters(in.Text()) {
		if i++; i > in.firstVisible {
			shown, _ := in.shownClusters(c, max(s.Width, 1), s)
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

// clusterSpans returns the clusters as spans. Selected ones are inverse.
func clusterSpans(cells []shownCluster) (spans []tui.Span) {
	var text strings.Builder
	for i, c := range cells {
		text.WriteString(c.text)
		if i+1 < len(cells) && cells[i+1].isMarked == c.isMarked {
			continue
		}
		sp := tui.Span{Text: text.String()}
		if text.Reset(); c.isMarked {
			sp.Style.Attr = tui.Inverse
		}
		spans = append(spans, sp)
	}
	return spans
}
