package renderer

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// pending holds the final rows that came while an overlay was open, until it closes. Each row was
// made for the width that the terminal had then. If the width has changed, its line is wrapped
// anew, as the terminal does with rows in history, so that no text is cut off.
type pending struct {
	lines    []Line
	lineCols []int // By line: the columns of the terminal when it was handed over.

	laidRows []Line // The lines as rows of laidCols columns.
	laidCols int    // 0: laidRows has to be made.
	scratch  row
}

// add appends lines for a terminal of cols columns. It copies their spans, which belong to the
// caller.
func (p *pending) add(lines []Line, cols int, m width.Model) {
	for _, l := range lines {
		p.scratch.setLine(l, cols, m)
		l.Spans, l.Wrapped = slices.Clone(l.Spans), p.scratch.continues
		p.lines, p.lineCols = append(p.lines, l), append(p.lineCols, cols)
		p.laidCols = 0
	}
}

// drop removes the last n lines, or all if there are fewer. It returns how many it has removed.
func (p *pending) drop(n int) int {
	n = min(n, len(p.lines))
	remaining := len(p.lines) - n
	p.lines, p.lineCols, p.laidCols = p.lines[:remaining], p.lineCols[:remaining], 0
	for i := range p.lines {
		if l := &p.lines[i]; l.Picture != nil && i+l.Picture.Rows > remaining {
			l.Picture = nil // other rows come in the place of its own
		}
	}
	return n
}

// clear removes all lines.
func (p *pending) clear() { *p = pending{} }

// carefulCols returns how many columns of a live row a careful frame shows in a terminal of cols
// columns. If the terminal wrapped a live row, the next frame would be drawn in wrong rows.
func carefulCols(cols int) int { return max(cols/2-1, 1) }

// layOut returns all lines as rows of a terminal with cols columns. The rows are valid until the
// next call of a method.
func (p *pending) layOut(cols int, m width.Model) []Line {
	if p.laidCols == cols {
		return p.laidRows
	}
	p.laidRows, p.laidCols = p.laidRows[:0], cols
	for from := 0; from < len(p.lines); {
		to := from + 1
		for to < len(p.lines) && p.lines[to-1].Wrapped && p.lineCols[to-1] == p.lineCols[to] {
			to++
		}
		if p.lineCols[from] == cols {
			p.laidRows = append(p.laidRows, p.lines[from:to]...)
		} else {
			p.laidRows = appendWrapped(p.laidRows, p.lines[from:to], p.lineCols[from], cols, m)
		}
		from = to
	}
	return p.laidRows
}

// appendWrapped appends one line to dst as rows of cols columns. rows holds the line as it was made
// for oldCols columns. The terminal wraps from each new row into the next. If a cluster in the line
// has a doubtful width, the rows end with hard line breaks instead, since terminals would wrap at
// different places.
func appendWrapped(dst, rows []Line, oldCols, cols int, m width.Model) []Line {
	var out Line
	x, doubt := 0, false
	first := len(dst)
	for i := range rows {
		used := 0
		for _, s := range rows[i].Spans {
			from := 0
			for at := 0; at < len(s.Text); {
				c, remaining, w := m.Next(s.Text[at:])
				next := len(s.Text) - len(remaining)
				if harmless(c) != "" || w > 64 {
					w = 1 // as row.add has it
				}
				needed := w
				differs := w > 0 && m.Doubtful(c)
				if differs {
					needed = max(w, m.Widest(c))
				}
				used += w
				doubt = doubt || differs && used <= oldCols
				if used > oldCols || w > cols { // it was cut off then, or is now
					out.Spans = appendSpan(out.Spans, s, from, at)
					if from = next; used > oldCols {
						from = len(s.Text)
						break
					}
				} else if x+needed > cols && x > 0 {
					out.Spans = appendSpan(out.Spans, s, from, at)
					from = at
					out.Prompt, out.Wrapped = rows[i].Prompt, true
					dst = append(dst, out)
					out, x = Line{}, w
				} else {
					x += w
				}
				at = next
			}
			out.Spans = appendSpan(out.Spans, s, from, len(s.Text))
			if used > oldCols {
				break
			}
		}
	}
	last := &rows[len(rows)-1]
	out.Prompt, out.Wrapped, out.Picture = last.Prompt, last.Wrapped, last.Picture
	dst = append(dst, out)
	for n := len(dst) - 1; n > first && !last.Wrapped && allBlank(dst[n].Spans); n-- {
		// Blanks at the end of a line are none.
		dst = dst[:n]
		dst[n-1].Wrapped = false
	}
	for i := first; doubt && i < len(dst)-1; i++ {
		dst[i].Wrapped = false
	}
	return dst
}

// allBlank reports whether spans show nothing but blanks without style and link.
func allBlank(spans []Span) bool {
	for i := range spans {
		if s := &spans[i]; s.Style != (Style{}) || s.Link != "" || strings.Trim(s.Text, " ") != "" {
			return false
		}
	}
	return true
}

// appendSpan appends the bytes s.Text[from:to] to dst, in the style of s. It appends nothing if
// there are none.
func appendSpan(dst []Span, s Span, from, to int) []Span {
	if from < to {
		s.Text = s.Text[from:to]
		dst = append(dst, s)
	}
	return dst
}
