package widget

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// KeyHint describes one key and its effect.
type KeyHint struct {
	Key  string // the name that users know: "Enter", "Ctrl+C"
	Help string // the effect of the key, in one or two words
}

// KeyHelp shows the available keys and their effects, in at most Rows rows. It never splits a hint.
// Hints that do not fit are left out, and a mark shows that. It ignores hints without a Key. Access
// the fields only on the App's loop.
type KeyHelp struct {
	Keys []KeyHint // the most important ones first
	Rows int       // the maximum number of rows; 0: one; negative: as many as needed
}

// View returns the rows of the hints.
func (h *KeyHelp) View(s tui.Space) tui.View {
	th := s.Look()
	maxRows := max(h.Rows, 1)
	if h.Rows < 0 {
		maxRows = max(len(h.Keys), 1)
	}
	if s.Height > 0 {
		maxRows = min(maxRows, s.Height)
	}
	const between = "  "
	var (
		v    tui.View
		row  []tui.Span
		cols int
	)
	end := func() {
		v.Lines, row, cols = append(v.Lines, s.Cut(row...)), nil, 0
	}
	for i, k := range h.Keys {
		if k.Key == "" {
			continue
		}
		hint := []tui.Span{{Text: k.Key, Style: th.Strong}, {Text: " " + k.Help, Style: th.Dim}}
		if k.Help == "" {
			hint = hint[:1]
		}
		w := 0
		for _, sp := range hint {
			w += textColumns(s, sp.Text)
		}
		freeCols := s.Width
		if len(v.Lines) == maxRows-1 && i < len(h.Keys)-1 {
			freeCols -= len(between) + s.Columns(th.Glyphs.More) // for the mark, if there will be one
		}
		switch {
		case len(row) == 0:
		case cols+len(between)+w <= freeCols:
			row, cols = append(row, tui.Span{Text: between}), cols+len(between)
		case len(v.Lines) == maxRows-1:
			row = append(row, tui.Span{Text: between + th.Glyphs.More, Style: th.Dim})
			end()
			return v
		default:
			end()
		}
		row, cols = append(row, hint...), cols+w
	}
	if len(row) > 0 {
		end()
	}
	return v
}
