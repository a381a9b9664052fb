package widget

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// KeyHint is a key and its effect.
type KeyHint struct {
	Key  string // as a person calls it: "Enter", "Ctrl+C"
	Help string // what it does, in a word or two
}

// KeyHelp is a row of keys and what they do. A full row continues in the next one, up to Rows. A
// hint is never split, and hints that do not fit are left out after a mark. A hint without a Key is
// left out. The fields are for the loop.
type KeyHelp struct {
	Keys []KeyHint // the most important ones first
	Rows int       // the most rows; 0: one; below 0: as many as the hints need
}

// View returns as many rows as the hints need.
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
			w += columns(s, sp.Text)
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
