// Command charts draws measurements of a made-up harbour while they come. A click or Enter on a bar
// keeps its number, q ends it.
package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

func main() { tui.Main(charts()) }

func metres(v float64) string { return fmt.Sprintf("%.1f m", v) }

func charts() *tui.App {
	app := &tui.App{}
	tide, wind := &chart.Series{Name: "tide", Max: 240}, &chart.Series{Name: "wind", Max: 240}
	gauge := &chart.Gauge{Title: "water", Max: 4, Warning: 3, Format: metres}
	ships := &chart.Bars{Mouse: true, Bars: []chart.Bar{{Label: "ferries", Values: []float64{12}},
		{Label: "tankers", Values: []float64{4}}, {Label: "yachts", Values: []float64{31}}}}
	ships.OnChoose = func(i int) {
		fmt.Fprintf(app.Transcript(), "%s: %g\n", ships.Bars[i].Label, ships.Bars[i].Values[0])
	}
	week := &chart.HeatMap{Title: "Berths", Rows: []string{"Mo", "Tu", "We"}, Columns: []string{"am", "pm"},
		Values: [][]float64{{3, 5, 9, 4}, {2, 7, 8, 6}, {1, 4, 9, 9}}}
	measure := func(n float64) {
		tide.Add(2 + 1.5*math.Sin(n/19))
		wind.Add(1 + math.Abs(math.Sin(n/25)))
		gauge.Value = tide.Last()
	}
	for n := range 150 {
		measure(float64(n))
	}
	app.Main = func(ctx context.Context) error {
		for n := 150.0; ; n++ {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(250 * time.Millisecond):
				app.Do(func() { measure(n) })
			}
		}
	}
	app.OnEvent = func(ev tui.Event) bool {
		if k, ok := ev.(tui.Key); ok && k.Is("q") {
			app.Quit(nil)
		}
		return false
	}
	lines := &chart.Lines{Title: "Harbour", Series: []*chart.Series{tide, wind}, Window: 240}
	app.Overlay(&layout.Rows{Items: []layout.Item{{Of: lines, Weight: 1}, {Of: gauge}, {Of: layout.NewColumns(
		&layout.Box{Title: "Ships", Of: ships}, &layout.Box{Title: "Week", Of: week})}}}, tui.Place{Full: true})
	return app
}
