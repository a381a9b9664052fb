package terminal

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// question is the type of a question to the terminal. Each is followed by a request for the device
// attributes (DA1), which every terminal answers. If that answer comes first there will be none to
// the question.
type question uint8

const (
	askKeyboard   question = iota // CSI ? u: flags of kitty's keyboard protocol
	askMode                       // DECRQM
	askBackground                 // OSC 11
	askVersion                    // XTVERSION
	askSecondary                  // DA2
	askForeground                 // OSC 10
	askCell                       // CSI 16 t: the size of a cell in pixels
	askGraphics                   // kitty's graphics protocol, a=q
	askNotify                     // OSC 99, p=?
	askEnd                        // nothing but the sentinel: the terminal has dealt with everything before it
)

// pendingQuestion is one question that is under way.
type pendingQuestion struct {
	question question
	mode     int // of askMode
	answered bool
}

const sentinel = "\x1b[c" // DA1

// graphicsID marks our question about graphics. The ids of pictures have 24 bits, so that none is
// this one.
const graphicsID = "i=16777247"

// probedModes holds the modes whose state we ask for, see mode.go. 2026 is set by frames, not by
// us.
var probedModes = [...]int{2026, 2027, 2031, 2048, 2004, 1004, 1010}

// probes holds the questions under way, in order, and the replies. It knows no clock: a question
// that is never answered stays unknown.
type probes struct {
	pending      []pendingQuestion
	replies      replies
	furtherAsked bool // appendFurtherQuestions has asked

	coloursAsked bool // appendColourQuestions has asked
}

// appendQuestion appends a question with its sentinel.
func (p *probes) appendQuestion(dst []byte, q question, mode int) []byte {
	p.pending = append(p.pending, pendingQuestion{question: q, mode: mode})
	switch q {
	case askKeyboard:
		dst = append(dst, "\x1b[?u"...)
	case askMode:
		dst = append(strconv.AppendInt(append(dst, "\x1b[?"...), int64(mode), 10), "$p"...)
	case askBackground:
		dst = append(dst, "\x1b]11;?\x1b\\"...)
	case askVersion:
		dst = append(dst, "\x1b[>0q"...)
	case askSecondary:
		dst = append(dst, "\x1b[>c"...)
	case askForeground:
		dst = append(dst, "\x1b]10;?\x1b\\"...)
	case askCell:
		dst = append(dst, "\x1b[16t"...)
	case askGraphics: // whether a picture of one pixel could be loaded; nothing is kept
		dst = append(dst, "\x1b_G"+graphicsID+",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"...)
	case askNotify:
		dst = append(dst, "\x1b]99;i=scrollkeep:p=?;\x1b\\"...)
	}
	return append(dst, sentinel...)
}

// appendFirstQuestions appends all questions of the start. Some terminals print parts of what they
// do not know, and are asked nothing. strings: the colours are asked for, too, see [Caps.Strings].
func (p *probes) appendFirstQuestions(dst []byte, env func(string) string, strings bool) []byte {
	if mustNotAsk(env) {
		return dst
	}
	dst = p.appendQuestion(dst, askKeyboard, 0)
	for _, m := range probedModes {
		dst = p.appendQuestion(dst, askMode, m)
	}
	dst = p.appendQuestion(dst, askVersion, 0)
	dst = p.appendQuestion(dst, askSecondary, 0)
	if strings {
		dst = p.appendColourQuestions(dst)
	}
	return p.appendQuestion(dst, askCell, 0)
}

// appendColourQuestions appends the questions for the colours, once.
func (p *probes) appendColourQuestions(dst []byte) []byte {
	if p.coloursAsked {
		return dst
	}
	p.coloursAsked = true
	return p.appendQuestion(p.appendQuestion(dst, askBackground, 0), askForeground, 0)
}

// appendFurtherQuestions appends the questions for a terminal that has reported its name, once: it
// drops the strings that it does not know. Others print them, and tmux takes one for a title. A
// question that some terminals show as a notification goes to known names only.
func (p *probes) appendFurtherQuestions(dst []byte, c Caps) []byte {
	if p.replies.version == "" || !c.Strings {
		return dst
	}
	dst = p.appendColourQuestions(dst)
	if c.Mux != "" || p.furtherAsked {
		return dst
	}
	p.furtherAsked = true
	dst = p.appendQuestion(dst, askGraphics, 0)
	if c.Name == "kitty" && versionAtLeast(c.Version, 0, 36) || c.Name == "foot" && versionAtLeast(c.Version, 1, 18) {
		dst = p.appendQuestion(dst, askNotify, 0)
	}
	return dst
}

// mustNotAsk reports whether the terminal must not be asked. The Linux console prints the final of
// DECRQM, Emacs' terminals print strings, and GNU screen answers none of these.
func mustNotAsk(env func(string) string) bool {
	term := env("TERM")
	for _, prefix := range []string{"linux", "cons25", "vt52", "eterm", "dumb", "emacs"} {
		if strings.HasPrefix(term, prefix) {
			return true
		}
	}
	return env("STY") != "" && env("TMUX") == "" || isYes(env("SCROLLKEEP_NO_PROBE"))
}

// inFlight reports whether a question waits for its sentinel.
func (p *probes) inFlight() bool { return len(p.pending) > 0 }

// markAnswered notes that the first open question of this type has its reply.
func (p *probes) markAnswered(q question, mode int) {
	for i := range p.pending {
		o := &p.pending[i]
		if o.question == q && o.mode == mode && !o.answered {
			o.answered = true
			return
		}
	}
}

// reply says what a token turned out to be.
type reply uint8

const (
	notReply     reply = iota
	replyKnown         // a reply that changed what is known
	replySwallow       // a reply without news: late, doubled, or to somebody else
	replyScheme        // a report of the colour scheme
	replyStatus        // an answer to a status request
	replySize          // a report of the size (mode 2048), or the answer to a request
	replyDone          // the sentinel of the last question
)

// takeToken takes t if it is a reply, and says which. Replies are taken for the whole session,
// asked for or not: none of them may reach the input.
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
			p.markAnswered(askVersion, 0)
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

// takeCSI takes a CSI sequence without its ESC [.
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
		p.markAnswered(askKeyboard, 0)
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
		p.markAnswered(askMode, n)
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
			p.markAnswered(askCell, 0)
			if cell := [2]int{w, h}; w > 0 && h > 0 && w < maxCellPixels && h < maxCellPixels &&
				cell != p.replies.cellSize {
				p.replies.cellSize = cell
				return replyKnown
			}
		}
		return replySwallow // sizes in pixels, titles
	case prefix == '>' && final == 'c' && intermediate == 0 && p.replies.secondary == "" && len(body) < 32:
		p.markAnswered(askSecondary, 0)
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

// takeSentinel takes a DA1 reply: it closes the first question.
func (p *probes) takeSentinel(body []byte) reply {
	news := false
	if p.replies.attributes == nil {
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
	o := p.pending[0]
	p.pending = p.pending[1:]
	switch {
	case o.question == askEnd:
		return replySwallow // nothing is set any more
	case o.answered:
	case o.question == askKeyboard && p.replies.kittyKeys == unanswered:
		p.replies.kittyKeys, news = answeredNo, true
	case o.question == askGraphics && p.replies.graphics == unanswered:
		p.replies.graphics, news = answeredNo, true
	}
	switch {
	case len(p.pending) == 0:
		p.pending = nil
		return replyDone
	case news:
		return replyKnown
	}
	return replySwallow
}

// takeOSC takes an OSC string. No OSC is ever input.
func (p *probes) takeOSC(body []byte) reply {
	code, value, _ := strings.Cut(string(body[:min(len(body), 64)]), ";")
	var colour **[3]uint16
	switch code {
	case "10":
		p.markAnswered(askForeground, 0)
		colour = &p.replies.foreground
	case "11":
		p.markAnswered(askBackground, 0)
		colour = &p.replies.background
	case "99":
		if meta, _, _ := strings.Cut(value, ";"); meta == "i=scrollkeep:p=?" {
			p.markAnswered(askNotify, 0)
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

// takeAPC takes an APC string. Only the reply to our question is of interest.
func (p *probes) takeAPC(body []byte) reply {
	id, message, _ := bytes.Cut(body, []byte(";"))
	if string(id) != "G"+graphicsID {
		return replySwallow
	}
	p.markAnswered(askGraphics, 0)
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

// maxCellPixels is the most pixels in each direction that a reported cell may have.
const maxCellPixels = 1 << 10

// trimString returns the content of an OSC, DCS or APC token.
func trimString(d []byte) []byte {
	d = d[2:]
	if n := len(d); n > 0 && d[n-1] == 7 {
		return d[:n-1]
	}
	return bytes.TrimSuffix(d, []byte("\x1b\\"))
}

// printable reports whether v is short printable ASCII. The doctor shows what a terminal calls
// itself.
func printable(v []byte) bool {
	for _, b := range v {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	return len(v) > 0 && len(v) <= 64
}

// parseColor reads rgb:rr/gg/bb with 1 to 4 hex digits each, rgba: with one more part, or #rrggbb.
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
