package widget

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxLineBytes is the most bytes of a line that are shown: more cannot be read, and laying them out
// would take a part of each frame.
const maxLineBytes = 16 << 10

// unlimitedCols is more columns than the longest line takes, even if each of its bytes becomes a
// token.
const unlimitedCols = 16 * maxLineBytes

// expandTabs returns spans as one row of any width: tabs become blanks up to their stops, and
// controls become tokens.
func expandTabs(s tui.Space, spans []tui.Span) []tui.Span {
	l := tui.Layout{Width: unlimitedCols, Native: true, Model: s.Model}
	rows := l.Append(nil, 0, spans...)
	if len(rows) == 0 {
		return nil
	}
	return rows[0].Spans
}

// clipLine returns one row of spans without its first leftCols columns. A cut at the right is
// marked.
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

const blanks = "                                                                                "

// appendPadded appends text to dst in exactly cols columns, cut if it is longer. right puts the
// blanks before it.
func appendPadded(dst []tui.Span, s tui.Space, text string, cols int, right bool, st tui.Style) []tui.Span {
	if cols <= 0 {
		return dst
	}
	var storage [1]tui.Span
	spans := append(storage[:0], tui.Span{Text: text, Style: st})
	blankCols := cols - len(text)
	if blankCols < 0 || !ascii(text) {
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
	if blankCols <= len(blanks) {
		blank.Text = blanks[:blankCols]
	} else {
		blank.Text = strings.Repeat(" ", blankCols)
	}
	if right {
		return append(append(dst, blank), spans...)
	}
	return append(append(dst, spans...), blank)
}

// columns returns how many columns text takes as it is shown.
func columns(s tui.Space, text string) (n int) {
	if ascii(text) {
		return len(text)
	}
	s.Width = unlimitedCols
	for _, sp := range s.Cut(tui.Span{Text: text}).Spans {
		n += s.Columns(sp.Text)
	}
	return n
}

// ascii reports whether text is printable ASCII, which is harmless and takes one column a byte.
func ascii(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// byteRange is the bytes [from, to) of a text.
type byteRange struct{ from, to int }

// styleParts returns spans with the parts of their text in another style.
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
