package image

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// ID names a picture to the terminal (kitty graphics, key i). It is never 0 and less than 1<<24, so
// that a colour can hold it.
type ID uint32

// Color returns the foreground of the cells that show id: the terminal reads the id from it.
// palette: from an entry of the palette, which survives a multiplexer that reduces colours (tmux
// without the RGB feature); such an id was given out by an IDs with Palette.
func (id ID) Color(palette bool) ansi.Color {
	if palette {
		return ansi.Indexed(uint8(id))
	}
	return ansi.RGB(uint8(id>>16), uint8(id>>8), uint8(id))
}

// Palette ids start behind the 16 colours that terminals change for bold text.
const firstPalette, lastPalette = 16, 255

// IDs gives out ids. The seed comes from outside and keeps apart from other programs on the same
// terminal. One content in one box on one surface has the same id as long as the IDs lives, and no
// other content ever gets it: rows in history still name it.
type IDs struct {
	Seed    uint64
	Palette bool // only ids that a palette colour can hold, 240 in all

	given map[ID][16]byte
}

// Key tells pictures apart that need ids of their own.
func Key(sum [16]byte, b Box, alternate bool) (key [16]byte) {
	h := fnv.New128a()
	h.Write(sum[:])
	var n [9]byte
	binary.LittleEndian.PutUint32(n[:], uint32(b.Cols))
	binary.LittleEndian.PutUint32(n[4:], uint32(b.Rows))
	if alternate {
		n[8] = 1
	}
	h.Write(n[:])
	h.Sum(key[:0])
	return key
}

// Of returns the id for key; false if none is left.
func (x *IDs) Of(key [16]byte) (ID, bool) {
	first, n := uint64(1), uint64(1<<24-1)
	if x.Palette {
		first, n = firstPalette, lastPalette-firstPalette+1
	}
	if x.given == nil {
		x.given = make(map[ID][16]byte)
	}
	h := fnv.New64a()
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], x.Seed)
	h.Write(seed[:])
	h.Write(key[:])
	start := h.Sum64()
	for i := range min(n, 1<<16) {
		id := ID(first + (start+i)%n)
		old, taken := x.given[id]
		if !taken {
			x.given[id] = key
			return id, true
		}
		if old == key {
			return id, true
		}
	}
	return 0, false
}
