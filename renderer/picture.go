package renderer

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Picture is drawn by the terminal over the row that has it and the rows below, where no text stands, once, when all of them have become final
// and stand on the grid. Pictures that are made of cells (kitty's placeholders) need none of this: their rows are text.
type Picture struct {
	Rows int    // that it covers, its own row among them
	Draw []byte // sent with the cursor in column 0 of the first of them
	// Alone: Draw is long, or nobody knows where it leaves the cursor (OSC 1337, sixel). It is a Write of its own then, between DECSC and DECRC,
	// after the frame that made the rows.
	Alone bool
}

// pictureCell is a cell of a picture without a mark of its own (kitty graphics, Unicode placeholders).
const pictureCell = "\U0010eeee"

// upTo is how many rows of commit are painted before something else has to happen, and the picture that ends there.
func upTo(commit []Line) (n int, p *Picture) {
	for i := range commit[:min(len(commit), maxRows)] {
		if p := commit[i].Picture; p != nil && p.Rows > 0 && i+p.Rows <= len(commit) {
			return i + p.Rows, p
		}
	}
	if len(commit) > maxRows {
		return portion(commit), nil
	}
	return len(commit), nil
}

// draw shows p over the last rows that have become final. Rows that have left the grid already have none.
func (r *Renderer) draw(p *Picture) error {
	if p.Rows > -(r.l.thi - r.l.b) {
		return nil
	}
	if !p.Alone {
		at := r.e.cur.Row
		r.e.to(-p.Rows)
		r.e.col(0)
		r.e.setPen(Style{}, "")
		r.e.buf = append(r.e.buf, p.Draw...)
		r.e.to(at)
		return nil
	}
	r.e.setPen(Style{}, "")
	r.e.to(0)
	r.e.col(0)
	if err := r.e.flush(r.c.Out, r.c.Sync); err != nil {
		return err
	}
	r.e.begin()
	b := append([]byte(nil), ansi.SaveCursor...)
	b = ansi.AppendCUU(b, p.Rows)
	b = append(append(b, p.Draw...), ansi.RestoreCursor...)
	if r.c.Out == nil {
		return nil
	}
	_, err := r.c.Out.Write(b)
	return err
}
