package chart

import (
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Marks says which characters the dots of a chart are made of.
type Marks uint8

// The marks, the finest first.
const (
	AutoMarks Marks = iota // the finest that the terminal draws in one column
	Braille                // 2 by 4 dots a cell
	Blocks                 // 2 by 2 quarters a cell
	ASCII                  // 1 by 2 dots a cell
)

// in returns the marks for a space: the wanted ones, or coarser ones.
func (m Marks) in(s tui.Space) Marks {
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

// dots returns the dots of a cell.
func (m Marks) dots() (across, down int) {
	switch m {
	case Braille:
		return 2, 4
	case Blocks:
		return 2, 2
	}
	return 1, 2
}

// quarters are the blocks of a cell by its dots: bit 0 upper left, 1 upper right, 2 lower left.
var quarters = [16]string{" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"}

// appendGlyph appends the character of a cell with dots, a bit for each, row by row.
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

// brailleBits returns the bits of a braille character: its dots are numbered by columns, the lowest
// row came later.
func brailleBits(dots uint8) (bits uint8) {
	for i, b := range [8]uint8{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80} {
		if dots&(1<<i) != 0 {
			bits |= b
		}
	}
	return bits
}

// glyphs are the characters of bars, the rising ones first, and those of the axes.
type glyphs struct {
	up, right []string // a cell that is filled by so many eighths, from below and from the left
	shades    []string // a full cell of the first, second, ... series
	levels    []string // of a heat map, rising
	tick      string   // where a label stands at the axis
	side      string   // the axis beside it
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

// glyphsFor returns the glyphs that take one column each in s.
func glyphsFor(s tui.Space, m Marks) *glyphs {
	if m.in(s) == ASCII || s.Columns("█┤") != 2 {
		return &asciiGlyphs
	}
	return &unicodeGlyphs
}

// seriesNames are the names of the styles for the series of a chart, in a [tui.Sheet].
var seriesNames = [...]string{"chart1", "chart2", "chart3", "chart4", "chart5", "chart6"}

// seriesStyle returns the style of series i. name is that of its own style; "": it has none.
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
