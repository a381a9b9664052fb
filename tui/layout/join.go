package layout

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// tabStop is the number of columns between tab stops, counted from the left edge of a child.
const tabStop = 8

// Cell is a view with a width, for [Join].
type Cell struct {
	View  tui.View
	Width int // number of columns; less than 1: the cell is not shown
}

// Join places views side by side, each in its own columns. The result is as high as the highest
// view. Rows wider than their cell are cut, and so are cells beyond the Width of s. The caret is
// that of the last cell that has one. RefreshAfter is the shortest of all. Hold, Mouse and Releases
// are set if any view has set them.
func Join(s tui.Space, cells ...Cell) tui.View {
	var g group
	children := make([]tui.Component, len(cells))
	for i, c := range cells {
		children[i] = tui.ComponentFunc(func(tui.Space) tui.View { return c.View })
	}
	g.beginView(children...)
	freeCols := max(s.Width, 1)
	widths := make([]int, len(cells))
	for i, c := range cells {
		widths[i] = min(max(c.Width, 0), freeCols)
		freeCols -= widths[i]
		g.viewChild(i, s, widths[i], 0)
	}
	v := g.groupView(g.joinRows(s.Model, widths, 0))
	v.Cursor = nil
	col := 0
	for i, c := range cells {
		if p := c.View.Cursor; p != nil && p.Col >= 0 && p.Col < widths[i] {
			v.Cursor = &tui.Pos{Col: col + p.Col, Row: p.Row}
		}
		v.Releases = v.Releases || c.View.Releases
		col += widths[i]
	}
	return v
}

// joinRows places the rows of the children side by side, in the given widths with gap columns
// between them. It records their positions.
func (g *group) joinRows(m width.Model, widths []int, gap int) []tui.Line {
	rows, col := 0, 0
	for i := range g.childStates {
		g.placeChild(i, col, 0)
		g.childStates[i].width = widths[i]
		rows = max(rows, g.childStates[i].rows)
		col += widths[i] + gap
	}
	lines := make([]tui.Line, rows)
	all := g.spanStore.next()
	for r := range lines {
		start, at := len(all), 0 // the row's first span, and the columns that it has so far
		for i := range g.childStates {
			p := &g.childStates[i]
			if r >= p.rows || p.width < 1 {
				continue
			}
			before := len(all)
			spans, n := appendFitting(blanks(all, p.col-at), m, p.view.Lines[r].Spans, p.width)
			if all = spans; n == 0 {
				all = all[:before]
				continue
			}
			lines[r].Prompt = lines[r].Prompt || p.view.Lines[r].Prompt
			at = p.col + n
		}
		lines[r].Spans = rowFrom(all, start)
	}
	g.spanStore.keep(all)
	return lines
}

// fitSpans returns spans cut to at most cols columns, and the number of columns that they take.
// Tabs extend to their stops, and other control characters become tokens. If a terminal draws a
// cluster wider than expected, it covers a part of the neighbouring text only until the renderer
// writes that text at its own column.
func fitSpans(m width.Model, spans []tui.Span, cols int) (out []tui.Span, n int) {
	return appendFitting(make([]tui.Span, 0, len(spans)), m, spans, cols)
}

// appendFitting appends to out the spans that fitSpans returns.
func appendFitting(out []tui.Span, m width.Model, spans []tui.Span, cols int) (_ []tui.Span, n int) {
	for _, s := range spans {
		text, full := "", false
		if text, n, full = fitText(m, s.Text, n, cols); text != "" {
			s.Text = text
			out = append(out, s)
		}
		if full {
			break
		}
	}
	return out, n
}

// fitText returns the part of text that fits behind n columns in a width of cols columns, the
// number of columns used then, and whether text was cut.
func fitText(m width.Model, text string, n, cols int) (string, int, bool) {
	if isPlainASCII(text) {
		k := min(len(text), cols-n)
		return text[:k], n + k, k < len(text)
	}
	if w, ok := drawnColumns(m, text); ok && n+w <= cols {
		return text, n + w, false
	}
	var b strings.Builder
	for {
		part, remaining, more := strings.Cut(text, "\t")
		part, _ = visible.Line(part)
		for part != "" {
			c, next, w := m.Next(part)
			part = next
			if w > 64 { // a chain of joiners that no terminal draws that wide; see package renderer
				c, w = "\ufffd", 1
			}
			if n+w > cols {
				return b.String(), n, true
			}
			if w > 0 {
				b.WriteString(c)
				n += w
			}
		}
		if !more {
			return b.String(), n, false
		}
		k := min(tabStop-n%tabStop, cols-n)
		b.WriteString("        "[:k])
		if n += k; n == cols {
			return b.String(), n, remaining != ""
		}
		text = remaining
	}
}

// drawnColumns returns the width of a text of ASCII, box drawing, blocks and braille. Each of these
// characters is one column wide, unless the terminal draws ambiguous characters wide. ok is false
// for other texts. It is a fast path for charts and frames.
func drawnColumns(m width.Model, text string) (cols int, ok bool) {
	if isPlainASCII(text) {
		return len(text), true
	}
	if m.Ambiguous {
		return 0, false
	}
	for _, r := range text {
		switch {
		case r >= ' ' && r < 0x7f, r >= 0x2500 && r <= 0x259f, r > 0x2800 && r <= 0x28ff:
			cols++
		default:
			return 0, false
		}
	}
	return cols, true
}

// isPlainASCII reports whether text is printable ASCII.
func isPlainASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}
