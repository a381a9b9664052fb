package document

import (
	"context"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document/numfmt"
)

// These are the sizes of the largest possible sheet.
const (
	maxColumns = 16384
	maxRows    = 1 << 20
)

// sheetCell is a cell of a sheet, as the XML stores it. The value of a formula is the one that the
// writing program computed.
type sheetCell struct {
	Place string   `xml:"r,attr"`
	Style int      `xml:"s,attr"`
	Type  string   `xml:"t,attr"`
	Value string   `xml:"v"`
	Text  richText `xml:"is"`
}

// writeSheet writes the rows of a sheet. For empty rows it writes only their number.
func (w *workbook) writeSheet(ctx context.Context, name string, b *strings.Builder) error {
	d, err := newPartDecoder(ctx, w.zip, name)
	if err != nil {
		return err
	}
	last, written := 0, 0 // the last row, and the last one that was written
	return eachElement(ctx, d, "row", func(start xml.StartElement) (bool, error) {
		last++
		if n, err := strconv.Atoi(attr(start, "r")); err == nil && n >= last && n <= maxRows {
			last = n
		}
		var row struct {
			Cells []sheetCell `xml:"c"`
		}
		if err := d.DecodeElement(&row, &start); err != nil {
			return false, err
		}
		if line := w.rowText(row.Cells); line != "" {
			if empty := last - written - 1; empty > 0 {
				fmt.Fprintf(b, "[%s]\n", plural.Of(empty, "empty row"))
			}
			b.WriteString(line + "\n")
			written = last
		}
		return b.Len() <= MaxText, nil
	})
}

// rowText returns the cells of a row as a line, each in its column. It returns "" if all cells are
// empty.
func (w *workbook) rowText(cells []sheetCell) string {
	var b strings.Builder
	column := 0 // that comes next
	pending := 0
	for _, c := range cells {
		at := columnIndex(c.Place)
		if at < column {
			at = column
		}
		pending += at - column
		column = at + 1
		text := strings.ReplaceAll(w.cellText(c), "\n", " ")
		if text == "" || column > maxColumns {
			pending++
			continue
		}
		b.WriteString(strings.Repeat(" | ", pending) + text)
		pending = 1
	}
	return b.String()
}

// columnIndex returns the index of the column in a cell reference, 27 for AB12. It returns -1 if
// there is no column.
func columnIndex(place string) int {
	n := 0
	for i := 0; i < len(place) && n <= maxColumns; i++ {
		c := place[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}

// cellText returns the displayed text of a cell.
func (w *workbook) cellText(c sheetCell) string {
	switch c.Type {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(c.Value)); err == nil && i >= 0 && i < len(w.sharedStrings) {
			return w.format(c.Style).Text(w.sharedStrings[i])
		}
		return c.Value
	case "inlineStr":
		return w.format(c.Style).Text(c.Text.String())
	case "str":
		return w.format(c.Style).Text(unescapedText(c.Value))
	case "b":
		switch strings.TrimSpace(c.Value) {
		case "1":
			return "TRUE"
		case "0":
			return "FALSE"
		}
		return c.Value
	case "e":
		return c.Value
	case "d":
		return strings.TrimSuffix(strings.Replace(c.Value, "T", " ", 1), " 00:00:00")
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(c.Value), 64)
	if err != nil {
		return c.Value
	}
	return w.format(c.Style).Number(v)
}

// format returns the number format of the style with an index, or the zero Format if there is none.
func (w *workbook) format(style int) numfmt.Format {
	if style < 0 || style >= len(w.numberFormats) {
		return numfmt.Format{}
	}
	return w.numberFormats[style]
}
