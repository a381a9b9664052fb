// Package console turns the output of a program into the text that it would leave on a terminal.
// Text that the program has overwritten or erased is not part of it, and neither are colours. Lines
// are not wrapped.
//
// The program does not know the width of this terminal. So the emulated screen is wider than the
// lines that programs overwrite, and higher than their cursor moves up. A line without cursor
// movements is passed on as it was printed, with its tabs and the blanks at its end. Other lines
// are passed on as the emulator shows them.
package console

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

const (
	rows = 64  // The height of the emulated screen.
	cols = 512 // The width of the emulated screen, wider than most lines that programs draw.
	// calm is the number of plain lines in a row after which the emulator is no longer used. It is
	// high because starting it again costs a whole screen.
	calm = 8 * rows
	// longLine is the number of bytes after which the beginning of a line is final, because no
	// program moves the cursor back that far.
	longLine = 4 << 10
)

// Screen is an emulated terminal that turns the output of a program into text. It passes each line
// to the function Out as soon as the program cannot change the line any more. The result does not
// depend on how the output is cut into writes. The time is linear in the output, and the memory is
// bounded.
type Screen struct {
	// Out is called with the final text, piece by piece. A piece is valid only during the call.
	Out func([]byte)

	parser ansi.Parser
	buf    []byte
	// The lines as they were printed. While the canvas is in use, only those since the last cursor
	// movement.
	plain    lines
	long     bool    // The beginning of the current line is final, and was passed on.
	returned bool    // The last character was CR, whose effect depends on the next one: before LF it has none.
	canvas   *canvas // The emulated screen, for output with cursor movements; nil: there were none so far.
	drawing  bool    // The canvas holds the screen. Otherwise plain does.
	cleared  int
}

// ClearCount returns the number of times that the program has erased a screen that was not blank.
func (s *Screen) ClearCount() int { return s.cleared }

// Write takes output of the program. It never fails.
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

// Live returns the text on the screen: the last part of the output, which the program may still
// change.
func (s *Screen) Live() []byte {
	if s.drawing {
		return s.canvas.live()
	}
	return s.plain.text
}

// Close ends the output. It passes the text on the screen to the function Out.
func (s *Screen) Close() {
	text := s.Live()
	if s.drawing && s.canvas.leaveAlt() { // the program was ended there
		text = append(s.canvas.live(), text...)
	}
	s.Out(text)
	s.plain.reset()
	s.drawing = false
}

// plainPrefix returns the number of bytes at the beginning of p that are printable ASCII, tabs,
// line feeds or NUL.
func plainPrefix(p []byte) int {
	for i, b := range p {
		if (b < ' ' || b > '~') && b != '\n' && b != '\t' && b != 0 {
			return i
		}
	}
	return len(p)
}

// printLines prints lines without cursor movements while the canvas is not in use.
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

// print prints text without control characters other than tabs and NUL.
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

// newline handles a line feed: it ends the current line, and passes on lines that are final.
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

// settle carries out a CR that was put off until the next character.
func (s *Screen) settle() {
	if s.returned {
		s.returned = false
		s.control([]byte(ansi.CR))
	}
}

// control sends a sequence to the canvas that moves the cursor or changes printed text.
func (s *Screen) control(sequence []byte) {
	s.settle()
	s.draw()
	s.move()
	s.canvas.feed(sequence)
}

// move records that the cursor has moved. From then on the lines that were printed before are known
// only as the canvas shows them.
func (s *Screen) move() {
	s.plain.reset()
	s.canvas.line.plain = false
}

// draw begins to use the canvas, and prints the text on the screen there.
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

// standing reports whether the screen shows any text.
func (s *Screen) standing() bool { return len(bytes.TrimSpace(s.Live())) > 0 }

// lines holds complete lines as they were printed, each with its line feed, and the beginning of
// one more line. ends has the index behind each line feed.
type lines struct {
	text []byte
	ends []int
}

func (l *lines) reset() { l.text, l.ends = l.text[:0], l.ends[:0] }

// last returns the line that is not complete.
func (l *lines) last() []byte { return l.text[len(l.text)-l.unended():] }

// unended returns the number of bytes of the line that is not complete.
func (l *lines) unended() int {
	if len(l.ends) == 0 {
		return len(l.text)
	}
	return len(l.text) - l.ends[len(l.ends)-1]
}

// end ends the last line and returns the number of complete lines.
func (l *lines) end() int {
	l.text = append(l.text, '\n')
	l.ends = append(l.ends, len(l.text))
	return len(l.ends)
}

// cut removes all but the last n lines, and returns the removed text.
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

// handler receives the text and the control sequences that the parser finds in the output of a
// Screen. It ignores colours, titles and links, which change no text.
type handler Screen

func (h *handler) screen() *Screen { return (*Screen)(h) }

// Text prints ASCII characters on the emulated screen.
func (h *handler) Text(p []byte) { h.screen().print(p) }

// Runes prints other characters on the emulated screen. It drops control characters among them.
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

// Execute carries out a control character on the emulated screen.
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

// shifted reports whether a character set other than ASCII is selected.
func (s *Screen) shifted() bool { return s.drawing && s.canvas.modes&charset != 0 }

// atStart reports whether the cursor is at the beginning of a line on which nothing was printed.
func (s *Screen) atStart() bool {
	return !s.long && s.plain.unended() == 0 && (!s.drawing || s.canvas.line.plain)
}

// Escape carries out an escape sequence on the emulated screen.
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

// resetModes resets the modes of the canvas like RIS, but erases nothing: RIS would also erase the
// scrollback.
var resetModes = []byte(ansi.AltLeave + "\x1b(B\x0f\x1b[4l\x1b[r" + ansi.Home)

// clear sends a sequence that erases the screen, and counts it if the screen was not blank.
func (s *Screen) clear(sequence []byte) {
	if s.standing() {
		s.cleared++
	}
	s.control(sequence)
}

// CSI carries out a control sequence on the emulated screen.
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

// idle reports whether an erasure in the current line changes nothing, because the line is blank.
// If end is true, the erasure affects only the part behind the cursor.
func (s *Screen) idle(end bool) bool {
	return !s.returned && (!s.drawing || s.canvas.line.plain) && (end || s.atStart())
}

// encode returns a control sequence as bytes. It limits parameters to the width of the screen.
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

// OSC does nothing: titles, links and other control strings are not part of the text.
func (h *handler) OSC([]byte, bool)    {}
func (h *handler) Hook(*ansi.Sequence) {}
func (h *handler) Put([]byte)          {}
func (h *handler) Unhook()             {}
func (h *handler) StringStart(byte)    {}
func (h *handler) StringPut([]byte)    {}
func (h *handler) StringEnd()          {}
