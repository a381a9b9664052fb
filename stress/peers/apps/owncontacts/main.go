// Command owncontacts shows a CSV file of people, and prints the address of the one that is chosen.
// "/" searches.
package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		file, err := os.Open(os.Args[len(os.Args)-1])
		if err != nil {
			return err
		}
		people, err := csv.NewReader(file).ReadAll()
		if err != nil {
			return err
		}
		chosen, err := tui.Ask(ctx, app, tui.Place{Full: true}, func(done func(string)) tui.Component {
			return view(people, done)
		})
		if chosen != "" {
			fmt.Fprintln(app.Transcript(), chosen)
		}
		return err
	}
	tui.Main(app)
}

// view returns the table beside the chosen person.
func view(people [][]string, done func(address string)) tui.Component {
	detail := &widget.Viewport{}
	show := func(row int) {
		detail.Text = ""
		for i, title := range people[0] {
			detail.Text += title + ": " + people[row+1][i] + "\n"
		}
	}
	table := &widget.Table{Rows: people[1:], Mouse: true, OnMove: show,
		OnChoose: func(row int) { done(people[row+1][1]) },
		OnKey: func(k tui.Key) bool {
			if k.Is("q") {
				done("")
			}
			return k.Is("q")
		}}
	for _, title := range people[0] {
		table.Columns = append(table.Columns, widget.Column{Title: title, Weight: 1})
	}
	show(0)
	note := tui.NewText("Enter chooses, / searches, q leaves")
	return &layout.Rows{Items: []layout.Item{{Weight: 1, Of: &layout.Columns{Items: []layout.Item{
		{Of: &layout.Box{Title: "People", Of: table, Fill: true}, Weight: 2},
		{Of: &layout.Box{Title: "Person", Of: detail, Fill: true}, Weight: 1}}}}, {Of: note}}}
}
