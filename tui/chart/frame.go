package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// frame describes the layout of a chart: a row for the title and the legend, an axis with labels at
// the left, the values, and below them a ground line and a row of labels.
type frame struct {
	hasHead    bool // there is a row for the title and the legend
	hasGround  bool // there is a row for the ground line
	hasLabels  bool // there is a row for the labels below it
	sideCols   int  // number of columns at the left, including the axis; 0: no axis
	cols, rows int  // size of the area for the values
}

const (
	minPlotCols = 6 // minimum number of columns for the values beside an axis
	minPlotRows = 2 // minimum number of rows for the values above or below a row of text
)

// newFrame returns the layout for a chart of the given size. It leaves out the title row and the
// labels if the values would get too few rows.
func newFrame(cols, rows int, head, labels bool) frame {
	f := frame{cols: max(cols, 0), rows: max(rows, 0)}
	take := func(wanted bool) bool {
		if wanted = wanted && f.rows > minPlotRows; wanted {
			f.rows--
		}
		return wanted
	}
	f.hasLabels = take(labels)
	f.hasHead = take(head)
	f.hasGround = f.rows > minPlotRows+1 && take(true)
	return f
}

// addSide adds an axis with labels of labelCols columns, if enough columns are left for the values.
func (f *frame) addSide(labelCols int) {
	if side := labelCols + 1; f.rows >= minPlotRows && f.cols-side >= minPlotCols {
		f.sideCols, f.cols = side, f.cols-side
	}
}

// headRows returns the number of rows above the values.
func (f *frame) headRows() int {
	if f.hasHead {
		return 1
	}
	return 0
}

// inside converts a position in the chart to one among the values. ok is false if the position is
// outside of them.
func (f *frame) inside(col, row int) (x, y int, ok bool) {
	x, y = col-f.sideCols, row-f.headRows()
	return x, y, x >= 0 && x < f.cols && y >= 0 && y < f.rows
}

// sideLabels returns the label of the axis for each row, or "". Round values have labels, at least
// the two ends.
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

// widest returns the width in columns of the widest text, at most limit.
func widest(s tui.Space, texts []string, limit int) (cols int) {
	for _, text := range texts {
		cols = max(cols, shownColumns(s, text, limit))
	}
	return cols
}

// writeSide writes the axis and its label for one row.
func (f *frame) writeSide(w *rowWriter, s tui.Space, g *glyphs, label string) {
	if f.sideCols == 0 {
		return
	}
	dim := s.Look().Dim
	w.addPadded(s, label, f.sideCols-1, true, dim)
	if label != "" {
		w.add(g.tick, dim)
	} else {
		w.add(g.side, dim)
	}
}

// groundRow returns the row of the ground line.
func (f *frame) groundRow(s tui.Space, g *glyphs) tui.Line {
	var w rowWriter
	dim := s.Look().Dim
	if f.sideCols > 0 {
		w.addPadded(s, "", f.sideCols-1, false, dim)
		w.add(g.corner, dim)
	}
	for range f.cols {
		w.add(g.ground, dim)
	}
	return w.line()
}

// headRow returns the row with the title and the legend.
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

// label is a text below the values.
type label struct {
	text  string
	col   int // index of its first column among the values
	cols  int // maximum width
	style tui.Style
}

// labelRow returns the row of labels, which must be in ascending order. It leaves out labels that
// would overlap.
func (f *frame) labelRow(s tui.Space, all []label) tui.Line {
	var w rowWriter
	at := -f.sideCols
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
