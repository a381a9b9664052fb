package terminal

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// probes holds the requests that are sent to the terminal to find out what it can do, and the
// replies. It has no timeouts: a capability whose request is never answered stays unknown.
type probes struct {
	pending []pendingQuestion // Requests that were written and not answered.
	queue   []pendingQuestion // Requests that are written later, in order.
	asked   []pendingQuestion // All requests that were ever queued.
	naming  bool              // The first step was written, and the terminal has not told its name yet.
	replies replies
}

// reply says what kind of reply a token is.
type reply uint8

const (
	notReply     reply = iota
	replyKnown         // A reply that tells something new.
	replySwallow       // A reply that tells nothing new: a late or repeated one, or one to another program.
	replyScheme        // A report of a dark or light theme.
	replyStatus        // The answer to a status request.
	replySize          // A report of the size (mode 2048), or the answer to a request for it.
	replyDone          // The DA1 reply that ends a step.
)

// takeToken stores t if it is a reply, and returns what kind of reply. It recognizes replies at any
// time, whether they were requested or not, so that none of them is taken for typing.
func (p *probes) takeToken(t stdinbuf.Token) reply {
	switch t.Kind {
	case stdinbuf.CSI:
		if t.Data[1] != '[' { // with Alt: a key
			return notReply
		}
		return p.takeCSI(t.Data[2:])
	case stdinbuf.OSC:
		return p.takeOSC(trimString(t.Data))
	case stdinbuf.DCS:
		body := trimString(t.Data)
		if v, ok := bytes.CutPrefix(body, []byte(">|")); ok {
			if p.replies.version == "" && printable(v) {
				p.replies.version = string(v)
				return replyKnown
			}
		}
		return replySwallow
	case stdinbuf.APC:
		return p.takeAPC(trimString(t.Data))
	case stdinbuf.PM, stdinbuf.SOS:
		return replySwallow
	}
	return notReply
}

// takeCSI handles a CSI sequence. seq holds the bytes behind ESC [.
func (p *probes) takeCSI(seq []byte) reply {
	body, final := seq[:len(seq)-1], seq[len(seq)-1]
	var prefix, intermediate byte
	if len(body) > 0 && body[0] >= '<' && body[0] <= '?' {
		prefix, body = body[0], body[1:]
	}
	if n := len(body); n > 0 && body[n-1] >= 0x20 && body[n-1] <= 0x2f {
		intermediate, body = body[n-1], body[:n-1]
	}
	v, ok := parseParams(body)
	switch {
	case !ok:
		return notReply
	case prefix == '?' && final == 'c' && intermediate == 0:
		return p.takeSentinel(body)
	case prefix == '?' && final == 'u' && intermediate == 0:
		if p.replies.kittyKeys != answeredYes {
			p.replies.kittyKeys = answeredYes
			return replyKnown
		}
		return replySwallow
	case final == 'y' && intermediate == '$': // DECRPM
		n, value := v.at(0, 0, 0), v.at(1, 0, 0)
		if prefix != '?' {
			return replySwallow
		}
		old, known := p.replies.modes[n]
		if known && old == value || n == 0 {
			return replySwallow
		}
		if p.replies.modes == nil {
			p.replies.modes = make(map[int]int)
		}
		if len(p.replies.modes) > 64 { // nobody asked that much
			return replySwallow
		}
		p.replies.modes[n] = value
		return replyKnown
	case prefix == '?' && final == 'n' && v.at(0, 0, 0) == 997 && intermediate == 0:
		if s := v.at(1, 0, 0); s == 1 || s == 2 {
			p.replies.scheme = s
			return replyScheme
		}
		return replySwallow
	case prefix == 0 && final == 't' && intermediate == 0:
		if v.at(0, 0, 0) == 48 {
			return replySize
		}
		if h, w := v.at(1, 0, 0), v.at(2, 0, 0); v.at(0, 0, 0) == 6 {
			if cell := [2]int{w, h}; w > 0 && h > 0 && w < maxCellPixels && h < maxCellPixels &&
				cell != p.replies.cellSize {
				p.replies.cellSize = cell
				return replyKnown
			}
		}
		return replySwallow // sizes in pixels, titles
	case prefix == '>' && final == 'c' && intermediate == 0 && p.replies.secondary == "" && len(body) < 32:
		p.replies.secondary = string(body)
		return replyKnown
	case prefix == 0 && final == 'n' && intermediate == 0 && v.at(0, 0, 0) == 0:
		return replyStatus
	case prefix == '?' && bytes.IndexByte([]byte("nRSt"), final) >= 0,
		prefix == '>' && (final == 'c' || final == 'm' || final == 'u' || final == 'q'), prefix == '=' && final == 'c':
		return replySwallow
	case prefix == 0 && final == 'c' && len(body) > 0, prefix == 0 && final == 'n' && intermediate == 0,
		prefix == 0 && final == 'x' && intermediate == 0:
		// DA1 without its mark, DSR, DECREPTPARM
		return replySwallow
	case intermediate != 0 && intermediate != ' ' && (final == 'w' || final == 'y' || final == 'u' ||
		final == 'v' || final == 'p'):
		// DECRPSS and kin
		return replySwallow
	}
	return notReply
}

// takeSentinel handles a DA1 reply, which ends the oldest step. Terminals answer in order, so that
// requests of that step without a reply will not get one.
func (p *probes) takeSentinel(body []byte) reply {
	news := false
	if p.replies.attributes == nil {
		p.replies.attributesLen = len("\x1b[?c") + len(body)
		for _, s := range strings.Split(string(body), ";") {
			if n, err := strconv.Atoi(s); err == nil && len(p.replies.attributes) < 32 {
				p.replies.attributes = append(p.replies.attributes, n)
			}
		}
		news = len(p.replies.attributes) > 0
	}
	if len(p.pending) == 0 {
		if news {
			return replyKnown
		}
		return replySwallow // late, or somebody else's
	}
	for last := false; !last && len(p.pending) > 0; p.pending = p.pending[1:] {
		last = p.pending[0].last
		switch p.pending[0].question {
		case askEnd:
			p.pending = nil
			return replySwallow // nothing is set any more
		case askVersion:
			p.naming = false
		case askKeyboard:
			p.replies.kittyKeys = orNo(p.replies.kittyKeys)
		case askGraphics:
			p.replies.graphics = orNo(p.replies.graphics)
		}
	}
	return replyDone
}

// orNo returns a, or answeredNo if a is unanswered.
func orNo(a answer) answer {
	if a == unanswered {
		return answeredNo
	}
	return a
}

// takeOSC handles an OSC string. Terminals never send one for a key.
func (p *probes) takeOSC(body []byte) reply {
	code, value, _ := strings.Cut(string(body[:min(len(body), 64)]), ";")
	var colour **[3]uint16
	switch code {
	case "10":
		colour = &p.replies.foreground
	case "11":
		colour = &p.replies.background
	case "99":
		if meta, _, _ := strings.Cut(value, ";"); meta == notifyQuery {
			if p.replies.notify != answeredYes {
				p.replies.notify = answeredYes
				return replyKnown
			}
		}
		return replySwallow
	default:
		return replySwallow
	}
	c, ok := parseColor(value)
	if !ok || *colour != nil && **colour == c {
		return replySwallow
	}
	*colour = &c
	return replyKnown
}

// takeAPC handles an APC string. Only the reply about kitty graphics is used.
func (p *probes) takeAPC(body []byte) reply {
	id, message, _ := bytes.Cut(body, []byte(";"))
	if string(id) != "G"+graphicsID {
		return replySwallow
	}
	can := answeredNo
	if string(message) == "OK" {
		can = answeredYes
	}
	if p.replies.graphics == can {
		return replySwallow
	}
	p.replies.graphics = can
	return replyKnown
}

// maxCellPixels is the largest width and height in pixels that is accepted for a cell.
const maxCellPixels = 1 << 10

// trimString returns the content of an OSC, DCS or APC token, without introducer and terminator.
func trimString(d []byte) []byte {
	d = d[2:]
	if n := len(d); n > 0 && d[n-1] == 7 {
		return d[:n-1]
	}
	return bytes.TrimSuffix(d, []byte("\x1b\\"))
}

// printable reports whether v is short and consists of printable ASCII, so that it can be shown to
// the user.
func printable(v []byte) bool {
	for _, b := range v {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	return len(v) > 0 && len(v) <= 64
}

// parseColor parses a colour: rgb:rr/gg/bb with 1 to 4 hex digits each, rgba: with one more part,
// or #rrggbb.
func parseColor(s string) (c [3]uint16, ok bool) {
	if h, found := strings.CutPrefix(s, "#"); found {
		if len(h)%3 != 0 || len(h) == 0 || len(h) > 12 {
			return c, false
		}
		n := len(h) / 3
		s = "rgb:" + h[:n] + "/" + h[n:2*n] + "/" + h[2*n:]
	}
	h, found := strings.CutPrefix(s, "rgb:")
	if !found {
		if h, found = strings.CutPrefix(s, "rgba:"); !found {
			return c, false
		}
	}
	parts := strings.Split(h, "/")
	if len(parts) < 3 {
		return c, false
	}
	for i, p := range parts[:3] {
		n, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return c, false
		}
		c[i] = uint16(n * 0xffff / (1<<(4*len(p)) - 1))
	}
	return c, true
}
