package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// barTableTransformer is a goldmark transformer that turns paragraphs into tables. The header line
// must begin with a vertical bar. GFM also allows headers without one, but such a line would turn
// from text into a header once the next line is complete.
type barTableTransformer struct{}

// Transform looks in the paragraph n for the first delimiter row (such as |---|:-:|) and makes a
// table of the lines from the header above it on.
func (t barTableTransformer) Transform(n *ast.Paragraph, r text.Reader, _ parser.Context) {
	lines := n.Lines()
	for i := 1; i < lines.Len(); i++ {
		at, before := lines.At(i), lines.At(i-1)
		if len(bytes.Trim(at.Value(r.Source()), "|:- \t\r\n")) == 0 {
			if bytes.HasPrefix(bytes.TrimLeft(before.Value(r.Source()), " "), []byte("|")) {
				t.makeTable(n, r.Source())
			}
			return
		}
	}
}

// makeTable moves the table's lines, from the header on, out of the paragraph n into a table node
// behind it. Lines before the header stay in the paragraph. It does nothing if the header and the
// delimiter row differ in their number of columns.
func (barTableTransformer) makeTable(n *ast.Paragraph, source []byte) {
	lines := n.Lines()
	at, align := 0, []east.Alignment(nil)
	for i := 1; i < lines.Len() && align == nil; i++ {
		line := lines.At(i)
		at, align = i, alignments(line.Value(source))
	}
	if align == nil {
		return
	}
	header := tableRow(lines.At(at-1), align, true, source)
	if len(align) != header.ChildCount() {
		return
	}
	table := east.NewTable()
	table.Alignments = align
	table.AppendChild(table, east.NewTableHeader(header))
	for i := at + 1; i < lines.Len(); i++ {
		table.AppendChild(table, tableRow(lines.At(i), align, false, source))
	}
	lines.SetSliced(0, at-1)
	n.Parent().InsertAfter(n.Parent(), n, table)
	if lines.Len() == 0 {
		n.Parent().RemoveChild(n.Parent(), n)
		return
	}
	last := lines.At(at - 2)
	last.Stop-- // its end of line
	lines.Set(at-2, last)
}

// alignments returns the alignment of each column that the delimiter row line describes. It returns
// nil if line is not a delimiter row.
func alignments(line []byte) []east.Alignment {
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if indent > 3 || indent < len(line) && line[indent] == '\t' || len(bytes.Trim(line, "-")) == 0 {
		return nil
	}
	cells := bytes.Split(line, []byte("|"))
	if isBlankLine(cells[0]) {
		cells = cells[1:]
	}
	if n := len(cells); n > 0 && isBlankLine(cells[n-1]) {
		cells = cells[:n-1]
	}
	var all []east.Alignment
	for _, cell := range cells {
		cell = trimSpaces(cell)
		left, right := bytes.HasPrefix(cell, []byte(":")), bytes.HasSuffix(cell, []byte(":"))
		dashes := bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
			return nil
		}
		switch {
		case left && right:
			all = append(all, east.AlignCenter)
		case left:
			all = append(all, east.AlignLeft)
		case right:
			all = append(all, east.AlignRight)
		default:
			all = append(all, east.AlignNone)
		}
	}
	return all
}

// trimSpaces returns s without leading and trailing blanks and line ends.
func trimSpaces(s []byte) []byte { return bytes.Trim(s, " \t\n\f\r") }

func isBlankLine(s []byte) bool { return len(trimSpaces(s)) == 0 }

// tableRow parses a line as a row of a table with one column for each element of align. A header
// row keeps all its cells. Any other row is cut or filled up to the number of columns.
func tableRow(line text.Segment, align []east.Alignment, header bool, source []byte) *east.TableRow {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	s := line.Value(source)
	row := east.NewTableRow(align)
	from, end := 0, len(s)
	if end > 0 && s[0] == '|' {
		from++
	}
	if end > 0 && s[end-1] == '|' {
		end--
	}
	n := 0
	for ; from < end && (header || n < len(align)); n++ {
		to := from
		for to < end && (s[to] != '|' || to > 0 && s[to-1] == '\\') {
			to++
		}
		cell := east.NewTableCell()
		if n < len(align) {
			cell.Alignment = align[n]
		}
		at := text.NewSegment(line.Start+from, line.Start+to)
		at = at.TrimLeftSpace(source)
		cell.Lines().Append(at.TrimRightSpace(source))
		row.AppendChild(row, cell)
		from = to + 1
	}
	for ; from >= end && n < len(align); n++ {
		row.AppendChild(row, east.NewTableCell())
	}
	return row
}
