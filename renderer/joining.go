package renderer

import (
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// putWrapped prints c, which is the first cluster of a row to which the terminal's own wrap leads. There kitty (0.42 to 0.48) goes by what stands before the edge when
// it looks for the end of c: a flag became two characters, of which what follows wrote over the second. A move to where the cursor is makes it look at the cell
// itself. Not in careful frames, since nobody knows the column there.
func (e *emitter) putWrapped(c *cell) {
	_, n := utf8.DecodeRuneInString(c.text)
	if e.model.Method == width.Leading && n < len(c.text) && !e.careful {
		e.buf = ansi.AppendCHA(append(e.buf, c.text[:n]...), e.model.Cluster(c.text[:n]))
		e.buf = append(e.buf, c.text[n:]...)
		return
	}
	e.buf = append(e.buf, c.text...)
}
