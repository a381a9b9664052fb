package vt

// charset holds the character sets G0 to G3 and which of them are in use.
type charset struct {
	sets   [4]graphicSet // G0 to G3
	gl     uint8
	single uint8 // 1 plus the number of the set that SS2 or SS3 has chosen for the next character; 0: none.
}

type graphicSet uint8

const (
	ascii graphicSet = iota
	british
	lineDrawing
)

// plain reports whether ASCII is printed as it is.
func (c *charset) plain() bool { return c.single == 0 && c.sets[c.gl] == ascii }

// translate returns the character that r stands for in the current set, or in the set that SS2 or
// SS3 has chosen for one character. A set other than ASCII has no characters above Latin-1; they
// become blanks (charsets.zig, Terminal.zig printCell).
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

// lineDrawingRunes holds the set DEC Special Graphics, for 0x60 to 0x7e.
var lineDrawingRunes = [...]rune{
	'◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺',
	'⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}
