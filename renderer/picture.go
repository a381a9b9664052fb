package renderer

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Picture is an image that the terminal draws once over a row and the rows below it, which have no
// text. It is drawn when all these rows are final and on the grid. An image that is made of cells
// (kitty's placeholders) needs no Picture: its rows are text.
type Picture struct {
	Rows int // The number of rows that the image covers, including the row that has the Picture.
	// Draw appends the bytes that draw the image. They are sent with a Write of their own after the
	// frame that has made the rows, with the cursor in column 0 of the first row, between DECSC and
	// DECRC. It is called once each time. If there is false, the rows have left the grid and
	// nothing can be drawn; the appended bytes are sent all the same.
	Draw func(dst []byte, there bool) []byte
}

// pictureCell is the text of a cell of an image whose row and column follow from the cell before it
// (kitty graphics, Unicode placeholders).
const pictureCell = "\U0010eeee"

// untilPicture returns how many rows of commit are painted next, and the picture that is drawn over
// the last of them, or nil.
func untilPicture(commit []Line) (n int, p *Picture) {
	for i := range commit[:min(len(commit), maxRows)] {
		if p := commit[i].Picture; p != nil && p.Rows > 0 && p.Draw != nil && i+p.Rows <= len(commit) {
			return i + p.Rows, p
		}
	}
	if len(commit) > maxRows {
		return chunkEnd(commit), nil
	}
	return len(commit), nil
}

// drawPicture draws p over the last final rows, between two frames.
func (r *Renderer) drawPicture(p *Picture) error {
	r.emit.setPen(Style{}, "")
	r.emit.moveToRow(0)
	r.emit.moveToCol(0)
	if err := r.emit.flush(r.config.Out, r.config.Sync); err != nil {
		return err
	}
	r.emit.beginFrame()
	var b []byte
	if r.ledger.seam-p.Rows >= r.ledger.maxTop {
		b = ansi.AppendCUU(append(b, ansi.SaveCursor...), p.Rows)
		b = append(p.Draw(b, true), ansi.RestoreCursor...)
	} else {
		b = p.Draw(b, false)
	}
	if r.config.Out == nil || len(b) == 0 {
		return nil
	}
	if _, err := r.config.Out.Write(b); err != nil {
		return fmt.Errorf("renderer: %w", err)
	}
	return nil
}
