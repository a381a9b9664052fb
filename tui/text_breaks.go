package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// add lays s out. Of it the first sure bytes, printable ASCII up to a space, have room in the row.
func (b *breaker) add(s Span, sure int) {
	if s.Text == "" {
		return
	}
	b.span(s)
	b.src = s.Text
	if sure > 0 {
		b.take(0, sure)
		b.ink, b.long = true, false
		b.mark()
	}
	for at := sure; at < len(b.src); {
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

// run returns the length of the printable ASCII at the start of s that is not followed by something
// that could join its last character.
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
		if h := strings.IndexByte(s[:n], '-'); h > 0 && h+1 < n && !b.long &&
			!strings.ContainsAny(s[:h], `/\:=&?#%@_`) {
			// Inside a word, not an option, a path or a URL.
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
	b.long = false
	if b.ink { // a break after an indent would leave a blank row
		b.mark()
	}
}

// mark remembers this place as one to break at.
func (b *breaker) mark() {
	b.brk = mark{ok: true, spans: len(b.spans), text: b.textLen(), col: b.col, spare: b.spare, odd: b.odd, end: b.end}
}

// wrap ends the row of prose at the last place to break and begins the next one with what follows
// it. False: there is none.
func (b *breaker) wrap() bool {
	m := b.brk
	if !m.ok {
		return false
	}
	var (
		src, style      = b.src, b.style
		raw, lo, hi     = b.raw, b.lo, b.hi
		col, spare, end = b.col - m.col, b.spare - m.spare, b.end
		odd             = b.odd - m.odd
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
	b.col, b.spare, b.end, b.open, b.ink, b.odd = col, spare, end, true, true, odd
	return true
}

// full ends a row that the text goes on after without a place to break: in prose a word longer than
// a row, which is one word for who copies it. next is the width of what comes next: a wide
// character that does not fit wraps by itself one column before the edge.
func (b *breaker) full(next int) {
	native := (b.l.Native || len(b.l.Rest) == 0 && b.odd == 0) && b.spare == 0 &&
		(b.col == b.room || next == 2 && b.col == b.room-1)
	b.flush(native)
	b.open, b.long = true, native && !b.l.Native
}

// cluster adds one cluster that is no printable ASCII by itself; each token in it is a cluster of
// its own.
func (b *breaker) cluster(c string, at, w int) {
	if harmless(c) == c || c == "\u2800" && visible.Cells(b.src[:at], b.src[at+len(c):]) {
		b.glyph(c, at, w, len(c))
		return
	}
	if b.l.Joiners && b.spelled(c, at) {
		shown := c
		if b.l.Model.Method == width.Wcwidth {
			// tmux 3.3a draws the next letter in the cell before it, even behind a space, and is a
			// column short from there on.
			shown = strings.TrimSuffix(c, "\u200d")
		}
		if len(shown) < len(c) {
			at = -1
		}
		b.glyph(shown, at, w, len(c))
		return
	}
	for _, p := range slices.Collect((visible.Options{}).Pieces(c)) {
		// A loop over the function itself would take b to the heap.
		t := p.Text
		if b.l.Model.String(t) > b.rest { // a token on a tiny screen
			t = b.l.Model.Truncate(t, b.rest)
		}
		b.glyph(t, -1, b.l.Model.String(t), len(p.Raw))
	}
}

// spelled reports whether c, at src[at:], holds nothing but letters and the joiners of their
// spelling.
func (b *breaker) spelled(c string, at int) bool {
	_, n := utf8.DecodeRuneInString(b.src[at+len(c):])
	_, tokens := visible.Options{Joiners: true}.String(b.src[at : at+len(c)+n])
	_, own := visible.Options{}.String(b.src[at+len(c) : at+len(c)+n])
	return tokens.Total() == own.Total()
}

// glyph adds one cluster or token, w columns wide, for n bytes of source; it stands at src[at:] if
// at is not below 0.
func (b *breaker) glyph(c string, at, w, n int) {
	if w > b.rest {
		c, w, at = "?", 1, -1 // a wide cluster on a screen of one column
	}
	d, reach, odd := 0, w, 0 // columns that it may take on this terminal
	if b.l.Model.Doubtful(c) {
		odd = 1
		switch {
		case b.l.Native:
			d, reach = 1, w+1
		case b.l.Model.Method != width.Wcwidth:
			reach = max(w, 2)
		default:
			reach = b.l.Model.Widest(c)
		}
	}
	if !b.l.Native && w >= 2 && b.col > 0 {
		b.mark()
	}
	b.long = b.long && w < 2
	for b.col+b.spare+reach > b.room && b.col > 0 {
		if b.l.Native || !b.wrap() {
			b.full(w)
		}
	}
	b.odd += odd
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
