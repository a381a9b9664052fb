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

// strikethroughs are parts of a text between one or two tildes.
type strikethroughs struct{}

// Trigger returns the byte of the marks.
func (strikethroughs) Trigger() []byte { return []byte{'~'} }

// Parse takes a mark, which goldmark joins with another one or makes text again.
func (s strikethroughs) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
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

// IsDelimiter reports whether b is one of the marks.
func (strikethroughs) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser reports whether two marks belong together.
func (strikethroughs) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

// OnMatch returns what stands between two marks.
func (strikethroughs) OnMatch(int) ast.Node { return east.NewStrikethrough() }

// checkBoxes begin the items of a list of tasks: [ ] and [x].
type checkBoxes struct{}

// Trigger returns the byte that a box begins with.
func (checkBoxes) Trigger() []byte { return []byte{'['} }

// Parse takes a box and the blanks behind it at the start of an item.
func (checkBoxes) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
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

// isSpaceByte reports whether b is a blank or ends a line.
func isSpaceByte(b byte) bool { return bytes.IndexByte([]byte(" \t\n\f\r"), b) >= 0 }
