package ptyexec_test

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/ptyexec"
)

// A step of an installation is a program, whose screen stays above what is said of it.
func ExampleRun() {
	app := &tui.App{Footer: &tui.Status{Text: "listing", Hint: "Ctrl+C stops"}}
	app.Main = func(ctx context.Context) error {
		if err := ptyexec.Run(ctx, app, exec.Command("printf", `one\rtwo\n`)); err != nil {
			return err
		}
		fmt.Fprintln(app.Transcript(), "listed")
		return nil
	}
	tui.Main(app)
	// Output:
	// two
	// listed
}
