package tui

import (
	"io"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// NewANSI is for the output of other programs: it keeps their colours (SGR), a carriage return
// begins the line anew and EL 0 erases its rest, as progress bars do; every other control is
// dropped. A line is final at its newline, the last one at Close, or when Run ends. Write waits as
// Transcript.Write does. A program without a terminal goes on after its last line of input until it
// is closed, as with a Stream. Any goroutine.
func NewANSI(t *Transcript) io.WriteCloser {
	t.q.hold(1)
	return &ansiWriter{t: t}
}

// ansiWriter parses on the writer's side; the lines that a Write ends are a block of their own, so
// that none is kept once it is in history.
type ansiWriter struct {
	ansi.NopHandler
	mu     sync.Mutex
	t      *Transcript
	parser ansi.Parser
	style  Style
	cells  []inkCell
	at     int // where the next character goes
	line   *Text
	block  *Block
	fresh  bool // cells have changed since line was updated
	closed bool

	ended []inkSpan // of lines that are complete and were never shown
	text  []byte    // theirs
	rows  int       // how many they are
}

// inkSpan is a run of one style, up to a length of the text.
type inkSpan struct {
	end   int
	style Style
}

// inkCell is one cluster of the line in its style.
type inkCell struct {
	text  string
	style Style
}

func (w *ansiWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, ErrClosed
	}
	if _, err := write[[]byte](w.t.q, nil, nil); err != nil { // waits for room
		return 0, err
	}
	w.parser.Parse(p, w)
	w.show()
	return len(p), nil
}

func (w *ansiWriter) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	w.closed = true
	w.parser.Parse([]byte{0}, w) // what is half a character is shown as such
	w.show()
	if w.block != nil {
		w.block.Done()
	}
	w.t.q.hold(-1)
	return nil
}

// show hands the unfinished line to the loop.
func (w *ansiWriter) show() {
	w.flush()
	if !w.fresh {
		return
	}
	w.fresh = false
	w.collect()
	spans := w.spans()
	if w.block == nil {
		w.line = &Text{Native: true, Spans: spans}
		w.block = w.t.Append(live{w.line})
		return
	}
	line := w.line
	w.block.Update(func() { line.Spans = spans; line.Changed() })
}

// live is a Text none of whose rows is stable.
type live struct{ *Text }

func (l live) View(s Space) View {
	v := l.Text.View(s)
	v.Stable = 0
	return v
}

// collect adds the line with its newline to the lines that have ended: an empty line is a row too.
func (w *ansiWriter) collect() {
	add := func(text string, style Style) {
		w.text = append(w.text, text...)
		if n := len(w.ended); n > 0 && w.ended[n-1].style == style {
			w.ended[n-1].end = len(w.text)
			return
		}
		w.ended = append(w.ended, inkSpan{len(w.text), style})
	}
	for i := range w.cells {
		add(w.cells[i].text, w.cells[i].style)
	}
	add("\n", Style{})
}

// spans takes what was collected.
func (w *ansiWriter) spans() []Span {
	text, from := string(w.text), 0
	spans := make([]Span, len(w.ended))
	for i, s := range w.ended {
		spans[i] = Span{Text: text[from:s.end], Style: s.style}
		from = s.end
	}
	w.ended, w.text, w.rows = w.ended[:0], w.text[:0], 0
	return spans
}

// flush hands the lines that have ended to the loop.
func (w *ansiWriter) flush() {
	if w.rows > 0 {
		n := w.rows
		b := w.t.Append(&Text{Native: true, Spans: w.spans()})
		w.t.q.finish(b, op{kind: opDone, block: b, rows: n})
	}
}

// endedRows is how many lines are handed over together.
const endedRows = 256

func (w *ansiWriter) newline() {
	if w.block == nil { // nobody has seen it
		w.collect()
		if w.rows++; w.rows >= endedRows {
			w.flush()
		}
	} else {
		w.fresh = true
		w.show()
		w.t.q.finish(w.block, op{kind: opDone, block: w.block, rows: 1})
	}
	w.block, w.line, w.cells, w.at, w.fresh = nil, nil, w.cells[:0], 0, false
}

func (w *ansiWriter) put(text string) {
	for c := range (width.Model{}).Clusters(text) {
		cell := inkCell{c, w.style}
		if w.at < len(w.cells) {
			w.cells[w.at] = cell
		} else {
			w.cells = append(w.cells, cell)
		}
		w.at++
	}
	w.fresh = true
}

// Text is printable ASCII.
func (w *ansiWriter) Text(p []byte) { w.put(string(p)) }

// Runes is other text, and some controls.
func (w *ansiWriter) Runes(rs []rune) {
	var b []rune
	for _, r := range rs {
		if r >= 0x20 && (r < 0x7f || r >= 0xa0) {
			b = append(b, r)
		}
	}
	w.put(string(b))
}

// Execute keeps LF, CR and tab.
func (w *ansiWriter) Execute(c byte) {
	switch c {
	case '\n':
		w.newline()
	case '\r':
		w.at = 0
	case '\t':
		w.put("\t")
	}
}

// CSI keeps SGR and EL 0.
func (w *ansiWriter) CSI(s *ansi.Sequence) {
	if len(s.Intermediates) > 0 {
		return
	}
	switch s.Final {
	case 'm':
		w.style = sgr(w.style, s)
	case 'K':
		if len(s.Params) == 0 || s.Params[0] == 0 {
			w.cells = w.cells[:min(w.at, len(w.cells))]
			w.fresh = true
		}
	}
}

// sgr returns st after SGR parameters (ECMA-48 8.3.117, colours as in ITU-T T.416 with semicolons
// or colons).
func sgr(st Style, q *ansi.Sequence) Style {
	p := q.Params
	if len(p) == 0 {
		return Style{}
	}
	for i := 0; i < len(p); i++ {
		n := int(p[i])
		switch {
		case n == 0:
			st = Style{}
		case n == 22:
			st.Attr &^= Bold | Faint
		case n >= 1 && n <= 9:
			st.Attr |= sgrAttr[n]
		case n >= 21 && n <= 29:
			st.Attr &^= sgrAttr[n-20]
		case n >= 30 && n <= 37:
			st.Fg = Indexed(uint8(n - 30))
		case n >= 40 && n <= 47:
			st.Bg = Indexed(uint8(n - 40))
		case n >= 90 && n <= 97:
			st.Fg = Indexed(uint8(n - 82))
		case n >= 100 && n <= 107:
			st.Bg = Indexed(uint8(n - 92))
		case n == 39:
			st.Fg = 0
		case n == 49:
			st.Bg = 0
		case n == 38 || n == 48:
			c, used, ok := sgrColor(q, i)
			i += used
			if ok && n == 38 {
				st.Fg = c
			} else if ok {
				st.Bg = c
			}
			continue
		}
		for i+1 < len(p) && q.Colon(i) { // subparameters of what has none here
			i++
		}
	}
	return st
}

// sgrAttr is the attribute of SGR 1 to 9; 20 more takes it away.
var sgrAttr = [10]Attr{1: Bold, 2: Faint, 3: Italic, 4: Underline, 5: Blink, 6: Blink, 7: Inverse,
	8: Invisible, 9: Strike}

// sgrColor reads the colour whose 38 or 48 is parameter i; used is how many parameters follow it.
func sgrColor(q *ansi.Sequence, i int) (c Color, used int, ok bool) {
	p := q.Params[i+1:]
	if q.Colon(i) {
		n := 0
		for n < len(p) && (n == 0 || q.Colon(i+n)) {
			n++
		}
		p = p[:n]
		if len(p) >= 5 && p[0] == 2 { // with a colour space
			return RGB(uint8(p[2]), uint8(p[3]), uint8(p[4])), n, true
		}
		c, _, ok = direct(p)
		return c, n, ok
	}
	return direct(p)
}

func direct(p []uint16) (c Color, used int, ok bool) {
	switch {
	case len(p) >= 2 && p[0] == 5:
		return Indexed(uint8(p[1])), 2, true
	case len(p) >= 4 && p[0] == 2:
		return RGB(uint8(p[1]), uint8(p[2]), uint8(p[3])), 4, true
	}
	return 0, len(p), false
}
