// Command wizard asks questions one after the other and keeps the answers in the history. It works
// in a pipe, too: a line for each answer.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() {
	if err := wizard("MIT", "Apache 2.0", "BSD").Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "wizard:", err)
		os.Exit(1)
	}
}

func wizard(licences ...string) *tui.App {
	app := &tui.App{}
	place := tui.Place{Replace: true}
	app.Main = func(ctx context.Context) error {
		name, err := tui.Ask(ctx, app, place, func(done func(string)) tui.Component {
			return tui.NewStack(tui.NewText("What is the project called?"), &tui.Editor{OnSubmit: done})
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(app.Transcript(), "name:", name)

		i, err := tui.Ask(ctx, app, place, func(done func(int)) tui.Component {
			list := &widget.List{Title: "Which licence?", OnChoose: done}
			list.OnLeave = func() { app.Quit(tui.ErrInterrupted) }
			for _, text := range licences {
				list.Items = append(list.Items, widget.Item{Text: text})
			}
			return list
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(app.Transcript(), "licence:", licences[i])
		return nil
	}
	return app
}
