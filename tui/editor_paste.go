package tui

import (
	"slices"
	"strconv"
	"strings"
)

// Limits for pasted text. A paste of more than maxInlineLines lines or maxInlineBytes bytes is
// collapsed to a chip.
const (
	maxInlineLines   = 10
	maxInlineBytes   = 1000
	maxOpenChipBytes = 1 << 20 // the user can expand chips of at most this size
	// Limits of Editor.Pastes: the number of texts, and their total size. The newest is always
	// kept.
	maxPastes     = 32
	maxPasteBytes = 32 << 20
)

// insertPaste inserts pasted text as a single undo step, a large one as a chip.
func (e *Editor) insertPaste(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if text == "" {
		return
	}
	e.buf.beginChange(editNone)
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 // as wc counts them
	if lines <= maxInlineLines && len(text) <= maxInlineBytes {
		e.buf.insert(text)
	} else {
		e.Pastes = append(e.Pastes, text)
		e.trimPastes()
		e.buf.replace(e.buf.caret, e.buf.caret, []textUnit{newChip(text)})
	}
	e.handleTextChange()
}

// trimPastes drops the oldest elements of Pastes until the limits are met.
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

// newChip returns a chip for a pasted text. Its label says how large the text is.
func newChip(text string) textUnit {
	size := strconv.Itoa(len(text)) + " bytes"
	if lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; lines > 1 {
		size = strconv.Itoa(lines) + " lines"
	}
	return textUnit{text: "[pasted " + size + "]", paste: text}
}

// splitWithChips splits s into units. Texts of Pastes that occur in it become chips.
func (e *Editor) splitWithChips(s string) []textUnit {
	for _, p := range slices.Backward(e.Pastes) {
		if before, after, ok := strings.Cut(s, p); ok && p != "" {
			return slices.Concat(e.splitWithChips(before), []textUnit{newChip(p)}, e.splitWithChips(after))
		}
	}
	return splitUnits(s)
}

// openChip expands the chip before or after the caret. It returns false if there is none, or if it
// is too large.
func (e *Editor) openChip() bool {
	for _, i := range []int{e.buf.caret - 1, e.buf.caret} {
		if i < 0 || i >= len(e.buf.units) {
			continue
		}
		if n := len(e.buf.units[i].paste); n > 0 && n <= maxOpenChipBytes {
			e.buf.beginChange(editNone)
			e.buf.replace(i, i+1, splitUnits(e.buf.units[i].paste))
			return true
		}
	}
	return false
}
