package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// selection is the selected part of an editor's text. It extends from the anchor to the caret.
type selection struct {
	anchor int // index of a unit, plus 1; 0: nothing is selected
}

// selectedUnits returns the range [from, to) of the selected units. It is empty if nothing is
// selected.
func (e *Editor) selectedUnits() (from, to int) {
	if e.selection.anchor == 0 {
		return 0, 0
	}
	anchor := min(e.selection.anchor-1, len(e.buf.units))
	return min(anchor, e.buf.caret), max(anchor, e.buf.caret)
}

// Selected returns the selected text, with chips expanded. It returns "" if nothing is selected.
func (e *Editor) Selected() string {
	from, to := e.selectedUnits()
	return joinText(e.buf.units[from:to])
}

// moveKey reports in marks whether k extends the selection. The result move is the key without
// Shift that moves the caret alone.
func moveKey(k Key) (move Key, marks bool) {
	mods := k.Mods &^ terminal.Shift
	if k.Mods&terminal.Shift == 0 {
		return Key{}, false
	}
	switch k.Code {
	case terminal.KeyLeft, terminal.KeyRight:
		marks = mods == 0 || mods == terminal.Ctrl || mods == terminal.Alt
	case terminal.KeyHome, terminal.KeyEnd:
		marks = mods == 0 || mods == terminal.Ctrl
	case terminal.KeyUp, terminal.KeyDown:
		marks = mods == 0
	}
	return Key{Code: k.Code, Mods: mods}, marks
}

// handleSelection handles the keys that select text or act on selected text. It returns false for
// all other keys.
func (e *Editor) handleSelection(k Key, s Space) bool {
	if move, ok := moveKey(k); ok && len(e.buf.units) > 0 && !e.vim.normal {
		if e.selection.anchor == 0 {
			e.selection.anchor = e.buf.caret + 1
		}
		e.moveMarking(move, s)
		return true
	}
	from, to := e.selectedUnits()
	if from == to {
		e.selection.anchor = 0
		return false
	}
	switch {
	case k.Mods == terminal.Ctrl && (k.Code == 'c' || k.Code == 'x') && e.Copy != nil:
		if e.Copy(e.Selected()) == nil && k.Code == 'x' {
			e.eraseSelected()
		}
		return true
	case k.Mods == 0 && (k.Code == terminal.KeyBackspace || k.Code == terminal.KeyDelete):
		e.eraseSelected()
		return true
	case k.Text() != "":
		e.eraseSelected()
		return false
	}
	e.selection.anchor = 0
	return k.Code == terminal.KeyEscape && k.Mods == 0
}

// moveMarking moves the caret to extend the selection. In the first and the last row it goes to the
// start or end of the text instead of through the history.
func (e *Editor) moveMarking(move Key, s Space) {
	if move.Code == terminal.KeyUp || move.Code == terminal.KeyDown {
		rows := e.wrapText(s)
		switch r, _ := e.caretRowCol(rows, s); {
		case move.Code == terminal.KeyUp && r == 0:
			e.moveTo(0)
			return
		case move.Code == terminal.KeyDown && r == len(rows)-1:
			e.moveTo(len(e.buf.units))
			return
		}
	}
	e.handleKey(move, s)
}

// eraseSelected deletes the selected text. The user can undo that.
func (e *Editor) eraseSelected() {
	from, to := e.selectedUnits()
	e.selection.anchor = 0
	e.afterEdit(e.buf.erase(from, to))
}
