package layout

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// spanStore stores the spans of all rows of a view, one row behind the other. Views alternate
// between two stores, because the rows of a view must stay unchanged until the next View (see
// [tui.View]). A layout thus needs no further allocation once the stores are large enough.
type spanStore struct {
	spans [2][]tui.Span
	turn  int
}

// next returns an empty slice for the spans of the next view.
func (b *spanStore) next() []tui.Span {
	b.turn = 1 - b.turn
	return b.spans[b.turn][:0]
}

// keep stores the spans of the view, whose slice may have grown.
func (b *spanStore) keep(spans []tui.Span) { b.spans[b.turn] = spans }

// rowFrom returns spans[start:] as a row. Its capacity is limited, so that an append does not
// overwrite the next row.
func rowFrom(spans []tui.Span, start int) []tui.Span {
	if start == len(spans) {
		return nil
	}
	return spans[start:len(spans):len(spans)]
}

// oneBlank is a string of blanks for the width of a wide window.
const oneBlank = "                                                                                                " +
	"                                                                                                " +
	"                                                                "

// blanks appends n blank columns to spans.
func blanks(spans []tui.Span, n int) []tui.Span {
	if n <= 0 {
		return spans
	}
	if n <= len(oneBlank) {
		return append(spans, tui.Span{Text: oneBlank[:n]})
	}
	return append(spans, tui.Span{Text: strings.Repeat(" ", n)})
}
