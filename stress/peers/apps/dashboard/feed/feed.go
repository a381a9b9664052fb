// Package feed is what the dashboards show: measurements of made-up processes and hosts. They are
// the same in each program, as is the drawing of the charts, so that the programs differ in how
// they bring a screen to the terminal.
package feed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
)

// Interval is the time between two frames.
const Interval = time.Second / 30

// Columns are the titles of the table, and Widths their columns of the screen.
var (
	Columns = []string{"PID", "Name", "CPU", "Memory", "State"}
	Widths  = []int{7, 40, 8, 10, 10}
)

// Feed is the measurements at a moment.
type Feed struct {
	Frame   int
	Rows    [][]string
	Traffic *chart.Lines
	Hosts   *chart.Bars

	random *rand.Rand
}

// New returns the first measurements.
func New() *Feed {
	f := &Feed{random: rand.New(rand.NewPCG(56, 1))}
	f.Traffic = &chart.Lines{Min: -1, Max: 1, Window: 180,
		Series: []*chart.Series{{Name: "in", Max: 180}, {Name: "out", Max: 180}}}
	f.Hosts = &chart.Bars{Min: 0, Max: 100}
	for i := range 50 {
		name := fmt.Sprintf("worker-%02d --queue=mail --region=north", i)
		f.Rows = append(f.Rows, []string{fmt.Sprint(1000 + 7*i), name, "0.0 %", fmt.Sprint(20+i, " MB"), "running"})
	}
	for i := range 16 {
		f.Hosts.Bars = append(f.Hosts.Bars, chart.Bar{Label: fmt.Sprintf("host-%02d", i), Values: []float64{50}})
	}
	f.Frame = -180
	for range 180 {
		f.Step()
	}
	return f
}

// Step measures once more: both lines go on, and a few processes and hosts have changed.
func (f *Feed) Step() {
	f.Frame++
	t := float64(f.Frame) / 30
	f.Traffic.Series[0].Add(0.9 * math.Sin(t))
	f.Traffic.Series[1].Add(0.6 * math.Cos(1.7*t))
	for range 5 {
		row := f.Rows[f.random.IntN(len(f.Rows))]
		row[2] = fmt.Sprintf("%.1f %%", 100*f.random.Float64())
		row[3] = fmt.Sprint(20+f.random.IntN(900), " MB")
	}
	for range 2 {
		f.Hosts.Bars[f.random.IntN(len(f.Hosts.Bars))].Values[0] = float64(f.random.IntN(100))
	}
}

// Status is the row at the bottom.
func (f *Feed) Status() string { return fmt.Sprintf("frame %06d", f.Frame) }

// Draw returns the rows of a chart.
func Draw(c tui.Component, cols, rows int) []tui.Line {
	return c.View(tui.Space{Width: cols, Height: rows, Theme: theme}).Lines
}

var theme = tui.NewTheme(tui.Caps{Unicode: true, Color: 1 << 24, Dark: true})
