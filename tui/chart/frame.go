package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// frame is the parts of a chart around its values: the title with the legend above, the axis with
// its labels at the left, and the ground line with its labels below.
type frame struct {
	head       bool // a row for title and legend
	ground     bool // a row for the ground line
	labels     bool // a row for the labels below it
	side       int  // columns at the left, the axis among them; 0: no axis
	cols, rows int  // of the values
}

const (
	minPlotCols = 6 // the fewest columns of the values beside an axis
	minPlotRows = 2 // the fewest rows of the values below or above a row of labels
)

// newFrame returns the frame in a place of cols and rows that leaves the values enough.
func newFrame(cols, rows int, head, labels bool) frame {
	f := frame{cols: max(cols, 0), rows: max(rows, 0)}
	take := func(wanted bool) bool {
		if wanted = wanted && f.rows > minPlotRows; wanted {
			f.rows--
		}
		return wanted
	}
	f.labels = take(labels)
	f.head = take(head)
	f.ground = f.rows > minPlotRows+1 && take(true)
	return f
}

// addSide gives the axis its columns, if the values have enough of them without.
func (f *frame) addSide(labelCols int) {
	if side := labelCols + 1; f.rows >= minPlotRows && f.cols-side >= minPlotCols {
		f.side, f.cols = side, f.cols-side
	}
}

// headRows returns how many rows stand above the values.
func (f *frame) headRows() int {
	if f.head {
		return 1
	}
	return 0
}

// inside returns the column and row among the values of a place in the chart. ok: it is one.
func (f *frame) inside(col, row int) (x, y int, ok bool) {
	x, y = col-f.side, row-f.headRows()
	return x, y, x >= 0 && x < f.cols && y >= 0 && y < f.rows
}

// sideLabels returns the label of each row that has one: those of round values, the ends at least.
func sideLabels(sc scale, rows int, format func(float64) string) []string {
	labels := make([]string, rows)
	all, step := sc.ticks(max(rows/3, 1))
	for _, v := range all {
		row, ok := sc.dot(v, rows)
		if !ok {
			continue
		}
		if format != nil {
			labels[rows-1-row] = format(v)
		} else {
			labels[rows-1-row] = shortNumber(v, step)
		}
	}
	return labels
}

// widest returns the columns of the widest text, at most limit.
func widest(s tui.Space, texts []string, limit int) (cols int) {
	for _, text := range texts {
		cols = max(cols, shownColumns(s, text, limit))
	}
	return cols
}

// writeSide adds the part of a row at the left of the values.
func (f *frame) writeSide(w *rowWriter, s tui.Space, g *glyphs, label string) {
	if f.side == 0 {
		return
	}
	dim := s.Look().Dim
	w.addPadded(s, label, f.side-1, true, dim)
	if label != "" {
		w.add(g.tick, dim)
	} else {
		w.add(g.side, dim)
	}
}

// groundRow returns the ground line.
func (f *frame) groundRow(s tui.Space, g *glyphs) tui.Line {
	var w rowWriter
	dim := s.Look().Dim
	if f.side > 0 {
		w.addPadded(s, "", f.side-1, false, dim)
		w.add(g.corner, dim)
	}
	for range f.cols {
		w.add(g.ground, dim)
	}
	return w.line()
}

// headRow returns the title and the legend.
func headRow(s tui.Space, title string, legend []tui.Span) tui.Line {
	spans := make([]tui.Span, 0, len(legend)+1)
	if title != "" {
		spans = append(spans, tui.Span{Text: title, Style: s.Look().Strong})
	}
	for i, sp := range legend {
		if title == "" && i == 0 {
			sp.Text = sp.Text[min(2, len(sp.Text)):] // no blanks before it
		}
		spans = append(spans, sp)
	}
	return s.Cut(spans...)
}

// label is a text below a column of the values.
type label struct {
	text  string
	col   int // its first column among the values
	cols  int
	style tui.Style
}

// labelRow returns the row of labels, which rise and do not overlap.
func (f *frame) labelRow(s tui.Space, all []label) tui.Line {
	var w rowWriter
	at := -f.side
	for _, l := range all {
		cols := min(l.cols, f.cols-l.col)
		if l.col < at || cols < 1 || l.text == "" {
			continue
		}
		w.addPadded(s, "", l.col-at, false, tui.Style{})
		w.addPadded(s, l.text, cols, false, l.style)
		at = l.col + cols
	}
	return w.line()
}
