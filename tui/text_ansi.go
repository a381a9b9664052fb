package tui

import (
	"io"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// NewANSI returns a writer that appends the output of other programs to the transcript. It keeps
// their colours (SGR). For progress bars it also supports carriage return, which goes back to the
// start of the line, and EL 0, which erases the rest of the line. It drops all other control
// sequences.
//
// A line becomes final at its newline, and the last one at Close or at the end of Run. Write blocks
// like Transcript.Write. A program without a terminal does not end before the writer is closed, as
// with a Stream. The writer may be used on any goroutine.
func NewANSI(t *Transcript) io.WriteCloser {
	t.queue.addWriters(1)
	return &ansiWriter{t: t}
}

// ansiWriter implements NewANSI. It parses on the goroutine of the caller. Each Write puts the
// lines that it completes in a new block, so that no line stays in memory once it is in history.
type ansiWriter struct {
	ansi.NopHandler
	mu          sync.Mutex
	t           *Transcript
	parser      ansi.Parser
	style       Style
	cells       []styledCluster // the clusters of the current line
	column      int             // index in cells at which the next cluster is put
	line        *Text           // shows the current line
	block       *Block          // the block of line; nil: the line was not shown yet
	lineChanged bool            // cells has changed since line was updated
	closed      bool

	endedSpans []styledRun // styles of the complete lines that were not shown yet
	endedText  []byte      // text of the complete lines that were not shown yet
	endedLines int         // number of complete lines that were not shown yet
}

// styledRun is the style of a part of endedText that ends at the offset end and begins where the
// previous run ends.
type styledRun struct {
	end   int
	style Style
}

// styledCluster is one grapheme cluster of the current line with its style.
type styledCluster struct {
	text  string
	style Style
}

// Write waits until the queue has room, and parses p.
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

// Close makes the last line final.
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

// showLine passes the complete lines and the unfinished one to the loop.
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

// liveText is a Text whose rows are not stable.
type liveText struct{ *Text }

func (l liveText) View(s Space) View {
	v := l.Text.View(s)
	v.Stable = 0
	return v
}

// endLine adds the current line with a newline to the complete lines. An empty line becomes a row,
// too.
func (w *ansiWriter) endLine() {
	add := func(text string, style Style) {
		w.endedText = append(w.endedText, text...)
		if n := len(w.endedSpans); n > 0 && w.endedSpans[n-1].style == style {
			w.endedSpans[n-1].end = len(w.endedText)
			return
		}
		w.endedSpans = append(w.endedSpans, styledRun{len(w.endedText), style})
	}
	for i := range w.cells {
		add(w.cells[i].text, w.cells[i].style)
	}
	add("\n", Style{})
}

// takeSpans removes the complete lines and returns their spans.
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

// flushLines passes the complete lines to the loop as one block.
func (w *ansiWriter) flushLines() {
	if w.endedLines > 0 {
		n := w.endedLines
		b := w.t.Append(&Text{Native: true, Spans: w.takeSpans()})
		w.t.queue.closeBlock(b, op{kind: opDone, block: b, rows: n})
	}
}

// maxEndedLines is the maximum number of lines in one block.
const maxEndedLines = 256

// handleNewline completes the current line.
func (w *ansiWriter) handleNewline() {
	if w.block == nil { // nobody has seen it
		w.endLine()
		if w.endedLines++; w.endedLines >= maxEndedLines {
			w.flushLines()
		}
	} else {
		w.lineChanged = true
		w.showLine()
		w.t.queue.closeBlock(w.block, op{kind: opDone, block: w.block, rows: 1})
	}
	w.block, w.line, w.cells, w.column, w.lineChanged = nil, nil, w.cells[:0], 0, false
}

// putText writes text into the current line at column, over the text that is there.
func (w *ansiWriter) putText(text string) {
	for c := range (width.Model{}).Clusters(text) {
		cell := styledCluster{c, w.style}
		if w.column < len(w.cells) {
			w.cells[w.column] = cell
		} else {
			w.cells = append(w.cells, cell)
		}
		w.column++
	}
	w.lineChanged = true
}

// Text handles printable ASCII.
func (w *ansiWriter) Text(p []byte) { w.putText(string(p)) }

// Runes handles other text. It drops control characters.
func (w *ansiWriter) Runes(rs []rune) {
	var b []rune
	for _, r := range rs {
		if r >= 0x20 && (r < 0x7f || r >= 0xa0) {
			b = append(b, r)
		}
	}
	w.putText(string(b))
}

// Execute handles LF, CR and tab.
func (w *ansiWriter) Execute(c byte) {
	switch c {
	case '\n':
		w.handleNewline()
	case '\r':
		w.column = 0
	case '\t':
		w.putText("\t")
	}
}

// CSI handles SGR and EL 0.
func (w *ansiWriter) CSI(s *ansi.Sequence) {
	if len(s.Intermediates) > 0 {
		return
	}
	switch s.Final {
	case 'm':
		w.style = applySGR(w.style, s)
	case 'K':
		if len(s.Params) == 0 || s.Params[0] == 0 {
			w.cells = w.cells[:min(w.column, len(w.cells))]
			w.lineChanged = true
		}
	}
}

// applySGR returns the style st changed by the SGR parameters of q (ECMA-48 8.3.117, colours as in
// ITU-T T.416 with semicolons or colons).
func applySGR(st Style, q *ansi.Sequence) Style {
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

// sgrAttr lists the attributes that SGR 1 to 9 set. The codes plus 20 remove them.
var sgrAttr = [10]Attr{1: Bold, 2: Faint, 3: Italic, 4: Underline, 5: Blink, 6: Blink, 7: Inverse,
	8: Invisible, 9: Strike}

// sgrColor returns the colour whose 38 or 48 is parameter i. used is the number of parameters
// behind it that belong to the colour.
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

// parseColorParams returns the colour of the parameters "5;n" or "2;r;g;b".
func parseColorParams(p []uint16) (c Color, used int, ok bool) {
	switch {
	case len(p) >= 2 && p[0] == 5:
		return Indexed(uint8(p[1])), 2, true
	case len(p) >= 4 && p[0] == 2:
		return RGB(uint8(p[1]), uint8(p[2]), uint8(p[3])), 4, true
	}
	return 0, len(p), false
}
