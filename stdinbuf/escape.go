package stdinbuf

import "unicode/utf8"

const (
	bel = 0x07
	esc = 0x1b
)

// stringKinds holds the kinds of tokens that end with ST, by the byte behind their ESC.
var stringKinds = [128]Kind{']': OSC, 'P': DCS, '_': APC, '^': PM, 'X': SOS}

// isPrivateCSI reports whether p begins with a private CSI sequence: ESC [ with <, =, > or ?.
func isPrivateCSI(p []byte) bool {
	return len(p) >= 3 && p[0] == esc && p[1] == '[' && p[2] >= '<' && p[2] <= '?'
}

// needMore returns the results of a reader that needs more bytes.
func needMore() (Token, int, bool) { return Token{}, 0, false }

// wholeToken returns the results of a reader that has found a token of kind k in the first n bytes
// of p.
func wholeToken(k Kind, p []byte, n int) (Token, int, bool) {
	return Token{Kind: k, Data: p[:n:n]}, n, true
}

// tokenOnFlush returns a token if flush is set. Otherwise it asks for more bytes.
func tokenOnFlush(flush bool, k Kind, p []byte, n int) (Token, int, bool) {
	if flush {
		return wholeToken(k, p, n)
	}
	return needMore()
}

// readEscape returns the token that begins with the ESC at the start of p.
func (b *Buffer) readEscape(p []byte, flush bool) (t Token, n int, ok bool) {
	if len(p) == 1 {
		return tokenOnFlush(flush, Escape, p, 1)
	}
	switch c := p[1]; {
	case c == esc:
		return b.readDoubleEscape(p, flush)
	case c == '[':
		return b.readCSI(p, 0, flush)
	case c == 'O':
		return readSS3(p, 0, flush)
	case c < utf8.RuneSelf && stringKinds[c] != Text:
		return b.readString(p, stringKinds[c], flush)
	case c < utf8.RuneSelf:
		return wholeToken(Alt, p, 2)
	}
	if !utf8.FullRune(p[1:]) && !flush {
		return needMore()
	}
	_, n = utf8.DecodeRune(p[1:])
	return wholeToken(Alt, p, 1+n)
}

// readDoubleEscape returns the token that begins with ESC ESC. It is a cursor or function key with
// Alt, as rxvt sends it, or else the Escape key before another token. Terminals never send a report
// (mouse, focus, a reply) with Alt, so that an ESC before a report is a key of its own.
func (b *Buffer) readDoubleEscape(p []byte, flush bool) (t Token, n int, ok bool) {
	switch {
	case len(p) == 2:
		return tokenOnFlush(flush, Escape, p, 1)
	case p[2] != '[' && p[2] != 'O', isPrivateCSI(p[1:]):
		return wholeToken(Escape, p, 1)
	case len(p) == 3:
		return tokenOnFlush(flush, Escape, p, 1)
	case p[2] == '[':
		t, n, ok = b.readCSI(p, 1, flush)
	default:
		t, n, ok = readSS3(p, 1, flush)
	}
	if !ok && !flush || (t.Kind == CSI || t.Kind == SS3) && isKey(t.Data) {
		return t, n, ok
	}
	b.mode = ground
	return wholeToken(Escape, p, 1)
}

// isKey reports whether seq is sent by a cursor or function key, including those of rxvt with
// Shift.
func isKey(seq []byte) bool {
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

// readCSI returns the token that begins with ESC [. skip is the number of ESCs before that one.
func (b *Buffer) readCSI(p []byte, skip int, flush bool) (t Token, n int, ok bool) {
	first := skip + 2
	if len(p) == first {
		return tokenOnFlush(flush, Alt, p, first)
	}
	switch c := p[first]; {
	case c == '[': // the Linux console sends F1 to F5 as ESC [ [ A to E
		switch {
		case len(p) == first+1 && !flush:
			return needMore()
		case len(p) > first+1 && p[first+1] >= 'A' && p[first+1] <= 'E':
			return wholeToken(CSI, p, first+2)
		}
		return wholeToken(Alt, p, first)
	case c == 'M': // X10 mouse: three bytes of any value
		if len(p) >= first+4 {
			return wholeToken(Mouse, p, first+4)
		}
		return tokenOnFlush(flush, Broken, p, len(p))
	case c < 0x20 || c >= 0x7f: // Alt+[, and then something else
		return wholeToken(Alt, p, first)
	}
	limit := orDefault(b.csiCap, maxCSI)
	if isPrivateCSI(p[skip:]) {
		limit = orDefault(b.privateCap, maxPrivate)
	}
	for i := max(first, b.searched); i < len(p); i++ {
		c := p[i]
		switch {
		case i >= limit:
			b.mode, b.discarded = discardCSI, 0
			return wholeToken(Broken, p, i)
		case c == '$' && allDigits(p[first:i]):
			// Rxvt ends keys with Shift like this; a mode report has two parameters before it.
			return wholeToken(CSI, p, i+1)
		case c >= 0x20 && c <= 0x3f:
			continue
		case c < 0x20 || c >= 0x7f: // ESC, a control, a character: this is no sequence any more
			return wholeToken(Broken, p, i)
		}
		if string(p[:i+1]) == pasteStart {
			b.mode = inPaste
			return Token{}, i + 1, false
		}
		return wholeToken(CSI, p, i+1)
	}
	b.searched = len(p)
	if isPrivateCSI(p) {
		return needMore()
	}
	return tokenOnFlush(flush, Broken, p, len(p))
}

// allDigits reports whether p has only digits.
func allDigits(p []byte) bool {
	for _, c := range p {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(p) > 0
}

// readSS3 returns the token that begins with ESC O. skip is the number of ESCs before that one.
// Some terminals send a modifier before the final byte.
func readSS3(p []byte, skip int, flush bool) (t Token, n int, ok bool) {
	first := skip + 2
	for i := first; i < len(p); i++ {
		c := p[i]
		switch {
		case (c >= '0' && c <= '9' || c == ';') && i < first+6:
			continue
		case c >= 0x40 && c <= 0x7e:
			return wholeToken(SS3, p, i+1)
		}
		return wholeToken(Alt, p, first)
	}
	return tokenOnFlush(flush, Alt, p, first)
}

// readString returns the OSC, DCS, APC, PM or SOS string at the start of p, up to its terminator.
// Replies contain no other control characters: such a byte was typed, and ends a string whose
// terminator was lost.
func (b *Buffer) readString(p []byte, kind Kind, flush bool) (t Token, n int, ok bool) {
	limit := orDefault(b.stringCap, maxString)
	for i := max(2, b.searched); i < len(p); i++ {
		c := p[i]
		switch {
		case i >= limit:
			b.mode, b.discarded = discardString, 0
			return wholeToken(Broken, p, i)
		case c == bel && kind == OSC:
			return wholeToken(kind, p, i+1)
		case c == esc && i+1 == len(p) && !flush:
			b.searched = i
			return needMore()
		case c == esc && i+1 == len(p) && i > 2: // half a terminator more likely than the Escape key
			return wholeToken(Broken, p, i+1)
		case c == esc && i+1 < len(p) && p[i+1] == '\\':
			return wholeToken(kind, p, i+2)
		case c < 0x20 || c == 0x7f:
			return cutString(p, i)
		}
	}
	b.searched = len(p)
	if flush {
		return cutString(p, len(p))
	}
	return needMore()
}

// cutString ends a string without terminator before byte i. If only two bytes are left, they are a
// key with Alt.
func cutString(p []byte, i int) (t Token, n int, ok bool) {
	if i == 2 {
		return wholeToken(Alt, p, 2)
	}
	return wholeToken(Broken, p, i)
}
