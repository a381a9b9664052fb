// Package chart draws numbers: [Sparkline], [Lines], [Bars], [Histogram], [HeatMap] and [Gauge]. A
// [Series] holds values that come one after the other.
//
// The zero value of each works. Exported fields are for the loop. A chart holds no goroutine and no
// clock, and it is drawn anew when its program asks for a frame ([tui.App.Do]).
//
// # Places
//
// A chart fills its space, or the rows of its field Height if that is less. It leaves out what does
// not fit: first the labels, then the title. In a space without a height it is text with the
// numbers: in a transcript, without a terminal, and for a screen reader. To draw it in a
// transcript, give it a height there: chart.View(s.Inside(s.Width, 8)).
//
// # Looks
//
// Lines are made of braille dots, bars of eighths of a cell. Where the terminal has only ASCII, or
// draws such characters in two columns, both are made of ASCII. The colour of the first series is
// the style "chart1" of the theme, the next ones are "chart2" to "chart6", see [tui.Sheet]. A theme
// without them has its own colours for them. Without colours lines differ by their dashes, and bars
// by their shade.
//
// [Lines.Picture] makes pixels of lines, for a [tui.Image] where the terminal shows pictures.
//
// # Values
//
// NaN is a gap. An infinite value stands at the edge and does not count for the range.
package chart
