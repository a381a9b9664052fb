package chart

import (
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Marks selects the characters with which a chart is drawn.
type Marks uint8

// The sets of characters, the finest first.
const (
	AutoMarks Marks = iota // the finest set that the terminal draws in one column for each character
	Braille                // 2 by 4 dots in a cell
	Blocks                 // 2 by 2 quarters in a cell
	ASCII                  // 1 by 2 dots in a cell
)

// forSpace returns the marks to use in s: m, or coarser ones if the terminal cannot draw m.
func (m Marks) forSpace(s tui.Space) Marks {
	switch {
	case m == ASCII || s.Look().Glyphs.ASCII():
		return ASCII
	case m != Blocks && s.Columns("⣿") == 1:
		return Braille
	case s.Columns("▚") == 1:
		return Blocks
	}
	return ASCII
}

// dots returns the number of dots in the width and in the height of a cell.
func (m Marks) dots() (across, down int) {
	switch m {
	case Braille:
		return 2, 4
	case Blocks:
		return 2, 2
	}
	return 1, 2
}

// quarters lists the block characters by the dots of a cell: bit 0 is the upper left dot, bit 1 the
// upper right, bit 2 the lower left, bit 3 the lower right.
var quarters = [16]string{" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"}

// appendGlyph appends the character for a cell to dst. dots has a bit for each dot, row by row.
func (m Marks) appendGlyph(dst []byte, dots uint8) []byte {
	switch {
	case dots == 0:
		return append(dst, ' ')
	case m == Braille:
		return utf8.AppendRune(dst, 0x2800+rune(brailleBits(dots)))
	case m == Blocks:
		return append(dst, quarters[dots&15]...)
	}
	return append(dst, " '.:"[dots&3])
}

// brailleBits returns the bits of a Unicode braille character for dots. Unicode numbers the dots by
// columns, and the lowest row last.
func brailleBits(dots uint8) (bits uint8) {
	for i, b := range [8]uint8{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80} {
		if dots&(1<<i) != 0 {
			bits |= b
		}
	}
	return bits
}

// glyphs holds the characters for bars and axes.
type glyphs struct {
	up, right []string // a cell of which n eighths are filled, by n, from below and from the left
	shades    []string // a full cell of the first, second, ... series
	levels    []string // shades of a heat map, in ascending order
	tick      string   // the axis at a label
	side      string   // the axis elsewhere
	corner    string
	ground    string
}

var (
	unicodeGlyphs = glyphs{
		up:     []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		right:  []string{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		shades: []string{"█", "▒", "░", "▓"},
		levels: []string{" ", "░", "▒", "▓", "█"},
		tick:   "┤", side: "│", corner: "└", ground: "─",
	}
	asciiGlyphs = glyphs{
		up:     []string{" ", "_", "_", ".", "-", "-", "=", "=", "#"},
		shades: []string{"#", "=", "+", "-", "*", "o"},
		levels: []string{" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"},
		tick:   "+", side: "|", corner: "+", ground: "-",
	}
)

// glyphsFor returns characters that take one column each in s.
func glyphsFor(s tui.Space, m Marks) *glyphs {
	if m.forSpace(s) == ASCII || s.Columns("█┤") != 2 {
		return &asciiGlyphs
	}
	return &unicodeGlyphs
}

// seriesNames lists the names of the default styles for series in a [tui.Sheet].
var seriesNames = [...]string{"chart1", "chart2", "chart3", "chart4", "chart5", "chart6"}

// seriesStyle returns the style of the series with index i. name is the name of its own style, or
// "".
func seriesStyle(th *tui.Theme, name string, i int) tui.Style {
	if name != "" {
		return th.Style(name)
	}
	i %= len(seriesNames)
	if st, ok := th.Styles[seriesNames[i]]; ok {
		return st
	}
	st := [...]tui.Style{th.Accent, th.Added, th.Warning, th.Code, th.Removed, th.Ask}[i]
	st.Attr = 0
	return st
}
