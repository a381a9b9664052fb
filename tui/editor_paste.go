package tui

import (
	"slices"
	"strconv"
	"strings"
)

// A paste of more lines or bytes than these is collapsed to a chip.
const (
	chipLines = 10
	chipBytes = 1000
	openBytes = 1 << 20 // a chip that stands for more is not opened
	// Limits of Editor.Pastes: their number, and the bytes of all. The newest is always kept.
	maxPastes     = 32
	maxPasteBytes = 32 << 20
)

// insertPaste inserts text as one step, a large one as a chip.
func (e *Editor) insertPaste(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if text == "" {
		return
	}
	e.buf.beginChange(editNone)
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 // as wc counts them
	if lines <= chipLines && len(text) <= chipBytes {
		e.buf.insert(text)
	} else {
		e.Pastes = append(e.Pastes, text)
		e.trimPastes()
		e.buf.replace(e.buf.caret, e.buf.caret, []unit{newChip(text)})
	}
	e.textChanged()
}

// trimPastes drops the oldest pastes above the limits.
func (e *Editor) trimPastes() {
	bytes, first := 0, len(e.Pastes)-1
	for i := first; i >= max(len(e.Pastes)-maxPastes, 0); i-- {
		if bytes += len(e.Pastes[i]); bytes > maxPasteBytes && i < len(e.Pastes)-1 {
			break
		}
		first = i
	}
	e.Pastes = slices.Clone(e.Pastes[first:])
}

// newChip returns the chip of a pasted text.
func newChip(text string) unit {
	size := strconv.Itoa(len(text)) + " bytes"
	if lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; lines > 1 {
		size = strconv.Itoa(lines) + " lines"
	}
	return unit{text: "[pasted " + size + "]", paste: text}
}

// splitWithChips returns s in units, with the pastes in it as chips.
func (e *Editor) splitWithChips(s string) []unit {
	for _, p := range slices.Backward(e.Pastes) {
		if before, after, ok := strings.Cut(s, p); ok && p != "" {
			return slices.Concat(e.splitWithChips(before), []unit{newChip(p)}, e.splitWithChips(after))
		}
	}
	return splitUnits(s)
}

// openChip expands the chip before the caret, or the one after it, unless it is too large.
func (e *Editor) openChip() bool {
	for _, i := range []int{e.buf.caret - 1, e.buf.caret} {
		if i >= 0 && i < len(e.buf.units) && e.buf.units[i].paste != "" && len(e.buf.units[i].paste) <= openBytes {
			e.buf.beginChange(editNone)
			e.buf.replace(i, i+1, splitUnits(e.buf.units[i].paste))
			return true
		}
	}
	return false
}
