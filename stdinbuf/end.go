package stdinbuf

import "bytes"

// colourBytes holds the bytes that occur in reports of colours (rgb:, rgba:, #). These are the OSC
// replies that are requested at every start.
const colourBytes = "0123456789abcdefABCDEF/:;#rg"

// maxEnd is the most bytes of the end of a cut reply.
const maxEnd = 256

// end describes the end of a reply whose beginning was yielded as Broken, by Flush after a second
// without bytes, or because a key was typed meanwhile. Terminals that send a reply in pieces send
// its end with the next key, however late (vim's terminal, 9.0). It must not be taken for typing,
// where a lone y could be an answer. If a typed key is taken for it, the user presses the key
// again. The zero value means that no end is missing.
type end struct {
	kind   Kind   // The kind of the reply; Text: no end is missing.
	half   bool   // The ESC of the terminator has come; only \ is missing.
	finals string // The final bytes that the rest of a CSI sequence can have.
}

// after returns the end that is still missing after token t. A whole reply means that the end of an
// earlier one was lost, since replies come in order.
func (e end) after(t Token) end {
	switch {
	case t.Kind == Broken && len(t.Data) > 2 && t.Data[0] == esc:
		return endOf(t.Data)
	case t.Kind >= OSC && t.Kind <= SOS, t.Kind == CSI && isPrivateCSI(t.Data):
		return end{}
	}
	return e
}

// endOf returns the end that is missing after begin, the beginning of a reply.
func endOf(begin []byte) end {
	switch kind, body := stringKinds[begin[1]&0x7f], begin[2:]; {
	case kind == OSC && body[0] >= '0' && body[0] <= '9', kind == DCS, kind == APC:
		return end{kind: kind, half: body[len(body)-1] == esc}
	case begin[1] != '[':
	case isPrivateCSI(begin):
		return end{kind: CSI, finals: "cuynRSt"}
	case bytes.IndexFunc(body, func(r rune) bool { return r != ';' && (r < '0' || r > '9') }) >= 0:
	case string(body) == "0":
		return end{kind: CSI, finals: "nR"}
	case bytes.HasPrefix(body, []byte("4")), bytes.HasPrefix(body, []byte("6")), bytes.HasPrefix(body, []byte("8")):
		return end{kind: CSI, finals: "Rt"}
	default:
		return end{kind: CSI, finals: "R"}
	}
	return end{}
}

// find looks for the missing end at the start of p, and returns its number of bytes, or 0 if p does
// not begin with it. more is true if that can only be told when more bytes have come.
func (e end) find(p []byte) (n int, more bool) {
	if e.kind == Text {
		return 0, false
	}
	if e.half {
		return bytes.IndexByte(p[:1], '\\') + 1, false
	}
	for i, c := range p[:min(len(p), maxEnd)] {
		switch {
		case e.kind == CSI && bytes.IndexByte([]byte(e.finals), c) >= 0:
			return i + 1, false
		case e.kind == CSI:
			if c != ';' && c != '$' && (c < '0' || c > '9') {
				return 0, false
			}
		case c == bel && e.kind == OSC:
			return i + 1, false
		case c == esc && i+1 == len(p):
			return 0, true
		case c == esc && p[i+1] == '\\':
			return i + 2, false
		case c < 0x20, c == 0x7f, e.kind == OSC && bytes.IndexByte([]byte(colourBytes), c) < 0:
			return 0, false
		}
	}
	return 0, len(p) < maxEnd
}
