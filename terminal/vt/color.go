package vt

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// backgroundOf is the colour of a cell that has nothing else.
func backgroundOf(c cell) ansi.Color {
	if c.tag() == tagIndexed {
		return ansi.Indexed(uint8(c.content()))
	}
	n := c.content()
	return ansi.RGB(uint8(n>>16), uint8(n>>8), uint8(n))
}
