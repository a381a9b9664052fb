package terminal

import (
	"slices"
	"strconv"
	"strings"
)

// question is the kind of a request that finds out what the terminal can do.
//
// Requests are sent in steps. Each step ends with a request for the device attributes (DA1), which
// every terminal answers. If that answer comes, the other requests of the step that were not
// answered never will be, and the next step is sent. The first step asks for the terminal's name,
// by sequences that no terminal is known to print or to misunderstand. The other steps depend on
// the answer, see [knownAnswers]: st 0.9 takes CSI ? u for the order to restore the cursor, and
// qterminal 1.2 and zutty 0.14 print the last byte of DECRQM (measured, docs/terminals).
type question uint8

const (
	askKeyboard   question = iota // CSI ? u: the flags of kitty's keyboard protocol.
	askMode                       // DECRQM: the state of a mode.
	askBackground                 // OSC 11: the background colour.
	askVersion                    // XTVERSION
	askSecondary                  // DA2
	askCell                       // CSI 16 t: the size of a cell in pixels.
	askGraphics                   // The support of kitty graphics, a=q.
	askNotify                     // The support of notifications: OSC 99, p=?.
	askEnd                        // No request but DA1: the terminal has read everything before it.
)

// pendingQuestion is one request.
type pendingQuestion struct {
	question question
	mode     int  // The mode, for askMode.
	last     bool // It is the last one of its step.
}

const sentinel = "\x1b[c" // sentinel is the request for the device attributes (DA1) that ends a step.

// graphicsID is the image id in the request for kitty graphics. Ids of real images have 24 bits, so
// that none is equal to it.
const graphicsID = "i=16777247"

// notifyQuery is the metadata of the request about notifications (OSC 99). The reply begins with
// it, too.
const notifyQuery = "i=sk:p=?"

// maxStepReply is the most bytes of replies that one step requests. libvterm 0.1.4 loses what it
// answers to one write beyond byte 63.
const maxStepReply = 60

// append appends the bytes of the request.
func (q pendingQuestion) append(dst []byte) []byte {
	switch q.question {
	case askKeyboard:
		return append(dst, "\x1b[?u"...)
	case askMode:
		return append(strconv.AppendInt(append(dst, "\x1b[?"...), int64(q.mode), 10), "$p"...)
	case askBackground:
		return append(dst, "\x1b]11;?\x1b\\"...)
	case askVersion:
		return append(dst, "\x1b[>0q"...)
	case askSecondary:
		return append(dst, "\x1b[>c"...)
	case askCell:
		return append(dst, "\x1b[16t"...)
	case askGraphics: // whether a picture of one pixel could be loaded; nothing is kept
		return append(dst, "\x1b_G"+graphicsID+",s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"...)
	case askNotify:
		return append(dst, "\x1b]99;"+notifyQuery+";\x1b\\"...)
	}
	return dst
}

// replyBytes returns the most bytes that terminals send as a reply to the request.
func (q pendingQuestion) replyBytes() int {
	switch q.question {
	case askKeyboard:
		return len("\x1b[?31u")
	case askMode:
		return len("\x1b[?2026;2$y")
	case askBackground:
		return len("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
	case askCell:
		return len("\x1b[6;999;999t")
	}
	return maxStepReply // a step of its own
}

// appendStep appends requests as one step, with DA1 at the end.
func (p *probes) appendStep(dst []byte, step ...pendingQuestion) []byte {
	step[len(step)-1].last = true
	for _, q := range step {
		dst = q.append(dst)
	}
	p.pending = append(p.pending, step...)
	return append(dst, sentinel...)
}

// appendNames appends the first step, which asks for the terminal's name. It appends nothing for
// terminals that print parts of sequences that they do not know.
func (p *probes) appendNames(dst []byte, env func(string) string) []byte {
	if mustNotAsk(env) {
		return dst
	}
	p.naming = true
	return p.appendStep(dst, pendingQuestion{question: askVersion}, pendingQuestion{question: askSecondary})
}

// appendNextStep appends the next requests of the queue as a step, unless an earlier step is not
// answered yet.
func (p *probes) appendNextStep(dst []byte) []byte {
	if len(p.pending) > 0 || len(p.queue) == 0 {
		return dst
	}
	n, size := 0, p.replies.attributesLen
	for n < len(p.queue) && (n == 0 || size+p.queue[n].replyBytes() <= maxStepReply) {
		size += p.queue[n].replyBytes()
		n++
	}
	step := p.queue[:n:n]
	p.queue = p.queue[n:]
	return p.appendStep(dst, step...)
}

// enqueue queues a request, or one for each of modes, unless it was ever queued before.
func (p *probes) enqueue(q question, modes ...int) {
	if q != askMode {
		modes = []int{0}
	}
	for _, mode := range modes {
		if ask := (pendingQuestion{question: q, mode: mode}); !slices.Contains(p.asked, ask) {
			p.asked, p.queue = append(p.asked, ask), append(p.queue, ask)
		}
	}
}

// plan queues the requests that are safe for a terminal with capabilities c, once it has told its
// name. If it tells its name late, more requests are added.
func (p *probes) plan(c Caps, env func(string) string) {
	if p.naming && p.replies.version == "" || len(p.replies.attributes) == 0 || mustNotAsk(env) {
		return
	}
	known := p.knownAnswers(env)
	if !known.keyboard && p.replies.kittyKeys == unanswered {
		p.replies.kittyKeys = answeredNo
	}
	if known.keyboard {
		p.enqueue(askKeyboard)
	}
	if known.modes { // those first that are set at the start
		p.enqueue(askMode, 2004, 1004)
	}
	if known.colours && c.Strings {
		p.enqueue(askBackground)
	}
	if known.modes {
		p.enqueue(askCell)
		p.enqueue(askMode, 2026)
		if c.Name != "kitty" { // it has no such mode
			p.enqueue(askMode, 2027)
		}
		if jumpsOnOutput(p.replies.secondary) {
			p.enqueue(askMode, 1010)
		}
		p.enqueue(askMode, 2031, 2048)
	}
	// A terminal that has reported its name drops the strings that it does not know; tmux takes
	// one for a title. A question that some terminals show as a notification goes to known names
	// only.
	if p.replies.version == "" || !c.Strings || c.Mux != "" {
		return
	}
	if c.Name != "xterm" { // it has no such protocol (patch 410)
		p.enqueue(askGraphics)
	}
	if c.Name == "kitty" && versionAtLeast(c.Version, 0, 36) || c.Name == "foot" && versionAtLeast(c.Version, 1, 18) {
		p.enqueue(askNotify)
	}
}

// jumpsOnOutput reports whether a terminal with these secondary attributes (DA2) has mode 1010:
// xterm and urxvt do.
func jumpsOnOutput(secondary string) bool {
	return strings.HasPrefix(secondary, "41;") || strings.HasPrefix(secondary, "85;")
}

// answerable says which requests a terminal answers or ignores.
type answerable struct{ keyboard, modes, colours bool }

// knownAnswers returns which requests are safe for the terminal. A terminal that has reported its
// name (XTVERSION) may be sent all: none of these is known to print a request. Others are
// recognized by the beginning of their secondary attributes (DA2) or by TERM. A terminal that is
// not recognized is sent no more.
func (p *probes) knownAnswers(env func(string) string) answerable {
	if p.replies.version != "" {
		return answerable{true, true, true}
	}
	for _, t := range [...]struct {
		secondary  string
		answerable answerable
	}{
		{"0;276;", answerable{true, true, true}},   // xterm.js up to 6.0
		{"0;10;", answerable{false, true, true}},   // Windows' console
		{"0;0;0", answerable{false, false, true}},  // eat 0.9.4
		{"1;40", answerable{true, true, true}},     // kitty
		{"1;95;", answerable{false, false, true}},  // Terminal.app
		{"24;", answerable{false, true, true}},     // mlterm 3.9
		{"41;", answerable{false, true, true}},     // xterm up to 353
		{"61;", answerable{false, true, true}},     // VTE 0.84
		{"65;", answerable{false, true, true}},     // VTE 0.70
		{"64;0;0", answerable{false, false, true}}, // zutty 0.14
		{"85;", answerable{false, true, true}},     // urxvt 9.30
	} {
		if strings.HasPrefix(p.replies.secondary, t.secondary) {
			return t.answerable
		}
	}
	first, rest, _ := strings.Cut(p.replies.secondary, ";")
	version, third, _ := strings.Cut(rest, ";")
	switch {
	case first == "0" && len(version) == 4 && third == "1": // alacritty 0.11 to 0.17: 0;1700;1
		return answerable{true, true, true}
	case termName(env("TERM")) == "st": // 0.9
		return answerable{colours: true}
	}
	return answerable{}
}

// mayReport reports whether the terminal may still be asked for the state of a mode, or still
// answer.
func (p *probes) mayReport(mode int) bool {
	is := func(q pendingQuestion) bool { return q.question == askMode && q.mode == mode }
	return p.naming || slices.ContainsFunc(p.pending, is) || slices.ContainsFunc(p.queue, is)
}

// mustNotAsk reports whether no requests may be sent at all. The Linux console prints the last byte
// of DECRQM, the terminals of Emacs print control strings, and GNU screen answers nothing. The user
// can forbid requests by SCROLLKEEP_NO_PROBE.
func mustNotAsk(env func(string) string) bool {
	term := env("TERM")
	for _, prefix := range []string{"linux", "cons25", "vt52", "eterm", "dumb", "emacs"} {
		if strings.HasPrefix(term, prefix) {
			return true
		}
	}
	return env("STY") != "" && env("TMUX") == "" || isYes(env("SCROLLKEEP_NO_PROBE"))
}

// allAnswered reports whether the terminal has answered everything, or may not be sent requests.
func (p *probes) allAnswered(env func(string) string) bool {
	return mustNotAsk(env) || len(p.replies.attributes) > 0 && len(p.pending) == 0 && len(p.queue) == 0
}

// inFlight reports whether a step was sent whose end was not answered yet.
func (p *probes) inFlight() bool { return len(p.pending) > 0 }
