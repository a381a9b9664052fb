package tui

// Text is a component that shows spans. A change of its fields is seen after Changed, in a
// callback.
type Text struct {
	Spans       []Span
	Native      bool   // see [Layout]
	First, Rest []Span // see [Layout]
	Gap         int    // blank rows after it

	rows []Line
	at   Space // for which rows were laid out
	made bool
}

// NewText returns s as prose.
func NewText(s string) *Text { return &Text{Spans: []Span{{Text: s}}} }

// Changed says that fields were changed. Rows that are stable do not change any more, so that this
// is for a text in a footer or a pane.
func (t *Text) Changed() { t.made = false }

// View lays the text out. All rows are stable; End is in bytes of the text.
func (t *Text) View(s Space) View {
	if !t.made || t.at.Width != s.Width || t.at.From != s.From || t.at.Model != s.Model || t.at.Native != s.Native {
		t.rows, t.at, t.made = t.layout(s), s, true
	}
	return View{Lines: t.rows, Stable: len(t.rows)}
}

func (t *Text) layout(s Space) []Line {
	l := Layout{Width: s.Width, Native: t.Native || s.Native, First: t.First, Rest: t.Rest, Model: s.Model}
	if s.From > 0 {
		l.First = l.rest()
	}
	rows := l.Append(nil, s.From, skip(t.Spans, s.From)...)
	total := 0
	for _, sp := range t.Spans {
		total += len(sp.Text)
	}
	for i := range t.Gap { // counted as one byte each behind the text
		if end := total + i + 1; end > s.From {
			rows = append(rows, Line{End: end})
		}
	}
	return rows
}

// skip returns spans without their first n bytes.
func skip(spans []Span, n int) []Span {
	for i, s := range spans {
		if n < len(s.Text) {
			if n == 0 {
				return spans[i:]
			}
			rest := append([]Span(nil), spans[i:]...)
			rest[0].Text = s.Text[n:]
			return rest
		}
		n -= len(s.Text)
	}
	return nil
}
