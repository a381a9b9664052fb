package tui

// drawCaret is rows with the cell at p inverted: the caret of a terminal whose own is not wanted (SCROLLKEEP_HARDWARE_CURSOR=0). rows are not
// written to.
func drawCaret(rows []Line, p Pos, s Space) []Line {
	if p.Row < 0 || p.Row >= len(rows) {
		return rows
	}
	out := append([]Line(nil), rows...)
	line := Line{Wrapped: rows[p.Row].Wrapped, End: rows[p.Row].End}
	col, done := 0, false
	for _, sp := range rows[p.Row].Spans {
		w := s.Columns(sp.Text)
		if done || col+w <= p.Col {
			line.Spans, col = append(line.Spans, sp), col+w
			continue
		}
		head := s.Model.Truncate(sp.Text, p.Col-col)
		cell, tail, _ := s.Model.Next(sp.Text[len(head):])
		for _, part := range []struct {
			text  string
			style Style
		}{{head, sp.Style}, {cell, sp.Style.With(Inverse)}, {tail, sp.Style}} {
			if part.text != "" {
				line.Spans = append(line.Spans, Span{Text: part.text, Style: part.style, Link: sp.Link})
			}
		}
		done = true
	}
	if !done {
		for ; col < p.Col; col++ {
			line.Spans = append(line.Spans, Span{Text: " "})
		}
		line.Spans = append(line.Spans, Span{Text: " ", Style: Style{Attr: Inverse}})
	}
	out[p.Row] = line
	return out
}
