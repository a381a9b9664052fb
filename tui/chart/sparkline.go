package chart

import (
	"github.com/scrollkeep/scrollkeep/tui"
)

// Sparkline draws the newest values of a series in a row, one column for each, the newest at the
// right. The title precedes them and the last value follows them.
type Sparkline struct {
	Title    string // text before the values
	Series   *Series
	Min, Max float64                // the range; both 0: the range of the values and 0
	Format   func(v float64) string // formats the last value; nil: a short number
	Height   int                    // the maximum number of rows; 0: one
	Bare     bool                   // omits the title and the last value
	Marks    Marks                  // ASCII: draws without eighths of a cell

	col, cols, rows int // first column and size of the area for the values in the last View
	first           int // index of the value at column col
}

// View returns the chart, or the numbers as text if the Space has no height.
func (sp *Sparkline) View(s tui.Space) tui.View {
	rows := chartRows(s, max(sp.Height, 1))
	switch {
	case rows == 0:
		text := withLabel(sp.Title, numbersText(sp.Series, orPlainNumber(sp.Format)))
		return tui.View{Lines: textRows(s, "", []string{text})}
	case s.Width < 1:
		return tui.View{}
	}
	title, last := "", ""
	sp.col, sp.cols, sp.rows = 0, s.Width, rows
	if !sp.Bare {
		title, last = sp.fitTexts(s)
	}
	n := sp.Series.Len()
	sp.first = n - sp.cols
	sc := scaleOf(sp.Min, sp.Max, true, sp.Series.valuesFrom(max(sp.first, 0)))
	th := s.Look()
	name := ""
	if sp.Series != nil {
		name = sp.Series.Style
	}
	style, g := seriesStyle(th, name, 0), glyphsFor(s, sp.Marks)
	lines := make([]tui.Line, rows)
	var w rowWriter
	for row := range rows {
		if row == rows-1 {
			w.addPadded(s, title, sp.col, false, th.Strong)
		} else {
			w.addPadded(s, "", sp.col, false, tui.Style{})
		}
		for c := range sp.cols {
			w.add(sparkGlyph(g, sc, sp.Series.Value(sp.first+c), rows, rows-1-row), style)
		}
		if row == rows-1 && last != "" {
			w.addPadded(s, " "+last, s.Width-sp.col-sp.cols, false, tui.Style{})
		}
		lines[row] = w.line()
	}
	return tui.View{Lines: lines}
}

// fitTexts returns the title and the last value, and reserves columns for them. It returns "" for a
// text that would leave too few columns for the values.
func (sp *Sparkline) fitTexts(s tui.Space) (title, last string) {
	if last = sp.format(sp.Series.Last()); sp.Series.Len() > 0 {
		if w := shownColumns(s, last, s.Width) + 1; w > 1 && sp.cols-w >= minPlotCols {
			sp.cols -= w
		} else {
			last = ""
		}
	} else {
		last = ""
	}
	if w := shownColumns(s, sp.Title, s.Width/3) + 1; sp.Title != "" && sp.cols-w >= minPlotCols {
		title, sp.col = sp.Title, w
		sp.cols -= w
	}
	return title, last
}

// format formats a value for display.
func (sp *Sparkline) format(v float64) string {
	if sp.Format != nil {
		return sp.Format(v)
	}
	return shortNumber(v, 0)
}

// sparkGlyph returns the cell for v in the row up, counted from below, of a chart of the given
// number of rows. The lowest value still shows one eighth, so that a gap looks different.
func sparkGlyph(g *glyphs, sc scale, v float64, rows, up int) string {
	dot, ok := sc.dot(v, 8*rows)
	if !ok {
		return " "
	}
	return g.up[max(min(dot+1-8*up, 8), 0)]
}

// At returns the index of the value at a column and row of the last View, counted from the oldest
// one. ok is false if there is none.
func (sp *Sparkline) At(col, row int) (i int, ok bool) {
	i = sp.first + col - sp.col
	return i, col >= sp.col && col < sp.col+sp.cols && row >= 0 && row < sp.rows && i >= 0
}
