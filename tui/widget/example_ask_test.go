package widget_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// answer runs a program without a terminal: lines are what a person types.
func answer(lines string, program func(ctx context.Context, app *tui.App) error) {
	app := &tui.App{Input: strings.NewReader(lines)}
	app.Terminal = terminal.Config{Env: func(name string) string { return map[string]string{"TERM": "dumb"}[name] }}
	app.Main = func(ctx context.Context) error { return program(ctx, app) }
	if err := app.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}

func ExampleInput() {
	answer("\nada\n", func(ctx context.Context, app *tui.App) error {
		name, err := tui.Ask(ctx, app, tui.Place{Replace: true}, func(done func(string)) tui.Component {
			return &widget.Input{Title: "Your name?", OnSubmit: done, Validate: func(text string) error {
				if text == "" {
					return errors.New("a name has letters")
				}
				return nil
			}}
		})
		fmt.Fprintln(app.Transcript(), "hello,", name)
		return err
	})
	// Output:
	// Your name?
	// hello, ada
}

func ExampleSelect() {
	answer("2\n", func(ctx context.Context, app *tui.App) error {
		days, err := tui.Ask(ctx, app, tui.Place{Replace: true}, func(done func(int)) tui.Component {
			return &widget.Select[int]{Title: "For how long?", Options: []int{1, 7, 30}, OnChoose: done,
				Show: func(days int) widget.Item { return widget.Item{Text: fmt.Sprint(days, " days")} }}
		})
		fmt.Fprintln(app.Transcript(), "kept until day", days)
		return err
	})
	// Output:
	// For how long?
	// 1 1 days
	// 2 7 days
	// 3 30 days
	// A number or the words of one:
	// kept until day 7
}

func ExampleMultiSelect() {
	answer("api, 3\n", func(ctx context.Context, app *tui.App) error {
		parts, err := tui.Ask(ctx, app, tui.Place{Replace: true}, func(done func([]string)) tui.Component {
			options := []string{"api", "docs", "tests"}
			return &widget.MultiSelect[string]{Title: "Which parts?", Options: options, OnChoose: done}
		})
		fmt.Fprintln(app.Transcript(), "building", parts)
		return err
	})
	// Output:
	// Which parts?
	// 1 [ ] api
	// 2 [ ] docs
	// 3 [ ] tests
	// Numbers or words, commas between them; - for none:
	// building [api tests]
}

func ExampleConfirm() {
	answer("y\n", func(ctx context.Context, app *tui.App) error {
		yes, err := tui.Ask(ctx, app, tui.Place{Replace: true}, func(done func(bool)) tui.Component {
			return &widget.Confirm{Title: "Remove 3 files?", OnAnswer: done}
		})
		fmt.Fprintln(app.Transcript(), "removed:", yes)
		return err
	})
	// Output:
	// Remove 3 files? [y/N]
	// removed: true
}

func ExampleList() {
	answer("main\n", func(ctx context.Context, app *tui.App) error {
		items := []widget.Item{{Text: "main.go", Note: "the command"}, {Text: "app.go"}}
		i, err := tui.Ask(ctx, app, tui.Place{Replace: true}, func(done func(int)) tui.Component {
			return &widget.List{Title: "Open which file?", Items: items, OnChoose: done}
		})
		fmt.Fprintln(app.Transcript(), "opening", items[i].Text)
		return err
	})
	// Output:
	// Open which file?
	// 1 main.go  the command
	// 2 app.go
	// A number or the words of one:
	// opening main.go
}

func ExampleItem() {
	list := &widget.List{Items: []widget.Item{
		{Text: "tide", Group: "near", Mark: "* ", Note: "12 files"},
		{Text: "moon", Group: "far", Mark: "  "},
	}}
	for _, line := range list.View(tui.Space{Width: 60, Height: 20}).Lines {
		for _, span := range line.Spans {
			fmt.Print(span.Text)
		}
		fmt.Println()
	}
	// Output:
	//
	// near
	// › * tide  12 files
	// far
	//     moon
	// Enter chooses, typing searches, Esc leaves
}

// squares is a long list that is made row by row.
type squares struct{}

func (squares) Len() int { return 1_000_000 }

func (squares) Item(i int) widget.Item { return widget.Item{Text: fmt.Sprint(i * i)} }

func (squares) Match(words []string, done func([]int)) {
	var all []int
	for i := range (squares{}).Len() {
		if len(words) == 0 || strings.HasPrefix(fmt.Sprint(i*i), words[0]) {
			all = append(all, i)
		}
	}
	done(all)
}

func ExampleSource() {
	list := &widget.List{Title: "Squares", Source: squares{}, At: 999}
	lines := list.View(tui.Space{Width: 40, Height: 5}).Lines
	fmt.Println(lines[1].Spans[0].Text, lines[1].Spans[1].Text)
	fmt.Println(lines[3].Spans[1].Text)
	// Output:
	// Squares   999-1000 of 1000000
	// 998001
}
