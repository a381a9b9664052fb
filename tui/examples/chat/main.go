// Command chat answers what is typed, in Markdown and word by word, while the next line is being
// written.
package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

func main() { tui.Main(chat()) }

func chat() *tui.App {
	app := &tui.App{}
	app.Footer = &tui.Editor{Placeholder: "Say something. Ctrl+D quits.", OnSubmit: func(text string) {
		fmt.Fprintf(app.Transcript(), "> %s\n", text)
		answer := app.Transcript().Stream(&markdown.Document{})
		go func() {
			defer answer.Close()
			for _, word := range strings.Fields("You said: **" + text + "**") {
				fmt.Fprint(answer, word, " ")
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}}
	return app
}
