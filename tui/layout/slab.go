package layout

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// slab holds the spans of all rows of a view, one row behind the other. Views take turns with two
// of them: the rows of a view may change in the next one at the earliest (see [tui.View]), and a
// frame often asks for two. So a layout allocates no spans once it has had its size.
type slab struct {
	spans [2][]tui.Span
	turn  int
}

// next returns the empty spans of the next view.
func (b *slab) next() []tui.Span {
	b.turn = 1 - b.turn
	return b.spans[b.turn][:0]
}

// keep takes the spans of the view back, which may have grown.
func (b *slab) keep(spans []tui.Span) { b.spans[b.turn] = spans }

// rowFrom returns the spans from start on as a row that does not grow into the next one.
func rowFrom(spans []tui.Span, start int) []tui.Span {
	if start == len(spans) {
		return nil
	}
	return spans[start:len(spans):len(spans)]
}

// oneBlank is a blank as often as a wide window has columns.
const oneBlank = "                                                                                                " +
	"                                                                                                " +
	"                                                                "

// blanks appends n blank columns.
func blanks(spans []tui.Span, n int) []tui.Span {
	if n <= 0 {
		return spans
	}
	if n <= len(oneBlank) {
		return append(spans, tui.Span{Text: oneBlank[:n]})
	}
	return append(spans, tui.Span{Text: strings.Repeat(" ", n)})
}
