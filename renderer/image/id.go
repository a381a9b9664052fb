package image

import (
	"encoding/binary"
	"hash/fnv"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// ID is the number of an image in the terminal (kitty graphics, key i). It is from 1 to 1<<24-1, so
// that a colour can hold it.
type ID uint32

// Color returns the foreground colour of the cells that show the image: the terminal reads the id
// from it. With palette it is a colour of the palette, which survives a multiplexer that reduces
// colours (tmux without the RGB feature). Such an id must come from an IDs with Palette set.
func (id ID) Color(palette bool) ansi.Color {
	if palette {
		return ansi.Indexed(uint8(id))
	}
	return ansi.RGB(uint8(id>>16), uint8(id>>8), uint8(id))
}

// Ids in the palette begin after the 16 colours that terminals change for bold text.
const firstPalette, lastPalette = 16, 255

// IDs assigns ids to images. The caller chooses the seed, so that the ids differ from those of
// other programs on the same terminal. The same content, in the same box on the same screen, always
// gets the same id, and no other content ever gets it, because rows in history still refer to it.
type IDs struct {
	Seed    uint64
	Palette bool // Only ids that a palette colour can hold are assigned: 240 in all.

	used map[ID][16]byte
}

// Key returns the key for [IDs.Of] of an image: from the hash of its content, the box that it is
// drawn in, and whether it is on the alternate screen. Images with different keys need different
// ids.
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

// Of returns the id for a key. ok is false if no id is left.
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
