package renderer

import (
	"fmt"
	"io"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// headroom is room for the opening bracket, so that a frame is one Write without a copy.
const headroom = len(ansi.SyncBegin)

// unbracketed is how many bytes a frame may have to go without brackets: one short run, in which
// nothing can be seen half done and no row moves.
const unbracketed = 24

// unseen is how many bytes a frame may have to go without brackets where the cursor stays hidden
// and no row is made or moved: some text and a number that change, each where it stands.
const unseen = 64

// begin starts a frame. Every frame begins and ends with the default pen and no link.
func (e *emitter) begin() {
	e.buf = append(e.buf[:0], ansi.SyncBegin...)
	e.pen, e.link, e.lifts, e.grows, e.turned = Style{}, "", false, false, false
	e.frame++
}

// rest puts the cursor where it stays until the next frame, and shows or hides it.
func (e *emitter) rest(p Pos, show bool) {
	e.setPen(Style{}, "")
	e.to(p.Row)
	e.col(p.Col)
	if show != e.visible {
		if show {
			e.buf = append(e.buf, ansi.CursorShow...)
		} else {
			e.buf = append(e.buf, ansi.CursorHide...)
		}
		e.visible, e.turned = show, true
	}
}

// flush writes the frame with one Write, between brackets if it needs them; an empty one is not
// written.
func (e *emitter) flush(out io.Writer, sync bool) error {
	buf := e.buf
	n := len(buf) - headroom
	switch {
	case n == 0:
		return nil
	case n <= unbracketed && !e.lifts, n <= unseen && !e.lifts && !e.grows && !e.visible && !e.turned:
		buf = buf[headroom:]
	case sync:
		buf = append(buf, ansi.SyncEnd...)
	case e.visible:
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
