// Package image is pictures on a terminal as values: their box of cells, their bytes on the wire,
// and which of them stay.
//
// Nothing here decodes a file, holds a terminal or knows the time. A [Source] gives pixels (package
// decode reads files), [Fit] gives the cells that they cover, the Append functions give the bytes
// of three protocols: kitty graphics, OSC 1337 (iTerm2) and sixel. With kitty graphics a picture is
// sent once and shown many times, by [Placeholder] cells that are ordinary text where the terminal
// knows them, else by a placement at the cursor. [IDs] names pictures and [Budget] says which of
// them the terminal has to keep.
package image

import stdimage "image"

// Source is a picture that can be made to fit. Its methods may be used from any goroutine.
type Source interface {
	// Size returns the size in pixels, without decoding.
	Size() (w, h int)
	// Sum returns a hash of the content.
	Sum() [16]byte
	// Pixels decodes, and scales down to at most w by h pixels; it never scales up. png, if not
	// nil, is a PNG file with just these pixels that existed already. The caller owns pix and only
	// reads png.
	Pixels(w, h int) (pix *stdimage.NRGBA, png []byte, err error)
}

// Box is a size in cells.
type Box struct{ Cols, Rows int }

// Cell is the size of one cell in pixels (the terminal's answer to CSI 16 t). The zero value stands
// for a size that is not known.
type Cell struct{ W, H int }

// usualCell stands for a cell of unknown size: about one to two, as everywhere.
var usualCell = Cell{10, 20}

// Known returns c, or a usual size if c has none that is possible.
func (c Cell) Known() Cell {
	if c.W <= 0 || c.H <= 0 || c.W > 1000 || c.H > 1000 {
		return usualCell
	}
	return c
}

// Fit returns the box for w by h pixels: their own size in cells, or smaller in proportion so that
// it is at most maxCols by maxRows. It is never empty and never larger than the picture needs.
func Fit(w, h int, c Cell, maxCols, maxRows int) Box {
	c = c.Known()
	maxCols, maxRows = max(maxCols, 1), min(max(maxRows, 1), MaxRows)
	w, h = max(w, 1), max(h, 1)
	if wide, high := maxCols*c.W, maxRows*c.H; w > wide || h > high {
		if w*high > h*wide { // the width decides
			w, h = wide, max(h*wide/w, 1)
		} else {
			w, h = max(w*high/h, 1), high
		}
	}
	return Box{min((w+c.W-1)/c.W, maxCols), min((h+c.H-1)/c.H, maxRows)}
}

// maxPixels bounds the pixels for one box, whatever the terminal reports of its cells.
const maxPixels = 4 << 20

// Pixels returns the largest useful size of a picture that is shown in b.
func (b Box) Pixels(c Cell) (w, h int) {
	c = c.Known()
	w, h = b.Cols*c.W, b.Rows*c.H
	for w*h > maxPixels {
		w, h = max(w*3/4, 1), max(h*3/4, 1)
	}
	return w, h
}
