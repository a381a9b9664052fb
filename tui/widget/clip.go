package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxLineBytes is the maximum number of bytes of a line that are shown. Nobody can read more, and
// laying out more would delay every frame.
const maxLineBytes = 16 << 10

// unlimitedCols is a width in columns in which every line fits, even if each of its maxLineBytes
// becomes a visible token such as <U+200B>.
const unlimitedCols = 16 * maxLineBytes

// expandTabs returns spans as a single row of unlimited width. Tabs become blanks, and control
// characters become visible tokens.
func expandTabs(s tui.Space, spans []tui.Span) []tui.Span {
	l := tui.Layout{Width: unlimitedCols, Native: true, Model: s.Model}
	rows := l.Append(nil, 0, spans...)
	if len(rows) == 0 {
		return nil
	}
	return rows[0].Spans
}

// clipLine returns spans as one row without the first leftCols columns, cut to the width of s. A
// mark shows a cut at the right.
func clipLine(s tui.Space, spans []tui.Span, leftCols int) tui.Line {
	spans = expandTabs(s, spans)
	if leftCols <= 0 {
		return s.Cut(spans...)
	}
	out := make([]tui.Span, 0, len(spans))
	for _, sp := range spans {
		w := s.Columns(sp.Text)
		if leftCols >= w {
			leftCols -= w
			continue
		}
		if leftCols > 0 {
			part, lead := s.Model.Cut(sp.Text, leftCols, w)
			sp.Text, leftCols = strings.Repeat(" ", lead)+part, 0
		}
		out = append(out, sp)
	}
	return s.Cut(out...)
}

const blankText = "                                                                                "

// appendPadded appends text to dst in exactly cols columns. Longer text is cut, shorter text is
// padded with blanks: on the left if right is true, otherwise on the right.
func appendPadded(dst []tui.Span, s tui.Space, text string, cols int, right bool, st tui.Style) []tui.Span {
	if cols <= 0 {
		return dst
	}
	var storage [1]tui.Span
	spans := append(storage[:0], tui.Span{Text: text, Style: st})
	blankCols := cols - len(text)
	if blankCols < 0 || !isPrintableASCII(text) {
		s.Width, blankCols = cols, cols
		spans = s.Cut(spans...).Spans
		for _, sp := range spans {
			blankCols -= s.Columns(sp.Text)
		}
	}
	if blankCols <= 0 {
		return append(dst, spans...)
	}
	blank := tui.Span{}
	if blankCols <= len(blankText) {
		blank.Text = blankText[:blankCols]
	} else {
		blank.Text = strings.Repeat(" ", blankCols)
	}
	if right {
		return append(append(dst, blank), spans...)
	}
	return append(append(dst, spans...), blank)
}

// textColumns returns the number of columns that text takes on the screen, with control characters
// as visible tokens.
func textColumns(s tui.Space, text string) (n int) {
	if isPrintableASCII(text) {
		return len(text)
	}
	s.Width = unlimitedCols
	for _, sp := range s.Cut(tui.Span{Text: text}).Spans {
		n += s.Columns(sp.Text)
	}
	return n
}

// isPrintableASCII reports whether text is printable ASCII. Such text is safe to show and takes one
// column for each byte.
func isPrintableASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// byteRange is the half-open range [from, to) of byte offsets in a text.
type byteRange struct{ from, to int }

// styleParts returns spans with another style for some parts of their text. parts are offsets in
// the joined text of spans. style returns the new style for a part from its old one.
func styleParts(spans []tui.Span, parts []byteRange, style func(tui.Style) tui.Style) []tui.Span {
	if len(parts) == 0 {
		return spans
	}
	var out []tui.Span
	off := 0
	for _, sp := range spans {
		begin, end := off, off+len(sp.Text)
		for _, p := range parts {
			from, to := max(p.from, off), min(p.to, end)
			if from >= to {
				continue
			}
			if from > off {
				out = append(out, tui.Span{Text: sp.Text[off-begin : from-begin], Link: sp.Link, Style: sp.Style})
			}
			out = append(out, tui.Span{Text: sp.Text[from-begin : to-begin], Link: sp.Link, Style: style(sp.Style)})
			off = to
		}
		if off < end {
			out = append(out, tui.Span{Text: sp.Text[off-begin:], Link: sp.Link, Style: sp.Style})
		}
		off = end
	}
	return out
}
