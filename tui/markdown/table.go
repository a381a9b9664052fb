package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/scrollkeep/scrollkeep/tui"
)

// What a row of a table takes of End, and a cell in it, the first part of a row being the blank
// before it.
const (
	rowUnits  = 1 << 20
	cellUnits = 1 << 10
)

// table is a table: cells of spans, the first row being the header.
type table struct {
	rows  [][][]tui.Span
	align []east.Alignment
}

func (b *builder) table(n *east.Table) *table {
	t := &table{align: n.Alignments}
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		style := tui.Style{}
		if _, head := r.(*east.TableHeader); head {
			style = b.th.Strong
		}
		var row [][]tui.Span
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, b.inline(ast.Node(c), style))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

const between = "  " // columns

// size returns how many units of End the table takes.
func (t *table) size() int { return len(t.rows) * rowUnits }

// layout shows columns, two spaces apart, where they fit; else each row as a list of its cells with
// their headers. A table that is cut goes on with the row, or the cell, behind s.From.
func (t *table) layout(s tui.Space, dst []tui.Line, base int) []tui.Line {
	widths, total := t.widths(s)
	row, units := 0, 0
	if from := s.From - base; from > 0 {
		row, units = from/rowUnits, from%rowUnits
	}
	if total > s.Width || s.Model.MarksWrap && total == s.Width { // or a cell would lose its marks at the edge
		return t.stacked(s, dst, base, row, units)
	}
	for ; row < len(t.rows); row++ {
		l := s.CutProse(t.columns(s, t.rows[row], widths)...)
		l.End = base + (row+1)*rowUnits
		dst = append(dst, l)
	}
	return dst
}

func (t *table) widths(s tui.Space) (widths []int, total int) {
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(s, cell))
		}
	}
	for _, w := range widths {
		total += w + len(between)
	}
	return widths, total - len(between)
}

func columns(s tui.Space, spans []tui.Span) int {
	n := 0
	for _, sp := range spans {
		n += s.Columns(sp.Text)
	}
	return n
}

func (t *table) columns(s tui.Space, row [][]tui.Span, widths []int) []tui.Span {
	var out []tui.Span
	gap := "" // what the cells before have left
	for i, cell := range row {
		room := widths[i] - columns(s, cell)
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
		gap += strings.Repeat(" ", room-left) + between
	}
	return out
}

// stacked shows each row as lines of header and cell, a blank row between two. It begins in row
// from, behind units of it.
func (t *table) stacked(s tui.Space, dst []tui.Line, base, from, units int) []tui.Line {
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
