package chart

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// rowWriter puts cells of one column each together: cells of one style are one span.
type rowWriter struct {
	spans []tui.Span
	text  strings.Builder
	style tui.Style
}

// add adds glyphs in a style.
func (w *rowWriter) add(glyphs string, st tui.Style) {
	if st != w.style {
		w.flush()
		w.style = st
	}
	w.text.WriteString(glyphs)
}

// addSpans adds spans that are complete.
func (w *rowWriter) addSpans(spans ...tui.Span) {
	w.flush()
	w.spans = append(w.spans, spans...)
}

// flush ends the span that is open.
func (w *rowWriter) flush() {
	if w.text.Len() > 0 {
		w.spans = append(w.spans, tui.Span{Text: w.text.String(), Style: w.style})
		w.text.Reset()
	}
}

// line returns the row without the blanks at its end.
func (w *rowWriter) line() tui.Line {
	w.flush()
	n := len(w.spans)
	for ; n > 0 && w.spans[n-1].Style.Attr&(tui.Underline|tui.Inverse) == 0 && w.spans[n-1].Style.Bg == 0; n-- {
		last := &w.spans[n-1]
		if last.Text = strings.TrimRight(last.Text, " "); last.Text != "" {
			break
		}
	}
	return tui.Line{Spans: w.spans[:n]}
}

// padded returns text in exactly cols columns. right: the blanks stand before it.
func padded(s tui.Space, text string, cols int, right bool, st tui.Style) []tui.Span {
	if cols < 1 {
		return nil
	}
	spans := s.Inside(cols, 1).Cut(tui.Span{Text: text, Style: st}).Spans
	blanks := tui.Span{Text: strings.Repeat(" ", max(cols-spansColumns(s, spans), 0))}
	if right {
		return append([]tui.Span{blanks}, spans...)
	}
	return append(spans, blanks)
}

// spansColumns returns the columns of spans.
func spansColumns(s tui.Space, spans []tui.Span) (n int) {
	for _, sp := range spans {
		n += s.Columns(sp.Text)
	}
	return n
}

// shownColumns returns the columns of text as it is shown, at most limit.
func shownColumns(s tui.Space, text string, limit int) int {
	return spansColumns(s, s.Inside(max(limit, 1), 1).Cut(tui.Span{Text: text}).Spans)
}

// placeRows returns how many rows a chart has in s if it wants at most height; 0: it is text.
func placeRows(s tui.Space, height int) int {
	if s.Height <= 0 || height <= 0 {
		return max(s.Height, 0)
	}
	return min(s.Height, height)
}

// textRows returns rows of text with the numbers, each with its label.
func textRows(s tui.Space, title string, rows []string) (lines []tui.Line) {
	if s.Width < 1 {
		return nil
	}
	if title != "" {
		lines = append(lines, s.Wrap(tui.Span{Text: title, Style: s.Look().Strong})...)
	}
	for _, row := range rows {
		lines = append(lines, s.Wrap(tui.Span{Text: row})...)
	}
	return lines
}

// maxListed is the most values that the text of a series lists one by one.
const maxListed = 24

// numbersText returns the values of a series as text: all of them, or what they are like.
func numbersText(values *Series, format func(float64) string) string {
	n := values.Len()
	switch {
	case n == 0:
		return "no values"
	case n <= maxListed:
		texts := make([]string, 0, n)
		for v := range values.from(0) {
			texts = append(texts, format(v))
		}
		return strings.Join(texts, ", ")
	}
	text := plainNumber(float64(n)) + " values, the last " + format(values.Last())
	if sc, ok := bounds(values.from(0)); ok {
		text += ", lowest " + format(sc.min) + ", highest " + format(sc.max)
	}
	return text
}

// labelled returns a label and a text behind it.
func labelled(label, text string) string {
	if label == "" {
		return text
	}
	return label + ": " + text
}

// orNumber returns format, or plainNumber if it is nil.
func orNumber(format func(float64) string) func(float64) string {
	if format == nil {
		return plainNumber
	}
	return format
}
