package stdinbuf

import "bytes"

// colourBytes holds the bytes of the reports of colours (rgb:, rgba:, #), the replies by
// OSC that are asked for at every start.
const colourBytes = "0123456789abcdefABCDEF/:;#rg"

// maxEnd is the most bytes that the end of a cut reply has.
const maxEnd = 256

// end is the end of a reply of which the beginning was yielded as Broken: by Flush, since nothing
// came for a second, or because a key was typed meanwhile. Terminals that hand a reply over in
// pieces send its end with the next key, however late (vim's terminal, 9.0). It must not be taken
// for typing: a lone y would be a yes. A key that is taken for it can be pressed again. The zero
// value waits for nothing.
type end struct {
	kind   Kind   // of the reply; Text: no end is lost
	half   bool   // the ESC of the terminator has come
	finals string // of a CSI sequence
}

// after returns what may still come behind t. A reply that is whole says that the end of an earlier
// one was lost: replies come in order.
func (e end) after(t Token) end {
	switch {
	case t.Kind == Broken && len(t.Data) > 2 && t.Data[0] == esc:
		return endOf(t.Data)
	case t.Kind >= OSC && t.Kind <= SOS, t.Kind == CSI && isPrivateCSI(t.Data):
		return end{}
	}
	return e
}

// endOf returns the end that the beginning of a reply asks for.
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

// find returns the number of bytes of p up to the end, 0 if p does not begin with it. Then more
// says that it may do so when more has come.
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
