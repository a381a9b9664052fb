package harness

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// drawing describes one picture that the renderer draws over rows that become final. The drawing
// function prints a letter on each of its rows, which shows the picture's place in every terminal.
// Terminals with kitty graphics get an image, too.
type drawing struct {
	image int // number of the picture, counted from 1; 0: it was not drawn
	rows  int
	there bool // the rows were on the grid; otherwise nothing is drawn
}

// pictures holds the state of all pictures of a test program.
type pictures struct {
	drawn    []drawing // pictures that the current frame has drawn
	images   int       // number of pictures that were drawn so far
	graphics bool      // the terminal supports kitty's graphics protocol
}

// text returns the letter that marks the picture's rows. It is a Braille pattern, which is one
// column wide in every terminal.
func (d drawing) text() string { return string(rune(0x2801 + d.image%0xff)) }

// addPicture adds a row of text, a picture and more rows to the content, as live blocks or as final
// rows.
func (h *harness) addPicture(o program.Op) {
	blocks := []program.Block{h.newBlock(o.Seed, 0, program.Short),
		{Picture: max(1, clamp(o.N, 2*h.window.rows))}}
	for i := range clamp(o.How, 2*h.window.rows) {
		blocks = append(blocks, h.newBlock(o.Seed, i+1, program.Plain))
	}
	if o.At%2 == 1 {
		h.next.blocks = append(h.next.blocks, blocks...)
		return
	}
	for _, b := range blocks {
		h.next.commit = append(h.next.commit, b.Layout(h.window.cols, h.model)...)
	}
}

// hangPictures sets the drawing functions of the pictures among the rows that become final with the
// next frame. The functions record what the renderer lets them draw.
func (h *harness) hangPictures() {
	h.pictures.drawn = h.pictures.drawn[:0]
	for i := range h.next.commit {
		p := h.next.commit[i].Picture
		if p == nil || p.Draw != nil {
			continue
		}
		h.next.commit[i].Picture = &renderer.Picture{Rows: p.Rows, Draw: func(dst []byte, there bool) []byte {
			d := drawing{rows: p.Rows, there: there}
			if there {
				h.pictures.images++
				d.image = h.pictures.images
				dst = h.drawPicture(dst, d)
			}
			h.pictures.drawn = append(h.pictures.drawn, d)
			return dst
		}}
	}
}

// drawPicture appends the bytes that draw d at the cursor.
func (h *harness) drawPicture(dst []byte, d drawing) []byte {
	h.residue.savedCursor = true
	if h.pictures.graphics {
		dst = fmt.Appendf(dst, "\x1b_Ga=T,f=24,s=1,v=1,C=1,q=2,i=%d,c=1,r=%d;AAAA\x1b\\", d.image, d.rows)
	}
	for i := range d.rows {
		if i > 0 {
			dst = append(dst, "\r\n"...)
		}
		dst = append(dst, d.text()...)
	}
	return append(dst, '\r')
}

// areBlank reports whether lines has at least n elements, and the first n of them have no text.
func areBlank(lines []renderer.Line, n int) bool {
	return len(lines) >= n && !slices.ContainsFunc(lines[:n], func(l renderer.Line) bool { return textOf(l) != "" })
}

// checkDrawn compares the pictures that the last frame has drawn with those that the ledger
// expects.
func (h *harness) checkDrawn() error {
	if len(h.pictures.drawn) != len(h.ledger.due) {
		return fmt.Errorf("%d pictures were drawn, want %d: %+v, %+v", len(h.pictures.drawn), len(h.ledger.due),
			h.pictures.drawn, h.ledger.due)
	}
	for i, d := range h.pictures.drawn {
		if d != h.ledger.due[i] {
			return fmt.Errorf("picture %d is drawn as %+v, want %+v", i, d, h.ledger.due[i])
		}
	}
	return nil
}

// checkPlacement checks the place and height of the image that begins on final row r. at is that
// row's index on the tape (history plus grid). Without such an image it returns nil.
func (h *harness) checkPlacement(r *row, at int) error {
	if r.drawing.image == 0 || !h.pictures.graphics {
		return nil
	}
	for _, p := range h.term.Placements() {
		if p.Image != r.drawing.image {
			continue
		}
		if top := h.term.ScrollbackLen() + p.Row; top != at || p.Col != 0 || p.Rows != r.drawing.rows {
			return fmt.Errorf("image %d of %d rows is placed on row %d of the tape, column %d, %d rows; want row %d",
				p.Image, r.drawing.rows, top, p.Col, p.Rows, at)
		}
		return nil
	}
	return fmt.Errorf("image %d is not placed", r.drawing.image)
}
