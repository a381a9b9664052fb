package vt

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// applySGR implements CSI m (sgr.zig).
func (t *Terminal) applySGR(q *ansi.Sequence) {
	st := &t.active.cursor.style
	t.active.cursor.penKnown = false
	p := q.Params
	if len(p) == 0 {
		*st = Style{}
		return
	}
	for i := 0; i < len(p); {
		i = sgrParam(st, q, i)
	}
}

// sgrParam applies the attribute at parameter i to a style, and returns the index of the next
// parameter.
func sgrParam(st *Style, q *ansi.Sequence, i int) int {
	p := q.Params
	n := p[i]
	if q.Colon(i) && n != 4 && n != 38 && n != 48 && n != 58 {
		for i < len(p) && q.Colon(i) {
			i++
		}
		return i + 1
	}
	switch {
	case n == 0:
		*st = Style{}
	case n >= 30 && n <= 37:
		st.Fg = ansi.Indexed(uint8(n - 30))
	case n >= 40 && n <= 47:
		st.Bg = ansi.Indexed(uint8(n - 40))
	case n >= 90 && n <= 97:
		st.Fg = ansi.Indexed(uint8(n - 82))
	case n >= 100 && n <= 107:
		st.Bg = ansi.Indexed(uint8(n - 92))
	case n == 38:
		return sgrColor(&st.Fg, q, i)
	case n == 48:
		return sgrColor(&st.Bg, q, i)
	case n == 58:
		return sgrColor(&st.UnderlineColor, q, i)
	case n == 4 && q.Colon(i):
		return sgrUnderline(st, q, i)
	default:
		sgrSimple(st, n)
	}
	return i + 1
}

func sgrSimple(st *Style, n uint16) {
	switch n {
	case 1:
		st.Attr |= Bold
	case 2:
		st.Attr |= Faint
	case 3:
		st.Attr |= Italic
	case 4:
		st.Underline = SingleUnderline
	case 5, 6:
		st.Attr |= Blink
	case 7:
		st.Attr |= Inverse
	case 8:
		st.Attr |= Invisible
	case 9:
		st.Attr |= Strike
	case 21:
		st.Underline = DoubleUnderline
	case 22:
		st.Attr &^= Bold | Faint
	case 23:
		st.Attr &^= Italic
	case 24:
		st.Underline = NoUnderline
	case 25:
		st.Attr &^= Blink
	case 27:
		st.Attr &^= Inverse
	case 28:
		st.Attr &^= Invisible
	case 29:
		st.Attr &^= Strike
	case 39:
		st.Fg = 0
	case 49:
		st.Bg = 0
	case 53:
		st.Attr |= Overline
	case 55:
		st.Attr &^= Overline
	case 59:
		st.UnderlineColor = 0
	}
}

// sgrUnderline applies 4:n, a style of underline. An unknown n is a single underline. With more
// than one subparameter nothing is applied.
func sgrUnderline(st *Style, q *ansi.Sequence, i int) int {
	p := q.Params
	if i+1 >= len(p) {
		return i + 1
	}
	if q.Colon(i + 1) {
		return i + 1 + colons(q, i+1) + 1
	}
	if n := p[i+1]; n <= uint16(DashedUnderline) {
		st.Underline = Underline(n)
	} else {
		st.Underline = SingleUnderline
	}
	return i + 2
}

// colons returns how many parameters from i on are joined to the next one by a colon.
func colons(q *ansi.Sequence, i int) int {
	n := 0
	for ; i < len(q.Params)-1 && q.Colon(i); i++ {
		n++
	}
	return n
}

// sgrColor applies 38, 48 or 58, which set a colour. If no colour follows, only this parameter is
// skipped.
func sgrColor(to *ansi.Color, q *ansi.Sequence, i int) int {
	p := q.Params[i:]
	if len(p) < 2 {
		return i + 1
	}
	switch p[1] {
	case 5:
		if len(p) >= 3 {
			*to = ansi.Indexed(uint8(p[2]))
			return i + 3
		}
	case 2:
		if len(p) < 5 {
			break
		}
		if !q.Colon(i) {
			*to = ansi.RGB(uint8(p[2]), uint8(p[3]), uint8(p[4]))
			return i + 5
		}
		switch n := colons(q, i+1); n {
		case 3:
			*to = ansi.RGB(uint8(p[2]), uint8(p[3]), uint8(p[4]))
			return i + 5
		case 4: // with a colour space before the channels
			*to = ansi.RGB(uint8(p[3]), uint8(p[4]), uint8(p[5]))
			return i + 6
		default:
			return i + 1 + n + 1
		}
	}
	return i + 1
}
