// Command hello repeats what is typed.
package main

import (
	"context"
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui"
)

func main() {
	app := &tui.App{}
	app.Footer = &tui.Editor{OnSubmit: func(text string) { fmt.Fprintln(app.Transcript(), "hello,", text) }}
	if err := app.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}
