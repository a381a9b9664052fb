package stdinbuf

import (
	"bytes"
	"iter"
	"time"
	"unicode/utf8"
)

// Limits in bytes. A terminal sends far less.
const (
	maxCSI = 4096 // The length of a CSI sequence.
	// The length of a private CSI sequence (ESC [ with ?, <, = or >), which no timeout ends.
	maxPrivate = 256
	// The length of an OSC, DCS, APC, PM or SOS string. kitty sends images of the clipboard.
	maxString     = 16 << 20
	maxDiscard    = 32 << 20 // How much is dropped behind a sequence or string that was longer than its limit.
	maxPaste      = 1 << 20  // The length of a paste in one token. A longer paste becomes several tokens.
	maxKeptBuffer = 1 << 20  // A larger buffer is freed as soon as it is empty.
)

// How long an incomplete token waits for more bytes.
const (
	defaultEsc   = 50 * time.Millisecond // ESC, ESC [ and the like, which can be keys that the user has typed.
	sequenceWait = time.Second           // Sequences, strings and pastes that have begun: nobody types these.
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Buffer collects the bytes that a terminal sends, and cuts them into tokens. The zero value is
// ready for use. A Buffer is not safe for concurrent use.
type Buffer struct {
	// Esc is how long a lone ESC may be the beginning of a sequence; 0: 50 ms. Slow connections
	// need more. It may be changed at any time.
	Esc time.Duration

	buf       []byte
	pos       int // The index in buf of the next token.
	searched  int // How many bytes from pos on were searched for the end of the token.
	mode      mode
	discarded int // The number of bytes that were dropped so far, in the modes that discard.
	lost      end // The end of a reply whose beginning was yielded as Broken. It may still come.

	csiCap, privateCap, stringCap, pasteCap int // Limits that tests set; 0: the constant.
}

// mode says what the byte at pos is a part of.
type mode uint8

const (
	// No token has begun.
	ground         mode = iota
	inPaste             // A paste whose start marker was read.
	pasteContinued      // A paste of which a token was yielded already.
	discardCSI          // The rest of a CSI sequence that was longer than its limit.
	discardString       // The rest of a string that was longer than its limit.
)

// Feed copies p and yields the tokens that are complete. If the caller stops early, the next call
// yields the other tokens first.
func (b *Buffer) Feed(p []byte) iter.Seq[Token] {
	b.compact()
	b.buf = append(b.buf, p...)
	return b.tokens(false)
}

// Flush yields the bytes that wait for more as the token that they most likely are. A lone ESC
// becomes the Escape key, ESC [ becomes Alt+[, and a paste without its end is yielded as far as it
// has come. Any other incomplete token becomes Broken. A private CSI fragment keeps waiting, see
// the package comment.
func (b *Buffer) Flush() iter.Seq[Token] {
	b.compact()
	return b.tokens(true)
}

// Pending reports whether an incomplete token waits for more bytes. If so, the caller should call
// Flush when wait has passed since the last Feed.
func (b *Buffer) Pending() (wait time.Duration, ok bool) {
	p := b.buf[b.pos:]
	switch {
	case b.mode != ground:
		return sequenceWait, true
	case len(p) == 0, isPrivateCSI(p):
		return 0, false
	case b.lost.kind != Text && len(p) > 1 && p[0] != esc:
		return sequenceWait, true // nobody types that fast
	case len(p) <= 2, p[0] != esc, p[1] >= utf8.RuneSelf, len(p) == 3 && p[1] == esc:
		if b.Esc > 0 {
			return b.Esc, true
		}
		return defaultEsc, true
	}
	return sequenceWait, true
}

// Empty reports whether no bytes wait, so that the next byte begins a token. Unlike Pending, it
// counts a private CSI fragment, which no timeout ends.
func (b *Buffer) Empty() bool { return b.pos == len(b.buf) && b.mode == ground }

// compact removes the bytes that were yielded from buf.
func (b *Buffer) compact() {
	switch {
	case b.pos == len(b.buf):
		b.pos = 0
		if b.buf = b.buf[:0]; cap(b.buf) > maxKeptBuffer {
			b.buf = nil
		}
	case b.pos > len(b.buf)/2:
		b.buf = b.buf[:copy(b.buf, b.buf[b.pos:])]
		b.pos = 0
	}
}

// tokens yields the complete tokens. If flush is set it yields the incomplete one, too.
func (b *Buffer) tokens(flush bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for {
			t, n, ok := b.nextToken(flush)
			b.pos += n
			switch {
			case ok:
				b.searched = 0
				if b.lost = b.lost.after(t); b.mode != ground {
					b.lost = end{} // it is dropped anyway
				}
				if !yield(t) {
					return
				}
			case n > 0:
				b.searched = 0
			default:
				return
			}
		}
	}
}

// nextToken returns the token at pos and its number of bytes. If ok is false there is no token: n
// bytes are to be dropped, and if n is 0 more bytes are needed.
func (b *Buffer) nextToken(flush bool) (t Token, n int, ok bool) {
	p := b.buf[b.pos:]
	switch b.mode {
	case inPaste, pasteContinued:
		return b.readPaste(p, flush)
	case discardCSI, discardString:
		if n = b.discardTail(p); n > 0 || b.mode != ground && !flush {
			return Token{}, n, false
		}
		b.mode = ground
	}
	if len(p) == 0 {
		return needMore()
	}
	if n, more := b.lost.find(p); n > 0 {
		b.lost = end{}
		return wholeToken(Broken, p, n)
	} else if more && !flush {
		return needMore()
	}
	switch c := p[0]; {
	case c == esc:
		return b.readEscape(p, flush)
	case c < 0x20 || c == 0x7f:
		return wholeToken(Control, p, 1)
	case c < utf8.RuneSelf:
		return wholeToken(Text, p, 1)
	}
	if !utf8.FullRune(p) && !flush {
		return needMore()
	}
	_, n = utf8.DecodeRune(p)
	return wholeToken(Text, p, n)
}

// readPaste returns the paste up to its end marker, or as much of it as fits in a token.
func (b *Buffer) readPaste(p []byte, flush bool) (t Token, n int, ok bool) {
	limit := orDefault(b.pasteCap, maxPaste)
	// The marker may have been split by the last read: look again at its length less one.
	from := max(b.searched-len(pasteEnd)+1, 0)
	window := p[from:max(from, min(len(p), limit+len(pasteEnd)))]
	if i := bytes.Index(window, []byte(pasteEnd)); i >= 0 {
		return b.pasteToken(p, from+i, from+i+len(pasteEnd), ground)
	}
	b.searched = len(p)
	if len(p) >= limit+len(pasteEnd) {
		n = limit
		for n > max(limit-utf8.UTFMax, 1) && !utf8.RuneStart(p[n]) {
			n--
		}
		return b.pasteToken(p, n, n, pasteContinued)
	}
	if !flush {
		return needMore()
	}
	// The end was lost: what came is the paste. Half an end marker at the end is none of it.
	for n = min(len(pasteEnd)-1, len(p)); n > 0 && string(p[len(p)-n:]) != pasteEnd[:n]; {
		n--
	}
	return b.pasteToken(p, len(p)-n, len(p), ground)
}

// pasteToken returns the first i bytes of p as a token of a paste. n is the number of bytes that it
// uses up, and then the next mode.
func (b *Buffer) pasteToken(p []byte, i, n int, then mode) (Token, int, bool) {
	b.mode = then
	return Token{Kind: Paste, Data: p[:i:i], More: then == pasteContinued}, n, true
}

// discardTail returns how many bytes of p belong to the rest of a sequence that was longer than its
// limit. It returns 0 at an ESC that may be half of the terminator.
func (b *Buffer) discardTail(p []byte) int {
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
		if b.discarded++; b.discarded > maxDiscard {
			b.mode = ground
			return i + 1
		}
	}
	return len(p)
}

// orDefault returns a, or b if a is 0.
func orDefault(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}
