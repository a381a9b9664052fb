package tui

// breaker lays one text out. The unfinished row is spans plus the text of one more span. A place
// where prose may break is a length of both.
type breaker struct {
	layout Layout
	dst    []Line
	// Columns for text in the first row, in the others.
	firstCols, nextCols int

	src              string // text of the span that is being laid out
	spans            []Span // complete spans of the row
	style            Span   // of the text after them
	inSource         bool   // that text is src[textFrom:textTo], as in most cases; else it is buf
	textFrom, textTo int
	buf              []byte
	col              int  // columns in the row, without the prefix
	spareCols        int  // columns that stay free for doubtful clusters
	rowCols          int  // columns for text in this row
	end              int  // bytes of the source so far
	hasSource        bool // the row has source
	hasInk           bool // the row has more than spaces
	doubtful         int  // doubtful clusters in the row
	inLongWord       bool // prose is inside a word that the terminal wraps: it has no other breaks
	rows             int

	// Where prose may break: after a space, before or after a wide cluster, after a hyphen.
	lastBreak breakPoint
	arena     []Span // storage for the spans of finished rows
}

// breakPoint is a place in the row, with the values of the breaker there.
type breakPoint struct {
	valid     bool
	spans     int // complete spans before it
	text      int // bytes of the span after those
	col       int
	spareCols int
	doubtful  int
	end       int
}

// addText appends s to the text. It stands at src[at:]; at is below 0 if it stands for other
// source.
func (b *breaker) addText(s string, at int) {
	switch {
	case b.textLen() == 0 && at >= 0:
		b.inSource, b.textFrom, b.textTo = true, at, at+len(s)
		return
	case b.inSource && at == b.textTo:
		b.textTo += len(s)
		return
	}
	b.copyText()
	b.buf = append(b.buf, s...)
}

// copyText copies the text into buf if it is a part of src.
func (b *breaker) copyText() {
	if b.inSource {
		b.buf = append(b.buf[:0], b.src[b.textFrom:b.textTo]...)
		b.inSource = false
	}
}

// textLen returns the bytes of the text.
func (b *breaker) textLen() int {
	if b.inSource {
		return b.textTo - b.textFrom
	}
	return len(b.buf)
}

// textEnd returns the last byte of the text.
func (b *breaker) textEnd() byte {
	if b.inSource {
		return b.src[b.textTo-1]
	}
	return b.buf[len(b.buf)-1]
}

// cutText cuts the text to n bytes.
func (b *breaker) cutText(n int) {
	if b.inSource {
		b.textTo = b.textFrom + n
	} else {
		b.buf = b.buf[:n]
	}
}

// columns returns the columns of spans.
func (b *breaker) columns(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += b.layout.Model.String(s.Text)
	}
	return n
}

// beginRow begins a row.
func (b *breaker) beginRow() {
	b.col, b.spareCols, b.hasSource, b.hasInk, b.doubtful, b.lastBreak = 0, 0, false, false, 0, breakPoint{}
	b.rowCols = b.nextCols
	if b.rows == 0 {
		b.rowCols = b.firstCols
	}
	b.rows++
}

// prefix returns the spans before the text of the row.
func (b *breaker) prefix() []Span {
	if b.rows == 1 {
		return b.layout.FirstPrefix
	}
	return b.layout.laterPrefix()
}

// startSpan begins a span, of another style or another source.
func (b *breaker) startSpan(s Span) {
	if b.style.Style == s.Style && b.style.Link == s.Link {
		b.copyText()
		return
	}
	b.cutSpan()
	b.style = Span{Style: s.Style, Link: s.Link}
}

// cutSpan moves the text so far into spans.
func (b *breaker) cutSpan() {
	if b.textLen() == 0 {
		b.inSource, b.buf = false, b.buf[:0]
		return
	}
	s := b.style
	if b.inSource {
		s.Text = b.src[b.textFrom:b.textTo]
	} else {
		s.Text = string(b.buf)
	}
	b.spans = append(b.spans, s)
	b.inSource, b.buf = false, b.buf[:0]
}

// newline ends the row. n is the number of bytes of the line end.
func (b *breaker) newline(n int) {
	b.inLongWord = false
	b.end += n
	b.endRow(false)
}

// endRow appends the row to dst and begins the next one.
func (b *breaker) endRow(wrapped bool) {
	if !b.layout.Native { // spaces at the edge
		b.trimSpaces()
	}
	b.cutSpan()
	pre := b.prefix()
	line := Line{Wrapped: wrapped, End: b.end}
	if n := len(pre) + len(b.spans); n > 0 {
		line.Spans = append(append(b.allocSpans(n), pre...), b.spans...)
	}
	b.dst = append(b.dst, line)
	b.spans = b.spans[:0]
	b.beginRow()
}

// allocSpans returns storage for n spans.
func (b *breaker) allocSpans(n int) []Span {
	if n > cap(b.arena)-len(b.arena) {
		b.arena = make([]Span, 0, max(n, min(2*cap(b.arena), 128)))
	}
	at := len(b.arena)
	b.arena = b.arena[:at+n]
	return b.arena[at : at : at+n]
}

// trimSpaces cuts invisible spaces at the end of the row, and those beyond the edge.
func (b *breaker) trimSpaces() {
	st := b.style.Style
	visible := st.Bg != 0 || st.Attr&(Underline|Inverse|Strike) != 0
	for n := b.textLen(); n > 0 && b.textEnd() == ' ' && (!visible || b.col > b.rowCols); n-- {
		b.cutText(n - 1)
		b.col--
	}
}
