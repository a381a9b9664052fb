package chart

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// rowWriter puts cells of one column each together: cells of one style are one span. It is used for
// one row after the other.
type rowWriter struct {
	text  []byte
	parts []rowPart
}

// rowPart is a span of a row: the text up to end.
type rowPart struct {
	end   int
	style tui.Style
}

// add adds glyphs in a style.
func (w *rowWriter) add(glyphs string, st tui.Style) {
	w.text = append(w.text, glyphs...)
	w.end(st)
}

// end gives the text that was added a style.
func (w *rowWriter) end(st tui.Style) {
	if n := len(w.parts); n > 0 && w.parts[n-1].style == st {
		w.parts[n-1].end = len(w.text)
		return
	}
	w.parts = append(w.parts, rowPart{len(w.text), st})
}

// addBlank adds a blank. It has no colour of its own, so that it ends no span.
func (w *rowWriter) addBlank() {
	st := tui.Style{}
	if n := len(w.parts); n > 0 && isPlain(w.parts[n-1].style) {
		st = w.parts[n-1].style
	}
	w.add(" ", st)
}

// isPlain reports whether blanks look the same in st.
func isPlain(st tui.Style) bool {
	return st.Attr&(tui.Underline|tui.Inverse|tui.Strike) == 0 && st.Bg == 0
}

// addPadded adds text in exactly cols columns. right: the blanks stand before it.
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

// line returns the row without the blanks at its end, and begins the next one.
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

// manyBlanks are more blanks than most labels need.
const manyBlanks = "                                "

// blanks returns n blanks.
func blanks(n int) string {
	if n <= len(manyBlanks) {
		return manyBlanks[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// isASCII reports whether text is printable ASCII, which takes one column a byte.
func isASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
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
	if len(text) <= limit && isASCII(text) {
		return len(text)
	}
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
