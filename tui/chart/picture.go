package chart

import (
	"crypto/sha256"
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Picture is a line chart as pixels. It can be the Source of a [tui.Image] for terminals that
// display pictures. It contains no text; put labels in rows beside it. It does not change when
// values are added to the series.
type Picture struct {
	width, height int
	lines         []pictureLine
	grid          []float64 // heights of the grid lines, as fractions of the picture's height
}

// pictureLine is one series. Coordinates are fractions of the picture's size, from the lower left.
// NaN is a gap.
type pictureLine struct {
	x, y  []float64
	color color.NRGBA
}

// Picture returns the current lines as a picture of the given size in pixels. It uses the colours
// of th, or of the default theme if th is nil.
func (l *Lines) Picture(width, height int, th *tui.Theme) *Picture {
	p := &Picture{width: max(width, 1), height: max(height, 1)}
	s := tui.Space{Width: 80, Theme: th}
	l.fit(s, 24)
	ticks, _ := l.scale.ticks(4)
	for _, v := range ticks {
		p.grid = append(p.grid, l.scale.fraction(v))
	}
	n := l.valueCount()
	for i, sr := range l.Series {
		if sr == nil {
			continue
		}
		line := pictureLine{color: colorOf(seriesStyle(s.Look(), sr.Style, i).Fg)}
		missing := n - sr.Len()
		for k := max(missing, l.first, 0); k < n; k++ {
			x := 1.0
			if l.count > 1 {
				x = float64(k-l.first) / float64(l.count-1)
			}
			line.x = append(line.x, x)
			line.y = append(line.y, l.scale.fraction(sr.Value(k-missing)))
		}
		p.lines = append(p.lines, line)
	}
	return p
}

// namedColors holds RGB values for the 16 palette colours, whose real values depend on the user's
// terminal.
var namedColors = [16]uint32{0x2b2f38, 0xe06c6c, 0x8cc265, 0xd9b45b, 0x6ea3e0, 0xc586d6, 0x56b6c2, 0xc8ccd4,
	0x7a818e, 0xf08080, 0xa5dd7f, 0xf0cd74, 0x8cbcf5, 0xdda2ec, 0x7fd3dd, 0xffffff}

// gridColor is the colour of grid lines, which is readable on dark and light backgrounds.
var gridColor = color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 0x60}

// colorOf returns the pixel colour for c.
func colorOf(c tui.Color) color.NRGBA {
	if r, g, b, ok := c.Fixed(); ok {
		return color.NRGBA{R: r, G: g, B: b, A: 0xff}
	}
	ink := uint32(0x808080)
	if n, ok := c.Index(); ok && n < 16 {
		ink = namedColors[n]
	}
	return color.NRGBA{R: uint8(ink >> 16), G: uint8(ink >> 8), B: uint8(ink), A: 0xff}
}

// Size returns the size in pixels.
func (p *Picture) Size() (w, h int) { return p.width, p.height }

// Sum returns a hash of the picture's content.
func (p *Picture) Sum() (sum [16]byte) {
	data := binary.LittleEndian.AppendUint64(nil, uint64(p.width)<<32|uint64(p.height))
	for _, l := range p.lines {
		data = append(data, l.color.R, l.color.G, l.color.B)
		for i := range l.x {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(l.x[i]))
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(l.y[i]))
		}
	}
	for _, y := range p.grid {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(y))
	}
	all := sha256.Sum256(data)
	return [16]byte(all[:16])
}

// Pixels draws the lines in at most w by h pixels.
func (p *Picture) Pixels(w, h int) (pix *image.NRGBA, png []byte, err error) {
	w, h = max(min(w, p.width), 1), max(min(h, p.height), 1)
	pix = image.NewNRGBA(image.Rect(0, 0, w, h))
	at := func(x, y float64) point { return point{x * float64(w-1), (1 - y) * float64(h-1)} }
	for _, y := range p.grid {
		drawSegment(pix, at(0, y), at(1, y), 0.5, gridColor)
	}
	for _, l := range p.lines {
		last, joined := point{}, false
		for i := range l.x {
			to := at(l.x[i], l.y[i])
			ok := !math.IsNaN(to.y)
			if ok && joined {
				drawSegment(pix, last, to, 1, l.color)
			} else if ok {
				drawSegment(pix, to, to, 1, l.color)
			}
			last, joined = to, ok
		}
	}
	return pix, nil, nil
}

// point is a position in pixels.
type point struct{ x, y float64 }

// drawSegment draws a line from a to b with round ends and soft edges. half is half of its
// thickness in pixels.
func drawSegment(pix *image.NRGBA, a, b point, half float64, ink color.NRGBA) {
	r := pix.Rect
	for y := max(int(min(a.y, b.y)-half-1), r.Min.Y); y <= min(int(max(a.y, b.y)+half+1), r.Max.Y-1); y++ {
		for x := max(int(min(a.x, b.x)-half-1), r.Min.X); x <= min(int(max(a.x, b.x)+half+1), r.Max.X-1); x++ {
			cover := half + 0.5 - distance(point{float64(x), float64(y)}, a, b)
			if cover <= 0 {
				continue
			}
			c := ink
			c.A = uint8(float64(ink.A) * min(cover, 1))
			if old := pix.NRGBAAt(x, y); c.A > old.A || c.A == 0xff {
				pix.SetNRGBA(x, y, c)
			}
		}
	}
}

// distance returns the distance of p from the line segment between a and b.
func distance(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = min(max(((p.x-a.x)*dx+(p.y-a.y)*dy)/length, 0), 1)
	}
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy)
}
