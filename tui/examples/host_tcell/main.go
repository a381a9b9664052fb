// Command host_tcell opens a full-screen program made with tcell from a transcript, and comes back to it.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/gdamore/tcell/v2"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tcellhost"
)

func main() {
	app := &tui.App{}
	app.Footer = &tui.Editor{Placeholder: "Enter opens the full screen, Ctrl+D quits.", OnSubmit: func(text string) {
		fmt.Fprintf(app.Transcript(), "> %s\n", text)
		go func() {
			err := tcellhost.Run(context.Background(), app, func(s tcell.Screen) error { return show(s, text) })
			fmt.Fprintln(app.Transcript(), "back,", err)
		}()
	}}
	if err := app.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "host_tcell:", err)
		os.Exit(1)
	}
}

// show draws text in the middle of the screen until a key is pressed.
func show(s tcell.Screen, text string) error {
	for {
		cols, rows := s.Size()
		s.Clear()
		x := max(0, (cols-len(text))/2)
		for i, r := range []rune("full screen: " + text) {
			s.SetContent(x+i, rows/2, r, nil, tcell.StyleDefault.Bold(true))
		}
		s.Show()
		switch s.PollEvent().(type) {
		case *tcell.EventKey, nil:
			return nil
		}
	}
}
