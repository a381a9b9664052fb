// Command dashboard shows how long a connection to each address takes, every second. A click or an
// arrow key chooses one, Enter asks whether to forget it, and Tab goes from pane to pane.
package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() { tui.Main(dashboard(connect, os.Args[1:]...)) }

// connect returns the time in milliseconds that a connection takes, or NaN if it fails.
func connect(ctx context.Context, address string) float64 {
	start := time.Now()
	c, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return math.NaN()
	}
	defer c.Close()
	return math.Round(float64(time.Since(start).Microseconds()) / 1000)
}

type site struct {
	chart.Series
	forgotten chan bool
}

type board struct {
	app   *tui.App
	sites []*site
	table widget.Table
	lines chart.Lines
	bars  chart.Bars
}

func dashboard(connect func(context.Context, string) float64, addresses ...string) *tui.App {
	b := &board{app: &tui.App{NeedsTerminal: "in a pipe, use ping"}}
	b.table = widget.Table{Mouse: true, OnMove: b.show, OnChoose: b.forget,
		Columns: []widget.Column{{Title: "Address", Weight: 1}, {Title: "ms", Min: 5, Right: true}}}
	b.bars = chart.Bars{Mouse: true, OnChoose: b.show}
	charts := &layout.Rows{Items: []layout.Item{
		{Of: &layout.Box{Title: "Time in ms", Of: &b.lines, Fill: true}, Weight: 1},
		{Of: &layout.Box{Title: "Now", Of: &b.bars, Fill: true}, Weight: 1}}}
	b.app.Overlay(&layout.Rows{Items: []layout.Item{
		{Weight: 1, Of: layout.NewColumns(&layout.Box{Title: "Sites", Of: &b.table, Fill: true}, charts)},
		{Of: &widget.KeyHelp{Keys: []widget.KeyHint{{Key: "Enter", Help: "forgets"}, {Key: "q", Help: "leaves"}}}},
	}}, tui.Place{Full: true})
	b.app.OnEvent = func(ev tui.Event) bool {
		if k, ok := ev.(tui.Key); ok && k.Is("q") {
			b.app.Quit(nil)
		}
		return false
	}
	for _, address := range addresses {
		s := &site{chart.Series{Name: address}, make(chan bool)}
		b.sites = append(b.sites, s)
		b.app.Go(func(ctx context.Context) error {
			for {
				ms := connect(ctx, address)
				b.app.Do(func() { s.Add(ms); b.show(b.table.At) })
				select {
				case <-time.After(time.Second):
				case <-s.forgotten:
					return nil
				case <-ctx.Done():
					return nil
				}
			}
		})
	}
	b.show(0)
	return b.app
}

// show chooses the site with index i and shows the latest numbers of all sites.
func (b *board) show(i int) {
	b.table.Rows, b.bars.Bars, b.lines.Series = nil, nil, nil
	for k, s := range b.sites {
		b.table.Rows = append(b.table.Rows, []string{s.Name, strings.Replace(fmt.Sprint(s.Last()), "NaN", "-", 1)})
		b.bars.Bars = append(b.bars.Bars, chart.Bar{Label: s.Name, Values: []float64{s.Last()}})
		if k == i {
			b.table.At, b.bars.Chosen, b.lines.Series = i, i, []*chart.Series{&s.Series}
		}
	}
	b.table.Changed()
}

func (b *board) forget(i int) {
	ask := &widget.Confirm{Title: "Forget " + b.sites[i].Name + "?", Mouse: true}
	ask.OnLeave = b.app.Overlay(&layout.Box{Title: "Sure?", Of: ask},
		tui.Place{Center: true, Width: 40, Shade: true, Modal: true})
	ask.OnAnswer = func(yes bool) {
		if ask.OnLeave(); yes {
			close(b.sites[i].forgotten)
			b.sites = slices.Delete(b.sites, i, i+1)
			b.show(max(i-1, 0))
		}
	}
}
