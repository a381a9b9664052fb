package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/scrollkeep/scrollkeep/tui"
)

// tableUnits is what a table takes of End, whatever its rows.
const tableUnits = 1 << 16

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

// layout shows columns, two spaces apart, where they fit; else each row as a list of its cells with their headers.
func (t *table) layout(s tui.Space, dst []tui.Line, base int) []tui.Line {
	start := len(dst)
	widths, total := t.widths(s)
	if total <= s.Width {
		for _, row := range t.rows {
			dst = append(dst, s.Cut(t.columns(s, row, widths)...))
		}
	} else {
		dst = t.stacked(s, dst)
	}
	for i := start; i < len(dst); i++ {
		dst[i].End = base + min(i-start+1, tableUnits-1)
	}
	if len(dst) > start {
		dst[len(dst)-1].End = base + tableUnits
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

// stacked shows each row as lines of header and cell, a blank row between two.
func (t *table) stacked(s tui.Space, dst []tui.Line) []tui.Line {
	if len(t.rows) == 0 {
		return dst
	}
	head := t.rows[0]
	for r, row := range t.rows[1:] {
		if r > 0 {
			dst = append(dst, tui.Line{})
		}
		for i, cell := range row {
			var spans []tui.Span
			if i < len(head) && len(head[i]) > 0 {
				spans = append(append(spans, head[i]...), tui.Span{Text: ": "})
			}
			spans = append(spans, cell...)
			if len(spans) > 0 {
				dst = tui.Layout{Width: s.Width, Rest: []tui.Span{{Text: "  "}}, Model: s.Model}.Append(dst, 0, spans...)
			}
		}
	}
	if len(t.rows) == 1 { // a header alone
		for _, cell := range head {
			dst = tui.Layout{Width: s.Width, Model: s.Model}.Append(dst, 0, cell...)
		}
	}
	return dst
}
