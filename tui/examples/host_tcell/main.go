// Command host_tcell opens a full-screen program made with tcell from a transcript, and comes back
// to it.
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
			came := "back"
			if err := tcellhost.Run(context.Background(), app, func(s tcell.Screen) error {
				return show(s, text)
			}); err != nil {
				came = "not shown: " + err.Error()
			}
			fmt.Fprintln(app.Transcript(), came)
		}()
	}}
	if err := app.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "host_tcell:", err)
		os.Exit(1)
	}
}

// show draws text in the middle of the screen and waits for a key.
func show(s tcell.Screen, text string) error {
	row := []rune("full screen: " + text)
	for {
		cols, rows := s.Size()
		s.Clear()
		x := max(0, (cols-len(row))/2)
		for i, r := range row {
			s.SetContent(x+i, rows/2, r, nil, tcell.StyleDefault.Bold(true))
		}
		s.Show()
		switch s.PollEvent().(type) {
		case *tcell.EventKey, nil:
			return nil
		}
	}
}
