package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A formula of TeX is shown as it is written, marks included: $...$, $$...$$, \(...\) and \[...\].
// A formula of this many bytes or more is text.
const (
	maxFormula      = 256     // within a line
	maxFormulaBlock = 2 << 10 // in lines of its own
)

// formulaLength returns the length of the formula at the start of s, or 0 if there is none. before
// is the part of the line before s. decided is false if the answer depends on what may follow s.
//
// A dollar sign is the sign of a currency or of a variable unless it stands at the beginning of a
// word, its partner at the end of one, and no blank stands behind it nor before its partner.
func formulaLength(before, s []byte) (n int, decided bool) {
	opener, closer := formulaDelimiters(s)
	if opener == "" {
		return 0, len(s) > 1 || len(s) > 0 && s[0] != '\\' && s[0] != '$'
	}
	single := opener == "$"
	if single && (len(s) == 1 || isBlankByte(s[1]) || endsWord(before)) {
		return 0, len(s) > 1
	}
	body := s[len(opener):min(len(s), maxFormula)]
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
		return 0, len(s) >= maxFormula
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
	case isWord(s[n]) || s[n] == '$': // a word goes on behind it
		return 0, true
	}
	return n, true
}

// formulaDelimiters returns the marks around the formula that begins at the start of s, or "" if
// none begins there.
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

// endsWord reports whether a word, an escape or a dollar sign ends before.
func endsWord(before []byte) bool {
	if len(before) == 0 {
		return false
	}
	c := before[len(before)-1]
	return isWord(c) || c == '$' || c == '\\'
}

// formulaBlockLength returns the length of the lines of a formula that begins at the start of src,
// a line, and has its lines to itself: up to the line that ends with its closing mark. An opening
// mark alone in its line needs none: then the formula ends at a blank line. Without decided it
// depends on what follows src.
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
			return 0, len(src) > maxFormulaBlock
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
		if at += len(line); at > maxFormulaBlock {
			return 0, true
		}
		if bytes.HasSuffix(body, []byte(closer)) {
			return at, true
		}
	}
}

// formulaSpans is goldmark's parser of formulas within a line.
type formulaSpans struct{}

// Trigger returns the bytes with which a formula begins.
func (formulaSpans) Trigger() []byte { return []byte{'$', '\\'} }

// Parse takes a formula.
func (formulaSpans) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
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

// formulaBlocks is goldmark's parser of formulas in lines of their own.
type formulaBlocks struct{}

// endOffset names the attribute of a formula's node that holds the offset of its end in the source.
const endOffset = "end"

// Trigger returns the bytes with which a formula begins.
func (formulaBlocks) Trigger() []byte { return []byte{'$', '\\'} }

// Open takes the first line of a formula. Its other lines are looked up in the source.
func (formulaBlocks) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	_, segment := reader.PeekLine()
	n, _ := formulaBlockLength(reader.Source()[segment.Start:])
	if n == 0 {
		return nil, parser.NoChildren
	}
	node := ast.NewCodeBlock()
	node.SetAttributeString(endOffset, segment.Start+n)
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// Continue takes a further line.
func (formulaBlocks) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	_, segment := reader.PeekLine()
	if end, _ := node.AttributeString(endOffset); segment.Start >= end.(int) {
		return parser.Close
	}
	node.Lines().Append(segment)
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

// Close does nothing.
func (formulaBlocks) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph returns true: a formula needs no blank line before it.
func (formulaBlocks) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine returns false: such a line is code.
func (formulaBlocks) CanAcceptIndentedLine() bool { return false }
