// Command chat answers what is typed, word by word, while the next line is being written.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

func main() {
	if err := chat().Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "chat:", err)
		os.Exit(1)
	}
}

func chat() *tui.App {
	app := &tui.App{}
	app.Footer = &tui.Editor{Placeholder: "Say something. Ctrl+D quits.", OnSubmit: func(text string) {
		fmt.Fprintf(app.Transcript(), "> %s\n", text)
		answer := app.Transcript().Stream(&tui.Prose{})
		go func() {
			defer answer.Close()
			for _, word := range strings.Fields("You said: " + text) {
				fmt.Fprint(answer, word, " ")
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}}
	return app
}
