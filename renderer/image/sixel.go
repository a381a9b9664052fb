package image

import (
	stdimage "image"
	"image/color"
	"image/draw"
	"strconv"
)

// AppendSixel appends the sequence that draws pix at the cursor, one pixel for a pixel. Rows of
// pixels that do not fill a band of six are left out: a terminal that draws the last band in full
// would need one more row of cells. Where the cursor is afterwards depends on the terminal.
func AppendSixel(dst []byte, pix *stdimage.NRGBA) []byte {
	w, h := pix.Rect.Dx(), pix.Rect.Dy()
	if h > 6 {
		h -= h % 6
	}
	img := quantize(pix)
	dst = append(dst, "\x1bP0;1q\"1;1;"...) // 1: pixels that are not set stay as they are
	dst = strconv.AppendInt(dst, int64(w), 10)
	dst = append(dst, ';')
	dst = strconv.AppendInt(dst, int64(h), 10)
	var used [256]bool
	for y := range h {
		for _, c := range img.Pix[y*img.Stride : y*img.Stride+w] {
			used[c] = true
		}
	}
	for i, c := range img.Palette {
		if n := c.(color.NRGBA); n.A != 0 && used[i] {
			dst = append(dst, '#')
			dst = strconv.AppendInt(dst, int64(i), 10)
			dst = append(dst, ";2"...)
			for _, v := range [3]uint8{n.R, n.G, n.B} { // in percent
				dst = append(dst, ';')
				dst = strconv.AppendInt(dst, (int64(v)*100+127)/255, 10)
			}
		}
	}
	for y := 0; y < h; y += 6 {
		if y > 0 {
			dst = append(dst, '-')
		}
		dst = appendBand(dst, img, y, min(6, h-y))
	}
	return append(dst, "\x1b\\"...)
}

// appendBand appends a band of up to six rows of pixels from row y on. Each colour in the band is
// drawn in a pass of its own from the left.
func appendBand(dst []byte, img *stdimage.Paletted, y, rows int) []byte {
	w := img.Rect.Dx()
	var in [256]bool
	for r := range rows {
		for _, c := range img.Pix[(y+r)*img.Stride : (y+r)*img.Stride+w] {
			in[c] = true
		}
	}
	first := true
	for c := range img.Palette {
		if !in[c] || img.Palette[c].(color.NRGBA).A == 0 {
			continue
		}
		if !first {
			dst = append(dst, '$')
		}
		first = false
		dst = append(dst, '#')
		dst = strconv.AppendInt(dst, int64(c), 10)
		run, last := 0, byte(0)
		for x := range w {
			bits := byte(0)
			for r := range rows {
				if img.Pix[(y+r)*img.Stride+x] == byte(c) {
					bits |= 1 << r
				}
			}
			if bits != last {
				dst = appendRun(dst, last, run)
				run, last = 0, bits
			}
			run++
		}
		if last != 0 {
			dst = appendRun(dst, last, run)
		}
	}
	return dst
}

// appendRun appends the same column of six pixels n times.
func appendRun(dst []byte, bits byte, n int) []byte {
	if n > 3 {
		dst = append(dst, '!')
		dst = strconv.AppendInt(dst, int64(n), 10)
		n = 1
	}
	for range n {
		dst = append(dst, '?'+bits)
	}
	return dst
}

// quantize returns pix in at most 256 colours. If it has more, they are replaced by the nearest
// ones of a colour cube, with dithering. Colour 0 is transparent: pixels that are less than half
// opaque are not drawn.
func quantize(pix *stdimage.NRGBA) *stdimage.Paletted {
	w, h := pix.Rect.Dx(), pix.Rect.Dy()
	clear := color.NRGBA{}
	at := map[color.NRGBA]uint8{clear: 0}
	exact := stdimage.NewPaletted(stdimage.Rect(0, 0, w, h), color.Palette{clear})
	for y := range h {
		for x := range w {
			c := solidColor(pix, x, y)
			i, ok := at[c]
			if !ok {
				if len(exact.Palette) == 256 {
					return dither(pix)
				}
				i = uint8(len(exact.Palette))
				at[c] = i
				exact.Palette = append(exact.Palette, c)
			}
			exact.Pix[y*exact.Stride+x] = i
		}
	}
	return exact
}

// solidColor returns the pixel at x, y, made either opaque or transparent.
func solidColor(pix *stdimage.NRGBA, x, y int) color.NRGBA {
	p := pix.Pix[y*pix.Stride+4*x : y*pix.Stride+4*x+4]
	if p[3] < 128 {
		return color.NRGBA{}
	}
	return color.NRGBA{p[0], p[1], p[2], 255}
}

// dither returns pix in the colours of a cube of 6 x 7 x 6 colours, with dithering.
func dither(pix *stdimage.NRGBA) *stdimage.Paletted {
	cube := color.Palette{color.NRGBA{}}
	for r := range 6 {
		for g := range 7 {
			for b := range 6 {
				cube = append(cube, color.NRGBA{uint8(r * 51), uint8(g * 255 / 6), uint8(b * 51), 255})
			}
		}
	}
	w, h := pix.Rect.Dx(), pix.Rect.Dy()
	out := stdimage.NewPaletted(stdimage.Rect(0, 0, w, h), cube[1:])
	opaque := stdimage.NewNRGBA(out.Rect)
	for y := range h {
		for x := range w {
			c := solidColor(pix, x, y)
			c.A = 255
			opaque.SetNRGBA(x, y, c)
		}
	}
	draw.FloydSteinberg.Draw(out, out.Rect, opaque, stdimage.Point{})
	out.Palette = cube
	for y := range h {
		for x := range w {
			i := y*out.Stride + x
			if out.Pix[i]++; solidColor(pix, x, y).A == 0 {
				out.Pix[i] = 0
			}
		}
	}
	return out
}
