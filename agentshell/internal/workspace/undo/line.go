package undo

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Line describes a change for a list. Path is untrusted text.
type Line struct {
	N        int
	Action   string // "edit", "write" or "undo 3"
	Path     string // Path is the path as it is displayed.
	Counts   string // Counts is, for example, "+1 -2", "new file, +3" or "removed".
	Ago      time.Duration
	InEffect bool // InEffect says that the change was not undone.
}

// Lines describes all changes, the newest first.
func (h *History) Lines(now time.Time) []Line {
	inEffect := h.InEffect()
	var list []Line
	for _, c := range slices.Backward(h.Changes()) {
		what := strings.TrimSuffix(strings.Replace(c.Tool, "bash", "command", 1), "_file")
		l := Line{N: c.N, Action: what, Path: c.Path(), Ago: now.Sub(c.Time),
			InEffect: c.Undoes > 0 || slices.Contains(inEffect, c.N)}
		if c.Undoes > 0 {
			l.Action = fmt.Sprintf("undo %d", c.Undoes)
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

// These texts belong to the list of changes.
const (
	NoChanges = "No file was changed in this session yet."
	UndoHint  = "/undo undoes the last one, /undo N another one. Of what commands changed, text files are listed."
)

// String returns the description without the number and the time.
func (l Line) String() string {
	text := fmt.Sprintf("%s %s  %s", l.Action, strings.TrimPrefix(l.Path, "workspace/"), l.Counts)
	if !l.InEffect {
		text += "  (undone)"
	}
	return text
}

// NothingChanged says that no change is known. cut is the title of a command that the end of an
// earlier process has cut off, and that may have changed files; "": there is none.
func NothingChanged(cut string) string {
	if cut == "" {
		return NoChanges
	}
	return "No change of a file is known in this session. But it was cut off during " + cut + ", which may have " +
		"changed files: /undo does not know of that."
}
