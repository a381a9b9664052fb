package harness

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// wire carries the renderer's bytes to the terminal, and checks each sequence.
type wire struct {
	term       *vt.Terminal
	chunk      int // as in program.Terminal
	allowed    allowed
	check      checker // of the last Write
	firstFault error   // the first contradiction

	writes int
	last   []byte // the last Write
	stall  bool   // the terminal takes nothing
	held   []byte // bytes that were written meanwhile

	watch   *flicker.Watch // observes the terminal between the sequences of a frame; nil: it is not observed
	watched bool           // a frame is being written
	seen    flicker.Seen   // in the Writes of the last frame

	record bool
	events []Event
}

// allowed tells what may be written besides the sequences of an ordinary frame.
type allowed struct {
	ask      bool // a cursor request
	full     bool // the alternate screen is painted
	deletes  bool // DL
	redraws  bool // marks of the live region, see renderer.Quirks.RedrawsPrompt
	graphics bool // kitty graphics, in a Write of their own
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

// releaseHeld gives the terminal the held bytes.
func (w *wire) releaseHeld() { w.feed(w.takeHeld()) }

// takeHeld returns the held bytes, and lets the terminal take bytes again.
func (w *wire) takeHeld() []byte {
	p := w.held
	w.held, w.stall = nil, false
	return p
}

// feed gives a Write to the terminal in the pieces that the program wants.
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

// Event is bytes for a terminal, or a new size of it in columns and rows.
type Event struct {
	Bytes      []byte
	Cols, Rows int
}

// send gives bytes of the renderer or of another program to the terminal.
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

// resize changes the window.
func (w *wire) resize(cols, rows int) {
	if w.record {
		w.events = append(w.events, Event{Cols: cols, Rows: rows})
	}
	w.term.Resize(cols, rows)
}

// feedTokens feeds p token by token, and checks the terminal before each control.
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

// checkToken checks a control by the state in which the terminal gets it.
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
