package tcellhost_test

import (
	"context"
	"fmt"

	"github.com/gdamore/tcell/v2"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tcellhost"
)

// A line that is sent opens a full screen, which ends with a key. It runs beside the loop.
func ExampleRun() {
	app := &tui.App{}
	app.Footer = &tui.Editor{OnSubmit: func(text string) {
		app.Go(func(ctx context.Context) error {
			err := tcellhost.Run(ctx, app, func(s tcell.Screen) error {
				for i, r := range []rune(text) {
					s.SetContent(i, 0, r, nil, tcell.StyleDefault)
				}
				s.Show()
				for {
					if _, key := s.PollEvent().(*tcell.EventKey); key {
						return nil
					}
				}
			})
			fmt.Fprintln(app.Transcript(), "back", err)
			return nil
		})
	}}
	_ = app.Run // func main() { tui.Main(app) }
}
