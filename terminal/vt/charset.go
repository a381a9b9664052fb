package vt

// charset is the state of the graphic character sets.
type charset struct {
	sets   [4]graphicSet // G0 to G3
	gl     uint8
	single uint8 // 1 + the set of a pending SS2 or SS3
}

type graphicSet uint8

const (
	ascii graphicSet = iota
	british
	lineDrawing
)

// plain reports whether ASCII is not mapped.
func (c *charset) plain() bool { return c.single == 0 && c.sets[c.gl] == ascii }

// translate maps r by the set in GL, or by the set of a single shift, which this uses up. A set
// that maps has no characters above Latin-1: they become blanks (charsets.zig, Terminal.zig
// printCell).
func (c *charset) translate(r rune) rune {
	set := c.sets[c.gl]
	if c.single != 0 {
		set = c.sets[c.single-1]
		c.single = 0
	}
	switch {
	case set == ascii:
		return r
	case r > 0xff:
		return ' '
	case set == british && r == '#':
		return '£'
	case set == lineDrawing && r >= '`' && r <= '~':
		return lineDrawingRunes[r-'`']
	}
	return r
}

// lineDrawingRunes is DEC Special Graphics, 0x60 to 0x7e.
var lineDrawingRunes = [...]rune{
	'◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺',
	'⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}
