package renderer

import (
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// headroom is the length of the opening bracket. The buffer of a frame begins with it, so that a
// frame is one Write without a copy.
const headroom = len(ansi.SyncBegin)

// maxUnbracketed is the largest number of bytes of a frame that is written without brackets. It is
// one short run, in which no row moves and nothing can be seen half done.
const maxUnbracketed = 24

// maxUnseen is that limit where the cursor stays hidden and no row is made or moved: some text and
// a number change, each in its place.
const maxUnseen = 64

// beginFrame starts a frame. Every frame begins and ends with the default pen and no link.
func (e *emitter) beginFrame() {
	e.buf = append(e.buf[:0], ansi.SyncBegin...)
	e.pen, e.link, e.movesRows, e.addsRows, e.togglesCursor = Style{}, "", false, false, false
	e.frameNumber++
}

// placeCursor puts the cursor where it stays until the next frame, and shows or hides it.
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

// flush writes the frame with one Write, between brackets if it needs them. An empty frame is not
// written.
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
