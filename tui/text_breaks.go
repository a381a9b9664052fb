package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// addSpan lays out s. Its first fitting bytes, printable ASCII that ends with a space, are known to
// fit in the row.
func (b *breaker) addSpan(s Span, fitting int) {
	if s.Text == "" {
		return
	}
	b.startSpan(s)
	b.src = s.Text
	if fitting > 0 {
		b.takeASCII(0, fitting)
		b.hasVisibleText, b.inLongWord = true, false
		b.markBreak()
	}
	for at := fitting; at < len(b.src); {
		text := b.src[at:]
		if n := plainASCIIRun(text); n > 0 {
			b.addASCII(at, at+n)
			at += n
			continue
		}
		switch {
		case text[0] == '\n':
			b.newline(1)
			at++
		case text[0] == '\t':
			b.addTab()
			at++
		case strings.HasPrefix(text, "\r\n"):
			b.newline(2)
			at += 2
		default:
			c, _, w := b.layout.Model.Next(text)
			if c == " " && !b.layout.Native { // before a letter that is not ASCII
				b.addSpace(at)
			} else {
				b.addCluster(c, at, w)
			}
			at += len(c)
		}
	}
}

// plainASCIIRun returns the number of bytes of printable ASCII at the start of s. It leaves out the
// last character if the next one is not ASCII and might combine with it.
func plainASCIIRun(s string) int {
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

// addASCII adds src[at:to], which is printable ASCII: each byte takes one column.
func (b *breaker) addASCII(at, to int) {
	for at < to {
		free := b.rowCols - b.col - b.spareCols
		if b.layout.Native {
			if free <= 0 {
				b.endFullRow(1)
				continue
			}
			n := min(free, to-at)
			b.takeASCII(at, n)
			at += n
			continue
		}
		s := b.src[at:to]
		n := strings.IndexByte(s, ' ') // a word, or one space
		switch {
		case n == 0:
			b.addSpace(at)
			at++
			continue
		case n < 0:
			n = len(s)
		}
		hyphen := false
		if h := strings.IndexByte(s[:n], '-'); h > 0 && h+1 < n && !b.inLongWord &&
			!strings.ContainsAny(s[:h], `/\:=&?#%@_`) {
			// Inside a word, not an option, a path or a URL.
			n, hyphen = h+1, true
		}
		if n > free {
			if b.col > 0 && b.wrapRow() {
				continue
			}
			if free <= 0 {
				b.endFullRow(1)
				continue
			}
			n, hyphen = free, false // a word longer than a row
		}
		b.takeASCII(at, n)
		b.hasVisibleText = true
		at += n
		if hyphen {
			b.markBreak()
		}
	}
}

// takeASCII adds n bytes of ASCII at src[at:] to the row, in which they fit.
func (b *breaker) takeASCII(at, n int) {
	b.addText(b.src[at:at+n], at)
	b.col, b.sourceEnd, b.hasSource = b.col+n, b.sourceEnd+n, true
}

// addSpace adds a space of prose. Beyond the edge it belongs to the row but is not shown.
func (b *breaker) addSpace(at int) {
	b.addText(" ", at)
	b.col, b.sourceEnd, b.hasSource = b.col+1, b.sourceEnd+1, true
	b.inLongWord = false
	if b.hasVisibleText { // a break after an indent would leave a blank row
		b.markBreak()
	}
}

// markBreak records the current place as one where the row may break.
func (b *breaker) markBreak() {
	b.lastBreak = breakPoint{valid: true, spans: len(b.spans), text: b.textLen(), col: b.col,
		spareCols: b.spareCols, doubtful: b.doubtfulClusters, end: b.sourceEnd}
}

// wrapRow breaks a row of prose at the last possible place, and begins the next row with the text
// behind it. It returns false if there is no such place.
func (b *breaker) wrapRow() bool {
	m := b.lastBreak
	if !m.valid {
		return false
	}
	var (
		src, style          = b.src, b.style
		raw, lo, hi         = b.inSource, b.textFrom, b.textTo
		col, spareCols, end = b.col - m.col, b.spareCols - m.spareCols, b.sourceEnd
		odd                 = b.doubtfulClusters - m.doubtful
		buf                 []byte
		spans               []Span
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
		b.src, b.style, b.inSource, b.textFrom, b.textTo = head.Text, head, true, 0, m.text
		b.style.Text = ""
	} else {
		if raw {
			lo += m.text
		} else {
			buf = append(buf, b.buf[m.text:]...)
		}
		b.cutText(m.text)
	}
	b.sourceEnd = m.end
	b.endRow(false)
	b.spans = append(b.spans, spans...)
	b.src, b.style, b.inSource, b.textFrom, b.textTo, b.buf = src, style, raw, lo, hi, append(b.buf[:0], buf...)
	b.col, b.spareCols, b.sourceEnd, b.doubtfulClusters = col, spareCols, end, odd
	b.hasSource, b.hasVisibleText = true, true
	return true
}

// endFullRow ends a row where no break is allowed: in a word of prose that is longer than a row.
// The terminal wraps it, so that it is a single word when the user copies it. next is the width of
// the next character: a wide one that does not fit wraps one column before the edge.
func (b *breaker) endFullRow(next int) {
	native := (b.layout.Native || len(b.layout.NextPrefix) == 0 && b.doubtfulClusters == 0) && b.spareCols == 0 &&
		(b.col == b.rowCols || next == 2 && b.col == b.rowCols-1)
	b.endRow(native)
	b.hasSource, b.inLongWord = true, native && !b.layout.Native
}

// addCluster adds one grapheme cluster, at src[at:], that is not printable ASCII and is w columns
// wide. Unsafe parts of it become visible tokens, each a cluster of its own.
func (b *breaker) addCluster(c string, at, w int) {
	if withVisibleControls(c) == c || c == "\u2800" && visible.Cells(b.src[:at], b.src[at+len(c):]) {
		b.addGlyph(c, at, w, len(c))
		return
	}
	if b.layout.Joiners && visible.LeftOut(b.src[:at], c, b.src[at+len(c):]) {
		b.sourceEnd += len(c)
		return
	}
	if b.layout.Joiners && b.isSpelling(c, at) {
		drawn := c
		if b.layout.Model.Method == width.Wcwidth {
			// tmux 3.3a draws the next letter in the cell before it, even after a space, and is a
			// column short from there on.
			drawn = strings.TrimSuffix(c, "\u200d")
		}
		if len(drawn) < len(c) {
			at, w = -1, b.layout.Model.Cluster(drawn)
		}
		b.addGlyph(drawn, at, w, len(c))
		return
	}
	for _, p := range slices.Collect((visible.Options{}).Pieces(c)) {
		// A loop over the function itself would take b to the heap.
		t := p.Text
		if b.layout.Model.String(t) > b.nextCols { // a token on a tiny screen
			t = b.layout.Model.Truncate(t, b.nextCols)
		}
		b.addGlyph(t, -1, b.layout.Model.String(t), len(p.Raw))
	}
}

// isSpelling reports whether c, at src[at:], consists only of letters and of joiners that are part
// of their spelling.
func (b *breaker) isSpelling(c string, at int) bool {
	if visible.LeftOut("", c, "") {
		return false // a directional mark, which stands for itself
	}
	_, n := utf8.DecodeRuneInString(b.src[at+len(c):])
	_, tokens := visible.Options{Joiners: true}.String(b.src[at : at+len(c)+n])
	_, following := visible.Options{}.String(b.src[at+len(c) : at+len(c)+n])
	return tokens.Total() == following.Total()
}

// addGlyph adds one cluster or token c, w columns wide, that represents n bytes of the source. If
// at is not negative c is a part of src at that offset.
func (b *breaker) addGlyph(c string, at, w, n int) {
	if w > b.nextCols {
		c, w, at = "?", 1, -1 // a wide cluster on a screen of one column
	}
	d, reach, odd := 0, w, 0 // columns that it may take on this terminal
	if b.layout.Model.Doubtful(c) {
		odd = 1
		switch {
		case b.layout.Native:
			d, reach = 1, w+1
		case b.layout.Model.Method != width.Wcwidth:
			reach = max(w, 2)
		default:
			reach = b.layout.Model.Widest(c)
		}
	}
	if !b.layout.Native && w >= 2 && b.col > 0 {
		b.markBreak()
	}
	b.inLongWord = b.inLongWord && w < 2
	for b.col+b.spareCols+reach > b.rowCols && b.col > 0 {
		if b.layout.Native || !b.wrapRow() {
			b.endFullRow(w)
		}
	}
	b.doubtfulClusters += odd
	b.addText(c, at)
	b.col, b.spareCols, b.sourceEnd, b.hasSource, b.hasVisibleText = b.col+w, b.spareCols+d, b.sourceEnd+n, true, true
	if !b.layout.Native && w >= 2 {
		b.markBreak()
	}
}

// addTab adds spaces up to the next tab stop, at least one.
func (b *breaker) addTab() {
	if b.layout.Native && b.col+b.spareCols >= b.rowCols {
		b.endFullRow(1)
	}
	n := min(b.layout.Tab-b.col%b.layout.Tab, len(spaces))
	if b.layout.Native {
		n = min(n, b.rowCols-b.col-b.spareCols)
	}
	b.addText(spaces[:n], -1)
	b.col, b.sourceEnd, b.hasSource = b.col+n, b.sourceEnd+1, true
	if !b.layout.Native && b.hasVisibleText {
		b.markBreak()
	}
}

const spaces = "                                "
