package stdinbuf

import (
	"bytes"
	"iter"
	"time"
	"unicode/utf8"
)

// Limits, in bytes. Each is far above anything that a terminal sends in earnest.
const (
	maxCSI     = 4096     // a CSI sequence
	maxPrivate = 256      // a private one (ESC [ ?, <, =, >), which no timer ends
	maxString  = 16 << 20 // an OSC, DCS, APC, PM or SOS string; kitty sends clipboard images
	maxDiscard = 32 << 20 // what is thrown away behind a string over its cap
	maxPaste   = 1 << 20  // a paste; a longer one comes in pieces of this size
	keepCap    = 1 << 20  // a larger buffer is given back to the collector when it is empty
)

// How long to wait for the rest of a token.
const (
	defaultEsc = 50 * time.Millisecond // ESC, ESC [ and the like: keys that a person may have typed
	hold       = time.Second           // sequences, strings and pastes that have begun: nobody types these
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Buffer holds what is not complete yet. The zero value is ready. A Buffer is for one goroutine.
type Buffer struct {
	// Esc is how long a lone ESC may be the beginning of a sequence; 0 is 50 ms. Slow links want
	// more. It may be changed at any time.
	Esc time.Duration

	buf  []byte
	pos  int // where the first token that was not yielded begins
	scan int // up to where the token at pos has been searched for its end, from pos
	mode mode
	lost int // discarded bytes, in the discard modes

	csiCap, privateCap, stringCap, pasteCap int // for tests; 0 is the constant
}

// mode is what the byte at pos belongs to.
type mode uint8

const (
	ground        mode = iota
	inPaste            // behind the start marker
	pasteGoesOn        // the same, and a piece was delivered already
	discardCSI         // the tail of a CSI sequence over its cap
	discardString      // the tail of a string over its cap
)

// Feed takes all of p, which is copied, and returns the tokens that are complete. Tokens that the
// caller does not take, because it breaks off, come first from the next call.
func (b *Buffer) Feed(p []byte) iter.Seq[Token] {
	b.compact()
	b.buf = append(b.buf, p...)
	return b.tokens(false)
}

// Flush ends the wait: what is pending is yielded as what it is most likely to be. A lone ESC
// becomes the Escape key, ESC [ becomes Alt+[, a paste without its end is delivered as far as it
// came, anything longer is Broken. A private CSI fragment stays, see the package comment.
func (b *Buffer) Flush() iter.Seq[Token] {
	b.compact()
	return b.tokens(true)
}

// Pending reports whether an incomplete token waits for more bytes, and for how long before the
// caller should Flush. The time counts from the last Feed.
func (b *Buffer) Pending() (wait time.Duration, ok bool) {
	p := b.buf[b.pos:]
	switch {
	case b.mode != ground:
		return hold, true
	case len(p) == 0, private(p):
		return 0, false
	case len(p) <= 2, p[0] != esc, p[1] >= utf8.RuneSelf, len(p) == 3 && p[1] == esc:
		if b.Esc > 0 {
			return b.Esc, true
		}
		return defaultEsc, true
	}
	return hold, true
}

// Empty reports whether nothing is held: what comes next begins a token. A private CSI fragment is
// held although no timer ends it, so that Pending says nothing of it.
func (b *Buffer) Empty() bool { return b.pos == len(b.buf) && b.mode == ground }

// compact makes room: what was yielded goes.
func (b *Buffer) compact() {
	switch {
	case b.pos == len(b.buf):
		b.pos = 0
		if b.buf = b.buf[:0]; cap(b.buf) > keepCap {
			b.buf = nil
		}
	case b.pos > len(b.buf)/2:
		b.buf = b.buf[:copy(b.buf, b.buf[b.pos:])]
		b.pos = 0
	}
}

func (b *Buffer) tokens(flush bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for {
			t, n, ok := b.next(flush)
			b.pos += n
			switch {
			case ok:
				b.scan = 0
				if !yield(t) {
					return
				}
			case n > 0:
				b.scan = 0
			default:
				return
			}
		}
	}
}

// next finds the token at pos and the bytes that it takes. Without a token n bytes are dropped; if
// n is 0, more are needed.
func (b *Buffer) next(flush bool) (t Token, n int, ok bool) {
	p := b.buf[b.pos:]
	switch b.mode {
	case inPaste, pasteGoesOn:
		return b.paste(p, flush)
	case discardCSI, discardString:
		if n = b.discard(p); n > 0 || b.mode != ground && !flush {
			return Token{}, n, false
		}
		b.mode = ground
	}
	if len(p) == 0 {
		return need()
	}
	switch c := p[0]; {
	case c == esc:
		return b.escape(p, flush)
	case c < 0x20 || c == 0x7f:
		return take(Control, p, 1)
	case c < utf8.RuneSelf:
		return take(Text, p, 1)
	}
	if !utf8.FullRune(p) && !flush {
		return need()
	}
	_, n = utf8.DecodeRune(p)
	return take(Text, p, n)
}

// paste takes what was pasted up to the end marker, or a piece of it.
func (b *Buffer) paste(p []byte, flush bool) (t Token, n int, ok bool) {
	limit := or(b.pasteCap, maxPaste)
	// The marker may have been split by the last read: look again at its length less one.
	from := max(b.scan-len(pasteEnd)+1, 0)
	window := p[from:max(from, min(len(p), limit+len(pasteEnd)))]
	if i := bytes.Index(window, []byte(pasteEnd)); i >= 0 {
		return b.pasted(p, from+i, from+i+len(pasteEnd), ground)
	}
	b.scan = len(p)
	if len(p) >= limit+len(pasteEnd) {
		n = limit
		for n > max(limit-utf8.UTFMax, 1) && !utf8.RuneStart(p[n]) {
			n--
		}
		return b.pasted(p, n, n, pasteGoesOn)
	}
	if !flush {
		return need()
	}
	// The end was lost: what came is the paste. Half an end marker at the end is none of it.
	for n = min(len(pasteEnd)-1, len(p)); n > 0 && string(p[len(p)-n:]) != pasteEnd[:n]; {
		n--
	}
	return b.pasted(p, len(p)-n, len(p), ground)
}

// pasted delivers the first i bytes of p as a paste or a piece of one, n are used up.
func (b *Buffer) pasted(p []byte, i, n int, then mode) (Token, int, bool) {
	b.mode = then
	return Token{Kind: Paste, Data: p[:i:i], More: then == pasteGoesOn}, n, true
}

// discard drops the tail of a sequence over its cap and returns how many bytes that were; 0 at an
// ESC that may be half a terminator.
func (b *Buffer) discard(p []byte) int {
	for i, c := range p {
		switch {
		case b.mode == discardCSI && c >= 0x40 && c <= 0x7e, b.mode == discardString && c == bel:
			b.mode = ground
			return i + 1
		case b.mode == discardString && c == esc:
			if i+1 == len(p) {
				return i
			}
			b.mode = ground
			if p[i+1] == '\\' {
				return i + 2
			}
			return i
		case c < 0x20, c == 0x7f, c > 0x7f && b.mode == discardCSI:
			b.mode = ground
			return i
		}
		if b.lost++; b.lost > maxDiscard {
			b.mode = ground
			return i + 1
		}
	}
	return len(p)
}

func or(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}
