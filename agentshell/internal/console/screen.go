// Package console keeps what the output of a program leaves on a terminal. What was written over or
// erased is gone, as it is there, and so are colours. Lines are never wrapped.
//
// Nobody knows the width of a pipe. The screen is wider than what programs write over, and so high
// that what a program goes up to stands on it. A line on which nothing moved is given as it was
// printed, with its tabs and the blanks at its end; only the others are what the emulator shows.
package console

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

const (
	rows = 64  // of the screen
	cols = 512 // of the screen
	// calm is how many plain lines must follow each other before the canvas is left: a new one
	// costs a screen.
	calm = 8 * rows
	// longLine is how many bytes a line has of which no part can change any more.
	longLine = 4 << 10
)

// Screen is a terminal that gives away each line that cannot change any more. How output is cut
// into writes makes no difference. Work is linear in the output, and memory is bounded.
type Screen struct {
	// Out takes final text, in order, in pieces that are valid during the call.
	Out func([]byte)

	parser   ansi.Parser
	buf      []byte
	plain    lines   // as printed; while something is drawn, those after the last line that moved
	long     bool    // the beginning of the line that is being printed is final
	returned bool    // CR came last, which does nothing before LF
	canvas   *canvas // where something moves; nil: nothing has so far
	drawing  bool    // the screen is the canvas, and not the plain lines alone
	cleared  int
}

// ClearCount returns how often the program has erased a screen on which something stood.
func (s *Screen) ClearCount() int { return s.cleared }

// Write takes output. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if !s.drawing && !s.returned && s.parser.Ground() {
			k := plainPrefix(p)
			s.printLines(p[:k])
			p = p[k:]
		}
		k := bytes.IndexByte(p, '\n') + 1
		if k == 0 {
			k = len(p)
		}
		s.parser.Parse(p[:k], (*handler)(s))
		p = p[k:]
	}
	return n, nil
}

// Live returns the text that stands on the screen: the end of the output, which may still change.
func (s *Screen) Live() []byte {
	if s.drawing {
		return s.canvas.live()
	}
	return s.plain.text
}

// Close ends the output: all of it is final.
func (s *Screen) Close() {
	text := s.Live()
	if s.drawing && s.canvas.leaveAlt() { // the program was ended there
		text = append(s.canvas.live(), text...)
	}
	s.Out(text)
	s.plain.reset()
	s.drawing = false
}

// plainPrefix returns how many bytes at the beginning of p are printable ASCII, tabs, line feeds
// and NUL.
func plainPrefix(p []byte) int {
	for i, b := range p {
		if (b < ' ' || b > '~') && b != '\n' && b != '\t' && b != 0 {
			return i
		}
	}
	return len(p)
}

// printLines prints plain lines where nothing is drawn.
func (s *Screen) printLines(p []byte) {
	for len(p) > 0 {
		k := bytes.IndexByte(p, '\n')
		if k < 0 {
			s.print(p)
			return
		}
		s.print(p[:k])
		s.newline()
		p = p[k+1:]
	}
}

// print prints text without controls, but tabs.
func (s *Screen) print(p []byte) {
	s.settle()
	if s.drawing {
		s.canvas.print(p)
		if !s.canvas.line.plain {
			return
		}
	} else if s.long {
		s.Out(p)
		return
	}
	s.plain.text = append(s.plain.text, p...)
	if s.plain.unended() <= longLine {
		return
	}
	if s.drawing {
		s.move()
		return
	}
	s.Out(s.plain.text)
	s.plain.reset()
	s.long = true
}

// newline ends the line that is being printed.
func (s *Screen) newline() {
	s.returned = false
	switch {
	case s.drawing:
		row := s.canvas.newline(s.plain.last())
		if row && s.plain.end() >= calm { // all that stands there is plain
			s.canvas.take()
			s.plain.cut(rows - 1)
			s.drawing = false
		} else if !row {
			s.plain.reset()
		}
	case s.long:
		s.Out([]byte{'\n'})
		s.long = false
	case s.plain.end() >= 2*rows:
		s.Out(s.plain.cut(rows - 1))
	}
}

// settle does the CR that came last.
func (s *Screen) settle() {
	if s.returned {
		s.returned = false
		s.control([]byte(ansi.CR))
	}
}

// control has the canvas do something that moves or changes what was printed.
func (s *Screen) control(sequence []byte) {
	s.settle()
	s.draw()
	s.move()
	s.canvas.feed(sequence)
}

// move ends a run of plain lines.
func (s *Screen) move() {
	s.plain.reset()
	s.canvas.line.plain = false
}

// draw begins to draw: what stands on the screen goes to the canvas.
func (s *Screen) draw() {
	if s.drawing {
		return
	}
	if s.canvas == nil {
		s.canvas = newCanvas(s.Out)
	}
	s.canvas.reset()
	from := 0
	for _, end := range s.plain.ends {
		line := s.plain.text[from : end-1]
		s.canvas.print(line)
		s.canvas.newline(line)
		from = end
	}
	s.canvas.print(s.plain.text[from:])
	s.drawing, s.long = true, false
}

// standing reports whether anything stands on the screen.
func (s *Screen) standing() bool { return len(bytes.TrimSpace(s.Live())) > 0 }

// lines are lines as they were printed, each with its line feed, and the beginning of one more.
type lines struct {
	text []byte
	ends []int
}

func (l *lines) reset() { l.text, l.ends = l.text[:0], l.ends[:0] }

// last returns the unended line.
func (l *lines) last() []byte { return l.text[len(l.text)-l.unended():] }

// unended returns how many bytes of the unended line are there.
func (l *lines) unended() int {
	if len(l.ends) == 0 {
		return len(l.text)
	}
	return len(l.text) - l.ends[len(l.ends)-1]
}

// end ends the unended line and returns how many lines there are.
func (l *lines) end() int {
	l.text = append(l.text, '\n')
	l.ends = append(l.ends, len(l.text))
	return len(l.ends)
}

// cut removes all but n lines at the end, and returns what it removed, valid until the next call.
func (l *lines) cut(n int) []byte {
	from := l.ends[len(l.ends)-n-1]
	removed := append([]byte(nil), l.text[:from]...)
	l.text = append(l.text[:0], l.text[from:]...)
	for i, end := range l.ends[len(l.ends)-n:] {
		l.ends[i] = end - from
	}
	l.ends = l.ends[:n]
	return removed
}

// handler receives what the parser of a Screen recognises. Colours, titles and links show nothing
// by themselves, and do nothing here.
type handler Screen

func (h *handler) screen() *Screen { return (*Screen)(h) }

// Text prints ASCII.
func (h *handler) Text(p []byte) { h.screen().print(p) }

// Runes prints other characters. Controls among them show nothing.
func (h *handler) Runes(rs []rune) {
	h.buf = h.buf[:0]
	for _, r := range rs {
		if r >= ' ' && r != 0x7f {
			h.buf = utf8.AppendRune(h.buf, r)
		}
	}
	if len(h.buf) > 0 {
		h.screen().print(h.buf)
	}
}

// Execute does a control character.
func (h *handler) Execute(c byte) {
	s := h.screen()
	switch c {
	case '\n':
		s.newline()
	case '\r':
		s.returned = !s.atStart()
	case '\t', 0: // names may be divided by NUL
		s.print([]byte{c})
	case '\b':
		if !s.atStart() || s.returned {
			s.control([]byte{c})
		}
	case '\v', '\f':
		s.control([]byte{c})
	case 0x0e, 0x0f: // SO, SI
		if c == 0x0f && !s.shifted() {
			return
		}
		s.control([]byte{c})
		s.canvas.set(charset, c == 0x0e)
	}
}

// shifted reports whether a character set other than ASCII is in force.
func (s *Screen) shifted() bool { return s.drawing && s.canvas.modes&charset != 0 }

// atStart reports whether nothing was printed on a plain line so far.
func (s *Screen) atStart() bool {
	return !s.long && s.plain.unended() == 0 && (!s.drawing || s.canvas.line.plain)
}

// Escape does an escape sequence.
func (h *handler) Escape(q *ansi.Sequence) {
	s := h.screen()
	sequence := append(append([]byte{0x1b}, q.Intermediates...), q.Final)
	switch string(q.Intermediates) {
	case "":
		switch q.Final {
		case '7', '8', 'D', 'E', 'M', 'H':
			s.control(sequence)
		case 'c':
			s.clear(resetModes)
			s.canvas.modes = 0
			s.control(s.encode(&ansi.Sequence{Params: []uint16{2}, Final: 'J'}))
		}
	case "(":
		if q.Final == 'B' && !s.shifted() {
			return
		}
		s.control(sequence)
		s.canvas.set(charset, q.Final != 'B')
	}
}

// resetModes is what RIS does but for the erasure, which would take what is above the screen, too.
var resetModes = []byte(ansi.AltLeave + "\x1b(B\x0f\x1b[4l\x1b[r" + ansi.Home)

// clear does a sequence that erases the screen.
func (s *Screen) clear(sequence []byte) {
	if s.standing() {
		s.cleared++
	}
	s.control(sequence)
}

// CSI does a control sequence.
func (h *handler) CSI(q *ansi.Sequence) {
	s := h.screen()
	first := uint16(0)
	if len(q.Params) > 0 {
		first = q.Params[0]
	}
	switch string(q.Intermediates) {
	case "?":
		isAlt := first == 47 || first == 1047 || first == 1049
		if isAlt && (q.Final == 'h' || q.Final == 'l') {
			s.control(s.encode(q))
			s.canvas.set(alternate, q.Final == 'h')
		}
		return
	case "":
	default:
		return
	}
	switch {
	case q.Final == 'J' && first == 3, q.Final == 'K' && s.idle(first == 0),
		q.Final == 'J' && first == 0 && !s.drawing && s.idle(true): // nothing changes
	case q.Final == 'J' && first == 2:
		s.clear(s.encode(q))
	case bytes.IndexByte([]byte("@ABCDEFGHIJKLMPSTXZ`abdefsu"), q.Final) >= 0:
		s.control(s.encode(q))
	case q.Final == 'r':
		s.control(s.encode(q))
		s.canvas.set(margins, len(q.Params) > 0)
	case (q.Final == 'h' || q.Final == 'l') && first == 4:
		s.control(s.encode(q))
		s.canvas.set(insert, q.Final == 'h')
	}
}

// idle reports whether an erasure in the line changes nothing: nothing stands there, or with end
// set, nothing behind the cursor.
func (s *Screen) idle(end bool) bool {
	return !s.returned && (!s.drawing || s.canvas.line.plain) && (end || s.atStart())
}

// encode returns a control sequence as bytes, with numbers no larger than the screen.
func (s *Screen) encode(q *ansi.Sequence) []byte {
	s.buf = append(s.buf[:0], "\x1b["...)
	private := len(q.Intermediates) > 0 && q.Intermediates[0] >= '<'
	if private {
		s.buf = append(s.buf, q.Intermediates...)
	}
	for i, n := range q.Params {
		if i > 0 {
			s.buf = append(s.buf, ';')
		}
		if !private {
			n = min(n, cols)
		}
		s.buf = strconv.AppendUint(s.buf, uint64(n), 10)
	}
	return append(s.buf, q.Final)
}

// OSC does nothing: titles and links are not part of the text, nor are other strings.
func (h *handler) OSC([]byte, bool)    {}
func (h *handler) Hook(*ansi.Sequence) {}
func (h *handler) Put([]byte)          {}
func (h *handler) Unhook()             {}
func (h *handler) StringStart(byte)    {}
func (h *handler) StringPut([]byte)    {}
func (h *handler) StringEnd()          {}
