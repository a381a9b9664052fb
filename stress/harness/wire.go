package harness

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// wire is the renderer's output. It checks each Write, and passes the bytes on to the emulated
// terminal: at once, or later while the terminal does not read.
type wire struct {
	term       *vt.Terminal
	chunk      int // bytes per write to the terminal, as in [program.Terminal]
	allowed    allowed
	check      checker // the checker that has read the last Write
	firstFault error   // the first error that a check has found; nil: none

	writes int
	last   []byte // bytes of the renderer's last Write
	stall  bool   // the terminal reads nothing for now; bytes go to held
	held   []byte // bytes that the renderer wrote while stall was true

	watch   *flicker.Watch // observes the terminal between the sequences of a frame, to find flicker; nil: off
	watched bool           // a frame is being written, and watch observes it
	seen    flicker.Seen   // flicker that was seen in the Writes of the last frame

	record bool
	events []Event
}

// allowed says which sequences the renderer may write at the moment, besides those of an ordinary
// frame.
type allowed struct {
	ask      bool // the request for the cursor position (CSI 6 n)
	full     bool // the sequences that paint the alternate screen
	deletes  bool // DL, the sequence that deletes rows
	redraws  bool // OSC 133 marks of the live region, see renderer.Quirks.RedrawsPrompt
	graphics bool // kitty graphics, in a Write without other brackets
}

func (w *wire) Write(p []byte) (int, error) {
	w.writes++
	w.last = append(w.last[:0], p...)
	w.check = checker{allowed: w.allowed}
	w.check.checkWrite(p)
	if w.firstFault == nil && w.check.firstFault != nil {
		w.firstFault = fmt.Errorf("%w in %q", w.check.firstFault, p)
	}
	if w.stall {
		w.held = append(w.held, p...)
		return len(p), nil
	}
	if w.watch == nil {
		w.feed(p)
		return len(p), nil
	}
	w.watch.Begin()
	w.watched = true
	w.feed(p)
	w.watched = false
	seen, err := w.watch.End()
	if err != nil && w.firstFault == nil {
		w.firstFault = fmt.Errorf("%w in %q", err, p)
	}
	w.seen.Add(seen)
	bracket := bytes.HasPrefix(p, []byte(ansi.SyncBegin)) || bytes.HasPrefix(p, []byte(ansi.CursorHide))
	if seen.Moved > 0 && !bracket && w.term.Cursor().Visible && w.firstFault == nil {
		w.firstFault = fmt.Errorf("rows move and come back in view: %s, in %q", seen, p)
	}
	return len(p), nil
}

// releaseHeld gives the terminal the bytes that were written while it did not read.
func (w *wire) releaseHeld() { w.feed(w.takeHeld()) }

// takeHeld returns the bytes that were written while the terminal did not read, and lets the
// terminal read again. The caller has to send the bytes.
func (w *wire) takeHeld() []byte {
	p := w.held
	w.held, w.stall = nil, false
	return p
}

// feed sends the bytes of one Write to the terminal, in pieces of the size that the test program
// asks for: whole, sequence by sequence, or w.chunk bytes at a time.
func (w *wire) feed(p []byte) {
	switch n := w.chunk; {
	case n < 0:
		w.send(p)
	case n == 0:
		w.feedTokens(p)
	default:
		for len(p) > 0 {
			k := min(n, len(p))
			w.send(p[:k])
			p = p[k:]
		}
	}
}

// Event holds one step of a recording: bytes that the terminal was given, or, if Bytes is nil, its
// new size in columns and rows.
type Event struct {
	Bytes      []byte
	Cols, Rows int
}

// send gives bytes to the emulated terminal at once, and records them. They may come from the
// renderer or from another program.
func (w *wire) send(p []byte) {
	if w.record {
		w.events = append(w.events, Event{Bytes: bytes.Clone(p)})
	}
	if w.watched {
		w.watch.Token(p)
		return
	}
	w.term.Write(p)
}

// resize changes the size of the emulated terminal, and records the change.
func (w *wire) resize(cols, rows int) {
	if w.record {
		w.events = append(w.events, Event{Cols: cols, Rows: rows})
	}
	w.term.Resize(cols, rows)
}

// feedTokens sends p to the terminal, one character or sequence at a time, and checks the
// terminal's state before each control character and escape sequence.
func (w *wire) feedTokens(p []byte) {
	for len(p) > 0 {
		n := flicker.Token(p)
		if p[0] < 0x20 {
			w.checkToken(string(p[:n]))
		}
		w.send(p[:n])
		p = p[n:]
	}
}

// checkToken checks that the terminal's state suits the control character or escape sequence that
// it gets next: for example that nothing is erased in a colour, or while a wrap is pending.
func (w *wire) checkToken(token string) {
	if w.firstFault != nil {
		return
	}
	c := w.term.Cursor()
	final := token[len(token)-1]
	plain := w.term.Pen() == (vt.Style{})
	// the row that it may make takes its background from the pen, and nothing else
	if p := w.term.Pen(); token == "\n" {
		plain = p.Bg == 0 && p.Attr&vt.Inverse == 0
	}
	erases := token == "\n" || len(token) > 2 && token[1] == '[' &&
		(final == 'K' || final == 'J' || final == 'X' || final == 'L' || final == 'M')
	if erases && !plain {
		w.firstFault = fmt.Errorf("the pen is %+v at %q in %q", w.term.Pen(), token, w.last)
	}
	if final == 'J' && c.Row == 0 {
		w.firstFault = fmt.Errorf("ED 0 on grid row 0, where tmux archives the screen, in %q", w.last)
	}
	// A column by its number (CHA) means the same whether a wrap is pending or not.
	moves := erases || token == "\b" || len(token) > 2 && token[1] == '[' && (final >= 'A' && final < 'G')
	if c.PendingWrap && moves && !w.allowed.ask { // a resize may leave one
		w.firstFault = fmt.Errorf("%q while a wrap is pending, in %q", token, w.last)
	}
	if (c.Col > 0 || c.PendingWrap) && strings.HasPrefix(token, "\x1b]133;") {
		w.firstFault = fmt.Errorf("%q in column %d, where it begins a new row, in %q", token, c.Col, w.last)
	}
}
