package chart

import (
	"math"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Gauge is a row that shows where a value lies in a range: a title, a bar and the value.
type Gauge struct {
	Title    string
	Value    float64
	Min, Max float64 // the range; both 0: 0 to 100 percent
	// Values from which on the bar has the style of a warning or an error, with a mark behind the
	// value. 0 means never.
	Warning, Alarm float64
	Format         func(v float64) string // formats the value; nil: a short number
	Marks          Marks                  // ASCII: draws without eighths of a cell
}

// format formats the value for display.
func (g *Gauge) format() string {
	switch {
	case g.Format != nil:
		return g.Format(g.Value)
	case g.Min < g.Max || !isFinite(g.Value):
		return shortNumber(g.Value, 0)
	}
	return shortNumber(g.Value, 1) + "%"
}

// state returns the style of the bar, and the mark behind the value.
func (g *Gauge) state(th *tui.Theme) (st tui.Style, mark string) {
	switch {
	case g.Alarm != 0 && g.Value >= g.Alarm:
		return th.Error, " " + th.Glyphs.Problem
	case g.Warning != 0 && g.Value >= g.Warning:
		return th.Warning, " " + th.Glyphs.Problem
	}
	return seriesStyle(th, "", 0), ""
}

// View returns the row, or text if the Space has no height.
func (g *Gauge) View(s tui.Space) tui.View {
	th := s.Look()
	style, mark := g.state(th)
	if s.Height <= 0 {
		return tui.View{Lines: textRows(s, "", []string{withLabel(g.Title, g.format()+mark)})}
	}
	if s.Width < 1 {
		return tui.View{}
	}
	value := " " + g.format() + mark
	cols, titleCols, valueCols := s.Width, 0, max(shownColumns(s, value, s.Width), 6)
	if mark == "" && (g.Warning != 0 || g.Alarm != 0) {
		valueCols += 2 // the bar stays as it is when the mark comes
	}
	if cols-valueCols < minPlotCols {
		value, valueCols = "", 0
	}
	cols -= valueCols
	if w := shownColumns(s, g.Title, s.Width/3) + 1; g.Title != "" && cols-w >= minPlotCols {
		titleCols = w
		cols -= w
	}
	var w rowWriter
	w.addPadded(s, g.Title, titleCols, false, tui.Style{})
	g.writeBar(&w, s, cols, style)
	if valueCols > 0 {
		w.addPadded(s, value, valueCols, false, tui.Style{})
	}
	return tui.View{Lines: []tui.Line{w.line()}}
}

// writeBar writes the bar in cols columns.
func (g *Gauge) writeBar(w *rowWriter, s tui.Space, cols int, style tui.Style) {
	set := glyphsFor(s, g.Marks)
	lo, hi := g.Min, g.Max
	if lo >= hi {
		lo, hi = 0, 100
	}
	f := scale{lo, hi}.fraction(g.Value)
	if math.IsNaN(f) {
		f = 0
	}
	eighths := int(math.Round(f * float64(8*cols)))
	if set.right == nil {
		eighths = eighths / 8 * 8
	}
	track := "░"
	if set.right == nil {
		track = set.ground
	}
	for c := range cols {
		switch n := eighths - 8*c; {
		case n >= 8:
			w.add(set.shades[0], style)
		case n > 0:
			w.add(set.right[n], style)
		default:
			w.add(track, s.Look().Dim)
		}
	}
}
