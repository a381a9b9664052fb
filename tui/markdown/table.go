package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Amounts by which one row of a table, and one cell of a row, advance tui.Line.End. The first
// cellUnits of a row belong to the blank row before it.
const (
	rowUnits  = 1 << 20
	cellUnits = 1 << 10
)

// table holds the cells of a table as spans, by row and column. The first row is the header.
type table struct {
	rows  [][][]tui.Span
	align []east.Alignment
}

func (b *builder) newTable(n *east.Table) *table {
	t := &table{align: n.Alignments}
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		style := tui.Style{}
		if _, head := r.(*east.TableHeader); head {
			style = b.th.Strong
		}
		var row [][]tui.Span
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, b.inlineSpans(ast.Node(c), style))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

const columnGap = "  " // the space between two columns

// units returns the amount by which the table advances tui.Line.End.
func (t *table) units() int { return len(t.rows) * rowUnits }

// appendRows appends the rows of the table behind s.From to dst. Columns stand two spaces apart. If
// they do not fit in the width each row becomes a list of its cells, each with its column's header.
// base is the tui.Line.End before the table.
func (t *table) appendRows(s tui.Space, dst []tui.Line, base int) []tui.Line {
	widths, total := t.columnWidths(s)
	row, units := 0, 0
	if from := s.From - base; from > 0 {
		row, units = from/rowUnits, from%rowUnits
	}
	if total > s.Width || s.Model.MarksWrap && total == s.Width { // or a cell would lose its marks at the edge
		return t.appendStacked(s, dst, base, row, units)
	}
	for ; row < len(t.rows); row++ {
		l := s.CutProse(t.rowSpans(s, t.rows[row], widths)...)
		l.End = base + (row+1)*rowUnits
		dst = append(dst, l)
	}
	return dst
}

func (t *table) columnWidths(s tui.Space) (widths []int, total int) {
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columnsOf(s, cell))
		}
	}
	for _, w := range widths {
		total += w + len(columnGap)
	}
	return widths, total - len(columnGap)
}

func columnsOf(s tui.Space, spans []tui.Span) int {
	n := 0
	for _, sp := range spans {
		n += s.Columns(sp.Text)
	}
	return n
}

func (t *table) rowSpans(s tui.Space, row [][]tui.Span, widths []int) []tui.Span {
	var out []tui.Span
	gap := "" // what the cells before have left
	for i, cell := range row {
		room := widths[i] - columnsOf(s, cell)
		left := 0
		if i < len(t.align) {
			switch t.align[i] {
			case east.AlignRight:
				left = room
			case east.AlignCenter:
				left = room / 2
			}
		}
		if lead := gap + strings.Repeat(" ", left); lead != "" && len(cell) > 0 {
			out = append(out, tui.Span{Text: lead})
			gap = ""
		} else {
			gap = lead
		}
		out = append(out, cell...)
		gap += strings.Repeat(" ", room-left) + columnGap
	}
	return out
}

// appendStacked appends each row of the table as lines of "header: cell", with a blank row between
// two table rows. It begins with the row at index from, without the part of it that its first units
// cover.
func (t *table) appendStacked(s tui.Space, dst []tui.Line, base, from, units int) []tui.Line {
	head := t.rows[0]
	if from == 0 && len(t.rows) > 1 {
		from, units = 1, 0
	}
	for r := from; r < len(t.rows); r, units = r+1, 0 {
		at := base + r*rowUnits
		if r > 1 && units == 0 {
			dst = append(dst, tui.Line{End: at + 1})
		}
		begin := len(dst)
		for i, c := range t.rows[r] {
			at := at + (i+1)*cellUnits
			if base+r*rowUnits+units >= at+cellUnits {
				continue // a cell that is cut is begun anew
			}
			var spans []tui.Span
			if r > 0 && i < len(head) && len(head[i]) > 0 {
				spans = append(append(spans, head[i]...), tui.Span{Text: ": "})
			}
			if spans = append(spans, c...); len(spans) == 0 {
				continue
			}
			first := len(dst)
			l := tui.Layout{Width: s.Width, NextPrefix: []tui.Span{{Text: "  "}}, Model: s.Model, Joiners: true}
			dst = l.Append(dst, 0, spans...)
			for k := first; k < len(dst); k++ {
				dst[k].End = at + min(k-first+1, cellUnits-1)
			}
			dst[len(dst)-1].End = at + cellUnits
		}
		if len(dst) > begin {
			dst[len(dst)-1].End = base + (r+1)*rowUnits
		}
	}
	return dst
}
