// Command tail follows a log: its lines are history, and the key / searches them in a pane.
package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func main() { tui.Main(tail(os.Args[1])) }

func tail(name string) *tui.App {
	log := &widget.Viewport{Title: name, Highlight: widget.Levels, Hint: "q goes back"}
	app := &tui.App{Footer: &widget.KeyHelp{Keys: []widget.KeyHint{{Key: "/", Help: "searches"}}}}
	back := func() {}
	app.OnEvent = func(ev tui.Event) bool {
		k, ok := ev.(tui.Key)
		switch {
		case ok && k.Is("/"):
			back = app.Overlay(log, tui.Place{Replace: true})
			log.HandleEvent(k, tui.Space{})
		case ok && k.Is("q"):
			back()
		}
		return ok && (k.Is("/") || k.Is("q"))
	}
	app.Main = func(ctx context.Context) error {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		line, r := "", bufio.NewReader(file)
		for ctx.Err() == nil {
			more, err := r.ReadString('\n')
			if line += more; err == nil {
				text := strings.TrimSuffix(line, "\n")
				app.Do(func() { log.Add(text) })
				app.Transcript().Append(&widget.Viewport{Text: line, Highlight: widget.Levels}).Done()
				line = ""
			} else if !errors.Is(err, io.EOF) {
				return err
			} else if err = app.WaitShown(ctx); err == nil {
				time.Sleep(100 * time.Millisecond)
			}
		}
		return ctx.Err()
	}
	return app
}
