// Command form asks for an account on one page.
package main

import (
	"context"
	"net/mail"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

func main() { tui.Main(account()) }

func account() *tui.App {
	var name, address, password, plan string
	var topics []string
	news, app := true, &tui.App{}
	app.Main = func(ctx context.Context) error {
		return form.Ask(ctx, app,
			form.Text("Name", &name).Required(),
			form.Text("E-mail", &address).Required().Check(func(text string) error {
				_, err := mail.ParseAddress(text)
				return err
			}),
			form.Secret("Password", &password).Required().Help("At least 8 characters."),
			form.Choice("Plan", &plan, "free", "team", "company"),
			form.Choices("Topics", &topics, "releases", "security", "events"),
			form.Confirm("Newsletter?", &news))
	}
	return app
}
