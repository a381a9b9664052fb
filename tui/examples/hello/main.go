// Command hello repeats what is typed.
package main

import "github.com/scrollkeep/scrollkeep/tui"

func main() {
	app := &tui.App{}
	app.Footer = &tui.Editor{OnSubmit: func(text string) {
		app.Transcript().WriteString("hello, " + text + "\n")
	}}
	tui.Main(app)
}
