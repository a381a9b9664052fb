package tuitest

import (
	"fmt"
	"strings"
)

// shape is a filled rectangle, in pixels.
type shape struct{ x, y, w, h int }

// shapes is a list of rectangles of the same colour.
type shapes []shape

// add adds s. If s continues one of the last rectangles to the right, that one is extended instead.
func (all *shapes) add(s shape) {
	for i := len(*all) - 1; i >= max(0, len(*all)-4); i-- {
		if o := &(*all)[i]; o.y == s.y && o.h == s.h && o.x+o.w == s.x {
			o.w += s.w
			return
		}
	}
	*all = append(*all, s)
}

// path returns all rectangles as the data of an SVG path.
func (all shapes) path() string {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "M%d %dh%dv%dh%dz", s.x, s.y, s.w, s.h, -s.w)
	}
	return b.String()
}

// arms describes the box drawing characters from U+2500 on, with four digits for each: the weight
// of the lines from the centre to the left, to the right, up and down. 0 is none, 1 light, 2 heavy,
// 3 double. Dashed lines are treated as solid, and the three diagonals are missing.
const arms = "" +
	"1100220000110022110000220011002211002200001100220101020101020202" +
	"1001200110022002011002100120022010102010102020200111021101210112" +
	"0122022102120222101120111021101210212021201220221101210112012201" +
	"1102210212022202111021101210221011202120122022201111211112112211" +
	"1121111211222121122121121212222122122122122222221100220000110022" +
	"3300003303010103030330011003300303100130033030101030303003110133" +
	"0333301110333033330111033303331011303330331111333333010110011010" +
	"0110000000000000100000100100000120000020020000021200001221000021"

// glyphShapes returns the shapes for the character r in a cell at 0, 0. It draws characters that
// must touch their neighbours, which a font's line height would prevent, and characters that many
// fonts lack. It returns nil for all others. A shade is a rectangle of the whole cell with an
// opacity.
func glyphShapes(r rune) (all shapes, opacity string) {
	switch {
	case r >= 0x2571 && r <= 0x2573: // diagonals
	case r >= 0x256d && r <= 0x2570:
		return cornerShapes(arms[4*(r-0x2500):][:4]), ""
	case r >= 0x2500 && r < 0x2580:
		return boxShapes(arms[4*(r-0x2500):][:4]), ""
	case r >= 0x2591 && r <= 0x2593:
		return shapes{{0, 0, cellWidth, cellHeight}}, [...]string{".25", ".5", ".75"}[r-0x2591]
	case r >= 0x2580 && r < 0x25a0:
		return blockShapes(r), ""
	case r > 0x2800 && r < 0x2900: // braille: two columns of four dots
		for i, bit := range [8]rune{0, 1, 2, 6, 3, 4, 5, 7} {
			if (r-0x2800)>>bit&1 != 0 {
				all.add(shape{2 + i/4*4, 3 + i%4*4, 2, 2})
			}
		}
	}
	return all, ""
}

// boxShapes returns the shapes for a box drawing character with the given weights, see the constant
// arms.
func boxShapes(arms string) (all shapes) {
	const x, y = cellWidth / 2, cellHeight / 2 // the pixel in the middle
	for i, weight := range []byte(arms) {
		var around []int // where the lines of the arm are, beside the middle
		thick := 1
		switch weight {
		case '0':
			continue
		case '1':
			around = []int{0}
		case '2':
			around, thick = []int{-1}, 3
		case '3':
			around = []int{-2, 2}
		}
		for _, at := range around {
			end := 1 // so far over the middle that a corner is closed
			if weight != '1' {
				end = 3 - thick/3
			}
			switch i {
			case 0:
				all.add(shape{0, y + at, x + end, thick})
			case 1:
				all.add(shape{x + 1 - end, y + at, cellWidth - x - 1 + end, thick})
			case 2:
				all.add(shape{x + at, 0, thick, y + end})
			case 3:
				all.add(shape{x + at, y + 1 - end, thick, cellHeight - y - 1 + end})
			}
		}
	}
	return all
}

// cornerShapes returns the shapes for a light rounded corner.
func cornerShapes(arms string) (all shapes) {
	const x, y = cellWidth / 2, cellHeight / 2
	at := shape{x - 1, y - 1, 1, 1}
	if arms[0] == '1' {
		all.add(shape{0, y, x - 1, 1})
	} else {
		all.add(shape{x + 2, y, cellWidth - x - 2, 1})
		at.x += 2
	}
	if arms[2] == '1' {
		all.add(shape{x, 0, 1, y - 1})
	} else {
		all.add(shape{x, y + 2, 1, cellHeight - y - 2})
		at.y += 2
	}
	return append(all, at)
}

// quadrants describes U+2596 to U+259F, with a bit for each filled quarter: upper left 1, upper
// right 2, lower left 4, lower right 8.
const quadrants = "\x04\x08\x01\x0d\x09\x07\x0b\x02\x06\x0e"

// blockShapes returns the shapes for a block element.
func blockShapes(r rune) (all shapes) {
	const w, h = cellWidth, cellHeight
	switch {
	case r == 0x2580:
		return shapes{{0, 0, w, h / 2}}
	case r <= 0x2588: // eighths from below
		n := int(r-0x2580) * h / 8
		return shapes{{0, h - n, w, n}}
	case r <= 0x258f: // eighths from the left
		return shapes{{0, 0, max(1, int(0x2590-r)*w/8), h}}
	case r == 0x2590:
		return shapes{{w / 2, 0, w - w/2, h}}
	case r == 0x2594:
		return shapes{{0, 0, w, h / 8}}
	case r == 0x2595:
		return shapes{{w - 1, 0, 1, h}}
	}
	q := quadrants[r-0x2596]
	for i := range 4 {
		if q>>i&1 != 0 {
			all.add(shape{i % 2 * (w / 2), i / 2 * (h / 2), w/2 + i%2, h / 2})
		}
	}
	return all
}
