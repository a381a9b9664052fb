package stress

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
	term     *vt.Terminal
	chunk    int // as in program.Terminal
	writes   int
	bytes    int
	last     []byte // the last Write
	held     []byte // written while the terminal takes nothing
	stall    bool
	ask      bool // a cursor request is allowed
	marks    bool // a status request is
	full     bool // the alternate screen is painted
	deletes  bool // DL is allowed
	redraws  bool // the live region is marked, see renderer.Quirks.Redraws
	graphics bool // kitty graphics are
	bad      error
	check    checker
	record   bool
	events   []Event
	between  *flicker.Watch // looks between the sequences of a frame; nil: they cannot be seen one by one
	looks    bool           // it is a frame that is being written
	seen     flicker.Seen   // within the Writes of the last frame
}

func (w *wire) Write(p []byte) (int, error) {
	w.writes++
	w.bytes += len(p)
	w.last = append(w.last[:0], p...)
	w.check = checker{ask: w.ask, marks: w.marks, full: w.full, deletes: w.deletes, redraws: w.redraws,
		graphics: w.graphics}
	w.check.frame(p)
	if w.bad == nil && w.check.bad != nil {
		w.bad = fmt.Errorf("%w in %q", w.check.bad, p)
	}
	if w.stall {
		w.held = append(w.held, p...)
		return len(p), nil
	}
	if w.between == nil {
		w.feed(p)
		return len(p), nil
	}
	w.between.Begin()
	w.looks = true
	w.feed(p)
	w.looks = false
	seen, err := w.between.End()
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

// release gives the terminal what it has not taken yet.
func (w *wire) release() { w.feed(w.take()) }

// take is what the terminal has not taken yet.
func (w *wire) take() []byte {
	p := w.held
	w.held, w.stall = nil, false
	return p
}

func (w *wire) feed(p []byte) {
	switch n := w.chunk; {
	case n < 0:
		w.put(p)
	case n == 0:
		w.tokens(p)
	default:
		for len(p) > 0 {
			k := min(n, len(p))
			w.put(p[:k])
			p = p[k:]
		}
	}
}

// An Event is bytes for a terminal, or a new size of it, in columns and rows.
type Event struct {
	Bytes      []byte
	Cols, Rows int
}

// put gives bytes to the terminal, whoever they are from.
func (w *wire) put(p []byte) {
	if w.record {
		w.events = append(w.events, Event{Bytes: bytes.Clone(p)})
	}
	if w.looks {
		w.between.Token(p)
		return
	}
	w.term.Write(p)
}

// size changes the window.
func (w *wire) size(cols, rows int) {
	if w.record {
		w.events = append(w.events, Event{Cols: cols, Rows: rows})
	}
	w.term.Resize(cols, rows)
}

// tokens feeds p token by token and looks at the terminal before each control.
func (w *wire) tokens(p []byte) {
	for len(p) > 0 {
		n := flicker.Token(p)
		if p[0] < 0x20 {
			w.before(string(p[:n]))
		}
		w.put(p[:n])
		p = p[n:]
	}
}

// before judges a control by the state in which the terminal gets it.
func (w *wire) before(token string) {
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
	if c.PendingWrap && moves && !w.ask { // a resize may leave one
		w.bad = fmt.Errorf("%q while a wrap is pending, in %q", token, w.last)
	}
	if (c.Col > 0 || c.PendingWrap) && strings.HasPrefix(token, "\x1b]133;") {
		w.bad = fmt.Errorf("%q in column %d, where it begins a new row, in %q", token, c.Col, w.last)
	}
}

// checker is an ansi.Handler that knows the sequences an ordinary frame may hold.
type checker struct {
	ansi.NopHandler
	ask      bool
	marks    bool
	full     bool
	deletes  bool // DL is allowed
	redraws  bool // the live region is marked, see renderer.Quirks.Redraws
	graphics bool // kitty graphics are, in a Write of their own
	apc      []byte
	bad      error
	sync     int
	synced   bool
	hides    int
	shows    int
	nowrap   bool
	link     bool
}

func (c *checker) fault(format string, args ...any) {
	if c.bad == nil {
		c.bad = fmt.Errorf(format, args...)
	}
}

// frame judges one Write as a whole.
func (c *checker) frame(p []byte) {
	var parser ansi.Parser
	parser.Parse(p, c)
	switch {
	case !parser.Ground():
		c.fault("a sequence is not finished")
	case c.sync != 0:
		c.fault("DEC 2026 is not balanced")
	case c.nowrap:
		c.fault("autowrap stays off")
	case c.link:
		c.fault("a hyperlink stays open")
	case c.synced && c.hides > 0 && c.shows > 0:
		c.fault("both DEC 2026 and a hidden cursor")
	}
}

func (c *checker) Execute(b byte) {
	if b != '\r' && b != '\n' && b != '\b' {
		c.fault("control %#02x", b)
	}
}

func (c *checker) Escape(s *ansi.Sequence) {
	if len(s.Intermediates) > 0 || s.Final != '\\' && s.Final != '7' && s.Final != '8' && s.Final != 'D' {
		c.fault("ESC %s%c", s.Intermediates, s.Final)
	}
}

func (c *checker) CSI(s *ansi.Sequence) {
	first := 0
	if len(s.Params) > 0 {
		first = int(s.Params[0])
	}
	switch mark := string(s.Intermediates); {
	case mark == "" && (s.Final >= 'A' && s.Final <= 'D' || s.Final == 'G' || s.Final == 'X' || s.Final == 'L') &&
		len(s.Params) <= 1:
	case mark == "" && s.Final == 'M' && c.deletes && len(s.Params) <= 1:
	case mark == "" && (s.Final == 'K' || s.Final == 'J') && len(s.Params) == 0:
	case mark == "" && s.Final == 'm':
	case mark == "" && c.full && (s.Final == 'H' && len(s.Params) == 0 || s.Final == 'M' && len(s.Params) <= 1):
	case mark == "" && s.Final == 'n' && (first == 6 && c.ask || first == 5 && c.marks):
	case mark == "?" && (s.Final == 'h' || s.Final == 'l') && len(s.Params) == 1:
		c.mode(first, s.Final == 'h')
	default:
		c.fault("CSI %s%v%c", mark, s.Params, s.Final)
	}
}

func (c *checker) mode(n int, on bool) {
	switch n {
	case 2026:
		if on {
			c.sync++
			c.synced = true
		} else {
			c.sync--
		}
		if c.sync < 0 || c.sync > 1 {
			c.fault("DEC 2026 is not balanced")
		}
	case 25:
		if on {
			c.shows++
		} else {
			c.hides++
		}
	case 7:
		c.nowrap = !on
	default:
		c.fault("mode %d", n)
	}
}

func (c *checker) OSC(data []byte, bel bool) {
	switch s := string(data); {
	case bel:
		c.fault("OSC %q ends with BEL", s)
	case s == "133;A;redraw=0", s == "133;C", c.redraws && (s == "133;A;k=s" || s == "133;A;k=s;redraw=0"):
	case strings.HasPrefix(s, "8;;"):
		c.link = len(s) > len("8;;")
	default:
		c.fault("OSC %q", s)
	}
}

func (c *checker) Hook(s *ansi.Sequence) { c.fault("DCS %c", s.Final) }

func (c *checker) StringStart(kind byte) {
	if kind != '_' || !c.graphics || c.synced || c.hides > 0 {
		c.fault("string %c", kind)
	}
	c.apc = c.apc[:0]
}

func (c *checker) StringPut(b []byte) { c.apc = append(c.apc, b...) }

func (c *checker) StringEnd() {
	if len(c.apc) == 0 || c.apc[0] != 'G' {
		c.fault("APC %q", c.apc)
	}
}
