// Command tree shows a directory beside the text of the chosen file, whose path it prints.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() { tui.Main(tree(os.Args[1])) }

func tree(dir string) *tui.App {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		path, err := tui.Ask(ctx, app, tui.Place{Full: true}, func(done func(string)) tui.Component {
			text := &widget.Viewport{Hint: "Enter chooses, Tab changes sides", Mouse: true}
			files := &widget.FilePicker{FS: os.DirFS(dir), Title: dir, Mouse: true, OnChoose: done}
			files.OnMove = func(path string) { text.Title, text.Text = path, preview(files, path) }
			files.OnLeave = func() { app.Quit(tui.ErrInterrupted) }
			return &layout.Columns{Items: []layout.Item{{Of: files, Weight: 1, Min: 15}, {Of: text, Weight: 2}}}
		})
		if errors.Is(err, io.EOF) {
			return nil // there is no terminal, and nobody chose
		} else if err == nil {
			fmt.Fprintln(app.Transcript(), path)
		}
		return err
	}
	return app
}

func preview(files *widget.FilePicker, path string) string {
	file, err := files.FS.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if err != nil {
		return err.Error()
	}
	return string(text)
}
