package stdinbuf

import "unicode/utf8"

const (
	bel = 0x07
	esc = 0x1b
)

// introduces holds the strings that end with ST by the byte behind their ESC.
var introduces = [128]Kind{']': OSC, 'P': DCS, '_': APC, '^': PM, 'X': SOS}

// private reports whether p begins with a private CSI sequence.
func private(p []byte) bool {
	return len(p) >= 3 && p[0] == esc && p[1] == '[' && p[2] >= '<' && p[2] <= '?'
}

// need returns the demand for more bytes.
func need() (Token, int, bool) { return Token{}, 0, false }

// take returns the token of the first n bytes.
func take(k Kind, p []byte, n int) (Token, int, bool) { return Token{Kind: k, Data: p[:n:n]}, n, true }

// guess returns a token on a flush, else a demand for more.
func guess(flush bool, k Kind, p []byte, n int) (Token, int, bool) {
	if flush {
		return take(k, p, n)
	}
	return need()
}

// escape reads what begins with ESC.
func (b *Buffer) escape(p []byte, flush bool) (t Token, n int, ok bool) {
	if len(p) == 1 {
		return guess(flush, Escape, p, 1)
	}
	switch c := p[1]; {
	case c == esc:
		return b.doubled(p, flush)
	case c == '[':
		return b.csi(p, 0, flush)
	case c == 'O':
		return ss3(p, 0, flush)
	case c < utf8.RuneSelf && introduces[c] != Text:
		return b.str(p, introduces[c], flush)
	case c < utf8.RuneSelf:
		return take(Alt, p, 2)
	}
	if !utf8.FullRune(p[1:]) && !flush {
		return need()
	}
	_, n = utf8.DecodeRune(p[1:])
	return take(Alt, p, 1+n)
}

// doubled reads ESC ESC: Alt with a cursor or function key as rxvt sends it, or the Escape key and
// whatever follows. A report (mouse, focus, a reply) is never sent with Alt: before one, the first
// ESC is a key of its own.
func (b *Buffer) doubled(p []byte, flush bool) (t Token, n int, ok bool) {
	switch {
	case len(p) == 2:
		return guess(flush, Escape, p, 1)
	case p[2] != '[' && p[2] != 'O', private(p[1:]):
		return take(Escape, p, 1)
	case len(p) == 3:
		return guess(flush, Escape, p, 1)
	case p[2] == '[':
		t, n, ok = b.csi(p, 1, flush)
	default:
		t, n, ok = ss3(p, 1, flush)
	}
	if !ok && !flush || (t.Kind == CSI || t.Kind == SS3) && key(t.Data) {
		return t, n, ok
	}
	b.mode = ground
	return take(Escape, p, 1)
}

// key reports whether seq is what a cursor or function key sends; rxvt's shifted ones included.
func key(seq []byte) bool {
	switch final := seq[len(seq)-1]; {
	case final == '~':
		return string(seq[1:]) != pasteStart && string(seq[1:]) != pasteEnd
	case final == 'R': // F3 as SS3; as CSI it may be a cursor report
		return seq[2] == 'O'
	case final >= 'A' && final <= 'H', final >= 'P' && final <= 'S', final >= 'a' && final <= 'd', final == 'Z',
		final == '$', final == '^', final == '@':
		return true
	case seq[2] == 'O': // the keypad
		return true
	}
	return false
}

// csi reads ESC [ ... behind skip more ESCs.
func (b *Buffer) csi(p []byte, skip int, flush bool) (t Token, n int, ok bool) {
	first := skip + 2
	if len(p) == first {
		return guess(flush, Alt, p, first)
	}
	switch c := p[first]; {
	case c == '[': // the Linux console sends F1 to F5 as ESC [ [ A to E
		switch {
		case len(p) == first+1 && !flush:
			return need()
		case len(p) > first+1 && p[first+1] >= 'A' && p[first+1] <= 'E':
			return take(CSI, p, first+2)
		}
		return take(Alt, p, first)
	case c == 'M': // X10 mouse: three bytes of any value
		if len(p) >= first+4 {
			return take(Mouse, p, first+4)
		}
		return guess(flush, Broken, p, len(p))
	case c < 0x20 || c >= 0x7f: // Alt+[, and then something else
		return take(Alt, p, first)
	}
	limit := or(b.csiCap, maxCSI)
	if private(p[skip:]) {
		limit = or(b.privateCap, maxPrivate)
	}
	for i := max(first, b.scan); i < len(p); i++ {
		c := p[i]
		switch {
		case i >= limit:
			b.mode, b.lost = discardCSI, 0
			return take(Broken, p, i)
		case c == '$' && digits(p[first:i]):
			// Rxvt ends keys with Shift like this; a mode report has two parameters before it.
			return take(CSI, p, i+1)
		case c >= 0x20 && c <= 0x3f:
			continue
		case c < 0x20 || c >= 0x7f: // ESC, a control, a character: this is no sequence any more
			return take(Broken, p, i)
		}
		if string(p[:i+1]) == pasteStart {
			b.mode = inPaste
			return Token{}, i + 1, false
		}
		return take(CSI, p, i+1)
	}
	b.scan = len(p)
	if private(p) {
		return need()
	}
	return guess(flush, Broken, p, len(p))
}

func digits(p []byte) bool {
	for _, c := range p {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(p) > 0
}

// ss3 reads ESC O ... behind skip more ESCs. Some terminals put a modifier before the final byte.
func ss3(p []byte, skip int, flush bool) (t Token, n int, ok bool) {
	first := skip + 2
	for i := first; i < len(p); i++ {
		c := p[i]
		switch {
		case (c >= '0' && c <= '9' || c == ';') && i < first+6:
			continue
		case c >= 0x40 && c <= 0x7e:
			return take(SS3, p, i+1)
		}
		return take(Alt, p, first)
	}
	return guess(flush, Alt, p, first)
}

// str reads a string up to its terminator. Controls other than its terminator are in no reply: one
// that comes was typed, and ends a string whose end was lost.
func (b *Buffer) str(p []byte, kind Kind, flush bool) (t Token, n int, ok bool) {
	limit := or(b.stringCap, maxString)
	for i := max(2, b.scan); i < len(p); i++ {
		c := p[i]
		switch {
		case i >= limit:
			b.mode, b.lost = discardString, 0
			return take(Broken, p, i)
		case c == bel && kind == OSC:
			return take(kind, p, i+1)
		case c == esc && i+1 == len(p) && !flush:
			b.scan = i
			return need()
		case c == esc && i+1 < len(p) && p[i+1] == '\\':
			return take(kind, p, i+2)
		case c < 0x20 || c == 0x7f:
			return cut(p, i)
		}
	}
	b.scan = len(p)
	if flush {
		return cut(p, len(p))
	}
	return need()
}

// cut ends a string without its terminator at i. Two bytes are a key with Alt.
func cut(p []byte, i int) (t Token, n int, ok bool) {
	if i == 2 {
		return take(Alt, p, 2)
	}
	return take(Broken, p, i)
}
