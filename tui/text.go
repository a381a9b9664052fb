package tui

// Text is a component that shows spans. Call Changed, in a callback, after a change of its fields.
type Text struct {
	Spans  []Span
	Native bool // see [Layout]
	// See [Layout].
	FirstPrefix, NextPrefix []Span
	Gap                     int // blank rows after it

	rows      []Line
	laidSpace Space // the space of rows
	laid      bool  // rows are valid
}

// NewText returns s as prose.
func NewText(s string) *Text { return &Text{Spans: []Span{{Text: s}}} }

// Changed says that fields were changed. Stable rows do not change any more, so that it is for a
// text in a footer or a pane.
func (t *Text) Changed() { t.laid = false }

// View lays the text out. All rows are stable. End is in bytes of the text.
func (t *Text) View(s Space) View {
	if !t.laid || t.laidSpace.Width != s.Width || t.laidSpace.From != s.From || t.laidSpace.Model != s.Model ||
		t.laidSpace.Native != s.Native {
		t.rows, t.laidSpace, t.laid = t.layOut(s), s, true
	}
	return View{Lines: t.rows, Stable: len(t.rows)}
}

// layOut returns the rows of the text from s.From on.
func (t *Text) layOut(s Space) []Line {
	l := Layout{Width: s.Width, Native: t.Native || s.Native, FirstPrefix: t.FirstPrefix, NextPrefix: t.NextPrefix,
		Model: s.Model}
	if s.From > 0 {
		l.FirstPrefix = l.laterPrefix()
	}
	rows := l.Append(nil, s.From, skipBytes(t.Spans, s.From)...)
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

// skipBytes returns spans without their first n bytes.
func skipBytes(spans []Span, n int) []Span {
	for i, s := range spans {
		if n < len(s.Text) {
			if n == 0 {
				return spans[i:]
			}
			remaining := append([]Span(nil), spans[i:]...)
			remaining[0].Text = s.Text[n:]
			return remaining
		}
		n -= len(s.Text)
	}
	return nil
}
