package tui

// drawnCaret draws the caret as an inverse character instead of using the terminal's cursor: if
// SCROLLKEEP_HARDWARE_CURSOR=0 is set, and while the cursor must stay elsewhere. It reuses the
// storage of its rows.
type drawnCaret struct {
	rows  []Line
	spans []Span
}

// drawAt returns a copy of rows in which the character at p is inverse. The copy is valid until the
// next call.
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
		d.appendSpan(head, sp, sp.Style)
		d.appendSpan(cell, sp, sp.Style.With(Inverse))
		d.appendSpan(tail, sp, sp.Style)
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

// appendSpan appends text in the given style with the link of sp. It does nothing for "".
func (d *drawnCaret) appendSpan(text string, sp Span, style Style) {
	if text != "" {
		d.spans = append(d.spans, Span{Text: text, Style: style, Link: sp.Link})
	}
}
