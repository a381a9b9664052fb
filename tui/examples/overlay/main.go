// Command overlay asks a question over a running log: the log goes on below it and nothing of the
// question stays in the history.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

func main() {
	if err := overlay().Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "overlay:", err)
		os.Exit(1)
	}
}

type question struct{ done func(bool) }

func (q *question) View(s tui.Space) tui.View {
	keys := tui.Span{Text: "[y]es  [n]o", Style: s.Look().Strong}
	if !s.Focused {
		keys.Style = s.Look().Dim // not armed yet
	}
	return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: "Stop the log?"}), s.Cut(keys)}}
}

func (q *question) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, ok := ev.(tui.Key)
	if ok = ok && (k.Is("y") || k.Is("n")); ok {
		q.done(k.Is("y"))
	}
	return ok
}

func overlay() *tui.App {
	app := &tui.App{Footer: tui.NewText("Ctrl+C quits")}
	app.Main = func(ctx context.Context) error {
		go func() {
			for n := 1; ctx.Err() == nil; n++ {
				fmt.Fprintln(app.Transcript(), "log line", n)
				select {
				case <-time.After(300 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		}()
		show := func(done func(bool)) tui.Component { return &question{done} }
		yes, err := tui.Ask(ctx, app, tui.Place{FocusDelay: 400 * time.Millisecond}, show)
		if err == nil {
			fmt.Fprintln(app.Transcript(), "the answer was", yes)
		}
		return err
	}
	return app
}
