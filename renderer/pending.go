package renderer

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// pending are final rows that wait until the overlay is gone. A row was laid out for the width of
// its time; at another one its line is wrapped anew, as the terminal does it with rows in history,
// so that nothing of it is cut off.
type pending struct {
	lines []Line
	cols  []int // the columns of the terminal when each was handed over

	rows []Line // lines as they are written
	at   int    // columns that rows is for; 0: not made yet
	row  row
}

// add takes lines over; their spans are the caller's.
func (p *pending) add(lines []Line, cols int, m width.Model) {
	for _, l := range lines {
		p.row.set(l, cols, m)
		l.Spans, l.Wrapped = slices.Clone(l.Spans), p.row.goesOn
		p.lines, p.cols = append(p.lines, l), append(p.cols, cols)
		p.at = 0
	}
}

// drop forgets the last n lines, or as many as wait, and returns how many those were.
func (p *pending) drop(n int) int {
	n = min(n, len(p.lines))
	left := len(p.lines) - n
	p.lines, p.cols, p.at = p.lines[:left], p.cols[:left], 0
	for i := range p.lines {
		if l := &p.lines[i]; l.Picture != nil && i+l.Picture.Rows > left {
			l.Picture = nil // other rows come in the place of its own
		}
	}
	return n
}

func (p *pending) clear() { *p = pending{} }

// carefulCols returns the columns up to which a careful frame shows live rows: one that the
// terminal wraps leads the next frame astray.
func carefulCols(cols int) int { return max(cols/2-1, 1) }

// laid returns what waits, as rows of a terminal with cols columns. It is valid until the next call
// of a method.
func (p *pending) laid(cols int, m width.Model) []Line {
	if p.at == cols {
		return p.rows
	}
	p.rows, p.at = p.rows[:0], cols
	for from := 0; from < len(p.lines); {
		to := from + 1
		for to < len(p.lines) && p.lines[to-1].Wrapped && p.cols[to-1] == p.cols[to] {
			to++
		}
		if p.cols[from] == cols {
			p.rows = append(p.rows, p.lines[from:to]...)
		} else {
			p.rows = appendWrapped(p.rows, p.lines[from:to], p.cols[from], cols, m)
		}
		from = to
	}
	return p.rows
}

// appendWrapped appends one line, which was laid out over rows of old columns, as rows of cols
// columns. They go on by the terminal's own wrap; with a cluster in it whose width is in doubt they
// do not, since nobody knows where the terminal would wrap.
func appendWrapped(dst, rows []Line, old, cols int, m width.Model) []Line {
	var out Line
	x, doubt := 0, false
	begin := len(dst)
	for i := range rows {
		used := 0
		for _, s := range rows[i].Spans {
			from := 0
			for at := 0; at < len(s.Text); {
				c, rest, w := m.Next(s.Text[at:])
				next := len(s.Text) - len(rest)
				if harmless(c) != "" || w > 64 {
					w = 1 // as row.add has it
				}
				room := w
				differs := w > 0 && m.Doubtful(c)
				if differs {
					room = max(w, m.Widest(c))
				}
				used += w
				doubt = doubt || differs && used <= old
				if used > old || w > cols { // it was cut off then, or is now
					out.Spans = appendSpan(out.Spans, s, from, at)
					if from = next; used > old {
						from = len(s.Text)
						break
					}
				} else if x+room > cols && x > 0 {
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
			if used > old {
				break
			}
		}
	}
	last := &rows[len(rows)-1]
	out.Prompt, out.Wrapped, out.Picture = last.Prompt, last.Wrapped, last.Picture
	dst = append(dst, out)
	for n := len(dst) - 1; n > begin && !last.Wrapped && allBlank(dst[n].Spans); n-- {
		// Blanks at the end of a line are none.
		dst = dst[:n]
		dst[n-1].Wrapped = false
	}
	for i := begin; doubt && i < len(dst)-1; i++ {
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

// appendSpan appends bytes [from, to) of s.
func appendSpan(dst []Span, s Span, from, to int) []Span {
	if from < to {
		s.Text = s.Text[from:to]
		dst = append(dst, s)
	}
	return dst
}
