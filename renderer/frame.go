package renderer

import (
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// headroom is the length in bytes of the DEC 2026 sequence that begins a synchronized update. The
// buffer of a frame begins with it, so that a frame is one Write without a copy.
const headroom = len(ansi.SyncBegin)

// maxUnbracketed is the most bytes that a frame may have to be written without a synchronized
// update. So short a frame is one run of text. If it moves no row, no half of it can be seen.
const maxUnbracketed = 24

// maxUnseen replaces maxUnbracketed for a frame during which the cursor stays hidden and no row is
// created or moved: some text and a number change, each in its place.
const maxUnseen = 64

// beginFrame starts an empty frame. Every frame begins and ends with the default style and without
// a link.
func (e *emitter) beginFrame() {
	e.buf = append(e.buf[:0], ansi.SyncBegin...)
	e.pen, e.link, e.movesRows, e.addsRows, e.togglesCursor = Style{}, "", false, false, false
	e.frameNumber++
}

// placeCursor ends the output of a frame: it moves the cursor to p, and shows or hides it.
func (e *emitter) placeCursor(p Pos, show bool) {
	e.setPen(Style{}, "")
	e.moveToRow(p.Row)
	e.moveToCol(p.Col)
	if show != e.caretVisible {
		if show {
			e.buf = append(e.buf, ansi.CursorShow...)
		} else {
			e.buf = append(e.buf, ansi.CursorHide...)
		}
		e.caretVisible, e.togglesCursor = show, true
	}
}

// flush writes the frame to out with one Write. If sync is set and the frame is long enough to be
// seen half done, it is a synchronized update (DEC 2026). An empty frame is not written.
func (e *emitter) flush(out io.Writer, sync bool) error {
	buf := e.buf
	n := len(buf) - headroom
	switch {
	case n == 0:
		return nil
	case n <= maxUnbracketed && !e.movesRows,
		n <= maxUnseen && !e.movesRows && !e.addsRows && !e.caretVisible && !e.togglesCursor:
		buf = buf[headroom:]
	case sync:
		buf = append(buf, ansi.SyncEnd...)
	case e.caretVisible:
		buf = buf[headroom-len(ansi.CursorHide):]
		copy(buf, ansi.CursorHide)
		buf = append(buf, ansi.CursorShow...)
	default:
		buf = buf[headroom:]
	}
	e.buf = e.buf[:0]
	if out == nil {
		return nil
	}
	if _, err := out.Write(buf); err != nil {
		return fmt.Errorf("renderer: %w", err)
	}
	return nil
}
