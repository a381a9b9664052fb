package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// GFM's additions to CommonMark are parsed here and in autolink.go and bartable.go. Those of
// goldmark come with its renderer of HTML and with regular expressions, which each start of a
// program would pay for; a test compares with them.

// strikethroughParser is a goldmark parser for text between one or two tildes.
//
// The GFM extensions are implemented in this file, autolink.go and bartable.go. goldmark's own ones
// bring its HTML renderer and regular expressions, which would slow down every start of the
// program. A test compares the two.
type strikethroughParser struct{}

// Trigger returns the tilde.
func (strikethroughParser) Trigger() []byte { return []byte{'~'} }

// Parse reads one or two tildes as a delimiter. goldmark later pairs it with another one, or turns
// it back into text.
func (s strikethroughParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, at := block.PeekLine()
	mark := parser.ScanDelimiter(line, before, 1, s)
	if mark == nil || mark.OriginalLength > 2 || before == '~' {
		return nil
	}
	mark.Segment = at.WithStop(at.Start + mark.OriginalLength)
	block.Advance(mark.OriginalLength)
	pc.PushDelimiter(mark)
	return mark
}

// IsDelimiter reports whether b is a tilde.
func (strikethroughParser) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser reports whether opener and closer are the same character.
func (strikethroughParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch returns an empty node for the text between two matching delimiters.
func (strikethroughParser) OnMatch(int) ast.Node { return east.NewStrikethrough() }

// checkBoxParser is a goldmark parser for the boxes of task lists: [ ] and [x].
type checkBoxParser struct{}

// Trigger returns the opening bracket of a box.
func (checkBoxParser) Trigger() []byte { return []byte{'['} }

// Parse reads a box, and the blanks behind it, at the start of a list item. It returns nil anywhere
// else.
func (checkBoxParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, in := parent.Parent().(*ast.ListItem)
	if !in || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 3 || line[2] != ']' || !isSpaceByte(line[1]) && line[1]|0x20 != 'x' {
		return nil
	}
	n := 3
	for n < len(line) && isSpaceByte(line[n]) {
		n++
	}
	block.Advance(n)
	return east.NewTaskCheckBox(line[1]|0x20 == 'x')
}

// isSpaceByte reports whether b is a blank or a line end.
func isSpaceByte(b byte) bool { return bytes.IndexByte([]byte(" \t\n\f\r"), b) >= 0 }
