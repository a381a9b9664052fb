package chart_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
)

// show prints what a chart looks like in a place of that size; 0 rows: as text.
func show(c tui.Component, cols, rows int) {
	for _, row := range texts(c.View(tui.Space{Width: cols, Height: rows})) {
		fmt.Println(row)
	}
}

func ExampleSparkline() {
	load := chart.NewSeries("load", 1, 2, 4, 8, 6, 3, 2, 1)
	show(&chart.Sparkline{Title: "load", Series: load}, 20, 1)
	// Output: load      ▂▃▅█▆▄▃▂ 1
}

func ExampleSeries() {
	s := &chart.Series{Name: "requests", Max: 4}
	for i := range 1_000_000 {
		s.Add(float64(i))
	}
	show(&chart.Lines{Title: "Stream", Series: []*chart.Series{s}}, 60, 0)
	// Output:
	// Stream
	// requests: 999996, 999997, 999998, 999999
}

func ExampleNewSeries() {
	s := chart.NewSeries("km", 1230, 652)
	s.Add(2850)
	fmt.Println(s.Len(), s.Last())
	// Output: 3 2850
}

func ExampleLines() {
	c := &chart.Lines{
		Title:  "Tide",
		Series: []*chart.Series{chart.NewSeries("Dover", 1, 3, 5, 6, 5, 3, 1, 0, 1, 3)},
		X:      func(i int) string { return fmt.Sprintf("%d:00", i) },
		Y:      func(v float64) string { return fmt.Sprint(v, " m") },
	}
	show(c, 40, 8)
	// Output:
	// Tide  ⠤⠤ Dover
	//    │        ⣀⠤⠒⠊⠉⠒⠤⢄⡀
	// 5 m┤     ⣀⠔⠉        ⠈⠢⢄
	//    │   ⡠⠊              ⠑⢄             ⢀⠔
	//    │⢀⠔⠉                  ⠑⠢⡀        ⡠⠊⠁
	// 0 m┤⠁                      ⠈⠑⠢⠤⣀⡠⠔⠒⠉
	//    └────────────────────────────────────
	//       1:00    3:00   5:00    7:00   9:00
}

func ExampleMarks() {
	c := &chart.Lines{Series: []*chart.Series{chart.NewSeries("", 0, 2, 4, 2, 0)}, Marks: chart.ASCII}
	show(c, 24, 5)
	// Output:
	// 4+        ..''..
	// 2+     .''      ''.
	//  |  ..'            '..
	// 0+.'                  '.
	//  +----------------------
}

func ExampleBars() {
	c := &chart.Bars{Title: "Rivers", Bars: []chart.Bar{
		{Label: "Danube", Values: []float64{2850}},
		{Label: "Rhine", Values: []float64{1230}},
		{Label: "Po", Values: []float64{652}},
	}}
	show(c, 40, 5)
	show(c, 40, 0)
	// Output:
	// Rivers
	// Danube ███████████████████████████ 2.85k
	// Rhine  ███████████▋                1.23k
	// Po     ██████▏                       652
	// Rivers
	// Danube: 2850
	// Rhine: 1230
	// Po: 652
}

func ExampleBar() {
	c := &chart.Bars{Names: []string{"read", "written"}, Upright: true, Stacked: true, Bars: []chart.Bar{
		{Label: "mon", Values: []float64{3, 1}}, {Label: "tue", Values: []float64{2, 4}}}}
	show(c, 40, 0)
	// Output:
	// mon: read 3, written 1
	// tue: read 2, written 4
}

func ExampleHistogram() {
	c := &chart.Histogram{Series: chart.NewSeries("ms", 1, 2, 2, 3, 3, 3, 4, 9), Bins: 4, Min: 0, Max: 12}
	show(c, 24, 6)
	// Output:
	// 4┤     ████
	// 2┤████ ████
	//  │████ ████
	// 0┤████ ████      ████
	//  └──────────────────────
	//    0    3    6    9
}

func ExampleHeatMap() {
	c := &chart.HeatMap{Title: "Builds", Rows: []string{"mon", "tue"}, Columns: []string{"am", "pm"},
		Values: [][]float64{{1, 9}, {4, 6}}}
	show(c, 24, 4)
	// Output:
	// Builds  1 ░▒▓█ 9
	// mon ░░░░░░░░████████
	// tue ▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓
	//     am      pm
}

func ExampleGauge() {
	show(&chart.Gauge{Title: "disk", Value: 81.5, Warning: 80, Alarm: 95}, 40, 1)
	// Output: disk ███████████████████████▋░░░░░ 82% !
}
