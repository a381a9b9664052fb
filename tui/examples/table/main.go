// Command table shows CSV files, each in a tab, and prints the row that is chosen.
package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() { tui.Main(table(os.Args[1:]...)) }

func table(files ...string) *tui.App {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		tabs := &widget.Tabs{Mouse: true}
		row, err := tui.Ask(ctx, app, tui.Place{Full: true}, func(done func([]string)) tui.Component {
			for _, name := range files {
				tabs.Tabs = append(tabs.Tabs, widget.Tab{Title: name, Body: read(name, done)})
			}
			return tabs
		})
		if errors.Is(err, io.EOF) {
			return nil // there is no terminal, and nobody chose
		} else if err == nil {
			fmt.Fprintln(app.Transcript(), strings.Join(row, ", "))
		}
		return err
	}
	return app
}

func read(name string, done func([]string)) tui.Component {
	text, err := os.ReadFile(name)
	if err != nil {
		return tui.NewText(err.Error())
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) == 0 {
		return tui.NewText(fmt.Sprint("no table: ", cmp.Or(err, io.ErrUnexpectedEOF)))
	}
	t := &widget.Table{Rows: rows[1:], Mouse: true, OnChoose: func(row int) { done(rows[row+1]) }}
	for _, title := range rows[0] {
		t.Columns = append(t.Columns, widget.Column{Title: title, Weight: 1})
	}
	return t
}
