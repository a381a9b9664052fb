package renderer

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// pending holds final rows that wait until the overlay is gone. Each row was laid out for the width
// that the terminal had then. At another width its line is wrapped again, as the terminal does it
// with rows in history, so that none of its text is cut off.
type pending struct {
	lines    []Line
	lineCols []int // the columns of the terminal when each line was handed over

	laidRows []Line // lines, laid out for laidCols
	laidCols int    // 0: not laid out yet
	scratch  row
}

// add appends lines and copies their spans, which belong to the caller.
func (p *pending) add(lines []Line, cols int, m width.Model) {
	for _, l := range lines {
		p.scratch.setLine(l, cols, m)
		l.Spans, l.Wrapped = slices.Clone(l.Spans), p.scratch.continues
		p.lines, p.lineCols = append(p.lines, l), append(p.lineCols, cols)
		p.laidCols = 0
	}
}

// drop removes the last n lines, or as many as wait, and returns their number.
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

// carefulCols returns the columns up to which a careful frame shows live rows. A live row that the
// terminal wraps would lead the next frame astray.
func carefulCols(cols int) int { return max(cols/2-1, 1) }

// layOut returns the lines that wait, as rows of a terminal with cols columns. The rows are valid
// until the next call of a method.
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

// appendWrapped appends one line to dst as rows of cols columns. rows are its rows as they were
// laid out for oldCols columns. The new rows continue by the terminal's own wrap. If the width of a
// cluster in the line is in doubt they end hard, since nobody knows where the terminal would wrap.
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

// allBlank reports whether spans show nothing.
func allBlank(spans []Span) bool {
	for i := range spans {
		if s := &spans[i]; s.Style != (Style{}) || s.Link != "" || strings.Trim(s.Text, " ") != "" {
			return false
		}
	}
	return true
}

// appendSpan appends bytes [from, to) of s as a span.
func appendSpan(dst []Span, s Span, from, to int) []Span {
	if from < to {
		s.Text = s.Text[from:to]
		dst = append(dst, s)
	}
	return dst
}
