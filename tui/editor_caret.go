package tui

// drawnCaret draws the caret as a cell, where the terminal's own is not wanted: with
// SCROLLKEEP_HARDWARE_CURSOR=0, and while the terminal's cursor rests elsewhere. It keeps the
// storage of its rows.
type drawnCaret struct {
	rows  []Line
	spans []Span
}

// drawAt returns a copy of rows with the cell at p inverted, valid until the next call.
func (d *drawnCaret) drawAt(rows []Line, p Pos, s Space) []Line {
	if p.Row < 0 || p.Row >= len(rows) {
		return rows
	}
	d.rows = append(d.rows[:0], rows...)
	at := rows[p.Row]
	d.spans = d.spans[:0]
	col, drawn := 0, false
	for _, sp := range at.Spans {
		w := s.Columns(sp.Text)
		if drawn || col+w <= p.Col {
			d.spans, col = append(d.spans, sp), col+w
			continue
		}
		head := s.Model.Truncate(sp.Text, p.Col-col)
		cell, tail, _ := s.Model.Next(sp.Text[len(head):])
		d.add(head, sp, sp.Style)
		d.add(cell, sp, sp.Style.With(Inverse))
		d.add(tail, sp, sp.Style)
		drawn = true
	}
	if !drawn {
		for ; col < p.Col; col++ {
			d.spans = append(d.spans, Span{Text: " "})
		}
		d.spans = append(d.spans, Span{Text: " ", Style: Style{Attr: Inverse}})
	}
	at.Spans = d.spans
	d.rows[p.Row] = at
	return d.rows
}

// add appends text with the link of sp in a style, if there is text.
func (d *drawnCaret) add(text string, sp Span, style Style) {
	if text != "" {
		d.spans = append(d.spans, Span{Text: text, Style: style, Link: sp.Link})
	}
}
