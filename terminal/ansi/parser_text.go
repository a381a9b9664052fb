package ansi

import (
	"encoding/binary"
	"math/bits"
)

const (
	esc         = 0x1b
	replacement = '\ufffd'
)

// parseText parses from b[i] on in the ground state, control sequences included. It returns where
// it stopped: in another state, or at the end.
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

// asciiRun returns the end of the bytes 0x20 to 0x7e that begin at b[i].
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

// shortRun is the minimum length of a run of ASCII characters that goes to Text although other
// characters stand before it.
const shortRun = 16

// parseRunes decodes from b[i] up to ASCII text, a control or an unfinished sequence at the end,
// which it keeps for the next piece.
func (p *Parser) parseRunes(b []byte, i int, h Handler) int {
	n := 0
	for i < len(b) {
		c := b[i]
		if n > len(p.runes)-shortRun {
			h.Runes(p.runes[:n])
			n = 0
		}
		if c < 0x80 {
			if c <= 0x0f || c == esc {
				break
			}
			if c < 0x20 || c == 0x7f {
				p.runes[n] = rune(c)
				n++
				i++
				continue
			}
			// A few ASCII characters in between are not worth a call of their own.
			end := asciiRun(b[:min(i+shortRun, len(b))], i+1)
			if end == i+shortRun {
				break
			}
			for ; i < end; i++ {
				p.runes[n] = rune(b[i])
				n++
			}
			continue
		}
		// The common cases: valid sequences outside of the ranges that need a closer look.
		if i+2 < len(b) && c >= 0xe1 && c != 0xed && c <= 0xef && b[i+1]&0xc0 == 0x80 && b[i+2]&0xc0 == 0x80 {
			p.runes[n] = rune(c&0x0f)<<12 | rune(b[i+1]&0x3f)<<6 | rune(b[i+2]&0x3f)
			n++
			i += 3
			continue
		}
		if i+1 < len(b) && c >= 0xc2 && c <= 0xdf && b[i+1]&0xc0 == 0x80 {
			p.runes[n] = rune(c&0x1f)<<6 | rune(b[i+1]&0x3f)
			n++
			i += 2
			continue
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

// finishRune completes the UTF-8 sequence that the last piece left unfinished. It returns the
// number of bytes used of b, which is not empty.
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

// DecodeRune decodes the first character of b. An ill-formed sequence gives one U+FFFD for its
// maximal subpart (Unicode 3.9, D93b). Size 0 means that b, which is not empty, ends inside a
// sequence that is well-formed so far.
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
