package renderer

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Picture is drawn by the terminal, once, over the row that has it and the rows below it, which
// have no text. That happens when all of them have become final and stand on the grid. A picture
// that is made of cells (kitty's placeholders) needs none of this: its rows are text.
type Picture struct {
	Rows int // rows that it covers, its own row among them
	// Draw appends the bytes that draw it. They are sent as a Write of their own after the frame
	// that made the rows, with the cursor in column 0 of the first row, between DECSC and DECRC. It
	// is called once for each drawing. there is false if the rows have left the grid: nothing can
	// be drawn then, and the appended bytes are sent all the same.
	Draw func(dst []byte, there bool) []byte
}

// pictureCell is a cell of a picture without a combining mark of its own (kitty graphics, Unicode
// placeholders).
const pictureCell = "\U0010eeee"

// untilPicture returns the number of rows of commit that are painted in one go, and the picture
// that is drawn over the last of them, nil if none is.
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

// drawPicture draws p over the last rows that have become final, between two frames.
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
