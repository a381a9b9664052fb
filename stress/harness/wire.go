package harness

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A wire carries what the renderer writes to the terminal, and looks at each sequence on the way.
type wire struct {
	term    *vt.Terminal
	chunk   int // as in program.Terminal
	allowed allowed
	check   checker // of the last Write
	bad     error   // the first contradiction

	writes int
	last   []byte // the last Write
	stall  bool   // the terminal takes nothing
	held   []byte // written meanwhile

	watch   *flicker.Watch // looks between the sequences of a frame; nil: they cannot be seen one by one
	watched bool           // it is a frame that is being written
	seen    flicker.Seen   // within the Writes of the last frame

	record bool
	events []Event
}

// allowed is what may be written besides what an ordinary frame may hold.
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
	if w.bad == nil && w.check.bad != nil {
		w.bad = fmt.Errorf("%w in %q", w.check.bad, p)
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
	if err != nil && w.bad == nil {
		w.bad = fmt.Errorf("%w in %q", err, p)
	}
	w.seen.Add(seen)
	bracket := bytes.HasPrefix(p, []byte(ansi.SyncBegin)) || bytes.HasPrefix(p, []byte(ansi.CursorHide))
	if seen.Moved > 0 && !bracket && w.term.Cursor().Visible && w.bad == nil {
		w.bad = fmt.Errorf("rows move and come back in view: %s, in %q", seen, p)
	}
	return len(p), nil
}

// releaseHeld gives the terminal what it has not taken yet.
func (w *wire) releaseHeld() { w.feed(w.takeHeld()) }

// takeHeld returns what the terminal has not taken yet, and lets it take bytes again.
func (w *wire) takeHeld() []byte {
	p := w.held
	w.held, w.stall = nil, false
	return p
}

// feed gives a Write to the terminal in the pieces of the program.
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

// An Event is bytes for a terminal, or a new size of it, in columns and rows.
type Event struct {
	Bytes      []byte
	Cols, Rows int
}

// send gives bytes to the terminal, of the renderer or of another program.
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

// feedTokens feeds p token by token and looks at the terminal before each control.
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

// checkToken judges a control by the state in which the terminal gets it.
func (w *wire) checkToken(token string) {
	if w.bad != nil {
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
		w.bad = fmt.Errorf("the pen is %+v at %q in %q", w.term.Pen(), token, w.last)
	}
	if final == 'J' && c.Row == 0 {
		w.bad = fmt.Errorf("ED 0 on grid row 0, where tmux archives the screen, in %q", w.last)
	}
	// A column by its number (CHA) means the same whether a wrap is pending or not.
	moves := erases || token == "\b" || len(token) > 2 && token[1] == '[' && (final >= 'A' && final < 'G')
	if c.PendingWrap && moves && !w.allowed.ask { // a resize may leave one
		w.bad = fmt.Errorf("%q while a wrap is pending, in %q", token, w.last)
	}
	if (c.Col > 0 || c.PendingWrap) && strings.HasPrefix(token, "\x1b]133;") {
		w.bad = fmt.Errorf("%q in column %d, where it begins a new row, in %q", token, c.Col, w.last)
	}
}
