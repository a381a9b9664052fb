package layout

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// tabStop is the number of columns between tab stops, counted from the left edge of a place.
const tabStop = 8

// Cell is a view and its columns, for [Join].
type Cell struct {
	View  tui.View
	Width int // columns; less than 1 is none
}

// Join puts views side by side, each in its own columns, and is as high as the highest. A row that
// is wider than its cell is cut, and so are cells beyond the Width of s. The caret is that of the
// last cell that has one. RefreshAfter is the shortest. Hold, Mouse and Releases are set if they
// are for any.
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

// joinRows puts the rows of the children side by side, each in its width, with gap columns between
// them, and notes their places.
func (g *group) joinRows(m width.Model, widths []int, gap int) []tui.Line {
	rows, col := 0, 0
	for i := range g.parts {
		g.placeChild(i, col, 0)
		g.parts[i].width = widths[i]
		rows = max(rows, g.parts[i].rows)
		col += widths[i] + gap
	}
	lines := make([]tui.Line, rows)
	all := g.slab.next()
	for r := range lines {
		start, at := len(all), 0 // the row's first span, and the columns that it has so far
		for i := range g.parts {
			p := &g.parts[i]
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
	g.slab.keep(all)
	return lines
}

// fitSpans returns spans in at most cols columns, as the renderer measures them, and their number
// of columns. Tabs go to their stops, other controls become tokens, and text that does not fit is
// cut. A cluster that some terminal draws wider reaches beyond its place for a moment: the renderer
// sets the column of the text beside it, which is written over that.
func fitSpans(m width.Model, spans []tui.Span, cols int) (out []tui.Span, n int) {
	return appendFitting(make([]tui.Span, 0, len(spans)), m, spans, cols)
}

// appendFitting appends what fitSpans returns.
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

// fitText returns the part of text that fits after n columns, and the columns then. full: it is not
// all of it.
func fitText(m width.Model, text string, n, cols int) (string, int, bool) {
	if plainASCII(text) {
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

// drawnColumns returns the columns of a text of ASCII, box drawing, blocks and braille, which every
// model gives one column each unless it draws ambiguous characters wide. ok is false for other
// texts. Charts and frames are such texts.
func drawnColumns(m width.Model, text string) (cols int, ok bool) {
	if plainASCII(text) {
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

// plainASCII reports whether text is printable ASCII.
func plainASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}
