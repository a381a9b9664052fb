package renderer

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Picture is drawn by the terminal over the row that has it and the rows below, where no text
// stands, once, when all of them have become final and stand on the grid. Pictures that are made of
// cells (kitty's placeholders) need none of this: their rows are text.
type Picture struct {
	Rows int // that it covers, its own row among them
	// Draw appends what draws it, which is sent with the cursor in column 0 of the first of them,
	// between DECSC and DECRC, as a Write of its own after the frame that made the rows. It is
	// called once for each drawing. there is false if the rows have left the grid: nothing can be
	// drawn then, and what Draw appends is sent all the same.
	Draw func(dst []byte, there bool) []byte
}

// pictureCell is a cell of a picture without a mark of its own (kitty graphics, Unicode
// placeholders).
const pictureCell = "\U0010eeee"

// upTo returns the number of rows of commit that are painted before something else has to happen,
// and the picture that ends there.
func upTo(commit []Line) (n int, p *Picture) {
	for i := range commit[:min(len(commit), maxRows)] {
		if p := commit[i].Picture; p != nil && p.Rows > 0 && p.Draw != nil && i+p.Rows <= len(commit) {
			return i + p.Rows, p
		}
	}
	if len(commit) > maxRows {
		return portion(commit), nil
	}
	return len(commit), nil
}

// draw shows p over the last rows that have become final, between two frames.
func (r *Renderer) draw(p *Picture) error {
	r.e.setPen(Style{}, "")
	r.e.to(0)
	r.e.col(0)
	if err := r.e.flush(r.c.Out, r.c.Sync); err != nil {
		return err
	}
	r.e.begin()
	var b []byte
	if r.l.b-p.Rows >= r.l.thi {
		b = ansi.AppendCUU(append(b, ansi.SaveCursor...), p.Rows)
		b = append(p.Draw(b, true), ansi.RestoreCursor...)
	} else {
		b = p.Draw(b, false)
	}
	if r.c.Out == nil || len(b) == 0 {
		return nil
	}
	if _, err := r.c.Out.Write(b); err != nil {
		return fmt.Errorf("renderer: %w", err)
	}
	return nil
}
