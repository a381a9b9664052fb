package provider

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// codeScan follows Markdown as it is written, as far as it takes to tell code from prose.
type codeScan struct {
	last    byte // 0: nothing yet
	solid   byte // the last one that is no blank
	inLine  bool // the line has more than blanks
	run     int  // marks of code that stand together now
	mark    byte
	head    bool // they begin the line
	fence   int  // length of the marks that a block of code began with; 0: none
	fenceBy byte
	inline  int // length of the marks that code in the line began with; 0: none
}

func (c *codeScan) add(text string) {
	for i := range len(text) {
		b := text[i]
		if b == '`' || b == '~' && (c.run > 0 && c.mark == '~' || !c.inLine) {
			if c.run == 0 || c.mark != b {
				c.endRun(false)
				c.mark, c.head = b, !c.inLine
			}
			c.run++
			c.inLine, c.last, c.solid = true, b, b
			continue
		}
		c.endRun(b == '\n' || b == '\r')
		switch b {
		case '\n':
			c.inLine, c.inline = false, 0
		case ' ', '\t', '\r':
		default:
			c.inLine, c.solid = true, b
		}
		c.last = b
	}
}

// endRun takes the marks that stood together.
func (c *codeScan) endRun(lineEnds bool) {
	n := c.run
	c.run = 0
	switch {
	case n == 0:
	case c.head && n >= 3 && c.fence == 0:
		c.fence, c.fenceBy = n, c.mark
	case c.head && c.mark == c.fenceBy && n >= c.fence && c.fence > 0 && lineEnds:
		c.fence = 0
	case c.fence > 0 || c.mark != '`':
	case c.inline == 0:
		c.inline = n
	case c.inline == n:
		c.inline = 0
	}
}

// shuts reports whether a tag that comes now, with rest behind it, ends thinking: it stands on a
// line of its own, right behind a word, or behind a sentence. Behind a bracket or a quote it is
// spoken of; behind a blank it is unless a word follows at once. It is not sure while rest
// holds no whole character and more may come.
func (c *codeScan) shuts(rest string, end bool) (does, sure bool) {
	c.endRun(false)
	switch {
	case c.fence > 0 || c.inline > 0 || c.last == 0:
		return false, true
	case !c.inLine:
		return true, true
	case c.last != ' ' && c.last != '\t':
		return !strings.ContainsRune("\"'([{<>`*_/", rune(c.last)), true
	case strings.ContainsRune(".!?:", rune(c.solid)):
		return true, true
	case !utf8.FullRuneInString(rest) && !end:
		return false, false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(next) || unicode.IsDigit(next), true
}

// farEnough is how many bytes of a line are looked at for the end of code in it.
const farEnough = 256

// quotes reports whether a tag that comes now is code, and behind the tag comes rest. It is not
// sure before the line ends, unless that is far.
func (c *codeScan) quotes(rest string, end bool) (is, sure bool) {
	c.endRun(false)
	if c.fence > 0 || c.inline == 0 {
		return c.fence > 0, true
	}
	rest = rest[:min(len(rest), farEnough)]
	line, _, whole := strings.Cut(rest, "\n")
	if strings.IndexByte(line, '`') >= 0 {
		return true, true
	}
	return false, end || whole || len(rest) == farEnough
}
