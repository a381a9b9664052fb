package ansi

import (
	"encoding/binary"
	"math/bits"
)

const (
	esc         = 0x1b
	replacement = '\ufffd'
)

// parseText parses text and control sequences from b[i] on. It returns the index where it has
// stopped: in another state, or at the end.
func (p *Parser) parseText(b []byte, i int, h Handler) int {
	for i < len(b) {
		c := b[i]
		switch {
		case c >= 0x20 && c < 0x7f:
			j := asciiRun(b, i+1)
			h.Text(b[i:j])
			i = j
		case c == esc:
			if i+1 < len(b) && b[i+1] == '[' {
				if end := p.parseCSI(b, i+2, h); end > 0 {
					i = end
					continue
				}
			}
			p.clearSequence()
			p.state = escape
			return i + 1
		case c <= 0x0f:
			h.Execute(c)
			i++
		default:
			i = p.parseRunes(b, i, h)
		}
	}
	return i
}

// asciiRun returns the index behind the printable ASCII characters (0x20 to 0x7e) that begin at
// b[i].
func asciiRun(b []byte, i int) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i : i+8])
		// The high bit of a byte is set below 0x20, at 0x7f or above. A borrow can only spoil bytes
		// after the first hit.
		if m := ((x - 0x20*ones) | (x + ones) | x) & high; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x7f {
		i++
	}
	return i
}

// shortRun is the smallest number of ASCII characters behind others that are passed to
// Handler.Text. Fewer are passed to Handler.Runes together with the characters around them.
const shortRun = 16

// utf8Form says how to decode a UTF-8 character that begins with a given byte.
type utf8Form struct {
	size  int
	first uint32 // The bits of the first byte that belong to the code point.
	// The first four bytes of the character, masked by bits, must be equal to want: then the bytes
	// behind the first continue it.
	bits, want uint32
	// By how many bits the code point has to be shifted right, if it is computed as if the
	// character had four bytes.
	shift          uint8
	smallest, over rune // The smallest valid code point of this length, and the first one that is too large.
}

// utf8Forms holds the forms by the upper five bits of a first byte. For a byte that cannot begin a
// character, no bytes can be equal to want.
var utf8Forms = makeUTF8Forms()

func makeUTF8Forms() (forms [32]utf8Form) {
	for i := range forms {
		f := &forms[i]
		switch {
		case i < 0x10:
			*f = utf8Form{size: 1, first: 0x7f, shift: 18, over: 0x80}
		case i < 0x18 || i == 0x1f:
			f.want = 1
		case i < 0x1c:
			*f = utf8Form{size: 2, first: 0x1f, bits: 0xc000, want: 0x8000, shift: 12, smallest: 0x80, over: 0x800}
		case i < 0x1e:
			*f = utf8Form{size: 3, first: 0x0f, bits: 0xc0c000, want: 0x808000, shift: 6,
				smallest: 0x800, over: 1 << 16}
		default:
			*f = utf8Form{size: 4, first: 0x07, bits: 0xc0c0c000, want: 0x80808000,
				smallest: 1 << 16, over: 0x110000}
		}
	}
	return forms
}

// parseRunes decodes characters from b[i] on. It stops before a long run of ASCII, before a
// control, and before an incomplete character at the end, which it keeps for the next input.
// Processors cannot predict the length of the next character, so that no branch depends on it.
func (p *Parser) parseRunes(b []byte, i int, h Handler) int {
	n := 0
	plain := 0 // ASCII characters that came last
	for i < len(b) {
		c := b[i]
		if c <= 0x0f || c == esc {
			break
		}
		if n == len(p.runes) {
			h.Runes(p.runes[:n])
			n, plain = 0, 0
		}
		if i+4 <= len(b) {
			x := binary.LittleEndian.Uint32(b[i : i+4])
			f := &utf8Forms[c>>3]
			r := rune((x&f.first<<18 | x>>8&0x3f<<12 | x>>16&0x3f<<6 | x>>24&0x3f) >> f.shift)
			if x&f.bits == f.want && r >= f.smallest && r < f.over && uint32(r-0xd800) >= 0x800 {
				p.runes[n] = r
				n++
				i += f.size
				plain = (plain + 1) & (int(c>>7) - 1)
				if plain == shortRun && asciiRun(b[:i], i-shortRun) == i { // Text is quicker with them
					n, i = n-shortRun, i-shortRun
					break
				}
				continue
			}
		}
		r, size := DecodeRune(b[i:])
		if size == 0 {
			p.partialLen = copy(p.partialRune[:], b[i:])
			i = len(b)
			break
		}
		p.runes[n] = r
		n++
		i += size
	}
	if n > 0 {
		h.Runes(p.runes[:n])
	}
	return i
}

// finishRune completes the UTF-8 character at the end of the last input with bytes of b, which is
// not empty. It returns the number of bytes that it has used.
func (p *Parser) finishRune(b []byte, h Handler) int {
	partial := p.partialLen
	n := copy(p.partialRune[partial:], b)
	r, size := DecodeRune(p.partialRune[:partial+n])
	if size == 0 {
		p.partialLen += n
		return n
	}
	p.partialLen = 0
	p.runes[0] = r
	h.Runes(p.runes[:1])
	return size - partial // never negative: all bytes that were kept belong to the sequence
}

// DecodeRune decodes the first character of b, which must not be empty, and returns its size in
// bytes. Each maximal part of an ill-formed sequence gives one U+FFFD (Unicode 3.9, D93b). The size
// is 0 if b ends before the character is complete.
func DecodeRune(b []byte) (r rune, size int) {
	c := b[0]
	lo, hi := byte(0x80), byte(0xbf)
	var need int
	switch {
	case c < 0x80:
		return rune(c), 1
	case c < 0xc2 || c > 0xf4:
		return replacement, 1
	case c < 0xe0:
		need, r = 1, rune(c&0x1f)
	case c < 0xf0:
		need, r = 2, rune(c&0x0f)
		switch c {
		case 0xe0:
			lo = 0xa0
		case 0xed:
			hi = 0x9f
		}
	default:
		need, r = 3, rune(c&0x07)
		switch c {
		case 0xf0:
			lo = 0x90
		case 0xf4:
			hi = 0x8f
		}
	}
	for k := 1; k <= need; k++ {
		if k == len(b) {
			return 0, 0
		}
		if b[k] < lo || b[k] > hi {
			return replacement, k
		}
		r = r<<6 | rune(b[k]&0x3f)
		lo, hi = 0x80, 0xbf
	}
	return r, need + 1
}
