package ansi

import "strconv"

// attrCodes holds the SGR parameters that set and reset each attribute. Bold and Faint have the
// same reset, 22.
var attrCodes = [...]struct {
	attr       Attr
	set, reset uint8
}{
	{Bold, 1, 22}, {Faint, 2, 22}, {Italic, 3, 23}, {Underline, 4, 24},
	{Blink, 5, 25}, {Inverse, 7, 27}, {Invisible, 8, 28}, {Strike, 9, 29},
	{Overline, 53, 55},
}

// AppendSGR appends a short SGR sequence that changes the style of a terminal from one to another.
// It appends nothing if they are equal.
func AppendSGR(dst []byte, from, to Style) []byte {
	if from == to {
		return dst
	}
	start := len(dst)
	dst = append(dst, "\x1b["...)
	if to == (Style{}) {
		return append(dst, 'm')
	}
	dst = appendDelta(dst, from, to)
	delta := len(dst) - start
	if from == (Style{}) || delta <= 5 {
		return append(dst, 'm')
	}
	// The other way: reset, then everything.
	dst = append(dst, '0')
	dst = appendDelta(append(dst, ';'), Style{}, to)
	if full := len(dst) - start - delta; full+2 < delta {
		copy(dst[start+2:], dst[start+delta:])
		dst = dst[:start+2+full]
	} else {
		dst = dst[:start+delta]
	}
	return append(dst, 'm')
}

// appendDelta appends the parameters of the sequence that AppendSGR writes, separated by
// semicolons.
func appendDelta(dst []byte, from, to Style) []byte {
	first := true
	num := func(n uint8) {
		if !first {
			dst = append(dst, ';')
		}
		first = false
		dst = strconv.AppendUint(dst, uint64(n), 10)
	}
	removed, added := from.Attr&^to.Attr, to.Attr&^from.Attr
	if removed&(Bold|Faint) != 0 {
		num(22)
		added |= to.Attr & (Bold | Faint)
		removed &^= Bold | Faint
	}
	for _, c := range attrCodes {
		if removed&c.attr != 0 {
			num(c.reset)
		}
	}
	for _, c := range attrCodes {
		if added&c.attr != 0 {
			num(c.set)
		}
	}
	color := func(c Color, base uint8) {
		if n, ok := c.Index(); ok {
			switch {
			case n < 8:
				num(base + n)
			case n < 16:
				num(base + 60 + n - 8)
			default:
				num(base + 8)
				num(5)
				num(n)
			}
		} else if r, g, b, ok := c.RGB(); ok {
			num(base + 8)
			num(2)
			num(r)
			num(g)
			num(b)
		} else {
			num(base + 9)
		}
	}
	if from.Fg != to.Fg {
		color(to.Fg, 30)
	}
	if from.Bg != to.Bg {
		color(to.Bg, 40)
	}
	return dst
}
