package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Maximum sizes of a formula, in bytes. A larger formula is shown as ordinary text. A TeX formula
// is shown as written, with its delimiters: $...$, $$...$$, \(...\) or \[...\].
const (
	maxFormulaBytes      = 256     // within a line of text
	maxFormulaBlockBytes = 2 << 10 // on lines of its own
)

// formulaLength returns the number of bytes of the TeX formula at the start of s, or 0 if there is
// none. before is the text of the line that precedes s. decided is false if the answer depends on
// bytes that may follow s.
//
// A dollar sign delimits a formula only if it stands at the start of a word, its partner stands at
// the end of one, and no blank adjoins either of them on the inside. Otherwise it is taken for a
// currency sign or the start of a shell variable.
func formulaLength(before, s []byte) (n int, decided bool) {
	opener, closer := formulaDelimiters(s)
	if opener == "" {
		return 0, len(s) > 1 || len(s) > 0 && s[0] != '\\' && s[0] != '$'
	}
	single := opener == "$"
	if single && (len(s) == 1 || isBlankByte(s[1]) || endsWord(before)) {
		return 0, len(s) > 1
	}
	body := s[len(opener):min(len(s), maxFormulaBytes)]
	end := bytes.Index(body, []byte(closer))
	for single && end > 0 && body[end-1] == '\\' { // an amount within the formula
		next := bytes.IndexByte(body[end+1:], '$')
		if next < 0 {
			end = next
			break
		}
		end += 1 + next
	}
	if stop := bytes.IndexAny(body, "\n`"); stop >= 0 && (end < 0 || stop < end) {
		return 0, true
	}
	if end < 0 {
		return 0, len(s) >= maxFormulaBytes
	}
	n = len(opener) + end + len(closer)
	switch {
	case len(bytes.TrimSpace(body[:end])) == 0:
		return 0, true
	case opener == `\[` && !bytes.ContainsAny(body[:end], `\^_={}+`): // brackets that are escaped
		return 0, true
	case !single:
		return n, true
	case isBlankByte(body[end-1]):
		return 0, true
	case n == len(s):
		return n, false
	case isWordByte(s[n]) || s[n] == '$': // a word goes on behind it
		return 0, true
	}
	return n, true
}

// formulaDelimiters returns the delimiters of the TeX formula that begins at the start of s. It
// returns "", "" if none begins there.
func formulaDelimiters(s []byte) (opener, closer string) {
	switch {
	case bytes.HasPrefix(s, []byte("$$")):
		return "$$", "$$"
	case bytes.HasPrefix(s, []byte("$")):
		return "$", "$"
	case bytes.HasPrefix(s, []byte(`\(`)):
		return `\(`, `\)`
	case bytes.HasPrefix(s, []byte(`\[`)):
		return `\[`, `\]`
	}
	return "", ""
}

func isBlankByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// endsWord reports whether the last byte of before is a letter, a digit, a dollar sign or a
// backslash.
func endsWord(before []byte) bool {
	if len(before) == 0 {
		return false
	}
	c := before[len(before)-1]
	return isWordByte(c) || c == '$' || c == '\\'
}

// formulaBlockLength returns the number of bytes in the lines of a formula block at the start of
// src, or 0 if there is none. The block ends with the line that ends in the closing delimiter. If
// the opening delimiter is alone on its line, a blank line ends the block, too. decided is false if
// the answer depends on bytes that may follow src.
func formulaBlockLength(src []byte) (n int, decided bool) {
	line := firstLine(src)
	text := bytes.TrimLeft(line, " ")
	opener, closer := formulaDelimiters(text)
	if len(line)-len(text) > 3 || len(opener) < 2 || opener == `\(` {
		return 0, true
	}
	first := bytes.TrimSpace(text[len(opener):])
	alone := len(first) == 0
	for at := 0; ; {
		line := firstLine(src[at:])
		if len(line) == 0 || line[len(line)-1] != '\n' {
			return 0, len(src) > maxFormulaBlockBytes
		}
		body := bytes.TrimRight(line, " \t\r\n.,;")
		if at == 0 {
			body = bytes.TrimRight(first, " .,;")
			if i := bytes.Index(body, []byte(closer)); i >= 0 && i < len(body)-len(closer) {
				return 0, true // text follows the formula
			}
		}
		if len(bytes.TrimSpace(line)) == 0 && alone {
			return at, true
		} else if len(bytes.TrimSpace(line)) == 0 {
			return 0, true
		}
		if at += len(line); at > maxFormulaBlockBytes {
			return 0, true
		}
		if bytes.HasSuffix(body, []byte(closer)) {
			return at, true
		}
	}
}

// formulaSpanParser is a goldmark inline parser for formulas within a line.
type formulaSpanParser struct{}

// Trigger returns the first bytes of formula delimiters.
func (formulaSpanParser) Trigger() []byte { return []byte{'$', '\\'} }

// Parse reads a formula at the current position. It returns nil if none begins there.
func (formulaSpanParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n, _ := formulaLength(block.Source()[:segment.Start], line)
	if n == 0 {
		return nil
	}
	block.Advance(n)
	span := ast.NewCodeSpan()
	span.AppendChild(span, ast.NewRawTextSegment(segment.WithStop(segment.Start+n)))
	return span
}

// formulaBlockParser is a goldmark block parser for formulas on lines of their own.
type formulaBlockParser struct{}

// endAttribute is the key of the node attribute in which Open stores where a formula block ends, as
// an offset in the source.
const endAttribute = "end"

// Trigger returns the first bytes of formula delimiters.
func (formulaBlockParser) Trigger() []byte { return []byte{'$', '\\'} }

// Open reads the first line of a formula block and finds the block's end in the source.
func (formulaBlockParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	_, segment := reader.PeekLine()
	n, _ := formulaBlockLength(reader.Source()[segment.Start:])
	if n == 0 {
		return nil, parser.NoChildren
	}
	node := ast.NewCodeBlock()
	node.SetAttributeString(endAttribute, segment.Start+n)
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// Continue adds the next line to the block, or closes the block if its end is reached.
func (formulaBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	_, segment := reader.PeekLine()
	if end, _ := node.AttributeString(endAttribute); segment.Start >= end.(int) {
		return parser.Close
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close does nothing.
func (formulaBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph returns true: a formula needs no blank line before it.
func (formulaBlockParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine returns false: an indented line is code.
func (formulaBlockParser) CanAcceptIndentedLine() bool { return false }
