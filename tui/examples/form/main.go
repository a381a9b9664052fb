// Command form asks for an account on one page. It works in a pipe, too: a line for each answer.
package main

import (
	"context"
	"net/mail"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

func main() { tui.Main(account()) }

func account() *tui.App {
	var name, password, plan string
	var address *mail.Address
	var topics []string
	news, app := true, &tui.App{}
	app.Main = func(ctx context.Context) error {
		return form.Ask(ctx, app,
			form.Text("Name", &name).Required(),
			form.Value("E-mail", &address, mail.ParseAddress).Required(),
			form.Secret("Password", &password).Required().Help("It is shown nowhere."),
			form.Choice("Plan", &plan, "free", "team", "company"),
			form.Choices("Topics", &topics, "releases", "security", "events"),
			form.Confirm("Newsletter?", &news))
	}
	return app
}
