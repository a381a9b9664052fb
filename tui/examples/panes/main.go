// Command panes shows two panes side by side: signals, and what the chosen one does. Tab or a click
// moves the focus, the wheel scrolls, and an argument such as quit=ctrl+q changes a key.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/keys"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

var signals = []widget.Node{
	{Text: "HUP", ID: "HUP The terminal is gone."}, {Text: "INT", ID: "INT Ctrl+C was pressed."},
	{Text: "TERM", ID: "TERM Somebody asks the process to end."}, {Text: "KILL", ID: "KILL The process ends at once."},
}

func main() {
	app, err := panes(os.Args[1:])
	if err == nil {
		err = app.Run(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "panes:", err)
		os.Exit(1)
	}
}

func panes(args []string) (*tui.App, error) {
	m, err := keys.New(keys.Binding{Name: "quit", Keys: []string{"q"}, Help: "leaves"},
		keys.Binding{Name: "say", Keys: []string{"s"}, Help: "keeps a line"})
	for i := 0; i < len(args) && err == nil; i++ {
		name, key, _ := strings.Cut(args[i], "=")
		m, err = m.With(map[string][]string{name: {key}})
	}
	if err != nil {
		return nil, err
	}
	text := &widget.Viewport{Mouse: true, Text: signals[0].ID}
	list := &widget.Tree{Mouse: true, Children: func(string) []widget.Node { return signals },
		OnMove: func(n widget.Node) { text.Text = n.ID }}
	app := &tui.App{NeedsTerminal: "man 7 signal is text", Footer: layout.NewRows(&layout.Columns{Items: []layout.Item{
		{Of: &layout.Box{Title: "Signals", Of: list}, Weight: 1, Min: 14},
		{Of: &layout.Box{Title: "Meaning", Of: text}, Weight: 2, Min: 20}}},
		&widget.KeyHelp{Keys: append(m.Hints(""), widget.KeyHint{Key: "Tab", Help: "other pane"})})}
	app.OnEvent = func(ev tui.Event) bool {
		k, _ := ev.(tui.Key)
		if name := m.Name(k, ""); name == "quit" {
			app.Quit(nil)
		} else if name == "say" {
			fmt.Fprintln(app.Transcript(), text.Text)
		}
		return false
	}
	return app, nil
}
