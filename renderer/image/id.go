package image

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// ID names a picture to the terminal (kitty graphics, key i). It is never 0 and less than 1<<24, so
// that a colour can hold it.
type ID uint32

// Color returns the foreground of the cells that show id, from which the terminal reads the id.
// palette: from an entry of the palette, which survives a multiplexer that reduces colours (tmux
// without the RGB feature). Such an id comes from an IDs with Palette.
func (id ID) Color(palette bool) ansi.Color {
	if palette {
		return ansi.Indexed(uint8(id))
	}
	return ansi.RGB(uint8(id>>16), uint8(id>>8), uint8(id))
}

// Palette ids start after the 16 colours that terminals change for bold text.
const firstPalette, lastPalette = 16, 255

// IDs gives out ids. The seed comes from outside, so that the ids differ from those of other
// programs on the same terminal. As long as the IDs exists one content in one box on one surface
// has the same id, and no other content gets it: rows in history still name it.
type IDs struct {
	Seed    uint64
	Palette bool // only ids that a palette colour can hold, 240 in all

	used map[ID][16]byte
}

// Key returns a key that differs for pictures that need ids of their own.
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
func (ids *IDs) Of(key [16]byte) (ID, bool) {
	first, n := uint64(1), uint64(1<<24-1)
	if ids.Palette {
		first, n = firstPalette, lastPalette-firstPalette+1
	}
	if ids.used == nil {
		ids.used = make(map[ID][16]byte)
	}
	h := fnv.New64a()
	var seed [8]byte
	binary.LittleEndian.PutUint64(seed[:], ids.Seed)
	h.Write(seed[:])
	h.Write(key[:])
	start := h.Sum64()
	for i := range min(n, 1<<16) {
		id := ID(first + (start+i)%n)
		old, taken := ids.used[id]
		if !taken {
			ids.used[id] = key
			return id, true
		}
		if old == key {
			return id, true
		}
	}
	return 0, false
}
