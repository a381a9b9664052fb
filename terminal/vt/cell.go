package vt

// TapeCell is a cell of a [TapeRow]. The zero value is a blank in the default colours, and
// TapeCell(r) is the narrow character r in these colours.
type TapeCell uint64

// cell is one cell in eight bytes:
//
//	bits  0-23  content: a code point, a cluster index, a palette index or an RGB colour
//	bits 24-25  what the content is, see tagRune
//	bits 26-27  width, see narrow
//	bit  28     protected (DECSCA, SPA)
//	bits 32-63  pen: style and link, an index into pens
type cell = TapeCell

const (
	tagRune    cell = iota << 24 // A code point; 0: no text.
	tagCluster                   // An index into clusters.
	tagIndexed                   // No text, only a background colour from the palette.
	tagRGB                       // No text, only a 24-bit background colour.

	contentMask = 1<<24 - 1
	tagMask     = 3 << 24
)

const (
	narrow     cell = iota << 26
	wide            // The first half of a wide character.
	spacerTail      // The second half of a wide character.
	spacerHead      // The last column, left blank because a wide character did not fit. The row wraps.

	wideMask = 3 << 26
)

const (
	protectedBit cell = 1 << 28
	penShift          = 32
	penMask      cell = 0xffffffff << penShift
)

// content returns the content bits of c.
func (c cell) content() uint32 { return uint32(c) & contentMask }
func (c cell) tag() cell       { return c & tagMask }
func (c cell) width() cell     { return c & wideMask }
func (c cell) pen() uint32     { return uint32(c >> penShift) }

// HasText reports whether the cell shows a character. A cell with only a background colour does
// not.
func (c cell) HasText() bool {
	switch c.tag() {
	case tagRune:
		return c.content() != 0
	case tagCluster:
		return true
	}
	return false
}

// IsBlank reports whether the cell may be dropped at the end of a row when the width changes: it
// has no text, no background colour, and is not half of a wide character.
func (c cell) IsBlank() bool {
	return c.tag() <= tagCluster && !c.HasText() && c.width() == narrow
}

// WithoutText returns the cell with its style, link and protection, and without text.
func (c cell) WithoutText() cell { return c &^ (contentMask | tagMask | wideMask) }

func (c cell) withWidth(w cell) cell { return c&^wideMask | w }
