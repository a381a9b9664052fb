package theme

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/tui"
)

// MinContrast is the smallest contrast that a theme may have between a text and its background. It
// is the ratio that WCAG 2.2, 1.4.11, demands for things that must be seen. Ordinary text should
// have 4.5 (1.4.3), but that is up to the author of a theme.
const MinContrast = 3.0

// minDistance is the smallest distance, in the colour space Oklab, that the colour of approval
// questions must have from any other colour (HARN-12). Black and white have the distance 1. Normal
// and bright magenta are 0.15 apart in most palettes.
const minDistance = 0.1

// channels holds the red, green and blue values of a colour, in this order.
type channels [3]uint8

// scheme holds the colours that a terminal is assumed to show for its background, its text, and the
// 16 named colours. The user's real palette is not known. These are common values. If common
// palettes differ much in a colour, the value is the one that is hardest to read.
type scheme struct {
	background, text channels
	named            [16]channels
}

var (
	darkScheme = scheme{background: hex(0x1e1e1e), text: hex(0xd4d4d4), named: [16]channels{
		hex(0x000000), hex(0xcd3131), hex(0x0dbc79), hex(0xcdcd00),
		hex(0x0000ee), hex(0xbc3fbc), hex(0x11a8cd), hex(0xe5e5e5),
		hex(0x555555), hex(0xf14c4c), hex(0x23d18b), hex(0xf5f543),
		hex(0x5c8cff), hex(0xee70ee), hex(0x29b8db), hex(0xffffff)}}
	lightScheme = scheme{background: hex(0xffffff), text: hex(0x1e1e1e), named: [16]channels{
		hex(0x000000), hex(0xcd3131), hex(0x107c10), hex(0x949800),
		hex(0x0451a5), hex(0xbc05bc), hex(0x0598bc), hex(0xe5e5e5),
		hex(0x666666), hex(0xe74856), hex(0x14ce14), hex(0xb5ba00),
		hex(0x3b78ff), hex(0xe070e0), hex(0x29b8db), hex(0xffffff)}}
)

func hex(n int) channels { return channels{uint8(n >> 16), uint8(n >> 8), uint8(n)} }

// schemeFor returns the assumed colours of a terminal with a dark or a light background.
func schemeFor(dark bool) *scheme {
	if dark {
		return &darkScheme
	}
	return &lightScheme
}

// channelsOf returns the red, green and blue values that the terminal is assumed to show for c. For
// the default colour it returns fallback.
func (s *scheme) channelsOf(c tui.Color, fallback channels) channels {
	if r, g, b, ok := c.Fixed(); ok {
		return channels{r, g, b}
	}
	if n, ok := c.Index(); ok {
		return s.named[n]
	}
	return fallback
}

// linear converts an sRGB channel value to linear light, from 0 to 1.
func linear(v uint8) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

// luminance returns the relative luminance of WCAG, from 0 to 1.
func (c channels) luminance() float64 {
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// contrast returns the WCAG contrast ratio of two colours, from 1 (equal) to 21 (black and white).
func contrast(a, b channels) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// oklab converts c to the colour space Oklab, in which distances match the differences that people
// see.
func (c channels) oklab() (lab [3]float64) {
	r, g, b := linear(c[0]), linear(c[1]), linear(c[2])
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s, 0.0259040371*l + 0.7827717662*m - 0.8086757660*s}
}

// distance returns the distance of two colours in Oklab. Black and white have the distance 1.
func distance(a, b channels) float64 {
	x, y := a.oklab(), b.oklab()
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

// midpoint returns the colour halfway between a and b. A terminal shows dim text in about this
// colour, if a is the text and b the background.
func midpoint(a, b channels) (c channels) {
	for i := range c {
		c[i] = uint8((int(a[i]) + int(b[i])) / 2)
	}
	return c
}

// nearestPassing returns the colour that is nearest to c among those for which passes returns true.
// depth is the number of colours of the terminal. On a terminal with 24-bit colour only c itself is
// tried. ok is false if no colour passes.
func (s *scheme) nearestPassing(c tui.Color, depth int, passes func(tui.Color) bool) (found tui.Color, ok bool) {
	n, indexed := c.Index()
	_, _, _, direct := c.RGB()
	if !direct && !indexed || depth >= 1<<24 || indexed && (depth >= 256 || n < 16) {
		if ok = passes(c); ok || depth >= 256 {
			return c, ok
		}
	}
	first, last := 16, 255 // the first 16 have colours that the user may have changed
	if depth < 256 {
		first, last = 0, 15
	}
	type candidate struct {
		color    tui.Color
		distance float64
	}
	var all []candidate
	wanted := s.channelsOf(c, s.text)
	for i := first; i <= last; i++ {
		c := tui.Indexed(uint8(i))
		all = append(all, candidate{c, distance(s.channelsOf(c, s.text), wanted)})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	for _, found := range all {
		if passes(found.color) {
			return found.color, true
		}
	}
	return 0, false
}

// colourSyntax describes, for error messages, how a colour can be written in a theme file.
const colourSyntax = `"#rrggbb", a number from 0 to 255, a name such as "red" or "bright-blue", or "default"`

// parseColour parses the value of a colour in a theme file.
func parseColour(v any) (tui.Color, error) {
	switch v := v.(type) {
	case int64:
		if 0 <= v && v <= 255 {
			return tui.Indexed(uint8(v)), nil
		}
	case string:
		if c, ok := ansi.ParseColor(v); ok {
			return c, nil
		}
		return 0, fmt.Errorf("%.40q is no colour: write %s", v, colourSyntax)
	}
	return 0, fmt.Errorf("a colour is %s", colourSyntax)
}
