package form_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

// answer runs a program without a terminal: lines are what a person types.
func answer(lines string, program func(ctx context.Context, app *tui.App) error) {
	app := &tui.App{Input: strings.NewReader(lines)}
	app.Terminal = terminal.Config{Env: func(name string) string { return map[string]string{"TERM": "dumb"}[name] }}
	app.Main = func(ctx context.Context) error { return program(ctx, app) }
	if err := app.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}

func ExampleAsk() {
	var user struct {
		Name string
		Size string
		News bool
	}
	answer("Ada\nm\ny\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app,
			form.Text("Name", &user.Name).Required(),
			form.Choice("Size", &user.Size, "s", "m", "l"),
			form.Confirm("Subscribe?", &user.News))
	})
	fmt.Printf("%+v\n", user)
	// Output:
	// Name:
	// Size
	// 1 s
	// 2 m
	// 3 l
	// A number or the words of one [s]:
	// Subscribe? [y/N]
	// Name: Ada
	// Size: m
	// Subscribe? yes
	// {Name:Ada Size:m News:true}
}

func ExampleSteps() {
	var name string
	var wait time.Duration
	answer("backup\n90m\n", func(ctx context.Context, app *tui.App) error {
		return form.Steps(ctx, app,
			form.Text("Which job?", &name),
			form.Value("How often?", &wait, time.ParseDuration))
	})
	fmt.Println(name, wait.Hours())
	// Output:
	// Which job?
	// How often?
	// Which job? backup
	// How often? 90m
	// backup 1.5
}

func ExampleForm() {
	var name, street, city string
	parcel := true
	f := &form.Form{NoSummary: true, Pages: []form.Page{
		{Title: "You", Fields: []form.Question{form.Text("Name", &name), form.Confirm("A parcel?", &parcel)}},
		{Title: "Address", Fields: []form.Question{
			form.Text("Street", &street).When(func() bool { return parcel }),
			form.Text("City", &city),
		}},
	}}
	answer("Ada\nn\nLondon\n", f.Ask)
	fmt.Println(name, city)
	// Output:
	// You
	// Name:
	// A parcel? [Y/n]
	// Address
	// City:
	// Ada London
}

func ExampleField() {
	port := 8080
	field := form.Value("Port", &port, func(text string) (n int, err error) {
		_, err = fmt.Sscan(text, &n)
		return n, err
	})
	field.Help("Those below 1024 belong to the system.").Check(func(n int) error {
		if n < 1024 {
			return errors.New("the system has that one")
		}
		return nil
	})
	answer("80\n\n", func(ctx context.Context, app *tui.App) error { return form.Ask(ctx, app, field) })
	// Output:
	// Those below 1024 belong to the system.
	// Port [8080]:
	// ! the system has that one
	// Port [8080]:
	// Port: 8080
}

// settings returns fields that several forms have.
func settings(dark *bool, name *string) []form.Question {
	return []form.Question{form.Text("Name", name), form.Confirm("Dark?", dark)}
}

func ExampleQuestion() {
	var dark bool
	var name string
	answer("me\ny\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, settings(&dark, &name)...)
	})
	// Output:
	// Name:
	// Dark? [y/N]
	// Name: me
	// Dark? yes
}

func ExamplePage() {
	var name, reason string
	page := form.Page{Title: "Before you go", Steps: true, Fields: []form.Question{
		form.Text("Name", &name), form.Text("Reason", &reason)}}
	answer("Ada\nnone\n", func(ctx context.Context, app *tui.App) error {
		return (&form.Form{Pages: []form.Page{page}}).Ask(ctx, app)
	})
	// Output:
	// Before you go
	// Name:
	// Reason:
	// Name: Ada
	// Reason: none
}

func ExampleSecret() {
	var key string
	answer("hunter2\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, form.Secret("Key", &key))
	})
	fmt.Println(len(key), "bytes")
	// Output:
	// Key:
	// Key: ********
	// 7 bytes
}

func ExampleChoices() {
	tags := []string{"docs"}
	answer("1, 3\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, form.Choices("Tags", &tags, "api", "docs", "tests"))
	})
	// Output:
	// Tags
	// 1 [ ] api
	// 2 [x] docs
	// 3 [ ] tests
	// Numbers or words, commas between them; - for none:
	// Tags: api, tests
}
