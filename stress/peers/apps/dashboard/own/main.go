// Command own is the dashboard with tui.
package main

import (
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/peers/apps/dashboard/feed"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() {
	f := feed.New()
	table := &widget.Table{Rows: f.Rows}
	for i, title := range feed.Columns {
		table.Columns = append(table.Columns, widget.Column{Title: title, Min: feed.Widths[i]})
	}
	app := &tui.App{}
	status := &widget.StatusLine{Left: []widget.StatusPart{{Text: f.Status()}}}
	right := &layout.Rows{Items: []layout.Item{
		{Of: &layout.Box{Title: "Traffic", Of: f.Traffic, Fill: true}, Weight: 2},
		{Of: &layout.Box{Title: "Hosts", Of: f.Hosts, Fill: true}, Weight: 1}}}
	panes := &layout.Columns{Gap: -1, Items: []layout.Item{
		{Of: &layout.Box{Title: "Processes", Of: table, Fill: true}, Weight: 1}, {Of: right, Weight: 1}}}
	app.Overlay(&layout.Rows{Items: []layout.Item{{Of: panes, Weight: 1}, {Of: status}}}, tui.Place{Full: true})
	app.Main = func(ctx context.Context) error {
		ticker := time.NewTicker(feed.Interval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
				app.Do(func() {
					f.Step()
					status.Left[0].Text = f.Status()
				})
			}
		}
	}
	app.OnEvent = func(ev tui.Event) bool {
		if k, ok := ev.(tui.Key); ok && k.Is("q") {
			app.Quit(nil)
		}
		return false
	}
	tui.Main(app)
}
