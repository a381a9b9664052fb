// Package chart draws numbers: [Sparkline], [Lines], [Bars], [Histogram], [HeatMap] and [Gauge]. A
// [Series] holds the values of a stream.
//
// The zero value of each type is ready to use. Access exported fields only on the App's loop. A
// chart has no goroutine and no clock. It is drawn again when the program requests a frame
// ([tui.App.Do]).
//
// # Size
//
// A chart fills its Space, or the rows of its field Height if that is less. It leaves out what does
// not fit: first the labels, then the title. If the Space has no height, the chart is text that
// lists the numbers: in a transcript, without a terminal, and for screen readers. To draw it in a
// transcript, give it a height: chart.View(s.Inside(s.Width, 8)).
//
// # Appearance
//
// Lines consist of braille dots, and bars of eighths of a cell. If the terminal has only ASCII, or
// draws such characters in two columns, both consist of ASCII characters. The colours of the series
// are the theme's styles "chart1" to "chart6", see [tui.Sheet], or built-in ones if the theme has
// none. Without colours lines differ by their dashes, and bars by their shade.
//
// [Lines.Picture] draws lines as pixels, for a [tui.Image] in terminals that display pictures.
//
// # Values
//
// NaN is a gap. An infinite value is drawn at the edge and does not affect the range.
package chart
