// Command wizard asks questions one after the other and keeps the answers in the history. It works
// in a pipe, too: a line for each answer.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

func main() { tui.Main(wizard("MIT", "Apache-2.0", "BSD-3-Clause")) }

func wizard(licences ...string) *tui.App {
	var name, licence string
	var tests, sure bool
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		err := form.Steps(ctx, app,
			form.Text("What is the project called?", &name).Required().Check(func(text string) error {
				if strings.ContainsAny(text, " /") {
					return errors.New("a name has neither blanks nor slashes")
				}
				return nil
			}),
			form.Choice("Which licence?", &licence, licences...),
			form.Confirm("Add tests?", &tests),
			form.Confirm("Make it now?", &sure))
		if err == nil && sure {
			fmt.Fprintf(app.Transcript(), "Made %s, licensed %s.\n", name, licence)
		}
		return err
	}
	return app
}
