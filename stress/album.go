package stress

import (
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// A drawing is a picture that is drawn over rows that became final. So that each terminal shows
// where, one letter is written on each of its rows; terminals that know kitty graphics are given an
// image, too.
type drawing struct {
	image int // counts those that were drawn
	rows  int
	there bool // its rows were on the grid; else nothing is drawn
}

// text is the letter: a pattern of Braille, one column wide everywhere.
func (d drawing) text() string { return string(rune(0x2801 + d.image%0xff)) }

// picture does the op: a row of text, a picture and more rows, final or live.
func (w *world) picture(o program.Op) {
	blocks := []program.Block{program.NewBlock(o.Seed, 0, program.Short, w.cols, w.model),
		{Picture: max(1, bound(o.N, 2*w.rows))}}
	for i := range bound(o.How, 2*w.rows) {
		blocks = append(blocks, program.NewBlock(o.Seed, i+1, program.Plain, w.cols, w.model))
	}
	if o.At%2 == 1 {
		w.blocks = append(w.blocks, blocks...)
		return
	}
	for _, b := range blocks {
		w.commit = append(w.commit, b.Layout(w.cols, w.model)...)
	}
}

// hang gives the pictures of the rows that become final something to draw.
func (w *world) hang() {
	w.drawn = w.drawn[:0]
	for i := range w.commit {
		p := w.commit[i].Picture
		if p == nil || p.Draw != nil {
			continue
		}
		w.commit[i].Picture = &renderer.Picture{Rows: p.Rows, Draw: func(dst []byte, there bool) []byte {
			d := drawing{rows: p.Rows, there: there}
			if there {
				w.images++
				d.image = w.images
				dst = w.draw(dst, d)
			}
			w.drawn = append(w.drawn, d)
			return dst
		}}
	}
}

func (w *world) draw(dst []byte, d drawing) []byte {
	w.saved = true
	if w.graphics {
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

// blank reports whether there are n lines and the first n have no text.
func blank(lines []renderer.Line, n int) bool {
	return len(lines) >= n && !slices.ContainsFunc(lines[:n], func(l renderer.Line) bool { return textOf(l) != "" })
}

// pictures compares what the frame has drawn with what it should have.
func (w *world) pictures() error {
	if len(w.drawn) != len(w.l.due) {
		return fmt.Errorf("%d pictures were drawn, want %d: %+v, %+v", len(w.drawn), len(w.l.due), w.drawn, w.l.due)
	}
	for i, d := range w.drawn {
		if d != w.l.due[i] {
			return fmt.Errorf("picture %d is drawn as %+v, want %+v", i, d, w.l.due[i])
		}
	}
	return nil
}

// hangs judges the image that begins on final row r, which is row at of the tape.
func (w *world) hangs(r *row, at int) error {
	if r.image.image == 0 || !w.graphics {
		return nil
	}
	for _, p := range w.term.Placements() {
		if p.Image != r.image.image {
			continue
		}
		if top := w.term.ScrollbackLen() + p.Row; top != at || p.Col != 0 || p.Rows != r.image.rows {
			return fmt.Errorf("image %d of %d rows is placed on row %d of the tape, column %d, %d rows; want row %d",
				p.Image, r.image.rows, top, p.Col, p.Rows, at)
		}
		return nil
	}
	return fmt.Errorf("image %d is not placed", r.image.image)
}
