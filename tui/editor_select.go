package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// selection is the part of an editor's text that Shift and an arrow have marked: from the anchor to
// the caret.
type selection struct {
	anchor int // unit, plus 1; 0: nothing is marked
}

// selectedUnits returns the units [from, to) that are marked, an empty range if none are.
func (e *Editor) selectedUnits() (from, to int) {
	if e.marked.anchor == 0 {
		return 0, 0
	}
	anchor := min(e.marked.anchor-1, len(e.buf.units))
	return min(anchor, e.buf.caret), max(anchor, e.buf.caret)
}

// Selected returns the marked text, with chips expanded.
func (e *Editor) Selected() string {
	from, to := e.selectedUnits()
	return joinText(e.buf.units[from:to])
}

// moveKey returns the key without Shift that moves the caret as k does, if k marks text.
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

// handleSelection takes the keys that mark text, and those for marked text.
func (e *Editor) handleSelection(k Key, s Space) bool {
	if move, ok := moveKey(k); ok && len(e.buf.units) > 0 && !e.vim.normal {
		if e.marked.anchor == 0 {
			e.marked.anchor = e.buf.caret + 1
		}
		e.moveMarking(move, s)
		return true
	}
	from, to := e.selectedUnits()
	if from == to {
		e.marked.anchor = 0
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
	e.marked.anchor = 0
	return k.Code == terminal.KeyEscape && k.Mods == 0
}

// moveMarking moves the caret. In the first and the last row it goes to the end of the text, not
// through the history.
func (e *Editor) moveMarking(move Key, s Space) {
	if move.Code == terminal.KeyUp || move.Code == terminal.KeyDown {
		rows := e.wrapText(s)
		switch r, _ := e.caretCell(rows, s); {
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

// eraseSelected takes the marked text out. Undo brings it back.
func (e *Editor) eraseSelected() {
	from, to := e.selectedUnits()
	e.marked.anchor = 0
	e.afterEdit(e.buf.erase(from, to))
}
