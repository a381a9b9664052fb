package tui

// breaker lays one text out. The row under construction is spans and the text of one more; the
// break that prose would take is remembered as a length of them.
type breaker struct {
	l           Layout
	dst         []Line
	first, rest int // columns for text in the first row, in the others

	src    string // text of the span that is being laid out
	spans  []Span // of the row, complete
	style  Span   // of the text after them
	raw    bool   // that text is src[lo:hi], as in most cases; else it is buf
	lo, hi int
	buf    []byte
	col    int  // columns in the row, prefix not counted
	spare  int  // columns kept free for doubtful clusters
	room   int  // columns for text in this row
	end    int  // of the source so far
	open   bool // the row has source
	ink    bool // the row has more than spaces
	odd    int  // doubtful clusters in the row
	long   bool // prose is inside a word that the terminal wraps: it has no other breaks
	rows   int

	brk   mark   // where prose may break: after a space, before or after a wide cluster, after a hyphen
	arena []Span // room for the spans of finished rows
}

// mark is a place in the row.
type mark struct {
	ok    bool
	spans int // whole spans before it
	text  int // bytes of the span after those
	col   int
	spare int
	odd   int
	end   int
}

// put adds s, which stands at src[at:], to the text; at below 0: it stands for something else.
func (b *breaker) put(s string, at int) {
	switch {
	case b.textLen() == 0 && at >= 0:
		b.raw, b.lo, b.hi = true, at, at+len(s)
		return
	case b.raw && at == b.hi:
		b.hi += len(s)
		return
	}
	b.own()
	b.buf = append(b.buf, s...)
}

// own makes the text a copy.
func (b *breaker) own() {
	if b.raw {
		b.buf = append(b.buf[:0], b.src[b.lo:b.hi]...)
		b.raw = false
	}
}

func (b *breaker) textLen() int {
	if b.raw {
		return b.hi - b.lo
	}
	return len(b.buf)
}

func (b *breaker) textEnd() byte {
	if b.raw {
		return b.src[b.hi-1]
	}
	return b.buf[len(b.buf)-1]
}

// shorten cuts the text to n bytes.
func (b *breaker) shorten(n int) {
	if b.raw {
		b.hi = b.lo + n
	} else {
		b.buf = b.buf[:n]
	}
}

func (b *breaker) columns(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += b.l.Model.String(s.Text)
	}
	return n
}

// begin starts a row.
func (b *breaker) begin() {
	b.col, b.spare, b.open, b.ink, b.odd, b.brk = 0, 0, false, false, 0, mark{}
	b.room = b.rest
	if b.rows == 0 {
		b.room = b.first
	}
	b.rows++
}

// prefix returns what stands before the text of the row.
func (b *breaker) prefix() []Span {
	if b.rows == 1 {
		return b.l.First
	}
	return b.l.rest()
}

// span begins a span, of another style or another source.
func (b *breaker) span(s Span) {
	if b.style.Style == s.Style && b.style.Link == s.Link {
		b.own()
		return
	}
	b.cutSpan()
	b.style = Span{Style: s.Style, Link: s.Link}
}

// cutSpan moves the text so far into spans.
func (b *breaker) cutSpan() {
	if b.textLen() == 0 {
		b.raw, b.buf = false, b.buf[:0]
		return
	}
	s := b.style
	if b.raw {
		s.Text = b.src[b.lo:b.hi]
	} else {
		s.Text = string(b.buf)
	}
	b.spans = append(b.spans, s)
	b.raw, b.buf = false, b.buf[:0]
}

// newline ends the row; n is the number of bytes of the line end.
func (b *breaker) newline(n int) {
	b.long = false
	b.end += n
	b.flush(false)
}

// flush appends the row to dst and begins the next one.
func (b *breaker) flush(wrapped bool) {
	if !b.l.Native { // spaces at the edge
		b.trim()
	}
	b.cutSpan()
	pre := b.prefix()
	line := Line{Wrapped: wrapped, End: b.end}
	if n := len(pre) + len(b.spans); n > 0 {
		line.Spans = append(append(b.alloc(n), pre...), b.spans...)
	}
	b.dst = append(b.dst, line)
	b.spans = b.spans[:0]
	b.begin()
}

// alloc returns room for n spans.
func (b *breaker) alloc(n int) []Span {
	if n > cap(b.arena)-len(b.arena) {
		b.arena = make([]Span, 0, max(n, min(2*cap(b.arena), 128)))
	}
	at := len(b.arena)
	b.arena = b.arena[:at+n]
	return b.arena[at : at : at+n]
}

// trim cuts the spaces off the end of the row that nobody would see, and the spaces that hang over.
func (b *breaker) trim() {
	st := b.style.Style
	seen := st.Bg != 0 || st.Attr&(Underline|Inverse|Strike) != 0
	for n := b.textLen(); n > 0 && b.textEnd() == ' ' && (!seen || b.col > b.room); n-- {
		b.shorten(n - 1)
		b.col--
	}
}
