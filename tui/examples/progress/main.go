// Command progress shows work under way: a row for each step, which moves until the step is done.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := progress("fetch", "build", "test").Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "progress:", err)
		os.Exit(1)
	}
}

// bar is the progress of one step.
type bar struct {
	name string
	done int // in percent
}

func (b *bar) View(s tui.Space) tui.View {
	full := b.done / 5
	row := s.Cut(
		tui.Span{Text: fmt.Sprintf("%-8s", b.name)},
		tui.Span{Text: strings.Repeat("=", full), Style: s.Look().Added},
		tui.Span{Text: fmt.Sprintf("%s %3d%%", strings.Repeat(".", 20-full), b.done), Style: s.Look().Dim},
	)
	return tui.View{Lines: []tui.Line{row}}
}

func progress(steps ...string) *tui.App {
	status := &tui.Status{Text: "working", Hint: "Ctrl+C stops", Since: time.Now()}
	app := &tui.App{Footer: status}
	app.Main = func(ctx context.Context) error {
		for _, name := range steps {
			b := &bar{name: name}
			block := app.Transcript().Append(b)
			for range 20 {
				select {
				case <-time.After(50 * time.Millisecond):
				case <-ctx.Done():
					return ctx.Err()
				}
				block.Update(func() { b.done += 5 })
			}
			block.Done()
		}
		return nil
	}
	return app
}
