package terminal

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// question is the type of a probe's owner. Every question is followed by a request for the device
// attributes (DA1), which every terminal answers: when that answer comes and its question has none,
// there will be none.
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
	askEnd                        // nothing but the sentinel: all that was said before has been dealt with
)

// owner is one question that is under way.
type owner struct {
	question question
	mode     int // of askMode
	answered bool
}

const sentinel = "\x1b[c" // DA1

// graphicsID marks our question about graphics. The ids of pictures have 24 bits, so none is this
// one.
const graphicsID = "i=16777247"

// asked are the modes that we want to know of, see mode.go; 2026 is set by frames, not by us.
var asked = [...]int{2026, 2027, 2031, 2048, 2004, 1004, 1010}

// probes keeps the questions under way, in order, and what was answered. It knows no clock: what
// never answers is simply never known.
type probes struct {
	owners []owner
	got    replies
	asked  bool // what further asks

	coloured bool // what colours asks
}

// ask appends a question with its sentinel.
func (p *probes) ask(dst []byte, q question, mode int) []byte {
	p.owners = append(p.owners, owner{question: q, mode: mode})
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

// burst appends all questions of the start. Some terminals print parts of what they do not know:
// those are asked nothing. strings: the colours are asked for, too, see [Caps.Strings].
func (p *probes) burst(dst []byte, env func(string) string, strings bool) []byte {
	if mute(env) {
		return dst
	}
	dst = p.ask(dst, askKeyboard, 0)
	for _, m := range asked {
		dst = p.ask(dst, askMode, m)
	}
	dst = p.ask(dst, askVersion, 0)
	dst = p.ask(dst, askSecondary, 0)
	if strings {
		dst = p.colours(dst)
	}
	return p.ask(dst, askCell, 0)
}

// colours appends the questions for the colours, once.
func (p *probes) colours(dst []byte) []byte {
	if p.coloured {
		return dst
	}
	p.coloured = true
	return p.ask(p.ask(dst, askBackground, 0), askForeground, 0)
}

// further appends the questions for a terminal that drops the strings that it does not know: one
// that has told its name. Others print them, and tmux takes one for a title. What some would show
// as a notification is asked by name only.
func (p *probes) further(dst []byte, c Caps) []byte {
	if p.got.version == "" || !c.Strings {
		return dst
	}
	dst = p.colours(dst)
	if c.Mux != "" || p.asked {
		return dst
	}
	p.asked = true
	dst = p.ask(dst, askGraphics, 0)
	if c.Name == "kitty" && versionAtLeast(c.Version, 0, 36) || c.Name == "foot" && versionAtLeast(c.Version, 1, 18) {
		dst = p.ask(dst, askNotify, 0)
	}
	return dst
}

// mute reports whether the terminal must not be asked: the Linux console prints the final of
// DECRQM, Emacs' terminals print strings, and GNU screen answers none of these.
func mute(env func(string) string) bool {
	term := env("TERM")
	for _, prefix := range []string{"linux", "cons25", "vt52", "eterm", "dumb", "emacs"} {
		if strings.HasPrefix(term, prefix) {
			return true
		}
	}
	return env("STY") != "" && env("TMUX") == "" || flag(env("SCROLLKEEP_NO_PROBE"))
}

// under reports whether a question is without its sentinel.
func (p *probes) under() bool { return len(p.owners) > 0 }

// answer notes that the first open question of this type has its reply.
func (p *probes) answer(q question, mode int) {
	for i := range p.owners {
		o := &p.owners[i]
		if o.question == q && o.mode == mode && !o.answered {
			o.answered = true
			return
		}
	}
}

// what a token turned out to be.
type reply uint8

const (
	notReply     reply = iota
	replyKnown         // it changed what is known
	replySwallow       // a reply without news: late, doubled, of somebody else
	replyScheme        // a report of the colour scheme
	replyStatus        // an answer to a status request
	replySize          // a report of the size (mode 2048), or a request's answer
	replyDone          // the sentinel of the last question
)

// take judges a token. Replies are taken for the whole session, asked for or not: none of them may
// reach the input.
func (p *probes) take(t stdinbuf.Token) reply {
	switch t.Kind {
	case stdinbuf.CSI:
		if t.Data[1] != '[' { // with Alt: a key
			return notReply
		}
		return p.csi(t.Data[2:])
	case stdinbuf.OSC:
		return p.osc(trimString(t.Data))
	case stdinbuf.DCS:
		body := trimString(t.Data)
		if v, ok := bytes.CutPrefix(body, []byte(">|")); ok {
			p.answer(askVersion, 0)
			if p.got.version == "" && printable(v) {
				p.got.version = string(v)
				return replyKnown
			}
		}
		return replySwallow
	case stdinbuf.APC:
		return p.graphics(trimString(t.Data))
	case stdinbuf.PM, stdinbuf.SOS:
		return replySwallow
	}
	return notReply
}

// csi judges a CSI sequence without its ESC [.
func (p *probes) csi(seq []byte) reply {
	body, final := seq[:len(seq)-1], seq[len(seq)-1]
	var mark, inter byte
	if len(body) > 0 && body[0] >= '<' && body[0] <= '?' {
		mark, body = body[0], body[1:]
	}
	if n := len(body); n > 0 && body[n-1] >= 0x20 && body[n-1] <= 0x2f {
		inter, body = body[n-1], body[:n-1]
	}
	v, ok := params(body)
	switch {
	case !ok:
		return notReply
	case mark == '?' && final == 'c' && inter == 0:
		return p.sentinel(body)
	case mark == '?' && final == 'u' && inter == 0:
		p.answer(askKeyboard, 0)
		if p.got.kitty != yes {
			p.got.kitty = yes
			return replyKnown
		}
		return replySwallow
	case final == 'y' && inter == '$': // DECRPM
		n, value := v.at(0, 0, 0), v.at(1, 0, 0)
		if mark != '?' {
			return replySwallow
		}
		p.answer(askMode, n)
		old, had := p.got.modes[n]
		if had && old == value || n == 0 {
			return replySwallow
		}
		if p.got.modes == nil {
			p.got.modes = make(map[int]int)
		}
		if len(p.got.modes) > 64 { // nobody asked that much
			return replySwallow
		}
		p.got.modes[n] = value
		return replyKnown
	case mark == '?' && final == 'n' && v.at(0, 0, 0) == 997 && inter == 0:
		if s := v.at(1, 0, 0); s == 1 || s == 2 {
			p.got.scheme = s
			return replyScheme
		}
		return replySwallow
	case mark == 0 && final == 't' && inter == 0:
		if v.at(0, 0, 0) == 48 {
			return replySize
		}
		if h, w := v.at(1, 0, 0), v.at(2, 0, 0); v.at(0, 0, 0) == 6 {
			p.answer(askCell, 0)
			if cell := [2]int{w, h}; w > 0 && h > 0 && w < maxCell && h < maxCell && cell != p.got.cell {
				p.got.cell = cell
				return replyKnown
			}
		}
		return replySwallow // sizes in pixels, titles
	case mark == '>' && final == 'c' && inter == 0 && p.got.secondary == "" && len(body) < 32:
		p.answer(askSecondary, 0)
		p.got.secondary = string(body)
		return replyKnown
	case mark == 0 && final == 'n' && inter == 0 && v.at(0, 0, 0) == 0:
		return replyStatus
	case mark == '?' && bytes.IndexByte([]byte("nRSt"), final) >= 0,
		mark == '>' && (final == 'c' || final == 'm' || final == 'u' || final == 'q'), mark == '=' && final == 'c':
		return replySwallow
	case mark == 0 && final == 'c' && len(body) > 0, mark == 0 && final == 'n' && inter == 0,
		mark == 0 && final == 'x' && inter == 0:
		// DA1 without its mark, DSR, DECREPTPARM
		return replySwallow
	case inter != 0 && inter != ' ' && (final == 'w' || final == 'y' || final == 'u' || final == 'v' || final == 'p'):
		// DECRPSS and kin
		return replySwallow
	}
	return notReply
}

// sentinel takes a DA1 reply: it closes the first question.
func (p *probes) sentinel(body []byte) reply {
	news := false
	if p.got.attributes == nil {
		for _, s := range strings.Split(string(body), ";") {
			if n, err := strconv.Atoi(s); err == nil && len(p.got.attributes) < 32 {
				p.got.attributes = append(p.got.attributes, n)
			}
		}
		news = len(p.got.attributes) > 0
	}
	if len(p.owners) == 0 {
		if news {
			return replyKnown
		}
		return replySwallow // late, or somebody else's
	}
	o := p.owners[0]
	p.owners = p.owners[1:]
	switch {
	case o.question == askEnd:
		return replySwallow // nothing is set any more
	case o.answered:
	case o.question == askKeyboard && p.got.kitty == open:
		p.got.kitty, news = no, true
	case o.question == askGraphics && p.got.graphics == open:
		p.got.graphics, news = no, true
	}
	switch {
	case len(p.owners) == 0:
		p.owners = nil
		return replyDone
	case news:
		return replyKnown
	}
	return replySwallow
}

// osc judges an OSC string. No OSC is ever input.
func (p *probes) osc(body []byte) reply {
	code, value, _ := strings.Cut(string(body[:min(len(body), 64)]), ";")
	var colour **[3]uint16
	switch code {
	case "10":
		p.answer(askForeground, 0)
		colour = &p.got.foreground
	case "11":
		p.answer(askBackground, 0)
		colour = &p.got.background
	case "99":
		if meta, _, _ := strings.Cut(value, ";"); meta == "i=scrollkeep:p=?" {
			p.answer(askNotify, 0)
			if p.got.notify != yes {
				p.got.notify = yes
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

// graphics judges an APC string: only the reply to our question is of interest.
func (p *probes) graphics(body []byte) reply {
	id, message, _ := bytes.Cut(body, []byte(";"))
	if string(id) != "G"+graphicsID {
		return replySwallow
	}
	p.answer(askGraphics, 0)
	can := no
	if string(message) == "OK" {
		can = yes
	}
	if p.got.graphics == can {
		return replySwallow
	}
	p.got.graphics = can
	return replyKnown
}

// maxCell is the most pixels that a cell may have in each direction to be believed.
const maxCell = 1 << 10

// trimString returns the content of an OSC, DCS or APC token.
func trimString(d []byte) []byte {
	d = d[2:]
	if n := len(d); n > 0 && d[n-1] == 7 {
		return d[:n-1]
	}
	return bytes.TrimSuffix(d, []byte("\x1b\\"))
}

// printable reports whether v is short printable ASCII: what a terminal calls itself is shown by
// doctor.
func printable(v []byte) bool {
	for _, b := range v {
		if b < 0x20 || b > 0x7e {
			return false
		}
	}
	return len(v) > 0 && len(v) <= 64
}

// parseColor reads rgb:rr/gg/bb with 1 to 4 hex digits each, rgba: with one more, or #rrggbb.
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
