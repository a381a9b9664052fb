package chart_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// pictures are those of the documentation, docs/pictures/chart-<name>.svg.
var pictures = []struct {
	name, shows string
	rows        int
	make        func() tui.Component
}{
	{"sparkline", "A row with the newest values and the last one", 1, func() tui.Component {
		return &chart.Sparkline{Title: "requests", Series: chart.NewSeries("", wave(90, 40)...)}
	}},
	{"lines", "Two lines with axes, labels and a legend", 10, func() tui.Component {
		series := []*chart.Series{chart.NewSeries("in", wave(60, 90)...), chart.NewSeries("out", wave(60, 30)[20:]...)}
		hour := func(i int) string { return fmt.Sprintf("%02d:00", i%24) }
		return &chart.Lines{Title: "Traffic", Series: series, X: hour}
	}},
	{"bars", "Bars below one another, with their numbers", 4, func() tui.Component {
		return &chart.Bars{Title: "Rivers", Bars: []chart.Bar{{Label: "Danube", Values: []float64{2850}},
			{Label: "Rhine", Values: []float64{1230}}, {Label: "Po", Values: []float64{652}}}}
	}},
	{"upright", "Stacked bars beside one another", 9, func() tui.Component {
		var bars []chart.Bar
		for i, v := range wave(7, 50) {
			bars = append(bars, chart.Bar{Label: "day " + fmt.Sprint(i+1), Values: []float64{v, 60 - v, 9}})
		}
		names := []string{"read", "written", "lost"}
		return &chart.Bars{Title: "Disk", Bars: bars, Names: names, Upright: true, Stacked: true}
	}},
	{"histogram", "How often values lie in each part of a range", 8, func() tui.Component {
		return &chart.Histogram{Title: "Latency in ms", Series: chart.NewSeries("", wave(200, 90)...)}
	}},
	{"heatmap", "A table of values as colours", 5, func() tui.Component {
		return &chart.HeatMap{Title: "Builds", Values: [][]float64{wave(12, 9), wave(24, 9)[12:], wave(12, 5)},
			Rows: []string{"mon", "tue", "wed"}, Columns: []string{"0:00", "", "", "", "", "", "12:00"}}
	}},
	{"gauge", "A bar with a warning", 1, func() tui.Component {
		return &chart.Gauge{Title: "memory", Value: 81, Warning: 80, Alarm: 95}
	}},
}

func TestThePicturesOfTheChartsAreUpToDate(t *testing.T) {
	for _, p := range pictures {
		t.Run(p.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &tui.App{}
				app.Overlay(p.make(), tui.Place{Full: true})
				s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: p.rows,
					Env: map[string]string{"COLORTERM": "truecolor"}})
				tuitest.Golden(t, "../../docs/pictures/chart-"+p.name+".svg", s.SVG(p.shows))
				if app.Quit(nil); s.Wait() != nil || s.Visible()+s.Scrollback() != "" {
					t.Errorf("something stays:\n%s", s.Visible())
				}
			})
		})
	}
}
