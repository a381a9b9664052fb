package tui

// Text is a component that shows spans of text. After a change of its fields call Changed, in a
// callback.
type Text struct {
	Spans                   []Span
	Native                  bool   // see [Layout].Native
	FirstPrefix, NextPrefix []Span // see [Layout]
	Gap                     int    // number of blank rows behind the text

	rows      []Line
	laidSpace Space // the Space for which rows was laid out
	laid      bool  // rows is up to date
}

// NewText returns a Text that shows s as prose.
func NewText(s string) *Text { return &Text{Spans: []Span{{Text: s}}} }

// Changed must be called after a change of the fields. It is for a text in a footer or an overlay:
// in the transcript the rows are final and do not change any more.
func (t *Text) Changed() { t.laid = false }

// View returns the rows of the text. All of them are stable. Their End counts bytes of the text.
func (t *Text) View(s Space) View {
	if !t.laid || t.laidSpace.Width != s.Width || t.laidSpace.From != s.From || t.laidSpace.Model != s.Model ||
		t.laidSpace.Native != s.Native {
		t.rows, t.laidSpace, t.laid = t.layOut(s), s, true
	}
	return View{Lines: t.rows, Stable: len(t.rows)}
}

// layOut returns the rows of the text from byte s.From on.
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

// skipBytes returns spans without the first n bytes of their text.
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
