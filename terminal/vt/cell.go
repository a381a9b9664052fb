package vt

// TapeCell is a cell without its context. The zero value is a blank in the terminal's own colours,
// and TapeCell(r) is the narrow character r in these colours.
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
	tagRune    cell = iota << 24 // a code point, 0 for none
	tagCluster                   // an index into clusters
	tagIndexed                   // no text: just a background from the palette
	tagRGB                       // no text: just a direct background

	contentMask = 1<<24 - 1
	tagMask     = 3 << 24
)

const (
	narrow     cell = iota << 26
	wide            // first half of a wide character
	spacerTail      // its second half
	spacerHead      // the last column, left blank because a wide character did not fit; the row wraps

	wideMask = 3 << 26
)

const (
	protectedBit cell = 1 << 28
	penShift          = 32
	penMask      cell = 0xffffffff << penShift
)

// content returns the bits of the content.
func (c cell) content() uint32 { return uint32(c) & contentMask }
func (c cell) tag() cell       { return c & tagMask }
func (c cell) width() cell     { return c & wideMask }
func (c cell) pen() uint32     { return uint32(c >> penShift) }

// HasText reports whether the cell shows a character; a cell that only has a colour does not.
func (c cell) HasText() bool {
	switch c.tag() {
	case tagRune:
		return c.content() != 0
	case tagCluster:
		return true
	}
	return false
}

// IsBlank reports whether reflow may drop the cell at the end of a row: it has no text and no
// colour of its own, and is no half of a wide character.
func (c cell) IsBlank() bool {
	return c.tag() <= tagCluster && !c.HasText() && c.width() == narrow
}

// WithoutText returns the cell with its pen and protection only.
func (c cell) WithoutText() cell { return c &^ (contentMask | tagMask | wideMask) }

func (c cell) withWidth(w cell) cell { return c&^wideMask | w }
