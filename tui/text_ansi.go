package tui

import (
	"io"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// NewANSI returns a writer for the output of other programs. It keeps their colours (SGR). As
// progress bars need it, a carriage return goes back to the start of the line and EL 0 erases the
// line from there on. Every other control is dropped. A line is final at its newline, the last one
// at Close, or when Run ends. Write waits as Transcript.Write does. A program without a terminal
// waits after its last line of input until the writer is closed, as with a Stream. Any goroutine.
func NewANSI(t *Transcript) io.WriteCloser {
	t.queue.addWriters(1)
	return &ansiWriter{t: t}
}

// ansiWriter parses in the writer's goroutine. The lines that a Write ends are a block of their
// own, so that none is kept once it is in history.
type ansiWriter struct {
	ansi.NopHandler
	mu          sync.Mutex
	t           *Transcript
	parser      ansi.Parser
	style       Style
	cells       []inkCell
	column      int // where the next character goes
	line        *Text
	block       *Block
	lineChanged bool // cells have changed since line was updated
	closed      bool

	endedSpans []inkSpan // of lines that are complete and were never shown
	endedText  []byte    // the text of endedSpans
	endedLines int       // their number
}

// inkSpan is a run of one style in endedText, up to end.
type inkSpan struct {
	end   int
	style Style
}

// inkCell is one cluster of the line in its style.
type inkCell struct {
	text  string
	style Style
}

// Write parses p, waiting for room first.
func (w *ansiWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, ErrClosed
	}
	if _, err := write[[]byte](w.t.queue, nil, nil); err != nil { // waits for room
		return 0, err
	}
	w.parser.Parse(p, w)
	w.showLine()
	return len(p), nil
}

// Close ends the last line.
func (w *ansiWriter) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	w.closed = true
	w.parser.Parse([]byte{0}, w) // what is half a character is shown as such
	w.showLine()
	if w.block != nil {
		w.block.Done()
	}
	w.t.queue.addWriters(-1)
	return nil
}

// showLine hands the unfinished line to the loop.
func (w *ansiWriter) showLine() {
	w.flushLines()
	if !w.lineChanged {
		return
	}
	w.lineChanged = false
	w.endLine()
	spans := w.takeSpans()
	if w.block == nil {
		w.line = &Text{Native: true, Spans: spans}
		w.block = w.t.Append(liveText{w.line})
		return
	}
	line := w.line
	w.block.Update(func() { line.Spans = spans; line.Changed() })
}

// liveText is a Text without stable rows.
type liveText struct{ *Text }

func (l liveText) View(s Space) View {
	v := l.Text.View(s)
	v.Stable = 0
	return v
}

// endLine adds the line with its newline to the lines that have ended. An empty line is a row, too.
func (w *ansiWriter) endLine() {
	add := func(text string, style Style) {
		w.endedText = append(w.endedText, text...)
		if n := len(w.endedSpans); n > 0 && w.endedSpans[n-1].style == style {
			w.endedSpans[n-1].end = len(w.endedText)
			return
		}
		w.endedSpans = append(w.endedSpans, inkSpan{len(w.endedText), style})
	}
	for i := range w.cells {
		add(w.cells[i].text, w.cells[i].style)
	}
	add("\n", Style{})
}

// takeSpans returns the spans of the lines that have ended, and removes them.
func (w *ansiWriter) takeSpans() []Span {
	text, from := string(w.endedText), 0
	spans := make([]Span, len(w.endedSpans))
	for i, s := range w.endedSpans {
		spans[i] = Span{Text: text[from:s.end], Style: s.style}
		from = s.end
	}
	w.endedSpans, w.endedText, w.endedLines = w.endedSpans[:0], w.endedText[:0], 0
	return spans
}

// flushLines hands the lines that have ended to the loop.
func (w *ansiWriter) flushLines() {
	if w.endedLines > 0 {
		n := w.endedLines
		b := w.t.Append(&Text{Native: true, Spans: w.takeSpans()})
		w.t.queue.closeBlock(b, op{kind: opDone, block: b, rows: n})
	}
}

// endedRows is the most lines that are handed over together.
const endedRows = 256

// newline ends the line.
func (w *ansiWriter) newline() {
	if w.block == nil { // nobody has seen it
		w.endLine()
		if w.endedLines++; w.endedLines >= endedRows {
			w.flushLines()
		}
	} else {
		w.lineChanged = true
		w.showLine()
		w.t.queue.closeBlock(w.block, op{kind: opDone, block: w.block, rows: 1})
	}
	w.block, w.line, w.cells, w.column, w.lineChanged = nil, nil, w.cells[:0], 0, false
}

// putText writes text over the line from column on.
func (w *ansiWriter) putText(text string) {
	for c := range (width.Model{}).Clusters(text) {
		cell := inkCell{c, w.style}
		if w.column < len(w.cells) {
			w.cells[w.column] = cell
		} else {
			w.cells = append(w.cells, cell)
		}
		w.column++
	}
	w.lineChanged = true
}

// Text takes printable ASCII.
func (w *ansiWriter) Text(p []byte) { w.putText(string(p)) }

// Runes takes other text, and drops controls in it.
func (w *ansiWriter) Runes(rs []rune) {
	var b []rune
	for _, r := range rs {
		if r >= 0x20 && (r < 0x7f || r >= 0xa0) {
			b = append(b, r)
		}
	}
	w.putText(string(b))
}

// Execute acts on LF, CR and tab.
func (w *ansiWriter) Execute(c byte) {
	switch c {
	case '\n':
		w.newline()
	case '\r':
		w.column = 0
	case '\t':
		w.putText("\t")
	}
}

// CSI acts on SGR and EL 0.
func (w *ansiWriter) CSI(s *ansi.Sequence) {
	if len(s.Intermediates) > 0 {
		return
	}
	switch s.Final {
	case 'm':
		w.style = sgr(w.style, s)
	case 'K':
		if len(s.Params) == 0 || s.Params[0] == 0 {
			w.cells = w.cells[:min(w.column, len(w.cells))]
			w.lineChanged = true
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

// sgrAttr holds the attributes of SGR 1 to 9; 20 more removes each.
var sgrAttr = [10]Attr{1: Bold, 2: Faint, 3: Italic, 4: Underline, 5: Blink, 6: Blink, 7: Inverse,
	8: Invisible, 9: Strike}

// sgrColor returns the colour whose 38 or 48 is parameter i. used is the number of parameters that
// follow it.
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
		c, _, ok = parseColorParams(p)
		return c, n, ok
	}
	return parseColorParams(p)
}

// parseColorParams returns the colour of "5;n" or "2;r;g;b".
func parseColorParams(p []uint16) (c Color, used int, ok bool) {
	switch {
	case len(p) >= 2 && p[0] == 5:
		return Indexed(uint8(p[1])), 2, true
	case len(p) >= 4 && p[0] == 2:
		return RGB(uint8(p[1]), uint8(p[2]), uint8(p[3])), 4, true
	}
	return 0, len(p), false
}
