package tui

// breaker lays out one text as rows. The unfinished row consists of the complete spans and the text
// of one more span. A place where prose may break is recorded as the lengths of both.
type breaker struct {
	layout Layout
	dst    []Line // the finished rows
	// Number of columns for text in the first row and in the others.
	firstCols, nextCols int

	src              string // text of the span that is being laid out
	spans            []Span // complete spans of the unfinished row
	style            Span   // style of the unfinished text of the row
	inSource         bool   // the unfinished text is src[textFrom:textTo], as in most cases; otherwise it is buf
	textFrom, textTo int
	buf              []byte
	col              int  // number of columns used in the row, without the prefix
	spareCols        int  // number of columns that stay free because the width of some clusters is doubtful
	rowCols          int  // number of columns for text in this row
	sourceEnd        int  // number of bytes of the source laid out so far
	hasSource        bool // the row contains source text
	hasVisibleText   bool // the row contains more than spaces
	doubtfulClusters int  // number of clusters of doubtful width in the row
	// the row is inside a word of prose that the terminal wraps, in which no other breaks are made
	inLongWord bool
	rowCount   int // number of rows begun

	// The last place where prose may break: after a space, before or after a wide cluster, or after
	// a hyphen.
	lastBreak breakPoint
	arena     []Span // storage for the spans of finished rows
}

// breakPoint is a place in the row where it may break, with the breaker's values at that place.
type breakPoint struct {
	valid     bool
	spans     int // number of complete spans before it
	text      int // number of bytes of the text behind those spans
	col       int
	spareCols int
	doubtful  int
	end       int
}

// addText appends s to the text of the row. If at is not negative, s is the same as src at that
// offset and need not be copied.
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

// copyText copies the text of the row into buf if it is a part of src.
func (b *breaker) copyText() {
	if b.inSource {
		b.buf = append(b.buf[:0], b.src[b.textFrom:b.textTo]...)
		b.inSource = false
	}
}

// textLen returns the number of bytes in the text of the row.
func (b *breaker) textLen() int {
	if b.inSource {
		return b.textTo - b.textFrom
	}
	return len(b.buf)
}

// textEnd returns the last byte of the text of the row.
func (b *breaker) textEnd() byte {
	if b.inSource {
		return b.src[b.textTo-1]
	}
	return b.buf[len(b.buf)-1]
}

// cutText cuts the text of the row to n bytes.
func (b *breaker) cutText(n int) {
	if b.inSource {
		b.textTo = b.textFrom + n
	} else {
		b.buf = b.buf[:n]
	}
}

// spanColumns returns the width of spans in columns.
func (b *breaker) spanColumns(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += b.layout.Model.String(s.Text)
	}
	return n
}

func (b *breaker) beginRow() {
	b.col, b.spareCols, b.doubtfulClusters, b.lastBreak = 0, 0, 0, breakPoint{}
	b.hasSource, b.hasVisibleText = false, false
	b.rowCols = b.nextCols
	if b.rowCount == 0 {
		b.rowCols = b.firstCols
	}
	b.rowCount++
}

// prefix returns the spans that precede the text of the row.
func (b *breaker) prefix() []Span {
	if b.rowCount == 1 {
		return b.layout.FirstPrefix
	}
	return b.layout.laterPrefix()
}

// startSpan begins a span with the style and the link of s.
func (b *breaker) startSpan(s Span) {
	if b.style.Style == s.Style && b.style.Link == s.Link {
		b.copyText()
		return
	}
	b.cutSpan()
	b.style = Span{Style: s.Style, Link: s.Link}
}

// cutSpan moves the text of the row into spans as a complete span.
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

// newline ends the row at a line end of n bytes.
func (b *breaker) newline(n int) {
	b.inLongWord = false
	b.sourceEnd += n
	b.endRow(false)
}

// endRow appends the row to dst and begins the next one. wrapped says that the terminal joins the
// two rows into one line.
func (b *breaker) endRow(wrapped bool) {
	if !b.layout.Native { // spaces at the edge
		b.trimSpaces()
	}
	b.cutSpan()
	pre := b.prefix()
	line := Line{Wrapped: wrapped, End: b.sourceEnd}
	if n := len(pre) + len(b.spans); n > 0 {
		line.Spans = append(append(b.allocSpans(n), pre...), b.spans...)
	}
	b.dst = append(b.dst, line)
	b.spans = b.spans[:0]
	b.beginRow()
}

// allocSpans returns an empty slice with capacity for n spans.
func (b *breaker) allocSpans(n int) []Span {
	if n > cap(b.arena)-len(b.arena) {
		b.arena = make([]Span, 0, max(n, min(2*cap(b.arena), 128)))
	}
	at := len(b.arena)
	b.arena = b.arena[:at+n]
	return b.arena[at : at : at+n]
}

// trimSpaces removes invisible spaces at the end of the row, and all spaces beyond its edge.
func (b *breaker) trimSpaces() {
	st := b.style.Style
	visible := st.Bg != 0 || st.Attr&(Underline|Inverse|Strike) != 0
	for n := b.textLen(); n > 0 && b.textEnd() == ' ' && (!visible || b.col > b.rowCols); n-- {
		b.cutText(n - 1)
		b.col--
	}
}
