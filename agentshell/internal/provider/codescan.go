package provider

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// codeScan reads Markdown as it is written, as far as it is needed to tell code from prose.
type codeScan struct {
	last          byte // 0: nothing yet
	lastVisible   byte // the last one that is no blank
	inLine        bool // the line has more than blanks
	run           int  // marks of code that stand together now
	runMark       byte
	runBeginsLine bool // they begin the line
	fence         int  // length of the marks that a block of code began with; 0: none
	fenceMark     byte
	inline        int // length of the marks that code in the line began with; 0: none
}

func (c *codeScan) add(text string) {
	for i := range len(text) {
		b := text[i]
		if b == '`' || b == '~' && (c.run > 0 && c.runMark == '~' || !c.inLine) {
			if c.run == 0 || c.runMark != b {
				c.endRun(false)
				c.runMark, c.runBeginsLine = b, !c.inLine
			}
			c.run++
			c.inLine, c.last, c.lastVisible = true, b, b
			continue
		}
		c.endRun(b == '\n' || b == '\r')
		switch b {
		case '\n':
			c.inLine, c.inline = false, 0
		case ' ', '\t', '\r':
		default:
			c.inLine, c.lastVisible = true, b
		}
		c.last = b
	}
}

// endRun ends a run of marks: it may open or close code.
func (c *codeScan) endRun(lineEnds bool) {
	n := c.run
	c.run = 0
	switch {
	case n == 0:
	case c.runBeginsLine && n >= 3 && c.fence == 0:
		c.fence, c.fenceMark = n, c.runMark
	case c.runBeginsLine && c.runMark == c.fenceMark && n >= c.fence && c.fence > 0 && lineEnds:
		c.fence = 0
	case c.fence > 0 || c.runMark != '`':
	case c.inline == 0:
		c.inline = n
	case c.inline == n:
		c.inline = 0
	}
}

// endsThinking reports whether a tag that comes now, with rest behind it, ends thinking. It does on
// a line of its own, right behind a word, or behind a sentence. Behind a bracket or a quote the
// model only speaks of the tag; behind a blank it does so unless a word follows at once. sure is
// false while rest has no complete character and more may come.
func (c *codeScan) endsThinking(rest string, end bool) (does, sure bool) {
	c.endRun(false)
	switch {
	case c.fence > 0 || c.inline > 0 || c.last == 0:
		return false, true
	case !c.inLine:
		return true, true
	case c.last != ' ' && c.last != '\t':
		return !strings.ContainsRune("\"'([{<>`*_/", rune(c.last)), true
	case strings.ContainsRune(".!?:", rune(c.lastVisible)):
		return true, true
	case !utf8.FullRuneInString(rest) && !end:
		return false, false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLetter(next) || unicode.IsDigit(next), true
}

// maxQuoteScan is the maximum number of bytes in which the end of code within a line is looked for.
const maxQuoteScan = 256

// isQuoted reports whether a tag that comes now, with rest behind it, is code. sure is false until
// the line ends or maxQuoteScan is reached.
func (c *codeScan) isQuoted(rest string, end bool) (is, sure bool) {
	c.endRun(false)
	if c.fence > 0 || c.inline == 0 {
		return c.fence > 0, true
	}
	rest = rest[:min(len(rest), maxQuoteScan)]
	line, _, whole := strings.Cut(rest, "\n")
	if strings.IndexByte(line, '`') >= 0 {
		return true, true
	}
	return false, end || whole || len(rest) == maxQuoteScan
}
