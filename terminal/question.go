package terminal

import (
	"slices"
	"strconv"
	"strings"
)

// question is the type of a question to the terminal.
//
// Questions go out in steps. A request for the device attributes (DA1), which every terminal
// answers, ends a step: if that answer comes first there will be none to the questions of the step.
// The next step goes out behind it. The first step asks who the terminal is, in sequences that no
// terminal is known to draw or to take for something else. What the others ask depends on the
// answer, see [knownAnswers]: st 0.9 takes CSI ? u for the order to restore the cursor, and
// qterminal 1.2 and zutty 0.14 draw the last byte of DECRQM (measured, docs/terminals).
type question uint8

const (
	askKeyboard   question = iota // CSI ? u: flags of kitty's keyboard protocol
	askMode                       // DECRQM
	askBackground                 // OSC 11
	askVersion                    // XTVERSION
	askSecondary                  // DA2
	askCell                       // CSI 16 t: the size of a cell in pixels
	askGraphics                   // kitty's graphics protocol, a=q
	askNotify                     // OSC 99, p=?
	askEnd                        // nothing but the sentinel: the terminal has dealt with everything before it
)

// pendingQuestion is one question.
type pendingQuestion struct {
	question question
	mode     int  // of askMode
	last     bool // the sentinel of its step is behind it
}

const sentinel = "\x1b[c" // DA1

// graphicsID marks our question about graphics. The ids of pictures have 24 bits, so that none is
// this one.
const graphicsID = "i=16777247"

// notifyQuery asks what the terminal's notifications can do, and begins its reply.
const notifyQuery = "i=sk:p=?"

// maxStepReply is the most bytes of replies that a step asks for. What libvterm 0.1.4 has to say
// beyond byte 63 in reply to one write is lost.
const maxStepReply = 60

// append appends the question without a sentinel.
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

// replyBytes returns how many bytes the reply to the question has at most, as terminals send it.
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

// appendStep appends questions as one step.
func (p *probes) appendStep(dst []byte, step ...pendingQuestion) []byte {
	step[len(step)-1].last = true
	for _, q := range step {
		dst = q.append(dst)
	}
	p.pending = append(p.pending, step...)
	return append(dst, sentinel...)
}

// appendNames appends the step that asks who the terminal is. Some terminals print parts of what
// they do not know, and are asked nothing.
func (p *probes) appendNames(dst []byte, env func(string) string) []byte {
	if mustNotAsk(env) {
		return dst
	}
	p.naming = true
	return p.appendStep(dst, pendingQuestion{question: askVersion}, pendingQuestion{question: askSecondary})
}

// appendNextStep appends the next questions of the queue, unless a step is under way.
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

// enqueue queues a question, once.
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

// plan queues what a terminal with these capabilities may be asked, once it has told its name. A
// name that comes late adds to it.
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

// jumpsOnOutput reports whether a terminal with these secondary attributes knows mode 1010: xterm
// and urxvt.
func jumpsOnOutput(secondary string) bool {
	return strings.HasPrefix(secondary, "41;") || strings.HasPrefix(secondary, "85;")
}

// answerable says what a terminal answers, or drops without harm.
type answerable struct{ keyboard, modes, colours bool }

// knownAnswers returns what the terminal may be asked. One that has reported its name (XTVERSION)
// may be asked everything: none is known that draws a question. Others are known by their secondary
// attributes (DA2, up to the first parameters that tell), or by TERM. Who is unknown is asked
// nothing more.
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

// mayReport reports whether a question for the state of a mode is to come, or under way.
func (p *probes) mayReport(mode int) bool {
	is := func(q pendingQuestion) bool { return q.question == askMode && q.mode == mode }
	return p.naming || slices.ContainsFunc(p.pending, is) || slices.ContainsFunc(p.queue, is)
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

// allAnswered reports whether the terminal has answered, and no question is to come or under way.
func (p *probes) allAnswered(env func(string) string) bool {
	return mustNotAsk(env) || len(p.replies.attributes) > 0 && len(p.pending) == 0 && len(p.queue) == 0
}

// inFlight reports whether a step waits for its sentinel.
func (p *probes) inFlight() bool { return len(p.pending) > 0 }
