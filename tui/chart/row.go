package chart

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// rowWriter builds rows from cells of one column each, and joins cells of the same style into
// spans. It can be reused for the next row.
type rowWriter struct {
	text  []byte
	parts []rowPart
}

// rowPart is a span of the row. Its text ends at the offset end, and begins where the previous one
// ends.
type rowPart struct {
	end   int
	style tui.Style
}

// add appends characters in the given style.
func (w *rowWriter) add(glyphs string, st tui.Style) {
	w.text = append(w.text, glyphs...)
	w.applyStyle(st)
}

// applyStyle sets the style of the text appended since the last call.
func (w *rowWriter) applyStyle(st tui.Style) {
	if n := len(w.parts); n > 0 && w.parts[n-1].style == st {
		w.parts[n-1].end = len(w.text)
		return
	}
	w.parts = append(w.parts, rowPart{len(w.text), st})
}

// addBlank appends a blank. If possible it takes the style of the previous cell, so that the span
// continues.
func (w *rowWriter) addBlank() {
	st := tui.Style{}
	if n := len(w.parts); n > 0 && isPlain(w.parts[n-1].style) {
		st = w.parts[n-1].style
	}
	w.add(" ", st)
}

// isPlain reports whether a blank in the style st looks like an unstyled one.
func isPlain(st tui.Style) bool {
	return st.Attr&(tui.Underline|tui.Inverse|tui.Strike) == 0 && st.Bg == 0
}

// addPadded appends text in exactly cols columns. Longer text is cut. Shorter text is padded with
// blanks: on the left if right is true, otherwise on the right.
func (w *rowWriter) addPadded(s tui.Space, text string, cols int, right bool, st tui.Style) {
	if cols < 1 {
		return
	}
	storage := [1]tui.Span{{Text: text, Style: st}}
	spans, n := storage[:], len(text)
	if n > cols || !isASCII(text) {
		spans = s.Inside(cols, 1).Cut(spans...).Spans
		n = spansColumns(s, spans)
	}
	if right && n < cols {
		w.add(blanks(cols-n), tui.Style{})
	}
	for _, sp := range spans {
		w.add(sp.Text, sp.Style)
	}
	if !right && n < cols {
		w.add(blanks(cols-n), tui.Style{})
	}
}

// line returns the row without trailing blanks, and resets the writer for the next row.
func (w *rowWriter) line() tui.Line {
	n := len(w.parts)
	for ; n > 0 && isPlain(w.parts[n-1].style); n-- {
		from, last := 0, &w.parts[n-1]
		if n > 1 {
			from = w.parts[n-2].end
		}
		for last.end > from && w.text[last.end-1] == ' ' {
			last.end--
		}
		if last.end > from {
			break
		}
	}
	l := tui.Line{}
	if n > 0 {
		text, from := string(w.text[:w.parts[n-1].end]), 0
		l.Spans = make([]tui.Span, n)
		for i, p := range w.parts[:n] {
			l.Spans[i] = tui.Span{Text: text[from:p.end], Style: p.style}
			from = p.end
		}
	}
	w.text, w.parts = w.text[:0], w.parts[:0]
	return l
}

// manyBlanks is long enough for most labels.
const manyBlanks = "                                "

// blanks returns n blanks.
func blanks(n int) string {
	if n <= len(manyBlanks) {
		return manyBlanks[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// isASCII reports whether text is printable ASCII. Such text takes one column for each byte.
func isASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// spansColumns returns the width of spans in columns.
func spansColumns(s tui.Space, spans []tui.Span) (n int) {
	for _, sp := range spans {
		n += s.Columns(sp.Text)
	}
	return n
}

// shownColumns returns the width in columns of text as it is shown, at most limit.
func shownColumns(s tui.Space, text string, limit int) int {
	if len(text) <= limit && isASCII(text) {
		return len(text)
	}
	return spansColumns(s, s.Inside(max(limit, 1), 1).Cut(tui.Span{Text: text}).Spans)
}

// chartRows returns the number of rows for a chart in s that wants at most height rows. A result of
// 0 means that the chart is shown as text.
func chartRows(s tui.Space, height int) int {
	if s.Height <= 0 || height <= 0 {
		return max(s.Height, 0)
	}
	return min(s.Height, height)
}

// textRows returns a title and lines of text as rows.
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

// maxListed is the maximum number of values that the text of a series lists one by one.
const maxListed = 24

// numbersText returns the values of a series as text. For long series it returns a summary instead:
// number, last, lowest and highest value.
func numbersText(values *Series, format func(float64) string) string {
	n := values.Len()
	switch {
	case n == 0:
		return "no values"
	case n <= maxListed:
		texts := make([]string, 0, n)
		for v := range values.valuesFrom(0) {
			texts = append(texts, format(v))
		}
		return strings.Join(texts, ", ")
	}
	text := plainNumber(float64(n)) + " values, the last " + format(values.Last())
	if sc, ok := bounds(values.valuesFrom(0)); ok {
		text += ", lowest " + format(sc.min) + ", highest " + format(sc.max)
	}
	return text
}

// withLabel returns "label: text", or text if label is "".
func withLabel(label, text string) string {
	if label == "" {
		return text
	}
	return label + ": " + text
}

// orPlainNumber returns format, or plainNumber if format is nil.
func orPlainNumber(format func(float64) string) func(float64) string {
	if format == nil {
		return plainNumber
	}
	return format
}
