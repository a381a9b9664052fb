package provider

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// codeScan reads Markdown piece by piece and tells whether the end of it is inside of code.
type codeScan struct {
	last          byte // The last byte; 0 if nothing was read.
	lastVisible   byte // The last byte that is no blank.
	inLine        bool // The line contains more than blanks.
	run           int  // The number of backticks or tildes in a row at the end of what was read.
	runMark       byte
	runBeginsLine bool // That row is the first thing in its line.
	fence         int  // The number of marks that opened the present block of code; 0 outside of one.
	fenceMark     byte
	inline        int // The number of backticks that opened the present code span; 0 outside of one.
}

// add reads the next piece of text.
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

// endRun ends a row of backticks or tildes, which may open or close code. lineEnds says that the
// line ends right behind it.
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

// endsThinking reports whether a closing tag at this position ends the model's reasoning. rest is
// the text behind the tag, and end says that no more follows.
//
// The tag does if it begins its line, or comes right behind a word or a sentence. Behind a bracket
// or a quotation mark the model only mentions the tag; behind a blank, too, if a word follows the
// tag directly. sure is false if the answer depends on text that has not arrived.
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

// maxQuoteScan is the maximum number of bytes behind a tag that are searched for the end of a code
// span.
const maxQuoteScan = 256

// isQuoted reports whether a tag at this position is inside of code. rest is the text behind the
// tag, and end says that no more follows. sure is false if the answer depends on text that has not
// arrived: up to the end of the line, or maxQuoteScan bytes.
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
