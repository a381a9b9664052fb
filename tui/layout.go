package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Layout breaks text into rows. The zero value of each field is useful.
type Layout struct {
	Width  int    // columns; less than 1 is 1
	Native bool   // rows are full and go on by the terminal's own wrap (code, paths, tool output); else they break at words (prose)
	First  []Span // stands before the first row, inside Width
	Rest   []Span // stands before each row after the first; not with Native, where the terminal puts nothing there
	Tab    int    // columns between tab stops, 0 for 8
	Model  width.Model
}

// Append appends the rows of spans to dst and returns it. A newline ends its row, so that text without one at its end is as many rows as with
// one; no text is no row. Tabs become spaces, other controls visible tokens. End of each row is from plus the bytes of source up to there,
// its newline included. No row is wider than Width. A doubtful cluster ([width.Model.Doubtful]) stands where it has room even if it is as wide as
// it can be ([width.Model.Widest]); a native row keeps a spare column for each.
func (l Layout) Append(dst []Line, from int, spans ...Span) []Line {
	return l.layOut(dst, nil, from, spans...)
}

// layOut is Append with room for the spans of the first rows.
func (l Layout) layOut(dst []Line, arena []Span, from int, spans ...Span) []Line {
	var room [4]Span
	b := breaker{l: l, dst: dst, arena: arena, end: from, spans: room[:0]}
	b.l.Width, b.l.Tab = max(l.Width, 1), l.Tab
	if b.l.Tab <= 0 {
		b.l.Tab = 8
	}
	b.first = b.l.Width - b.columns(l.First)
	b.rest = b.l.Width
	if !l.Native {
		b.rest -= b.columns(l.Rest)
	}
	b.first, b.rest = max(b.first, 1), max(b.rest, 1)
	b.begin()
	for _, s := range spans {
		b.add(s)
	}
	if b.open {
		b.flush(false)
	}
	return b.dst
}

// Wrap lays out prose at the width of s.
func (s Space) Wrap(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model}.Append(nil, 0, spans...)
}

// Fill lays out code, paths and tool output at the width of s, in rows that the terminal wraps by itself.
func (s Space) Fill(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model, Native: true}.Append(nil, 0, spans...)
}

// Columns is the number of columns that text takes, without controls.
func (s Space) Columns(text string) int { return s.Model.String(text) }

// Cut is one row of spans, cut at the width of s: what is cut is marked by the theme's glyph, in the style of the last span. Newlines and tabs
// become spaces, other controls visible tokens.
func (s Space) Cut(spans ...Span) Line {
	limit := max(s.Width, 1)
	out := make([]Span, 0, len(spans)+1)
	col := 0
	for i, sp := range spans {
		sp.Text = harmless(strings.Map(blank, sp.Text))
		w := s.Model.String(sp.Text)
		if col+w > limit || col+w == limit && later(spans[i+1:]) {
			more := s.Look().Glyphs.More
			room := limit - s.Model.String(more)
			for col > room && len(out) > 0 { // the mark needs what earlier spans took
				last := &out[len(out)-1]
				n := s.Model.String(last.Text)
				last.Text = s.Model.Truncate(last.Text, max(n-(col-room), 0))
				col += s.Model.String(last.Text) - n
				if last.Text != "" {
					break
				}
				out = out[:len(out)-1]
			}
			sp.Text = s.Model.Truncate(s.Model.Truncate(sp.Text, max(room-col, 0))+more, limit)
			return Line{Spans: append(out, sp)}
		}
		if sp.Text != "" {
			out, col = append(out, sp), col+w
		}
	}
	return Line{Spans: out}
}

// later reports whether any of spans has text.
func later(spans []Span) bool {
	for _, s := range spans {
		if s.Text != "" {
			return true
		}
	}
	return false
}

func blank(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	return r
}

// harmless is s with its controls as visible tokens.
func harmless(s string) string {
	if plainASCII(s) {
		return s
	}
	s, _ = visible.Line(s)
	return s
}

// plainASCII reports whether s is printable ASCII throughout.
func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// breaker lays one text out. The row under construction is spans and the text of one more; the break that prose would take is remembered as a
// length of them.
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
	b.col, b.spare, b.open, b.ink, b.brk = 0, 0, false, false, mark{}
	b.room = b.rest
	if b.rows == 0 {
		b.room = b.first
	}
	b.rows++
}

// prefix is what stands before the text of the row.
func (b *breaker) prefix() []Span {
	switch {
	case b.rows == 1:
		return b.l.First
	case b.l.Native:
		return nil
	}
	return b.l.Rest
}

func (b *breaker) add(s Span) {
	if s.Text == "" {
		return
	}
	b.span(s)
	b.src = s.Text
	for at := 0; at < len(b.src); {
		text := b.src[at:]
		if n := run(text); n > 0 {
			b.ascii(at, at+n)
			at += n
			continue
		}
		switch {
		case text[0] == '\n':
			b.newline(1)
			at++
		case text[0] == '\t':
			b.tab()
			at++
		case strings.HasPrefix(text, "\r\n"):
			b.newline(2)
			at += 2
		default:
			c, _, w := b.l.Model.Next(text)
			if c == " " && !b.l.Native { // before a letter that is not ASCII
				b.space(at)
			} else {
				b.cluster(c, at, w)
			}
			at += len(c)
		}
	}
}

// run is the length of the printable ASCII at the start of s that is not followed by something that could join its last character.
func run(s string) int {
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return max(i-1, 0)
		}
		if c < 0x20 || c == 0x7f {
			return i
		}
	}
	return len(s)
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

// ascii adds src[at:to], printable ASCII: one column a byte.
func (b *breaker) ascii(at, to int) {
	for at < to {
		room := b.room - b.col - b.spare
		if b.l.Native {
			if room <= 0 {
				b.full(1)
				continue
			}
			n := min(room, to-at)
			b.take(at, n)
			at += n
			continue
		}
		s := b.src[at:to]
		n := strings.IndexByte(s, ' ') // a word, or one space
		switch {
		case n == 0:
			b.space(at)
			at++
			continue
		case n < 0:
			n = len(s)
		}
		hyphen := false
		if h := strings.IndexByte(s[:n], '-'); h > 0 && h+1 < n { // inside a word, not an option
			n, hyphen = h+1, true
		}
		if n > room {
			if b.col > 0 && b.wrap() {
				continue
			}
			if room <= 0 {
				b.full(1)
				continue
			}
			n, hyphen = room, false // a word longer than a row
		}
		b.take(at, n)
		b.ink = true
		at += n
		if hyphen {
			b.mark()
		}
	}
}

// take adds n columns of ASCII at src[at:].
func (b *breaker) take(at, n int) {
	b.put(b.src[at:at+n], at)
	b.col, b.end, b.open = b.col+n, b.end+n, true
}

// space adds a space to prose. At the edge it hangs over: it belongs to the row and is not shown.
func (b *breaker) space(at int) {
	b.put(" ", at)
	b.col, b.end, b.open = b.col+1, b.end+1, true
	if b.ink { // a break after an indent would leave a blank row
		b.mark()
	}
}

// mark remembers this place as one to break at.
func (b *breaker) mark() {
	b.brk = mark{ok: true, spans: len(b.spans), text: b.textLen(), col: b.col, spare: b.spare, end: b.end}
}

// wrap ends the row of prose at the last place to break and begins the next one with what follows it. False: there is none.
func (b *breaker) wrap() bool {
	m := b.brk
	if !m.ok {
		return false
	}
	var (
		src, style      = b.src, b.style
		raw, lo, hi     = b.raw, b.lo, b.hi
		col, spare, end = b.col - m.col, b.spare - m.spare, b.end
		buf             []byte
		spans           []Span
	)
	if m.spans < len(b.spans) { // the break is inside a span that is complete
		spans = append(spans, b.spans[m.spans:]...)
		spans[0].Text = spans[0].Text[m.text:]
		if spans[0].Text == "" {
			spans = spans[1:]
		}
		if !raw {
			buf = append(buf, b.buf...)
		}
		head := b.spans[m.spans]
		b.spans = b.spans[:m.spans]
		b.src, b.style, b.raw, b.lo, b.hi = head.Text, head, true, 0, m.text
		b.style.Text = ""
	} else {
		if raw {
			lo += m.text
		} else {
			buf = append(buf, b.buf[m.text:]...)
		}
		b.shorten(m.text)
	}
	b.end = m.end
	b.flush(false)
	b.spans = append(b.spans, spans...)
	b.src, b.style, b.raw, b.lo, b.hi, b.buf = src, style, raw, lo, hi, append(b.buf[:0], buf...)
	b.col, b.spare, b.end, b.open, b.ink = col, spare, end, true, true
	return true
}

// full ends a row that the text goes on after without a place to break. next is the width of what comes next: a wide character that does not
// fit wraps by itself one column before the edge.
func (b *breaker) full(next int) {
	native := b.l.Native && b.spare == 0 && (b.col == b.room || next == 2 && b.col == b.room-1)
	b.flush(native)
	b.open = true
}

// cluster adds one cluster that is no printable ASCII by itself; each token in it is a cluster of its own.
func (b *breaker) cluster(c string, at, w int) {
	if harmless(c) == c {
		b.glyph(c, at, w, len(c))
		return
	}
	for _, p := range slices.Collect((visible.Options{}).Pieces(c)) { // a loop over the function itself would take b to the heap
		t := p.Text
		if b.l.Model.String(t) > b.rest { // a token on a tiny screen
			t = b.l.Model.Truncate(t, b.rest)
		}
		b.glyph(t, -1, b.l.Model.String(t), len(p.Raw))
	}
}

// glyph adds one cluster or token, w columns wide, for n bytes of source; it stands at src[at:] if at is not below 0.
func (b *breaker) glyph(c string, at, w, n int) {
	if w > b.rest {
		c, w, at = "?", 1, -1 // a wide cluster on a screen of one column
	}
	d, reach := 0, w // columns that it may take on this terminal
	if b.l.Model.Doubtful(c) {
		switch {
		case b.l.Native:
			d, reach = 1, w+1
		case b.l.Model.Method == width.Grapheme:
			reach = max(w, 2)
		default:
			reach = b.l.Model.Widest(c)
		}
	}
	if !b.l.Native && w >= 2 && b.col > 0 {
		b.mark()
	}
	for b.col+b.spare+reach > b.room && b.col > 0 {
		if b.l.Native || !b.wrap() {
			b.full(w)
		}
	}
	b.put(c, at)
	b.col, b.spare, b.end, b.open, b.ink = b.col+w, b.spare+d, b.end+n, true, true
	if !b.l.Native && w >= 2 {
		b.mark()
	}
}

// tab adds spaces up to the next tab stop, at least one.
func (b *breaker) tab() {
	if b.l.Native && b.col+b.spare >= b.room {
		b.full(1)
	}
	n := min(b.l.Tab-b.col%b.l.Tab, len(spaces))
	if b.l.Native {
		n = min(n, b.room-b.col-b.spare)
	}
	b.put(spaces[:n], -1)
	b.col, b.end, b.open = b.col+n, b.end+1, true
	if !b.l.Native && b.ink {
		b.mark()
	}
}

const spaces = "                                "

// newline ends the row; n is the number of bytes of the line end.
func (b *breaker) newline(n int) {
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

// alloc is room for n spans.
func (b *breaker) alloc(n int) []Span {
	if n > cap(b.arena)-len(b.arena) {
		b.arena = make([]Span, 0, max(n, min(2*cap(b.arena), 128)))
	}
	at := len(b.arena)
	b.arena = b.arena[:at+n]
	return b.arena[at : at : at+n]
}

// trim cuts the spaces off the end of the row that nobody would see, and those that hang over.
func (b *breaker) trim() {
	st := b.style.Style
	seen := st.Bg != 0 || st.Attr&(Underline|Inverse|Strike) != 0
	for n := b.textLen(); n > 0 && b.textEnd() == ' ' && (!seen || b.col > b.room); n-- {
		b.shorten(n - 1)
		b.col--
	}
}
