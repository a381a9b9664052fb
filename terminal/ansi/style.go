package ansi

// Color is a terminal colour: the zero value is the terminal's own default, [Indexed] one of 256
// palette entries, [RGB] a direct colour.
type Color uint32

const (
	kindIndexed Color = 1 << 24
	kindRGB     Color = 2 << 24
	kindMask    Color = 0xff << 24
)

// Indexed is palette entry n; 0 to 7 are the normal colours, 8 to 15 the bright ones.
func Indexed(n uint8) Color { return kindIndexed | Color(n) }

// RGB is a direct colour.
func RGB(r, g, b uint8) Color { return kindRGB | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns the palette entry of c; ok is false for the default and for direct colours.
func (c Color) Index() (n uint8, ok bool) { return uint8(c), c&kindMask == kindIndexed }

// RGB returns the channels of c; ok is false for the default and for palette entries.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&kindMask == kindRGB
}

// Attr is a set of text attributes.
type Attr uint16

const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	Blink
	Inverse
	Invisible
	Strike
	Overline
)

// attrNames are the names of the attributes, by bit.
var attrNames = [...]string{"bold", "faint", "italic", "underline", "blink", "inverse", "invisible", "strike",
	"overline"}

// Names returns the attributes in lower case: bold, faint, italic, underline, blink, inverse,
// invisible, strike, overline.
func (a Attr) Names() []string {
	var names []string
	for i, name := range attrNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Style is how a cell looks. The zero value is plain text in the terminal's own colours. Styles are
// comparable.
type Style struct {
	Fg, Bg Color
	Attr   Attr
}

// With returns s with the attributes of a added.
func (s Style) With(a Attr) Style { s.Attr |= a; return s }
