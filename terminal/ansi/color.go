package ansi

import (
	"slices"
	"strconv"
	"strings"
)

// Color is the colour of text or of its background: the terminal's default (the zero value), one of
// 256 palette entries ([Indexed]), or a 24-bit colour ([RGB]).
type Color uint32

const (
	kindIndexed Color = 1 << 24
	kindRGB     Color = 2 << 24
	kindMask    Color = 0xff << 24
)

// Indexed returns the palette entry n: 0 to 7 are the normal colours, 8 to 15 the bright ones.
func Indexed(n uint8) Color { return kindIndexed | Color(n) }

// RGB returns a 24-bit colour.
func RGB(r, g, b uint8) Color { return kindRGB | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns the palette entry of c. ok is false if c is the default or a 24-bit colour.
func (c Color) Index() (n uint8, ok bool) { return uint8(c), c&kindMask == kindIndexed }

// RGB returns the red, green and blue of c. ok is false if c is the default or a palette entry.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&kindMask == kindRGB
}

// Fixed returns the red, green and blue of a colour that is the same in all terminals: a 24-bit
// colour, or a palette entry from 16 to 255 (the colour cube and the greys, as in xterm). ok is
// false for the default and for the first 16 entries, whose colours the user chooses.
func (c Color) Fixed() (r, g, b uint8, ok bool) {
	n, indexed := c.Index()
	switch {
	case !indexed:
		return c.RGB()
	case n < 16:
		return 0, 0, 0, false
	case n >= 232:
		v := 8 + 10*(n-232)
		return v, v, v, true
	}
	steps := [...]uint8{0, 95, 135, 175, 215, 255}
	n -= 16
	return steps[n/36], steps[n/6%6], steps[n%6], true
}

// names holds the names of the first eight palette entries. The names of the bright ones begin with
// bright-.
var names = [...]string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// ParseColor parses a colour as a user writes it: #rrggbb, a number from 0 to 255, a name such as
// red or bright-blue, or default.
func ParseColor(word string) (c Color, ok bool) {
	if word == "default" {
		return 0, true
	}
	if hex, ok := strings.CutPrefix(word, "#"); ok {
		n, err := strconv.ParseUint(hex, 16, 24)
		if err != nil || len(hex) != 6 {
			return 0, false
		}
		return RGB(uint8(n>>16), uint8(n>>8), uint8(n)), true
	}
	name, bright := strings.CutPrefix(word, "bright-")
	if i := slices.Index(names[:], name); i >= 0 {
		if bright {
			i += 8
		}
		return Indexed(uint8(i)), true
	}
	n, err := strconv.ParseUint(word, 10, 8)
	if err != nil {
		return 0, false
	}
	return Indexed(uint8(n)), true
}
