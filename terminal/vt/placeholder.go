package vt

import (
	"cmp"
	"iter"
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// placeholderRune is the character of cells that show a part of an image (kitty graphics, Unicode
// placeholders).
const placeholderRune = 0x10eeee

// Placeholder is a cell that shows a part of an image with a virtual placement. If there is no such
// image it shows nothing: see [Terminal.Image].
type Placeholder struct {
	Image     int // The image's id: from the foreground colour, and from the third diacritic as its highest byte.
	Placement int // The placement's id, from the underline colour; 0: any placement.
	Row, Col  int // of the image, in cells of the placement
}

// Placeholders yields the placeholder cells of the row from left to right, with their columns. A
// cell without diacritics continues the cell on its left if that one shows the same image
// (graphics_unicode.zig).
func (r Row) Placeholders() iter.Seq2[int, Placeholder] {
	return func(yield func(int, Placeholder) bool) {
		if r.t.config.Personality.NoPlaceholders {
			return
		}
		var last incompletePlaceholder
		inRun := false
		for x, c := range r.r.cells[:r.r.used] {
			if !c.HasText() || r.t.clusters.firstRune(c) != placeholderRune {
				inRun = false
				continue
			}
			p := r.placeholder(c)
			if inRun && p.continues(&last) {
				p.row, p.col, p.high = last.row, last.col+1, last.high
			}
			p.row, p.col, p.high = max(p.row, 0), max(p.col, 0), max(p.high, 0)
			inRun, last = true, p
			if !yield(x, Placeholder{Image: p.high<<24 | p.image, Placement: p.placement, Row: p.row, Col: p.col}) {
				return
			}
		}
	}
}

// incompletePlaceholder holds what one placeholder cell says itself; row, col and high are -1 if it
// does not say them.
type incompletePlaceholder struct{ image, placement, row, col, high int }

func (r Row) placeholder(c cell) incompletePlaceholder {
	pen := &r.t.pens.list[c.pen()]
	out := incompletePlaceholder{image: colorID(pen.Fg), placement: colorID(pen.UnderlineColor), row: -1,
		col: -1, high: -1}
	for i, mark := range []rune(string(r.t.clusters.appendText(nil, c)))[1:] {
		n := diacritic(mark)
		if n < 0 {
			break
		}
		switch i {
		case 0:
			out.row = n
		case 1:
			out.col = n
		case 2:
			out.high = n & 0xff
		}
	}
	return out
}

func (p *incompletePlaceholder) continues(last *incompletePlaceholder) bool {
	return p.image == last.image && p.placement == last.placement && (p.row < 0 || p.row == last.row) &&
		(p.col < 0 || p.col == last.col+1) &&
		(p.high < 0 || p.high == last.high)
}

// colorID returns the id that a colour stands for.
func colorID(c ansi.Color) int {
	if n, ok := c.Index(); ok {
		return int(n)
	}
	r, g, b, _ := c.RGB()
	return int(r)<<16 | int(g)<<8 | int(b)
}

// diacritics holds ranges of the combining marks that stand for the numbers from 0 on, in order
// (kitty's rowcolumn-diacritics.txt: the marks of class 230 in Unicode 6.0 that are in no
// decomposition).
var diacritics = [...][2]rune{
	{0x305, 0x305}, {0x30d, 0x30e}, {0x310, 0x310}, {0x312, 0x312}, {0x33d, 0x33f}, {0x346, 0x346}, {0x34a, 0x34c},
	{0x350, 0x352},
	{0x357, 0x357}, {0x35b, 0x35b}, {0x363, 0x36f}, {0x483, 0x487}, {0x592, 0x595}, {0x597, 0x599}, {0x59c, 0x5a1},
	{0x5a8, 0x5a9},
	{0x5ab, 0x5ac}, {0x5af, 0x5af}, {0x5c4, 0x5c4}, {0x610, 0x617}, {0x657, 0x65b}, {0x65d, 0x65e}, {0x6d6, 0x6dc},
	{0x6df, 0x6e2},
	{0x6e4, 0x6e4}, {0x6e7, 0x6e8}, {0x6eb, 0x6ec}, {0x730, 0x730}, {0x732, 0x733}, {0x735, 0x736}, {0x73a, 0x73a},
	{0x73d, 0x73d},
	{0x73f, 0x741}, {0x743, 0x743}, {0x745, 0x745}, {0x747, 0x747}, {0x749, 0x74a}, {0x7eb, 0x7f1}, {0x7f3, 0x7f3},
	{0x816, 0x819},
	{0x81b, 0x823}, {0x825, 0x827}, {0x829, 0x82d}, {0x951, 0x951}, {0x953, 0x954}, {0xf82, 0xf83}, {0xf86, 0xf87},
	{0x135d, 0x135f},
	{0x17dd, 0x17dd}, {0x193a, 0x193a}, {0x1a17, 0x1a17}, {0x1a75, 0x1a7c}, {0x1b6b, 0x1b6b}, {0x1b6d, 0x1b73},
	{0x1cd0, 0x1cd2}, {0x1cda, 0x1cdb},
	{0x1ce0, 0x1ce0}, {0x1dc0, 0x1dc1}, {0x1dc3, 0x1dc9}, {0x1dcb, 0x1dcc}, {0x1dd1, 0x1de6}, {0x1dfe, 0x1dfe},
	{0x20d0, 0x20d1}, {0x20d4, 0x20d7},
	{0x20db, 0x20dc}, {0x20e1, 0x20e1}, {0x20e7, 0x20e7}, {0x20e9, 0x20e9}, {0x20f0, 0x20f0}, {0x2cef, 0x2cf1},
	{0x2de0, 0x2dff}, {0xa66f, 0xa66f},
	{0xa67c, 0xa67d}, {0xa6f0, 0xa6f1}, {0xa8e0, 0xa8f1}, {0xaab0, 0xaab0}, {0xaab2, 0xaab3}, {0xaab7, 0xaab8},
	{0xaabe, 0xaabf}, {0xaac1, 0xaac1},
	{0xfe20, 0xfe26}, {0x10a0f, 0x10a0f}, {0x10a38, 0x10a38}, {0x1d185, 0x1d189}, {0x1d1aa, 0x1d1ad},
	{0x1d242, 0x1d244},
}

// diacritic returns the number that r stands for, or a negative number if it is not in the list.
func diacritic(r rune) int {
	n := 0
	for _, d := range diacritics {
		if r < d[0] {
			break
		}
		if r <= d[1] {
			return n + int(r-d[0])
		}
		n += int(d[1]-d[0]) + 1
	}
	return -1
}

// Image is an image of the active screen (kitty graphics).
type Image struct {
	ID, Number    int
	Width, Height int // pixels
	Bytes         int // The bytes of its pixels.
	Placements    int
	Virtual       bool // It has at least one virtual placement, so that placeholder characters can show it.
	Frames        int  // The number of frames; 1 without an animation.
	Frame         int  // The number of the frame that is shown, from 1.
}

// Images returns the images of the active screen, in the order of their ids.
func (t *Terminal) Images() []Image {
	im := &t.active.images
	im.prunePlacements(t.active)
	list := make([]Image, 0, len(im.byID))
	for _, img := range im.byID {
		list = append(list, im.describe(img))
	}
	slices.SortFunc(list, func(a, b Image) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Image returns the image of the active screen with an id. ok is false if there is none.
func (t *Terminal) Image(id int) (Image, bool) {
	img := t.active.images.byID[uint32(id)]
	if img == nil || id < 0 || id > 1<<32-1 {
		return Image{}, false
	}
	t.active.images.prunePlacements(t.active)
	return t.active.images.describe(img), true
}

func (im *images) describe(img *image) Image {
	out := Image{ID: int(img.id), Number: int(img.number), Width: img.width, Height: img.height,
		Bytes: im.size(img.id), Frames: img.frames() + 1, Frame: 1}
	if img.animation != nil {
		out.Frame = img.animation.current + 1
	}
	for i := range im.placements {
		if p := &im.placements[i]; p.image == img.id {
			out.Placements++
			out.Virtual = out.Virtual || p.virtual()
		}
	}
	return out
}

// Traffic counts the kitty graphics commands that were written to a terminal.
type Traffic struct {
	Commands int
	Control  int // The bytes of all commands without their payloads, including introducers and terminators.
	Payload  int // The bytes of all payloads in base64.
	Images   int // The number of images that were received completely and accepted.
}

// Traffic returns the counts since the terminal was made.
func (t *Terminal) Traffic() Traffic { return t.traffic }

// count adds a command. Its bytes are those between ESC _ G and ST.
func (t *Traffic) count(b []byte) {
	control := slices.Index(b, ';')
	if control < 0 {
		control = len(b)
	} else {
		control++
	}
	t.Commands++
	t.Control += control + len("\x1b_G") + len("\x1b\\")
	t.Payload += len(b) - control
}
