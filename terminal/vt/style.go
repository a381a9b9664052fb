package vt

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// Attr is a set of text attributes. It never contains ansi.Underline: the underline of a cell has a
// style, [Underline].
type Attr = ansi.Attr

// The attributes of a cell.
const (
	Bold      = ansi.Bold
	Faint     = ansi.Faint
	Italic    = ansi.Italic
	Blink     = ansi.Blink
	Inverse   = ansi.Inverse
	Invisible = ansi.Invisible
	Strike    = ansi.Strike
	Overline  = ansi.Overline
)

// Underline is a style of underline (SGR 4, 4:n, 21).
type Underline uint8

const (
	NoUnderline Underline = iota
	SingleUnderline
	DoubleUnderline
	CurlyUnderline
	DottedUnderline
	DashedUnderline
)

var underlineNames = [...]string{"", "single", "double", "curly", "dotted", "dashed"}

// String returns single, double, curly, dotted, dashed, or "" for none.
func (u Underline) String() string {
	if int(u) < len(underlineNames) {
		return underlineNames[u]
	}
	return "unknown"
}

// Style holds the colours and attributes of a cell as the application has set them; palette colours
// are not resolved. Styles can be compared by ==.
type Style struct {
	Fg, Bg, UnderlineColor ansi.Color
	Attr                   Attr
	Underline              Underline
}

// blank returns the cell that an erasure leaves: a blank with the background colour of s.
func (s *Style) blank() cell {
	if s.Bg == 0 {
		return 0
	}
	if n, ok := s.Bg.Index(); ok {
		return tagIndexed | cell(n)
	}
	r, g, b, _ := s.Bg.RGB()
	return tagRGB | cell(r)<<16 | cell(g)<<8 | cell(b)
}

// pen is a style and a link, an index into links. A cell refers to a pen.
type pen struct {
	Style
	link uint32
}

func (p *pen) hash() uint32 {
	h := uint64(p.Fg)*0x9e3779b97f4a7c15 ^ uint64(p.Bg)*0xc2b2ae3d27d4eb4f ^ uint64(p.UnderlineColor)*0x165667b19e3779f9
	h ^= (uint64(p.Attr) | uint64(p.Underline)<<16 | uint64(p.link)<<24) * 0xd6e8feb86659fd93
	return uint32(h >> 32)
}

// pens stores the pens of all cells, equal ones only once, so that a cell needs four bytes for its
// pen. Index 0 is the default. [Terminal.sweep] frees those that no cell uses.
type pens struct {
	list []pen
	// A hash table with open addressing of indices into list; 0 is empty. Its size is a power of
	// two, and at most half of it is in use.
	table   []uint32
	free    []uint32
	sweepAt int // A sweep is due when so many pens are in use.
}

const minPens = 1 << 16 // With fewer pens a sweep costs more than it frees.

func newPens() pens {
	return pens{list: make([]pen, 1, 64), table: make([]uint32, 128), sweepAt: minPens}
}

func (ps *pens) len() int { return len(ps.list) - len(ps.free) }

// intern returns the index of p. It stores p if it is new.
func (ps *pens) intern(p *pen) uint32 {
	if *p == (pen{}) {
		return 0
	}
	mask := uint32(len(ps.table) - 1)
	i := p.hash() & mask
	for ; ps.table[i] != 0; i = (i + 1) & mask {
		if ps.list[ps.table[i]] == *p {
			return ps.table[i]
		}
	}
	var id uint32
	if n := len(ps.free); n > 0 {
		id = ps.free[n-1]
		ps.free = ps.free[:n-1]
		ps.list[id] = *p
	} else {
		id = uint32(len(ps.list))
		ps.list = append(ps.list, *p)
	}
	ps.table[i] = id
	if ps.len()*2 > len(ps.table) {
		ps.table = make([]uint32, 2*len(ps.table))
		ps.rehash()
	}
	return id
}

func (ps *pens) rehash() {
	clear(ps.table)
	dead := make(map[uint32]bool, len(ps.free))
	for _, id := range ps.free {
		dead[id] = true
	}
	mask := uint32(len(ps.table) - 1)
	for id := 1; id < len(ps.list); id++ {
		if dead[uint32(id)] {
			continue
		}
		i := ps.list[id].hash() & mask
		for ps.table[i] != 0 {
			i = (i + 1) & mask
		}
		ps.table[i] = uint32(id)
	}
}

// sweep frees every pen that is not marked as used.
func (ps *pens) sweep(marked []bool) {
	ps.free = ps.free[:0]
	for id := len(ps.list) - 1; id > 0; id-- {
		if !marked[id] {
			ps.list[id] = pen{}
			ps.free = append(ps.free, uint32(id))
		}
	}
	ps.rehash()
	ps.sweepAt = max(minPens, 2*ps.len())
}
