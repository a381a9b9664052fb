package undo

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Line is a change in words, for a list. Path is untrusted text.
type Line struct {
	N        int
	What     string // "edit", "write" or "undo 3"
	Path     string // as it is shown
	Counts   string // "+1 -2", "new file, +3", "removed"
	Ago      time.Duration
	Standing bool // it is in the file now
}

// Lines returns all changes, the last first.
func (h *History) Lines(now time.Time) []Line {
	standing := h.Standing()
	var list []Line
	for _, c := range slices.Backward(h.Changes()) {
		what := strings.TrimSuffix(strings.Replace(c.Tool, "bash", "command", 1), "_file")
		l := Line{N: c.N, What: what, Path: c.Path(), Ago: now.Sub(c.Time),
			Standing: c.Undoes > 0 || slices.Contains(standing, c.N)}
		if c.Undoes > 0 {
			l.What = fmt.Sprintf("undo %d", c.Undoes)
		}
		switch {
		case !c.After.Exists:
			l.Counts = "removed"
		case !c.Before.Exists:
			l.Counts = fmt.Sprintf("new file, +%d", c.Added)
		default:
			l.Counts = fmt.Sprintf("+%d -%d", c.Added, c.Removed)
		}
		list = append(list, l)
	}
	return list
}

// Texts for the list of changes, wherever it is shown.
const (
	None = "No file was changed in this session yet."
	Hint = "/undo undoes the last one, /undo N another one. Of what commands changed, text files are listed."
)

// String returns the line without its number and its time.
func (l Line) String() string {
	text := fmt.Sprintf("%s %s  %s", l.What, strings.TrimPrefix(l.Path, "workspace/"), l.Counts)
	if !l.Standing {
		text += "  (undone)"
	}
	return text
}
