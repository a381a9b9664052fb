package stress

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// drops reports whether f has a character that the terminal draws nothing for. A row that gets or
// loses one is erased, since others draw it, and looks the same before and after in this one.
func (w *world) drops(f renderer.Frame) bool {
	lines := slices.Concat(f.Commit, f.Live)
	if f.Overlay != nil {
		lines = append(lines, f.Overlay.Lines...)
	}
	for _, r := range w.l.waiting { // shown above the live rows
		lines = append(lines, r.line)
	}
	for text, n := range w.profile.Differs.Widths {
		if n < 0 && slices.ContainsFunc(lines, func(l renderer.Line) bool {
			return strings.Contains(textOf(l),
				text)
		}) {
			return true
		}
	}
	return false
}
